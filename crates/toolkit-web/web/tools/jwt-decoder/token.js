//! Reads JSON Web Tokens in the compact serialization, as people paste them. Standards: RFC 7519,
//! RFC 7515 §7.1, RFC 7516 §7.1. It neither verifies nor decrypts, and does not read JSON serializations.

import { attempt, Refusal } from '../../kit/tool.js';
import { unwrap } from '../../kit/unwrap.js';
import { inFence } from '../../lib/around.js';
import { fromBase64Url } from '../../lib/bytes.js';
import { JsonNumber, parseJson } from '../../lib/json/json.js';
import { layout } from '../../lib/json/layout.js';
import { inPart } from '../../lib/positions.js';
import { utf8 } from '../../lib/utf8.js';

/** @typedef {(sentence: string) => void} Warn */
/** @typedef {{ text: string, members: Map<string, any> }} Obj formatted, and the members that count */
/** @typedef {{ name: string, text: string, start: number }} Segment */
/**
 * @typedef {object} Token
 * @property {string} compact without anything around it
 * @property {Obj} header
 * @property {Obj | undefined} payload
 * @property {'jws' | 'unsecured' | 'jwe'} type
 * @property {Record<'exp' | 'nbf' | 'iat', number | undefined | null>} dates in seconds; null: not readable
 * @property {boolean} isCut whether its signature is missing
 */

const AROUND = `[\\s\\uFEFF"'\`‘’“”]`;
const BEFORE = new RegExp(`^(?:${AROUND}*(?:authorization:|bearer(?=\\s|$)))*${AROUND}*`, 'i');
const AFTER = new RegExp(`(?<!${AROUND})${AROUND}*$`);
const SIGNED = ['header', 'payload', 'signature'];
const ENCRYPTED = [
  'header',
  'encrypted key',
  'initialization vector',
  'ciphertext',
  'authentication tag',
];
/** Seconds of the years 1 to 9999. */
const [FIRST, END] = [-62_135_596_800, 253_402_300_800];

/** @param {Segment} segment @param {Warn} warn */
function bytesOf({ name, text, start }, warn) {
  const digits = text.replace(/={1,2}$/, '');
  try {
    const bytes = inPart(start, () => fromBase64Url(digits));
    if (digits.length < text.length)
      warn(`The ${name} has padding (\`=\`), which a token must not have.`);
    return bytes;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const article = /^[aei]/.test(name) ? 'an' : 'a';
    const { at } = error.position;
    throw new Refusal(`has ${article} ${name} that is not base64url: it ${error.message}`, {
      ...(at !== undefined && { at }),
    });
  }
}

/** Checks a segment that is not shown decoded. An altered last digit is a warning. @param {Segment} segment @param {Warn} warn */
function check(segment, warn) {
  try {
    bytesOf(segment, warn);
  } catch (error) {
    if (!(error instanceof Refusal) || !/ends in bits/.test(error.message)) throw error;
    warn(
      `The last character of the ${segment.name} has unused bits that are set; strict readers refuse it.`,
    );
  }
}

/** @param {string} text @param {string} name @param {Warn} warn @param {string} [hint] @returns {Obj} */
function objectOf(text, name, warn, hint) {
  /** @param {string} reason @returns {never} */
  const refuse = (reason) => {
    throw new Refusal(`has a ${name} that is not a JSON object: ${reason}`, hint ? { hint } : {});
  };
  try {
    const members = parseJson(text);
    if (!(members instanceof Map)) return refuse('it does not start with {');
    const told = (/** @type {string} */ sentence) => warn(`${sentence} (In the ${name}.)`);
    return { text: layout(text, { step: '  ', warn: told }), members };
  } catch (error) {
    if (!(error instanceof Refusal) || error.message.startsWith(`has a ${name}`)) throw error;
    return refuse(`it ${error.message}`);
  }
}

/** @param {Segment} segment @param {Warn} warn */
const textOf = (segment, warn) =>
  utf8(bytesOf(segment, warn)) ??
  (() => {
    throw new Refusal(`has a ${segment.name} that is not a JSON object: it is not UTF-8 text`);
  })();

/** @param {Map<string, any>} members @param {string} name */
const stringOf = (members, name) =>
  typeof members.get(name) === 'string' ? String(members.get(name)) : undefined;

/** A date claim in seconds. @param {string} name @param {Map<string, any>} claims @param {Warn} warn */
function dateOf(name, claims, warn) {
  if (!claims.has(name)) return undefined;
  const value = claims.get(name);
  const isNumber = ['number', 'bigint'].includes(typeof value) || value instanceof JsonNumber;
  if (!isNumber) {
    warn(`\`${name}\` is not a number of seconds, so it tells no date and readers may refuse it.`);
    return null;
  }
  const seconds = Number(value instanceof JsonNumber ? value.text : value);
  if (seconds >= 1e11 && seconds < 1e14)
    warn(`\`${name}\` looks like milliseconds, but means seconds (RFC 7519 §2).`);
  if (seconds >= FIRST && seconds < END) return seconds;
  warn(`\`${name}\` lies outside of the years 1 to 9999, so it cannot be shown as a date.`);
  return null;
}

/** @param {string} compact @param {number} start */
function segmentsOf(compact, start) {
  const parts = compact.split('.');
  const names = parts.length === 5 ? ENCRYPTED : SIGNED;
  // Two segments are a token that was cut off, if the first is an object.
  if (parts.length !== names.length && !(parts.length === 2 && /^e[wy]/.test(compact)))
    throw new Refusal(
      `has ${parts.length} part${parts.length === 1 ? '' : 's'} where a token has three (header, payload, signature) or, encrypted, five`,
      {
        hint: compact.startsWith('{')
          ? 'The JSON serialization is not read: give the compact one.'
          : parts.length === 2
            ? 'A token without a signature ends in a full stop.'
            : parts.length % 2 === 0 && compact.endsWith('.')
              ? 'Remove the full stop at the end.'
              : 'Full stops divide the parts; give one token alone.',
      },
    );
  let next = start;
  return parts.map((text, at) => {
    const segment = { name: names[at] ?? '', text, start: next };
    next += text.length + 1;
    return segment;
  });
}

/** The readable beginning of a payload that was cut off. @param {Segment} segment @returns {Obj | undefined} */
function beginningOf({ text }) {
  const whole = text.slice(0, text.length - (text.length % 4));
  const bytes = attempt(() => fromBase64Url(whole));
  // Leaves out a character that was cut in two.
  const read = bytes && new TextDecoder().decode(bytes, { stream: true });
  return read ? { text: read.trimEnd(), members: new Map() } : undefined;
}

/** @param {Segment} segment @param {Map<string, any>} header @param {Warn} warn */
function payloadOf(segment, header, warn) {
  if (segment.text === '') {
    warn('The payload is detached: it is not in the token.');
    return undefined;
  }
  const isPlain = header.get('b64') === false;
  if (isPlain)
    warn('The payload is not encoded (`b64` is false), which RFC 7797 forbids for a JWT.');
  const isToken = stringOf(header, 'cty')?.toUpperCase() === 'JWT';
  const hint = 'The payload is a nested token: decode it from Base64, then as a token.';
  const text = isPlain ? segment.text : textOf(segment, warn);
  return objectOf(text, 'payload', warn, isToken ? hint : undefined);
}

/** @param {Map<string, any>} header @param {Segment | undefined} signature undefined: cut off @param {Warn} warn */
function protectionOf(header, signature, warn) {
  if (signature) check(signature, warn);
  const isUnsecured = stringOf(header, 'alg')?.toLowerCase() === 'none';
  if (isUnsecured) warn('`alg` is `none`: nothing protects the token, anybody can have made it.');
  if (isUnsecured && signature?.text) warn('The token has a signature, though `alg` is `none`.');
  if (!isUnsecured && signature?.text === '') warn('The signature is empty.');
  return isUnsecured ? 'unsecured' : 'jws';
}

/** The token in a text, and where it starts. @param {string} typed @param {Warn} warn */
function tokenIn(typed, warn) {
  const fenced = /^\s*(?:```|~~~)/.test(typed) ? inFence(typed) : undefined;
  if (fenced !== undefined) warn('Left out around the token: a code fence.');
  const text = fenced ?? typed;
  const [before = ''] = BEFORE.exec(text) ?? [];
  const compact = text.slice(before.length).replace(AFTER, '');
  const start = typed.indexOf(text) + before.length;
  if (/["'`‘’“”]/.test(before + text.slice(before.length + compact.length)))
    warn('Left out around the token: quotes.');
  const [version = '', purpose = ''] = compact.split('.');
  if (/^v[1-4]$/.test(version) && /^(?:local|public)$/.test(purpose))
    throw new Refusal(`is a PASETO (\`${version}\`), not a JSON Web Token`);
  const inner = /^[\w-]+=*\.[^"'`;,&<>(){}[\]:/\n]*$/.test(compact)
    ? compact
    : unwrap(compact, 'token', warn);
  return { compact: inner, start: start + Math.max(0, compact.indexOf(inner)) };
}

/** A token whose header does not say that it is encrypted. @param {Omit<Token, 'dates' | 'payload' | 'type'>} read @param {Segment} second @param {Segment | undefined} third @param {Warn} warn @returns {Token} */
function signedToken(read, second, third, warn) {
  const { members } = read.header;
  const payload = { ...second, name: 'payload' };
  if (!third) warn('The token is cut off: it has two of its three parts.');
  else if (read.isCut) warn('The signature is cut off: full stops stand in its place.');
  if (read.isCut && attempt(() => payloadOf(payload, members, () => {})) === undefined) {
    warn('The payload is cut off too: what is left of it is shown.');
    const dates = { exp: null, nbf: null, iat: null };
    return { ...read, payload: beginningOf(payload), type: 'jws', dates };
  }
  const whole = payloadOf(payload, members, warn);
  const type = protectionOf(members, third && { ...third, name: 'signature' }, warn);
  const claims = whole?.members ?? new Map();
  const [iat, nbf, exp] = ['iat', 'nbf', 'exp'].map((name) => dateOf(name, claims, warn));
  return { ...read, payload: whole, type, dates: { iat, nbf, exp } };
}

/** Reads a token. @param {string} typed @param {Warn} warn @returns {Token} */
export function readToken(typed, warn) {
  const { compact, start } = tokenIn(typed, warn);
  const segments = segmentsOf(compact, start);
  const [first, second, third, ...rest] =
    /** @type {[Segment, Segment, Segment | undefined, ...Segment[]]} */ (segments);
  const header = objectOf(textOf(first, warn), 'header', warn);
  if (stringOf(header.members, 'alg') === undefined)
    warn(
      header.members.has('alg')
        ? 'The `alg` of the header is not a string.'
        : 'The header has no `alg`, which every token must have.',
    );
  const isDotted = rest.length > 0 && rest.every(({ text }) => text === '');
  if (rest.length === 0 || (isDotted && !header.members.has('enc')))
    return signedToken({ compact, header, isCut: isDotted || !third }, second, third, warn);
  if (!header.members.has('enc'))
    throw new Refusal('has 5 parts, but its header has no `enc`', {
      hint: 'Give one token alone.',
    });
  for (const segment of segments.slice(1)) check(segment, warn);
  warn('The token is encrypted (JWE): its payload cannot be shown without the key.');
  const dates = { exp: undefined, nbf: undefined, iat: undefined };
  return { compact, header, payload: undefined, type: 'jwe', dates, isCut: false };
}

/** The status by the dates alone, in the service's words. @param {Token} token @param {number} now in seconds */
export function statusOf({ payload, dates: { exp, nbf, iat } }, now) {
  if (!payload || [exp, nbf, iat].includes(null)) return 'unknown';
  if (exp !== undefined && exp !== null && exp <= now) return 'expired';
  if (nbf !== undefined && nbf !== null && now < nbf) return 'not_yet_valid';
  return exp === undefined ? 'no_expiry' : 'active';
}
