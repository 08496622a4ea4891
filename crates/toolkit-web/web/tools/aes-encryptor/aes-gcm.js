//! AES-GCM with a raw key. Standards: NIST SP 800-38D, FIPS 197.

import { Refusal } from '../../kit/tool.js';
import { concat } from '../../lib/bytes.js';

/** @typedef {{ key: Uint8Array, iv: Uint8Array, aad: Uint8Array, tagBits: number }} Gcm */

/** As WebCrypto wants it. */
export const buffer = (/** @type {Uint8Array} */ bytes) => /** @type {BufferSource} */ (bytes);

/** @param {Uint8Array} key @param {'encrypt' | 'decrypt'} use */
async function importKey(key, use) {
  if (![16, 24, 32].includes(key.length))
    throw new Refusal(`has ${key.length * 8} bits; AES keys have 128, 192 or 256`);
  try {
    return await crypto.subtle.importKey('raw', buffer(key), 'AES-GCM', false, [use]);
  } catch {
    throw new Refusal(`has ${key.length * 8} bits, which this browser does not offer for AES`, {
      hint: 'Chromium has no 192-bit AES; Firefox and Safari have.',
    });
  }
}

/** @param {Gcm} options */
const parameters = ({ iv, aad, tagBits }) => ({
  name: 'AES-GCM',
  iv: buffer(iv),
  additionalData: buffer(aad),
  tagLength: tagBits,
});

/** @param {Uint8Array} plain @param {Gcm} options */
export async function encryptGcm(plain, options) {
  const key = await importKey(options.key, 'encrypt');
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt(parameters(options), key, buffer(plain)),
  );
  const split = sealed.length - options.tagBits / 8;
  return { text: sealed.subarray(0, split), tag: sealed.subarray(split) };
}

/** The plaintext, or undefined when the tag does not match. @param {Uint8Array} text @param {Uint8Array} tag @param {Gcm} options */
export async function decryptGcm(text, tag, options) {
  const key = await importKey(options.key, 'decrypt');
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt(parameters(options), key, buffer(concat(text, tag))),
    );
  } catch {
    return undefined;
  }
}
