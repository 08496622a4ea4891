//! Unbiased choices from random bytes.

/** @typedef {(count: number) => Uint8Array} RandomBytes */

const POOL = 1024;

/**
 * Whole numbers from 0 up to `below`, uniformly distributed by rejection sampling.
 * @param {RandomBytes} random
 */
export function chooser(random) {
  /** @type {DataView} */
  let pool = new DataView(new ArrayBuffer(0));
  let at = 0;
  const next = () => {
    if (at + 4 > pool.byteLength) {
      const { buffer, byteOffset, byteLength } = random(POOL);
      pool = new DataView(buffer, byteOffset, byteLength);
      at = 0;
    }
    at += 4;
    return pool.getUint32(at - 4);
  };
  return (/** @type {number} */ below) => {
    const fair = 2 ** 32 - (2 ** 32 % below);
    let drawn = next();
    while (drawn >= fair) drawn = next();
    return drawn % below;
  };
}
