//! Encryption with a passphrase as compact JWE. Standards: RFC 7516, RFC 7518 §4.8 (PBES2) and §5;
//! RFC 8018.
//! Written: PBES2-HS512+A256KW with A256GCM. Read: all three PBES2 algorithms, all GCM and CBC-HMAC encryptions.
import { attempt, Refusal } from '../../kit/tool.js';
import { fromBase64Url, toUtf8 } from '../bytes.js';
import { inPart } from '../positions.js';

export const ROUNDS_LIMIT = 2_000_000;
const MANAGEMENT = ['PBES2-HS256+A128KW', 'PBES2-HS384+A192KW', 'PBES2-HS512+A256KW'];
const ENCRYPTION = [
  ...['A128GCM', 'A192GCM', 'A256GCM'],
  ...['A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512'],
];
/** The same sentence for a wrong passphrase and a changed text, which must not be distinguishable. */
const UNOPENED = 'cannot be opened: the passphrase is wrong, or the text was changed';

/**
 * @param {Uint8Array} plain
 * @param {string} passphrase
 * @param {{ rounds: number, random: (count: number) => Uint8Array }} options
 */
export async function encryptJwe(plain, passphrase, { rounds, random }) {
  const { CompactEncrypt } = await import('../../libraries/jose.js');
  const [salt, content, iv] = [random(16), random(32), random(12)];
  return new CompactEncrypt(plain)
    .setProtectedHeader({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM' })
    .setKeyManagementParameters({ p2s: salt, p2c: rounds })
    .setContentEncryptionKey(content)
    .setInitializationVector(iv)
    .encrypt(toUtf8(passphrase));
}

/** Refuses a text that is not a supported JWE. @param {string} token */
function checkJwe(token) {
  const parts = token.split('.');
  if (parts.length !== 5)
    throw new Refusal(
      /^U2FsdGVkX1/.test(parts[0] ?? '')
        ? 'was encrypted by "openssl enc" or CryptoJS, which is not JWE and is not read here'
        : `has ${parts.length} part${parts.length === 1 ? '' : 's'}; a compact JWE has five, joined by dots`,
    );
  const [head = ''] = parts;
  const header = attempt(() =>
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(head))),
  );
  if (header === undefined)
    throw new Refusal('does not begin with the header of a JWE', {
      at: 0,
      hint: 'A compact JWE begins with eyJ.',
    });
  if (header === null || typeof header !== 'object')
    throw new Refusal('has a header that is not a JSON object', { at: 0 });
  if (!MANAGEMENT.includes(header.alg))
    throw new Refusal(
      `has the algorithm ${JSON.stringify(header.alg)}; with a passphrase it is one of ${MANAGEMENT.join(', ')}`,
    );
  if (!ENCRYPTION.includes(header.enc))
    throw new Refusal(
      `has the encryption ${JSON.stringify(header.enc)}; known are ${ENCRYPTION.join(', ')}`,
    );
  if (header.crit !== undefined || header.zip !== undefined)
    throw new Refusal('has "crit" or "zip" in its header, which are not supported');
  if (!Number.isInteger(header.p2c) || header.p2c < 1)
    throw new Refusal('has no whole number of rounds ("p2c") in its header');
  if (header.p2c > ROUNDS_LIMIT)
    throw new Refusal(`demands ${header.p2c} rounds; ${ROUNDS_LIMIT} at most are done`);
  if (typeof header.p2s !== 'string') throw new Refusal('has no salt ("p2s") in its header');
  if (fromBase64Url(header.p2s).length < 8)
    throw new Refusal('has a salt ("p2s") of less than 8 bytes in its header (RFC 7518 §4.8.1.1)');
  let next = head.length + 1;
  for (const part of parts.slice(1)) {
    inPart(next, () => fromBase64Url(part));
    next += part.length + 1;
  }
}

/** @param {string} token @param {string} passphrase */
export async function decryptJwe(token, passphrase) {
  checkJwe(token);
  const { compactDecrypt } = await import('../../libraries/jose.js');
  const options = {
    keyManagementAlgorithms: MANAGEMENT,
    contentEncryptionAlgorithms: ENCRYPTION,
    maxPBES2Count: ROUNDS_LIMIT,
  };
  try {
    return (await compactDecrypt(token, toUtf8(passphrase), options)).plaintext;
  } catch {
    throw new Refusal(UNOPENED);
  }
}
