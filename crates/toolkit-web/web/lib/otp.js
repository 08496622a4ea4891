//! Shared secrets and key URIs of one-time codes. Standards: RFC 4226, RFC 6238, RFC 4648 §6 (Base32), and the
//! key URI format of authenticator apps (otpauth://).
import { attempt, Refusal } from '../kit/tool.js';
import { bytesOf } from './base32.js';
import { inPart } from './positions.js';

const LINK = 'A link looks like otpauth://totp/Issuer:account?secret=…';

/** @param {string} text Base32; spaces, hyphens, padding and small letters are accepted */
export function secretFromBase32(text) {
  const foreign = /[^A-Z2-7\s=-]/iu.exec(text);
  if (foreign)
    throw new Refusal(`has the character ${JSON.stringify(foreign[0])}, which is not in Base32`, {
      at: foreign.index,
      hint: /[0189]/.test(foreign[0])
        ? 'Base32 has the letters A to Z and the digits 2 to 7.'
        : 'If it is not Base32, choose hexadecimal or text.',
    });
  return bytesOf(text.replace(/[\s=-]/g, '').toUpperCase(), 'standard').bytes;
}

const STEAM = '23456789BCDFGHJKMNPQRTVWXY';

/** The code of Steam Guard: five characters for the 31 bits of RFC 4226 §5.3. @param {number} bits */
export function steamCode(bits) {
  const places = Array.from({ length: 5 }, (_, place) => Math.floor(bits / STEAM.length ** place));
  return places.map((rest) => STEAM[rest % STEAM.length]).join('');
}

/**
 * @typedef {object} KeyUri
 * @property {'totp' | 'hotp' | 'steam'} kind
 * @property {string} secret Base32
 * @property {string} issuer
 * @property {string} account
 * @property {'SHA1' | 'SHA256' | 'SHA512'} algorithm
 * @property {number} digits
 * @property {number} period
 * @property {number} counter
 */

/** @param {string} text @returns {KeyUri} */
export function readKeyUri(text) {
  const bare = /^steam:\/\/([A-Z2-7]+)$/i.exec(text.trim())?.[1];
  const link = bare ? `otpauth://steam/Steam:Steam?secret=${bare}` : text.trim();
  const [, kind = '', rawLabel = '', rawQuery = ''] =
    /^otpauth:\/\/([^/?#]*)\/?([^?#]*)\??([^#]*)/i.exec(link) ?? [];
  if (!/^(totp|hotp|steam)$/i.test(kind))
    throw new Refusal('is not an otpauth:// link for totp or hotp', {
      hint: LINK,
    });
  // Between words a plus is the space of forms.
  const spaced = rawQuery.replace(/issuer=[^&]*/, (issuer) =>
    issuer.replace(/(?<=\w)\+(?=\w)/g, '%20'),
  );
  const query = new URLSearchParams(spaced.replaceAll('+', '%2B'));
  const isSteam = /^steam$/i.test(kind) || /^steam$/i.test(query.get('encoder') ?? '');
  const { issuer, account } = readLabel(rawLabel, query.get('issuer'));
  // Some apps write groups, as A+B.
  const secret = (query.get('secret') ?? '').replaceAll('+', '');
  if (secret === '') throw new Refusal('is a link without "secret="', { hint: LINK });
  inPart(Math.max(0, text.indexOf(secret)), () => secretFromBase32(secret));
  if (/^hotp$/i.test(kind) && !query.has('counter'))
    throw new Refusal('is a link for hotp without "counter="', {
      hint: 'A link looks like otpauth://hotp/Issuer:account?secret=…&counter=0',
    });
  return {
    kind: isSteam ? 'steam' : /^hotp$/i.test(kind) ? 'hotp' : 'totp',
    secret,
    issuer,
    account,
    algorithm: readAlgorithm(query.get('algorithm')),
    digits: isSteam ? 6 : readCount(query, 'digits', 6, 6, 10),
    period: readCount(query, 'period', 30, 1, 86400),
    counter: readCount(query, 'counter', 0, 0, Number.MAX_SAFE_INTEGER),
  };
}

/** @param {string} raw @param {string | null} named */
function readLabel(raw, named) {
  const label = attempt(() => decodeURIComponent(raw));
  if (label === undefined) throw new Refusal('has a label with broken percent-encoding');
  if (label.trim() === '') throw new Refusal('has an empty label; it should name the account');
  const colon = label.indexOf(':');
  const issuer = named || (colon < 0 ? '' : label.slice(0, colon));
  const account = label.slice(colon + 1).trim();
  if (account === '') throw new Refusal('has a label without an account');
  return { issuer: issuer.trim(), account };
}

/** @param {string | null} text @returns {KeyUri['algorithm']} */
function readAlgorithm(text) {
  const name = (text ?? 'SHA1').toUpperCase().replace(/^HMAC|-/g, '');
  if (name === 'SHA1' || name === 'SHA256' || name === 'SHA512') return name;
  throw new Refusal(`has the algorithm "${text}"; SHA1, SHA256 and SHA512 are known`);
}

/** @param {URLSearchParams} query @param {string} name @param {number} standard @param {number} min @param {number} max */
function readCount(query, name, standard, min, max) {
  const text = query.get(name);
  if (text === null) return standard;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new Refusal(`has "${text}" as ${name}; it must be a whole number from ${min} to ${max}`);
  return value;
}

/** @param {KeyUri} key */
export function writeKeyUri({ kind, secret, issuer, account, algorithm, digits, period, counter }) {
  const label = [issuer, account].filter(Boolean).map(encodeURIComponent).join(':');
  const query = [`secret=${secret}`];
  if (issuer) query.push(`issuer=${encodeURIComponent(issuer)}`);
  query.push(`algorithm=${algorithm}`, `digits=${digits}`);
  query.push(kind === 'hotp' ? `counter=${counter}` : `period=${period}`);
  return `otpauth://${kind}/${label}?${query.join('&')}`;
}
