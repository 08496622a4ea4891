//! Encryption with a passphrase as compact JWE. Standards: RFC 7516, RFC 7518 §4.8 (PBES2) and §5;
//! RFC 8018.
//! Written: PBES2-HS512+A256KW with A256GCM. Read: all three PBES2 algorithms, all GCM and CBC-HMAC encryptions.
import { fromBase64Url, toBase64Url } from './base64url.js';
import { concat } from './der.js';
import { Fault } from './fault.js';

export const ROUNDS_LIMIT = 2_000_000;
const MANAGEMENT = {
  'PBES2-HS256+A128KW': { hash: 'SHA-256', bits: 128 },
  'PBES2-HS384+A192KW': { hash: 'SHA-384', bits: 192 },
  'PBES2-HS512+A256KW': { hash: 'SHA-512', bits: 256 },
};
const ENCRYPTION = {
  A128GCM: { bytes: 16, hash: '' },
  A192GCM: { bytes: 24, hash: '' },
  A256GCM: { bytes: 32, hash: '' },
  'A128CBC-HS256': { bytes: 32, hash: 'SHA-256' },
  'A192CBC-HS384': { bytes: 48, hash: 'SHA-384' },
  'A256CBC-HS512': { bytes: 64, hash: 'SHA-512' },
};
/** The same sentence for a wrong passphrase and a changed text, which must not be distinguishable. */
export const UNOPENED = 'cannot be opened: the passphrase is wrong, or the text was changed';

const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);
const buffer = (/** @type {Uint8Array} */ bytes) => /** @type {BufferSource} */ (bytes);

/** @param {string} passphrase @param {keyof typeof MANAGEMENT} alg @param {Uint8Array} salt @param {number} rounds */
async function wrappingKey(passphrase, alg, salt, rounds) {
  const { hash, bits } = MANAGEMENT[alg];
  const base = await crypto.subtle.importKey('raw', utf8(passphrase), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const parameters = {
    name: 'PBKDF2',
    hash,
    salt: buffer(concat(utf8(alg), Uint8Array.of(0), salt)),
    iterations: rounds,
  };
  return crypto.subtle.deriveKey(parameters, base, { name: 'AES-KW', length: bits }, false, [
    'wrapKey',
    'unwrapKey',
  ]);
}

/**
 * @param {Uint8Array} plain
 * @param {string} passphrase
 * @param {{ rounds: number, random: (count: number) => Uint8Array }} options
 */
export async function encryptJwe(plain, passphrase, { rounds, random }) {
  const [salt, content, iv] = [random(16), random(32), random(12)];
  const alg = 'PBES2-HS512+A256KW';
  const header = toBase64Url(
    utf8(JSON.stringify({ alg, enc: 'A256GCM', p2s: toBase64Url(salt), p2c: rounds })),
  );
  const key = await crypto.subtle.importKey('raw', buffer(content), 'AES-GCM', true, ['encrypt']);
  const wrapped = await crypto.subtle.wrapKey(
    'raw',
    key,
    await wrappingKey(passphrase, alg, salt, rounds),
    'AES-KW',
  );
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: buffer(iv), additionalData: utf8(header) },
    key,
    buffer(plain),
  );
  const split = sealed.byteLength - 16;
  const parts = [
    new Uint8Array(wrapped),
    iv,
    new Uint8Array(sealed, 0, split),
    new Uint8Array(sealed, split),
  ];
  return [header, ...parts.map(toBase64Url)].join('.');
}

/** @param {string} token */
export function readJweHeader(token) {
  const parts = token.split('.');
  if (parts.length !== 5)
    throw new Fault(
      /^U2FsdGVkX1/.test(parts[0] ?? '')
        ? 'was encrypted by "openssl enc" or CryptoJS, which is not JWE and is not read here'
        : `has ${parts.length} part${parts.length === 1 ? '' : 's'}; a compact JWE has five, joined by dots`,
    );
  const [head = ''] = parts;
  /** @type {any} */
  let header;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(head)));
  } catch {
    throw new Fault('does not begin with the header of a JWE', {
      offset: 0,
      hint: 'A compact JWE begins with eyJ.',
    });
  }
  if (header === null || typeof header !== 'object')
    throw new Fault('has a header that is not a JSON object', { offset: 0 });
  if (!Object.hasOwn(MANAGEMENT, header.alg))
    throw new Fault(
      `has the algorithm ${JSON.stringify(header.alg)}; with a passphrase it is one of ${Object.keys(MANAGEMENT).join(', ')}`,
    );
  if (!Object.hasOwn(ENCRYPTION, header.enc))
    throw new Fault(
      `has the encryption ${JSON.stringify(header.enc)}; known are ${Object.keys(ENCRYPTION).join(', ')}`,
    );
  if (header.crit !== undefined || header.zip !== undefined)
    throw new Fault('has "crit" or "zip" in its header, which are not supported');
  if (!Number.isInteger(header.p2c) || header.p2c < 1)
    throw new Fault('has no whole number of rounds ("p2c") in its header');
  if (header.p2c > ROUNDS_LIMIT)
    throw new Fault(`demands ${header.p2c} rounds; ${ROUNDS_LIMIT} at most are done`);
  if (typeof header.p2s !== 'string') throw new Fault('has no salt ("p2s") in its header');
  const salt = fromBase64Url(header.p2s);
  return { header, salt, parts: parts.slice(1).map((part) => fromBase64Url(part)) };
}

/** @param {string} token @param {string} passphrase */
export async function decryptJwe(token, passphrase) {
  const { header, salt, parts } = readJweHeader(token);
  const [wrapped, iv, text, tag] = /** @type {[Uint8Array, Uint8Array, Uint8Array, Uint8Array]} */ (
    parts
  );
  const { bytes, hash } = ENCRYPTION[/** @type {'A256GCM'} */ (header.enc)];
  const aad = utf8(token.slice(0, token.indexOf('.')));
  const key = await wrappingKey(passphrase, header.alg, salt, header.p2c);
  try {
    const unwrapped = await crypto.subtle.unwrapKey(
      'raw',
      buffer(wrapped),
      key,
      'AES-KW',
      { name: 'HMAC', hash: 'SHA-256' },
      true,
      ['sign'],
    );
    const content = new Uint8Array(await crypto.subtle.exportKey('raw', unwrapped));
    if (content.length !== bytes) throw new Error('length');
    return await (hash
      ? openCbc(content, hash, iv, text, tag, aad)
      : openGcm(content, iv, text, tag, aad));
  } catch {
    throw new Fault(UNOPENED);
  }
}

/** @param {Uint8Array} content @param {Uint8Array} iv @param {Uint8Array} text @param {Uint8Array} tag @param {Uint8Array} aad */
async function openGcm(content, iv, text, tag, aad) {
  if (tag.length !== 16 || iv.length !== 12) throw new Error('length');
  const key = await crypto.subtle.importKey('raw', buffer(content), 'AES-GCM', false, ['decrypt']);
  const parameters = { name: 'AES-GCM', iv: buffer(iv), additionalData: buffer(aad) };
  return new Uint8Array(await crypto.subtle.decrypt(parameters, key, buffer(concat(text, tag))));
}

/** RFC 7518 §5.2. @param {Uint8Array} content @param {string} hash @param {Uint8Array} iv @param {Uint8Array} text @param {Uint8Array} tag @param {Uint8Array} aad */
async function openCbc(content, hash, iv, text, tag, aad) {
  const half = content.length / 2;
  const mac = await crypto.subtle.importKey(
    'raw',
    buffer(content.subarray(0, half)),
    { name: 'HMAC', hash },
    false,
    ['sign'],
  );
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(aad.length * 8));
  const full = new Uint8Array(
    await crypto.subtle.sign('HMAC', mac, buffer(concat(aad, iv, text, length))),
  );
  const differing = full
    .subarray(0, half)
    .reduce((sum, byte, index) => sum | (byte ^ (tag[index] ?? 256)), 0);
  if (differing !== 0 || tag.length !== half) throw new Error('tag');
  const key = await crypto.subtle.importKey(
    'raw',
    buffer(content.subarray(half)),
    'AES-CBC',
    false,
    ['decrypt'],
  );
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-CBC', iv: buffer(iv) }, key, buffer(text)),
  );
}
