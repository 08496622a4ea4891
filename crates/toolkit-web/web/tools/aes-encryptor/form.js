//! The two modes of the encryption form: a passphrase (JWE) and a raw key (AES-GCM).
import { download, pairs, refuse, textOutput } from '../../kit/tool.js';
import { concat, fromAnyBase64, fromHex, toBase64, toHex, toUtf8 } from '../../lib/bytes.js';
import { decryptJwe, encryptJwe } from '../../lib/jose/jwe.js';
import { inField } from '../../lib/positions.js';
import { utf8 } from '../../lib/utf8.js';
import { decryptGcm, encryptGcm } from './aes-gcm.js';
import { openSalted, saltedBytes } from './salted.js';

/** @import * as T from '../../kit/types.d.ts' */

const LARGEST = 10 << 20;
/** With SHA-512, by OWASP's recommendation of 2023. */
const ROUNDS_SAFE = 210_000;

/** Decodes hexadecimal where the text allows it, otherwise Base64. @param {string} field @param {string} typed */
function bytesOf(field, typed) {
  const trimmed = typed.trim();
  const isHex = /^[\da-f\s:-]*$/i.test(trimmed) && trimmed.replace(/[\s:-]/g, '').length % 2 === 0;
  return inField(field, trimmed, () => (isHex ? fromHex(trimmed) : fromAnyBase64(trimmed)));
}

/** @param {Uint8Array} bytes @returns {T.Outputs} */
function opened(bytes) {
  const string = utf8(bytes);
  if (string !== undefined) return { text: textOutput(string, { file: 'decrypted.txt' }) };
  return { file: download(bytes, { file: 'decrypted.bin' }) };
}

/** @param {Uint8Array} bytes @param {string} passphrase @param {number} rounds @param {T.Context} context */
async function openedSalted(bytes, passphrase, rounds, context) {
  const salted = await openSalted(bytes, passphrase, rounds);
  if (!salted)
    return refuse(
      'text',
      'cannot be opened: the passphrase is wrong, or it was written with other options',
      {
        hint: 'Enter the number of `-iter` as PBKDF2 rounds. Only AES-CBC with `-md sha256` or `-md md5` is tried.',
      },
    );
  context.warn(
    `Written by openssl or CryptoJS, its key made with ${salted.name}: easy to guess, and not protected against changes.`,
  );
  if (utf8(salted.plain) === undefined)
    context.warn('The decrypted bytes are not text: the passphrase may be wrong.');
  return opened(salted.plain);
}

/** @param {{ mode: 'encrypt' | 'decrypt', text: T.TextValue, passphrase: string, rounds: number }} values @param {T.Context} context @returns {Promise<T.Outputs>} */
export async function withPassphrase({ mode, text, passphrase, rounds }, context) {
  if (passphrase === '')
    refuse('passphrase', 'is empty', { hint: 'Enter any text. A long one is safer.' });
  if (mode === 'decrypt') {
    const salted = await inField('text', text.string, () => saltedBytes(text.string));
    if (salted) return openedSalted(salted, passphrase, rounds, context);
    return opened(
      await inField('text', text.string, () =>
        decryptJwe(text.string.replace(/\s+/g, ''), passphrase),
      ),
    );
  }
  if (passphrase.length < 12)
    context.warn(
      'Short passphrase: whoever gets the encrypted text can guess it. Use five random words.',
    );
  if (rounds < ROUNDS_SAFE)
    context.warn(
      `${rounds.toLocaleString('en')} rounds make guessing fast: use ${ROUNDS_SAFE.toLocaleString('en')} or more for a secret of your own.`,
    );
  const encrypted = await encryptJwe(plainOf(text), passphrase, { rounds, random: context.random });
  return { encrypted: textOutput(encrypted, { file: 'message.jwe', type: 'application/jose' }) };
}

/** @param {T.TextValue} text */
function plainOf(text) {
  const { bytes } = text;
  if (bytes.length > LARGEST)
    refuse('text', `is ${bytes.length} bytes long`, { hint: 'Enter at most 10 MiB.' });
  return bytes;
}

/** @param {{ mode: 'encrypt' | 'decrypt', text: T.TextValue, key: string, iv: string, aad: string, tag: string }} values @param {T.Context} context @returns {Promise<T.Outputs>} */
export async function withKey({ mode, text, key: typedKey, iv: typedIv, aad, tag }, context) {
  if (typedKey.trim() === '') refuse('key', 'is empty', { hint: 'Enter one, or press "New key".' });
  const key = bytesOf('key', typedKey);
  const given = bytesOf('iv', typedIv);
  if (given.length && (given.length < 8 || given.length > 128))
    refuse('iv', `has ${given.length * 8} bits; 64 to 1024 are accepted`, {
      hint: 'Use 96, or leave it empty.',
    });
  const options = { key, aad: toUtf8(aad), tagBits: Number(tag) };
  if (mode === 'encrypt') {
    const iv = given.length ? given : context.random(12);
    if (given.length)
      context.warn(
        'An IV must never be used twice with the same key: that reveals both texts and lets others forge. Leave it empty for a fresh one.',
      );
    const sealed = await inField('key', '', () => encryptGcm(plainOf(text), { ...options, iv }));
    const joined = concat(iv, sealed.text, sealed.tag);
    return {
      encrypted: textOutput(toBase64(joined), { file: 'message.txt' }),
      parts: pairs([
        ['IV', toHex(iv)],
        ['Tag', toHex(sealed.tag)],
        ['Additional data', aad],
      ]),
    };
  }
  const all = bytesOf('text', text.string);
  const joined = given.length ? all : all.subarray(12);
  const length = options.tagBits / 8;
  if (joined.length < length || (given.length === 0 && all.length < 12))
    refuse('text', `has ${all.length} bytes, too few for an IV and a tag`, {
      hint: 'Enter IV, ciphertext and tag together, as this tool writes them.',
    });
  const iv = given.length ? given : all.subarray(0, 12);
  const split = joined.length - length;
  const plain = await inField('key', '', () =>
    decryptGcm(joined.subarray(0, split), joined.subarray(split), { ...options, iv }),
  );
  if (!plain)
    refuse(
      'text',
      'cannot be opened: key, IV or additional data are wrong, or the text was changed',
    );
  return opened(plain);
}
