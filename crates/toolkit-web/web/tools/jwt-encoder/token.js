//! Signs and verifies tokens for a form: refused fields, warnings and outputs.
//! Standards: RFC 7519, RFC 7515, RFC 8725 (practice).
import { Refusal, refuse, table, textOutput, view } from '../../kit/tool.js';
import { unwrap } from '../../kit/unwrap.js';
import { toBase64Url } from '../../lib/bytes.js';
import * as jose from '../../lib/jose/jws.js';
import { partsIn } from '../../lib/jose/parts.js';
import { signed } from '../../lib/jose/sign.js';
import { verifySignature } from '../../lib/jose/verify.js';
import { duplicateWarning, readJson } from '../../lib/json/input.js';
import { parseJson, writeJson } from '../../lib/json/json.js';
import { inField } from '../../lib/positions.js';
import { utf8 } from '../../lib/utf8.js';
import { checkClaims, momentOf } from './checks.js';

/** @import * as T from '../../kit/types.d.ts' */

const OBJECTS = { header: '{"alg": "HS256"}', payload: '{"sub": "anna"}' };

/** @param {keyof typeof OBJECTS} field @param {string} string @returns {Record<string, any>} */
function readObject(field, string) {
  readJson(field, string);
  const value = JSON.parse(string);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    refuse(field, 'must be a JSON object', { hint: `Write it as ${OBJECTS[field]}.` });
  return value;
}

/** The header of a token. @param {Uint8Array} bytes */
function headerOf(bytes) {
  try {
    return readObject('header', utf8(bytes) ?? '');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse('token', 'has a header that is not a JSON object', {
      hint: `The part before the first dot is the Base64url of one, such as ${OBJECTS.header}.`,
    });
  }
}

/** @param {{ header: T.TextValue, payload: T.TextValue, algorithm: string, key: T.TextValue, format: 'auto' }} values @param {T.Context} context @returns {Promise<T.Outputs>} */
export async function sign({ header: typed, payload, algorithm, key: typedKey, format }, context) {
  if (payload.empty) return {};
  const header =
    typed.string.trim() === '' ? JSON.stringify({ alg: algorithm, typ: 'JWT' }) : typed.string;
  const { alg, b64 } = readObject('header', header);
  inField('header', header, () => jose.algorithmOf(alg));
  if (b64 === false) refuse('header', 'has "b64": false (RFC 7797), which tokens may not use');
  warnOfTimes(readObject('payload', payload.string), context);
  if (typedKey.empty) refuse('key', 'is empty', { hint: 'Press "New key" for one.' });
  const { token, publicKey } = await inField('key', typedKey.string, () =>
    signed(header, payload.bytes, alg, typedKey, format, context),
  );
  const shown = { token: textOutput(token, { marks: partsIn(token, token) }) };
  if (!publicKey) return shown;
  const open = JSON.stringify(publicKey, null, 2);
  return {
    ...shown,
    publicKey: textOutput(open, { file: 'public.jwk.json', type: 'application/json' }),
  };
}

/** @param {Record<string, any>} claims @param {T.Context} context */
function warnOfTimes(claims, context) {
  for (const name of ['exp', 'nbf', 'iat']) {
    const value = claims[name];
    if (value === undefined) continue;
    if (momentOf(value) === undefined)
      context.warn(`"${name}" is not a number of seconds. Verifiers will refuse the token.`);
    else if (value > 1e11)
      context.warn(
        `"${name}" is ${momentOf(value)}. It looks like milliseconds, but the unit is seconds.`,
      );
  }
}

/** @param {{ token: string, key: T.TextValue, format: 'auto', skew: number, issuer: string, audience: string }} values @param {T.Context} context @returns {Promise<T.Outputs>} */
export async function verify({ token: typed, key, format, skew, issuer, audience }, context) {
  const token = unwrap(typed.trim().replace(/^Bearer\s+/i, ''), 'token', context.warn);
  if (token === '') return {};
  const parts = inField('token', token, () => jose.splitJws(token));
  const header = headerOf(parts.header);
  const shown = {
    header: writeJson(parseJson(utf8(parts.header) ?? '')),
    ...claimsOf(parts.payload, context),
  };
  inField('token', token, () => jose.algorithmOf(header.alg));
  if (header.crit !== undefined)
    refuse('token', 'has "crit" in its header, and unknown extensions must be refused');
  const signature = key.empty
    ? undefined
    : await inField('key', key.string, () => verifySignature(token, header, key, format, context));
  const now = Math.floor(context.now().getTime() / 1000);
  const checks = checkClaims(shown.claims ?? {}, {
    now,
    skew,
    issuer: issuer.trim(),
    audience: audience.trim(),
  });
  const all = [
    /** @type {const} */ ([
      'Signature',
      signature === undefined ? 'not checked: no key' : signature ? 'valid' : 'not valid',
      signature === true,
    ]),
    ...checks,
  ];
  const holds = all.every(([, , good]) => good);
  const unchecked = signature === undefined ? 'Not verified: enter a key.' : 'Not valid.';
  return {
    result: holds ? 'Valid.' : unchecked,
    checks: table(
      ['Check', 'Result', 'Holds'],
      all.map(([name, words, good]) => [name, words, good ? 'yes' : 'no']),
    ),
    header: textOutput(shown.header, { type: 'application/json' }),
    payload: textOutput(shown.payload, { type: 'application/json' }),
    marks: view({ token: partsIn(typed, token) }),
  };
}

/** @param {Uint8Array} bytes @param {T.Context} context @returns {{ payload: string, claims?: Record<string, unknown> }} */
function claimsOf(bytes, context) {
  const payload = context.decodeText(bytes);
  try {
    const exact = parseJson(payload, { onDuplicate: duplicateWarning(payload, context.warn) });
    // Shown with the token's own digits and order, but checked as JavaScript reads them.
    if (exact instanceof Map) return { payload: writeJson(exact), claims: JSON.parse(payload) };
  } catch {}
  context.warn('The payload is not a JSON object, so the token has no claims.');
  return { payload };
}

/** @param {string} name @param {number} later */
export const claimButton = (name, later) => ({
  title: later ? `Set ${name}: in an hour` : `Set ${name}: now`,
  field: /** @type {const} */ ('payload'),
  /** @param {{ payload: T.TextValue }} values @param {T.Context} context */
  run({ payload }, context) {
    const claims = payload.empty ? new Map() : readJson('payload', payload.string);
    if (!(claims instanceof Map)) return refuse('payload', 'must be a JSON object');
    const seconds = Math.floor(context.now().getTime() / 1000) + later;
    return { payload: writeJson(claims.set(name, seconds)) };
  },
});

/** @param {string} alg @param {T.Context} context */
export async function newKey(alg, { random }) {
  const { kty, bits } = jose.algorithmOf(alg);
  if (kty === 'oct')
    return { key: toBase64Url(random(bits / 8)), format: /** @type {const} */ ('base64url') };
  const jwk = await jose.newPrivateKey(alg);
  if (!jwk) return refuse('algorithm', `is ${alg}, which this browser does not support`);
  return { key: JSON.stringify(jwk, null, 2), format: /** @type {const} */ ('auto') };
}
