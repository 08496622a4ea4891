//! Exports of authenticator apps: `otpauth-migration://offline?data=…`, a message of Protocol Buffers in Base64.
//! There is no published standard: the numbers of its fields are those of Google Authenticator's exports.
import { Refusal } from '../../kit/tool.js';
import { toBase32 } from '../../lib/base32.js';
import { fromBase64 } from '../../lib/bytes.js';

/** @import { KeyUri } from '../../lib/otp.js' */

/** @param {string} text */
export const isMigration = (text) => /^\s*otpauth-migration:/i.test(text);

const ALGORITHMS = /** @type {const} */ ([undefined, 'SHA1', 'SHA256', 'SHA512']);

/** The fields of a message, by their numbers. @param {Uint8Array} bytes @returns {Map<number, (Uint8Array | number)[]>} */
function message(bytes) {
  let at = 0;
  const broken = () => new Refusal('is an export that is cut off or was changed');
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || scale > 2 ** 63) throw broken();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const slice = (/** @type {number} */ length) => {
    if (at + length > bytes.length) throw broken();
    at += length;
    return bytes.subarray(at - length, at);
  };
  /** @type {Map<number, (Uint8Array | number)[]>} */
  const fields = new Map();
  while (at < bytes.length) {
    const tag = number();
    const type = tag & 7;
    if (type > 2) throw broken();
    const value = type === 0 ? number() : slice(type === 1 ? 8 : number());
    fields.set(tag >>> 3, [...(fields.get(tag >>> 3) ?? []), value]);
  }
  return fields;
}

/** @param {Map<number, (Uint8Array | number)[]>} fields @param {number} field */
const bytesIn = (fields, field) => {
  const [value] = fields.get(field) ?? [];
  return value instanceof Uint8Array ? value : new Uint8Array();
};
/** @param {Map<number, (Uint8Array | number)[]>} fields @param {number} field */
const numberIn = (fields, field) => Number(fields.get(field)?.[0] ?? 0);

/** @param {Uint8Array} bytes @returns {KeyUri} */
function account(bytes) {
  const fields = message(bytes);
  const text = (/** @type {number} */ field) => new TextDecoder().decode(bytesIn(fields, field));
  const issuer = text(3);
  const name = text(2);
  const algorithm = ALGORITHMS[numberIn(fields, 4) || 1];
  const secret = toBase32(bytesIn(fields, 1), 'standard');
  if (secret === '') throw new Refusal('has an account without a secret');
  if (!algorithm) throw new Refusal(`has a hash that is not known for "${name}"`);
  return {
    kind: numberIn(fields, 6) === 1 ? 'hotp' : 'totp',
    secret,
    issuer: issuer || (/^([^:]+):/.exec(name)?.[1] ?? ''),
    account: name.replace(/^[^:]*:\s*/, ''),
    algorithm,
    digits: numberIn(fields, 5) === 2 ? 8 : 6,
    period: 30,
    counter: numberIn(fields, 7),
  };
}

/** The accounts of an export, and of how many codes it is which. @param {string} link */
export function readMigration(link) {
  const data = /[?&]data=([^&#\s]*)/i.exec(link)?.[1];
  if (!data)
    throw new Refusal('is an export without "data="', {
      hint: 'A link looks like otpauth-migration://offline?data=…',
    });
  const digits = data.replace(/%([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const fields = message(fromBase64(digits));
  const accounts = (fields.get(1) ?? []).flatMap((one) =>
    one instanceof Uint8Array ? [account(one)] : [],
  );
  const [first, ...others] = accounts;
  if (!first) throw new Refusal('is an export without accounts');
  return { first, others, part: numberIn(fields, 4) + 1, parts: numberIn(fields, 3) };
}
