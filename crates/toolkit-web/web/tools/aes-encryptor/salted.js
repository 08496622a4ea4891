//! Texts by "openssl enc" and CryptoJS: "Salted__", eight bytes of salt, AES-256-CBC with PKCS #7 padding.
//! Nothing is encrypted like this here: the ways from a passphrase to its key are weak, and nothing is authenticated.

import { concat, fromAnyBase64, toUtf8 } from '../../lib/bytes.js';
import { utf8 } from '../../lib/utf8.js';
import { buffer } from './aes-gcm.js';

/** @typedef {(passphrase: Uint8Array, salt: Uint8Array) => Promise<Uint8Array>} Derive 48 bytes: key and IV */

const PREFIX = 'Salted__';

/** EVP_BytesToKey with one round. @param {(bytes: Uint8Array) => Uint8Array} digest @returns {Derive} */
const chained = (digest) => async (passphrase, salt) => {
  /** @type {Uint8Array[]} */
  const parts = [];
  while (concat(...parts).length < 48)
    parts.push(digest(concat(...parts.slice(-1), passphrase, salt)));
  return concat(...parts).subarray(0, 48);
};

/** Rounds that openssl has, or that instructions for it name. */
const ROUNDS = [10_000, 100_000];

/** @param {number} iterations @returns {Derive} */
const stretched = (iterations) => async (passphrase, salt) => {
  const base = await crypto.subtle.importKey('raw', buffer(passphrase), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: buffer(salt), iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, 384));
};

/** @param {string} text @returns {Uint8Array | undefined} undefined when it is something else */
export function saltedBytes(text) {
  const dense = text.replace(/\s+/g, '');
  if (!dense.startsWith('U2FsdGVkX1')) return undefined;
  const bytes = fromAnyBase64(dense);
  const isWhole = bytes.length >= 32 && bytes.length % 16 === 0;
  return isWhole && new TextDecoder().decode(bytes.subarray(0, 8)) === PREFIX ? bytes : undefined;
}

/** The plaintext, or undefined where the padding is wrong. @param {Uint8Array} bytes @param {Uint8Array} made @param {number} size of the key, in bytes */
async function opened(bytes, made, size) {
  const how = { name: 'AES-CBC', iv: buffer(made.subarray(size, size + 16)) };
  try {
    const raw = buffer(made.subarray(0, size));
    // Chromium has no 192-bit AES.
    const key = await crypto.subtle.importKey('raw', raw, 'AES-CBC', false, ['decrypt']);
    return new Uint8Array(await crypto.subtle.decrypt(how, key, buffer(bytes.subarray(16))));
  } catch {
    return undefined;
  }
}

/**
 * The plaintext and how the key was made, or undefined: the first that is text, as a wrong key fits once in 256 times.
 * @param {Uint8Array} bytes @param {string} passphrase @param {number} rounds to try besides the usual ones
 */
export async function openSalted(bytes, passphrase, rounds) {
  const { md5, sha256 } = await import('../../libraries/noble-hashes.js');
  /** @type {[string, Derive][]} */
  const ways = [
    ['SHA-256 (openssl enc)', chained(sha256)],
    ['MD5 (CryptoJS, old openssl)', chained(md5)],
    ...[...new Set([...ROUNDS, rounds])].map(
      (count) =>
        /** @type {[string, Derive]} */ ([
          `PBKDF2, ${count.toLocaleString('en')} rounds (openssl enc -pbkdf2)`,
          stretched(count),
        ]),
    ),
  ];
  let other;
  for (const [name, derive] of ways) {
    const made = await derive(toUtf8(passphrase), bytes.subarray(8, 16));
    for (const size of [32, 24, 16]) {
      const plain = await opened(bytes, made, size);
      const found = plain && { name: `${name}, for AES-${8 * size}`, plain };
      if (found && utf8(found.plain) !== undefined) return found;
      if (size === 32) other ??= found;
    }
  }
  return other;
}
