//! JSON Web Tokens taken apart, with their dates, and their signature verified. Standards: RFC 7519, RFC 7515.

import {
  choice,
  headline,
  pairs,
  Refusal,
  refuse,
  table,
  text,
  textOutput,
  tool,
  view,
} from '../../kit/tool.js';
import { toUtf8 } from '../../lib/bytes.js';
import { ALGORITHMS } from '../../lib/jose/jws.js';
import { partsIn } from '../../lib/jose/parts.js';
import { verifySignature } from '../../lib/jose/verify.js';
import { readJson } from '../../lib/json/input.js';
import { writeJson } from '../../lib/json/json.js';
import { inField } from '../../lib/positions.js';
import { span } from '../../lib/zones.js';
import { drawn, finish } from './page.js';
import { readToken, statusOf } from './token.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Token } from './token.js' */

/** Names of claims: RFC 7519 §4.1, RFC 8693, OpenID Connect. */
const CLAIMS = new Map(
  Object.entries({
    ...{ iss: 'Issuer', sub: 'Subject', aud: 'Audience', exp: 'Expires', nbf: 'Not before' },
    ...{ iat: 'Issued', jti: 'Token id', azp: 'Authorized party', scope: 'Scopes', scp: 'Scopes' },
    ...{ client_id: 'Client', nonce: 'Nonce', auth_time: 'Authenticated', sid: 'Session' },
    ...{ acr: 'Authentication class', amr: 'Authentication methods', roles: 'Roles' },
    ...{ name: 'Name', given_name: 'Given name', family_name: 'Family name', email: 'E-mail' },
    ...{ email_verified: 'E-mail verified', preferred_username: 'User name', locale: 'Locale' },
  }),
);
/** Other formats that a secret typed as text may be in. */
const SECRETS = /** @type {const} */ ([
  ['base64url', 'Base64'],
  ['hex', 'hexadecimal digits'],
]);
const DATES = ['exp', 'nbf', 'iat', 'auth_time'];
const TYPES = { jws: 'Signed (JWS)', unsecured: 'Unsecured (JWS)', jwe: 'Encrypted (JWE)' };

/** ISO 8601 in UTC, to the microsecond that a double holds. @param {number} seconds */
function iso(seconds) {
  const micros = Math.round(seconds * 1e6);
  const whole = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  const fraction = String(micros - Math.floor(micros / 1e6) * 1e6).padStart(6, '0');
  return `${whole}${fraction === '000000' ? '' : `.${fraction.replace(/(?<!0)0+$/, '')}`}Z`;
}

/** In UTC and, if different, in the device's time zone on the next line. @param {number} seconds */
function dates(seconds) {
  const date = new Date(seconds * 1000);
  const shown = (/** @type {string[]} */ [timeZone]) =>
    date.toLocaleString('sv-SE', {
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
      ...{ timeZone, timeZoneName: 'short' },
    });
  return [...new Set([['UTC'], []].map(shown))].join('\n');
}

/** The verdict on the token's dates. @param {Token} token @param {number} now in seconds @returns {[string, 'good' | 'bad' | 'note']} */
function verdict(token, now) {
  const { exp, nbf } = token.dates;
  switch (statusOf(token, now)) {
    case 'expired':
      return [`Expired ${span(now - Number(exp))} ago`, 'bad'];
    case 'not_yet_valid':
      return [`Not valid yet, only in ${span(Number(nbf) - now)}`, 'bad'];
    case 'no_expiry':
      return ['Does not expire', 'note'];
    case 'active':
      return [`Expires in ${span(Number(exp) - now)}`, 'good'];
    default:
      if (token.isCut) return ['The token is cut off', 'bad'];
      return [token.type === 'jwe' ? 'Encrypted' : 'Its dates cannot be read', 'note'];
  }
}

/** @param {Token} token @param {T.TextValue} key @param {'auto'} format @param {T.Context} context */
async function signatureOf({ compact, type, header, isCut }, key, format, context) {
  if (isCut) return 'None: it is cut off.';
  if (type !== 'jws') return type === 'jwe' ? 'Not checked: the token is encrypted.' : 'None.';
  if (key.empty) return 'Not checked: enter a key.';
  if (!globalThis.crypto?.subtle)
    return refuse('key', 'cannot be used on this page', {
      hint: 'Verifying needs a secure connection. Open the page over HTTPS, or on localhost.',
    });
  if (header.members.has('crit'))
    return 'Not checked: "crit" in the header demands extensions that this page does not know.';
  const [alg, kid] = ['alg', 'kid'].map((name) => header.members.get(name));
  const isValid = await inField('key', key.string, () =>
    verifySignature(compact, { alg, kid }, key, format, context),
  );
  if (isValid) return 'Valid: it was made with this key.';
  for (const [other, name] of /^HS/.test(String(alg)) ? SECRETS : []) {
    const quiet = { ...context, warn: () => {} };
    const how = /** @type {'auto'} */ (other);
    const fits = verifySignature(compact, { alg, kid }, key, how, quiet).catch(() => false);
    if (await fits)
      return `Not valid as text, but valid with the secret as ${name}. Choose that format.`;
  }
  return 'Not valid: it was made with another key, or the token was changed.';
}

/** @param {[name: string, value: any]} claim */
function claimRow([name, value]) {
  const date = DATES.includes(name) && typeof value === 'number' && Math.abs(value) < 8.64e12;
  const shown = typeof value === 'string' ? value : writeJson(value, { indent: '' });
  return [name, CLAIMS.get(name) ?? '', shown, date ? dates(value) : ''];
}

/** The token with a changed payload, and its dates. @param {Token} token @param {T.TextValue} changed @param {T.TextValue} key @param {'auto'} format @param {T.Context} context @returns {Promise<T.Outputs>} */
async function signedAgain({ header, payload, type }, changed, key, format, context) {
  if (['', payload?.text].includes(changed.string.trim())) return {};
  const claims = readJson('payload', changed.string);
  if (!(claims instanceof Map))
    return refuse('payload', 'must be a JSON object', { hint: 'Write it as {"sub": "anna"}.' });
  const rows = [...claims].map(claimRow).filter(([, , , date]) => date !== '');
  const dated = rows.length > 0 && {
    dates: pairs(rows.map(([name = '', meaning, , date]) => [meaning || name, date])),
  };
  if (type !== 'jws') context.warn('Only a signed token (JWS) can be re-signed.');
  else if (key.empty) context.warn('Enter the key to sign the changed payload.');
  else
    try {
      const { signed } = await import('../../lib/jose/sign.js');
      const [head, body] = [header.members, claims].map((part) => writeJson(part, { indent: '' }));
      const alg = String(header.members.get('alg'));
      const { token } = await signed(`${head}`, toUtf8(`${body}`), alg, key, format, context);
      return { signed: textOutput(token, { marks: partsIn(token, token) }), ...dated };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      context.warn(`The changed payload was not signed: the key ${error.message}.`);
    }
  return { ...dated };
}

/** Opens the encoder with the token's header and payload, and with a shared secret. @param {Token} token @param {T.TextValue} key @param {string} format @returns {T.Opens} */
function encoder({ header, payload }, key, format) {
  const algorithm = String(header.members.get('alg'));
  const [own] = ALGORITHMS.filter((name) => name === algorithm);
  return [
    'jwt-encoder',
    {
      ...{ mode: 'sign', header: header.text, payload: payload?.text },
      ...(own && { algorithm: own }),
      ...(algorithm.startsWith('HS') && { key: key.string, format }),
    },
  ];
}

export default tool({
  secrets: true,
  tabs: ['payload', 'claims', 'header'],
  drawn,
  finish,
  fields: {
    token: text('Token', {
      lines: 4,
      max: 2 << 20,
      help: 'Paste a token, or anything that contains one: a header, a cookie, a curl command, a log line.',
    }),
    key: text('Key to verify the signature', {
      lines: 3,
      max: 256 * 1024,
      help: 'Enter a shared secret, PEM, certificate, JWK or JWK Set, or leave empty.',
    }),
    payload: text('Editable payload', {
      lines: 10,
      max: 1 << 20,
      help: 'Edit the payload. With a key, the token is re-signed as you type.',
    }),
    format: choice('Secret format', {
      auto: 'Text',
      text: 'Text, even if like a JWK',
      hex: 'Hexadecimal',
      base64url: 'Base64 or Base64url',
    }),
  },
  labels: { result: 'Summary', signed: 'New token', dates: 'New dates' },
  actions: [
    {
      title: 'Undo changes',
      field: 'payload',
      run({ token }, { warn }) {
        const { payload } = inField('token', token.string, () => readToken(token.string, warn));
        if (!payload) return refuse('token', 'has no payload that can be read');
        return { payload: payload.text };
      },
    },
  ],
  async run({ token: typed, key, format, payload: changed }, context) {
    if (typed.string.trim() === '') return {};
    const now = context.now().getTime() / 1000;
    const token = inField('token', typed.string, () => readToken(typed.string, context.warn));
    const { header, payload, type, dates } = token;
    const options = /** @type {'auto'} */ (format);
    const signature = await signatureOf(token, key, options, context);
    const [sentence, tone] = verdict(token, now);
    const isForged = signature.startsWith('Not valid');
    const isSigned = signature.startsWith('Valid');
    const left = Number(dates.exp ?? Number.NaN) - now;
    if (left > 0 && left < 86_400) context.again(30);
    const date = (/** @type {number | null | undefined} */ seconds) =>
      typeof seconds === 'number' ? iso(seconds) : undefined;
    /** @type {[string, T.Cell][]} */
    const rows = [
      ['Signature', signature],
      ['Algorithm', header.members.get('alg')],
      ['Kind', TYPES[type]],
      ['Issued', date(dates.iat)],
      ['Not before', date(dates.nbf)],
      ['Expires', date(dates.exp)],
    ];
    const json = { type: 'application/json' };
    return {
      headline: isForged
        ? headline('The signature is not valid', { tone: 'bad' })
        : headline(isSigned ? `${sentence}, signature valid` : sentence, {
            tone: token.isCut ? 'bad' : tone,
          }),
      ...(await signedAgain(token, changed, key, options, context)),
      payload:
        payload && textOutput(payload.text, { ...json, opens: [encoder(token, key, format)] }),
      claims:
        payload && table(['Claim', 'Meaning', 'Value', 'Date'], [...payload.members].map(claimRow)),
      header: textOutput(header.text, json),
      marks: view({ token: partsIn(typed.string, token.compact) }),
      result: pairs(rows.filter(([, cell]) => cell !== undefined)),
    };
  },
  product: { signed: 'token', payload: 'payload' },
  examples: [
    {
      title: 'The token of RFC 7519 §3.1',
      values: {
        token:
          'Bearer eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
      outputs: {
        headline: headline('Expired 12 years ago', { tone: 'bad' }),
        header: textOutput('{\n  "typ": "JWT",\n  "alg": "HS256"\n}', { type: 'application/json' }),
      },
    },
    {
      title: 'The same, with its key',
      values: {
        token:
          'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        key: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
        format: 'base64url',
      },
    },
    {
      title: 'An unsecured token',
      values: { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.' },
    },
  ],
});
