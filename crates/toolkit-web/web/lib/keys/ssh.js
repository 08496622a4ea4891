//! RSA keys in OpenSSH's formats. Standards: RFC 4253 §6.6, RFC 4251 §5, OpenSSH's PROTOCOL.key
//! (unencrypted).

import { Refusal } from '../../kit/tool.js';
import { concat, fromHex, toBigInt, toUtf8 } from '../bytes.js';

/** @import { RsaPrivate, RsaPublic } from './rsa.js' */

const MAGIC = 'openssh-key-v1\0';

/** @param {number} value */
function uint32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @param {Uint8Array | string} value */
function string(value) {
  const bytes = typeof value === 'string' ? toUtf8(value) : value;
  return concat(uint32(bytes.length), bytes);
}

/** @param {Uint8Array} magnitude */
function mpint(magnitude) {
  let at = 0;
  while (at < magnitude.length && magnitude[at] === 0) at += 1;
  const bytes = magnitude.subarray(at);
  return string((bytes[0] ?? 0) & 0x80 ? concat(Uint8Array.of(0), bytes) : bytes);
}

/** @param {RsaPublic} key */
export const sshPublicBlob = ({ n, e }) => concat(string('ssh-rsa'), mpint(e), mpint(n));

/** @param {RsaPrivate} key @param {string} comment @param {Uint8Array} check */
export function sshPrivateKey(key, comment, check) {
  const { n, e, d, qi, p, q } = key;
  const numbers = concat(...[n, e, d, qi, p, q].map(mpint));
  const open = concat(check, check, string('ssh-rsa'), numbers, string(comment));
  const padding = Uint8Array.from({ length: (8 - (open.length % 8)) % 8 }, (_, index) => index + 1);
  const head = concat(toUtf8(MAGIC), string('none'), string('none'), string(''), uint32(1));
  return concat(head, string(sshPublicBlob(key)), string(concat(open, padding)));
}

class Reader {
  #bytes;
  #at;
  /** @param {Uint8Array} bytes @param {number} [at] */
  constructor(bytes, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }
  uint32() {
    if (this.#at + 4 > this.#bytes.length) throw new Refusal('is an OpenSSH key that is cut off');
    this.#at += 4;
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getUint32(this.#at - 4);
  }
  bytes() {
    const length = this.uint32();
    if (this.#at + length > this.#bytes.length)
      throw new Refusal('is an OpenSSH key that is cut off');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  text() {
    return new TextDecoder().decode(this.bytes());
  }
  magnitude() {
    const bytes = this.bytes();
    return bytes[0] === 0 ? bytes.subarray(1) : bytes;
  }
}

/** @param {Uint8Array} blob @returns {RsaPublic} */
export function readSshBlob(blob) {
  const reader = new Reader(blob);
  const kind = reader.text();
  if (kind !== 'ssh-rsa')
    throw new Refusal(`is an OpenSSH key of the kind "${kind.slice(0, 40)}", not of RSA`);
  const e = reader.magnitude();
  return { n: reader.magnitude(), e };
}

/** @param {Uint8Array} bytes @returns {RsaPrivate} */
export function readSshPrivate(bytes) {
  if (new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC)
    throw new Refusal('is not an OpenSSH private key');
  const outer = new Reader(bytes, MAGIC.length);
  if (outer.text() !== 'none')
    throw new Refusal('is encrypted; decrypt it first', {
      hint: 'With OpenSSH: ssh-keygen -p -f key.',
    });
  outer.bytes();
  outer.bytes();
  if (outer.uint32() !== 1) throw new Refusal('holds several OpenSSH keys; one is read');
  outer.bytes();
  const inner = new Reader(outer.bytes());
  const check = inner.uint32();
  if (inner.uint32() !== check)
    throw new Refusal('is a damaged OpenSSH key: its check numbers differ');
  const kind = inner.text();
  if (kind !== 'ssh-rsa')
    throw new Refusal(`is an OpenSSH key of the kind "${kind.slice(0, 40)}", not of RSA`);
  const [n, e, d, qi, p, q] =
    /** @type {[Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]} */ (
      Array.from({ length: 6 }, () => inner.magnitude())
    );
  return { n, e, d, p, q, qi, dp: remainder(d, p), dq: remainder(d, q) };
}

/** d mod (prime - 1), which OpenSSH leaves out. @param {Uint8Array} d @param {Uint8Array} prime */
function remainder(d, prime) {
  const modulus = toBigInt(prime) - 1n;
  if (modulus < 1n) throw new Refusal('is a damaged OpenSSH key: a prime is missing');
  const hex = (toBigInt(d) % modulus).toString(16);
  return fromHex(hex.padStart(hex.length + (hex.length % 2), '0'));
}
