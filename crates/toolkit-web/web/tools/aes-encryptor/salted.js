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

/** @type {Derive} */
async function stretched(passphrase, salt) {
  const base = await crypto.subtle.importKey('raw', buffer(passphrase), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: buffer(salt), iterations: 10_000 };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, 384));
}

/** @param {string} text @returns {Uint8Array | undefined} undefined when it is something else */
export function saltedBytes(text) {
  const dense = text.replace(/\s+/g, '');
  if (!dense.startsWith('U2FsdGVkX1')) return undefined;
  const bytes = fromAnyBase64(dense);
  const isWhole = bytes.length >= 32 && bytes.length % 16 === 0;
  return isWhole && new TextDecoder().decode(bytes.subarray(0, 8)) === PREFIX ? bytes : undefined;
}

/** The plaintext and how the key was made, or undefined; of several that fit, one that is text. @param {Uint8Array} bytes @param {string} passphrase */
export async function openSalted(bytes, passphrase) {
  const { md5, sha256 } = await import('../../libraries/noble-hashes.js');
  /** @type {[string, Derive][]} */
  const ways = [
    ['SHA-256 (openssl enc)', chained(sha256)],
    ['MD5 (CryptoJS, old openssl)', chained(md5)],
    ['PBKDF2 (openssl enc -pbkdf2)', stretched],
  ];
  const opened = [];
  for (const [name, derive] of ways) {
    const made = await derive(toUtf8(passphrase), bytes.subarray(8, 16));
    const key = await crypto.subtle.importKey(
      'raw',
      buffer(made.subarray(0, 32)),
      'AES-CBC',
      false,
      ['decrypt'],
    );
    const how = { name: 'AES-CBC', iv: buffer(made.subarray(32)) };
    const plain = await crypto.subtle
      .decrypt(how, key, buffer(bytes.subarray(16)))
      .catch(() => undefined);
    if (plain) opened.push({ name, plain: new Uint8Array(plain) });
  }
  return opened.find(({ plain }) => utf8(plain) !== undefined) ?? opened[0];
}
