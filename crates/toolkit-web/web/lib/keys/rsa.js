//! RSA keys in their notations. Standards: RFC 8017 appendix A (PKCS #1), RFC 5958 (PKCS #8), RFC 5280 §4.1 (SPKI),
//! RFC 7517 and 7518 §6.3 (JWK), RFC 4253 §6.6 and OpenSSH's PROTOCOL.key.

import { attempt, Refusal } from '../../kit/tool.js';
import { fromAnyBase64, fromBase64Url, toBase64, toBase64Url, toBigInt } from '../bytes.js';
import {
  bitsOf,
  child,
  integer,
  objectIdentifier,
  oidOf,
  readDer,
  sequence,
  unsignedOf,
  write,
} from './der.js';
import { isPem, readPem, writePem } from './pem.js';
import { readSshBlob, readSshPrivate, sshPrivateKey, sshPublicBlob } from './ssh.js';

/** @typedef {{ n: Uint8Array, e: Uint8Array }} RsaPublic */
/** @typedef {RsaPublic & Record<'d' | 'p' | 'q' | 'dp' | 'dq' | 'qi', Uint8Array>} RsaPrivate */

const RSA = '1.2.840.113549.1.1.1';
const PARTS = /** @type {const} */ (['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']);
const NULL = Uint8Array.of(5, 0);
const VERSION = Uint8Array.of(2, 1, 0);

/** @param {Uint8Array} n */
export const bitsOfModulus = (n) => toBigInt(n).toString(2).length;

/** @param {RsaPublic} key */
const pkcs1Public = ({ n, e }) => sequence(integer(n), integer(e));
/** @param {RsaPrivate} key */
const pkcs1Private = (key) => sequence(VERSION, ...PARTS.map((part) => integer(key[part])));
const algorithm = () => sequence(objectIdentifier(RSA), NULL);

/** @param {RsaPublic} key */
export const spki = (key) => sequence(algorithm(), write(3, Uint8Array.of(0), pkcs1Public(key)));

/** @param {RsaPublic | RsaPrivate} key @param {readonly (typeof PARTS[number])[]} parts */
export const toJwk = (key, parts = isPrivate(key) ? PARTS : ['n', 'e']) => ({
  kty: 'RSA',
  ...Object.fromEntries(
    parts.map((part) => [part, toBase64Url(/** @type {RsaPrivate} */ (key)[part])]),
  ),
});

/** All notations of a public key. @param {RsaPublic} key @param {string} comment */
export function publicForms(key, comment) {
  return {
    spki: writePem('PUBLIC KEY', spki(key)),
    pkcs1: writePem('RSA PUBLIC KEY', pkcs1Public(key)),
    jwk: JSON.stringify(toJwk(key, ['n', 'e']), null, 2),
    ssh: `ssh-rsa ${toBase64(sshPublicBlob(key))}${comment ? ` ${comment}` : ''}\n`,
  };
}

/** All notations of a private key. @param {RsaPrivate} key @param {string} comment @param {Uint8Array} check four bytes of chance */
export function privateForms(key, comment, check) {
  return {
    pkcs8: writePem('PRIVATE KEY', sequence(VERSION, algorithm(), write(4, pkcs1Private(key)))),
    pkcs1: writePem('RSA PRIVATE KEY', pkcs1Private(key)),
    jwk: JSON.stringify(toJwk(key), null, 2),
    ssh: writePem('OPENSSH PRIVATE KEY', sshPrivateKey(key, comment, check)).replace(
      /(?<=KEY-----\n)[^-]*/,
      rewrapped,
    ),
  };
}

/** OpenSSH breaks lines after 70 characters. @param {string} body */
const rewrapped = (body) => body.replaceAll('\n', '').replace(/.{1,70}/g, '$&\n');

/** @param {{ algorithm: import('./der.js').Element, offset?: number }} key */
function demandRsa({ algorithm }) {
  const oid = oidOf(child(algorithm, 0, 6));
  if (oid !== RSA) throw new Refusal(`holds a key of another kind (${oid}), not of RSA`);
}

/** @param {Uint8Array} der @returns {RsaPrivate} */
function fromPkcs1Private(der) {
  const { children } = readDer(der);
  if (children.length < 9)
    throw new Refusal(`has ${children.length} numbers in its RSA private key; nine are needed`);
  const numbers = children.slice(1, 9).map(unsignedOf);
  return /** @type {RsaPrivate} */ (
    Object.fromEntries(PARTS.map((part, index) => [part, numbers[index]]))
  );
}

/** @param {Uint8Array} der @returns {RsaPublic} */
function fromPkcs1Public(der) {
  const root = readDer(der);
  return { n: unsignedOf(child(root, 0, 2)), e: unsignedOf(child(root, 1, 2)) };
}

/** @param {Uint8Array} der */
function fromSpki(der) {
  const root = readDer(der);
  demandRsa({ algorithm: child(root, 0, 0x30) });
  return fromPkcs1Public(bitsOf(child(root, 1, 3)));
}

/** @param {Uint8Array} der */
function fromPkcs8(der) {
  const root = readDer(der);
  demandRsa({ algorithm: child(root, 1, 0x30) });
  return fromPkcs1Private(child(root, 2, 4).content);
}

/** @type {Record<string, (bytes: Uint8Array) => RsaPublic | RsaPrivate>} */
const READERS = {
  'PRIVATE KEY': fromPkcs8,
  'RSA PRIVATE KEY': fromPkcs1Private,
  'OPENSSH PRIVATE KEY': readSshPrivate,
  'PUBLIC KEY': fromSpki,
  'RSA PUBLIC KEY': fromPkcs1Public,
};

/** @param {string} text @returns {RsaPublic | RsaPrivate} */
function fromJwk(text) {
  const jwk = attempt(() => JSON.parse(text));
  if (jwk === undefined) throw new Refusal('begins as a JWK and is not valid JSON');
  if (jwk.kty !== 'RSA')
    throw new Refusal(`is a JWK of the kind ${JSON.stringify(jwk.kty)}, not of RSA`);
  const wanted = jwk.d === undefined ? PARTS.slice(0, 2) : PARTS;
  const missing = wanted.find((part) => typeof jwk[part] !== 'string');
  if (missing) throw new Refusal(`is a JWK without "${missing}"`);
  return /** @type {any} */ (
    Object.fromEntries(wanted.map((part) => [part, fromBase64Url(jwk[part])]))
  );
}

/** Parses a key in any notation. @param {string} text */
export function readRsaKey(text) {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return fromJwk(trimmed);
  const [, blob] = /^ssh-rsa\s+(\S+)/.exec(trimmed) ?? [];
  if (blob) return readSshBlob(fromAnyBase64(blob));
  const [other] = /^(?:sk-)?(?:ssh|ecdsa)-[\w@.-]+(?=\s)/.exec(trimmed) ?? [];
  if (other)
    throw new Refusal(`is an OpenSSH key of the kind ${other}`, { hint: 'Accepted is ssh-rsa.' });
  if (!isPem(trimmed))
    throw new Refusal('is not PEM, JWK or an OpenSSH line', {
      hint: 'PEM begins with -----BEGIN PUBLIC KEY----- or the like.',
    });
  const [block] = readPem(trimmed, 1);
  const { label = '', headers = '', bytes = new Uint8Array() } = block ?? {};
  if (label.startsWith('ENCRYPTED') || headers.includes('ENCRYPTED'))
    throw new Refusal('is encrypted; decrypt it first', {
      hint: 'With OpenSSL: openssl pkey -in key.pem.',
    });
  const reader = READERS[label];
  if (!reader) throw new Refusal(`is PEM of the kind "${label}", not an RSA key`);
  return reader(bytes);
}

/** @param {RsaPublic | RsaPrivate} key @returns {key is RsaPrivate} */
export const isPrivate = (key) => 'd' in key;

/** The inconsistency between the numbers of a private key, or undefined. @param {RsaPrivate} key */
export function faultOfNumbers(key) {
  const [n, e, d, p, q, dp, dq, qi] = /** @type {bigint[]} */ (
    PARTS.map((part) => toBigInt(key[part]))
  );
  if (n === undefined || e === undefined || d === undefined || p === undefined || q === undefined)
    return 'a number is missing';
  if (p < 2n || q < 2n || p * q !== n) return 'the modulus is not the product of both primes';
  if ((e * d) % (p - 1n) !== 1n || (e * d) % (q - 1n) !== 1n)
    return 'the exponents do not undo each other';
  if (dp !== d % (p - 1n) || dq !== d % (q - 1n) || ((qi ?? 0n) * q) % p !== 1n)
    return 'the numbers of the Chinese remainder theorem are wrong';
  return undefined;
}
