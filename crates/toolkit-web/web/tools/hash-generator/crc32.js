//! CRC-32 in parts. Standard: ISO/IEC 3309 and ITU-T V.42, as in gzip (RFC 1952 §8) and ZIP.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** With the interface of the library's hashes. */
export class Crc32 {
  #value = 0xffffffff;
  /** @param {Uint8Array} bytes */
  update(bytes) {
    let value = this.#value;
    for (const byte of bytes)
      value = /** @type {number} */ (TABLE[(value ^ byte) & 255]) ^ (value >>> 8);
    this.#value = value;
    return this;
  }
  digest() {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, (this.#value ^ 0xffffffff) >>> 0);
    return bytes;
  }
}
