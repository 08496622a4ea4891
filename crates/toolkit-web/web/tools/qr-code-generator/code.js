//! QR codes: mode, capacity and drawing. Standard: ISO/IEC 18004. The library `qr` makes the code
//! itself.

import encodeQR, { _BYTES, _ECC_BLOCKS, _WORDS_PER_BLOCK } from '../../libraries/qr.js';
import { modulesOfUtf8 } from './eci.js';

/** @import { Level } from './eci.js' */
/** `utf8`: bytes after a designator. @typedef {'numeric' | 'alphanumeric' | 'byte' | 'utf8'} Mode */

/** Bits of the character count for versions 1-9, 10-26 and 27-40, with those of a designator. */
const COUNT_BITS = {
  numeric: [10, 12, 14],
  alphanumeric: [9, 11, 13],
  byte: [8, 16, 16],
  utf8: [20, 28, 28],
};

/** @param {string} text @returns {Mode} */
export function modeOf(text) {
  if (/[^\0-\x7f]/.test(text)) return 'utf8';
  if (/^\d+$/.test(text)) return 'numeric';
  return /^[\dA-Z $%*+\-./:]+$/.test(text) ? 'alphanumeric' : 'byte';
}

/** Characters, or bytes of what is not ASCII. @param {string} text */
export const lengthOf = (text) => new TextEncoder().encode(text).length;

/** Number of characters that a code of this version, level and mode holds. @param {number} version @param {Level} level @param {Mode} mode */
export function capacity(version, level, mode) {
  const at = version - 1;
  const words =
    (_BYTES[at] ?? 0) - (_WORDS_PER_BLOCK[level][at] ?? 0) * (_ECC_BLOCKS[level][at] ?? 0);
  const range = version < 10 ? 0 : version < 27 ? 1 : 2;
  const bits = words * 8 - 4 - (COUNT_BITS[mode][range] ?? 0);
  if (mode === 'byte' || mode === 'utf8') return Math.floor(bits / 8);
  if (mode === 'alphanumeric') return 2 * Math.floor(bits / 11) + (bits % 11 >= 6 ? 1 : 0);
  const rest = bits % 10;
  return 3 * Math.floor(bits / 10) + (rest >= 7 ? 2 : rest >= 4 ? 1 : 0);
}

/** The smallest version for a text; undefined when it is too long. @param {string} text @param {Level} level */
export function smallestVersion(text, level) {
  const mode = modeOf(text);
  const length = lengthOf(text);
  for (let version = 1; version <= 40; version++)
    if (capacity(version, level, mode) >= length) return version;
  return undefined;
}

/** The modules of a code, without the quiet zone. @param {string} text @param {Level} level @param {number} version */
export function modulesOf(text, level, version) {
  const encoding = modeOf(text);
  if (encoding === 'utf8') return modulesOfUtf8(text, level, version);
  const framed = encodeQR(text, 'raw', { ecc: level, version, encoding, border: 1 });
  return framed.slice(1, -1).map((row) => row.slice(1, -1));
}

/**
 * @param {boolean[][]} modules
 * @param {{ margin: number, dark: string, light: string, size: number, logo?: { href: string, side: number } | undefined }} look
 */
export function svgOf(modules, { margin, dark, light, size, logo }) {
  const width = modules.length + 2 * margin;
  const path = modules
    .flatMap((row, y) =>
      Array.from(
        row
          .map((on) => (on ? '1' : '0'))
          .join('')
          .matchAll(/1+/g),
        ({ 0: run, index }) => `M${index + margin} ${y + margin}h${run.length}v1h-${run.length}z`,
      ),
    )
    .join('');
  const { href = '', side = 0 } = logo ?? {};
  const from = (width - side) / 2;
  const at = (/** @type {number} */ rim) =>
    `x="${from + rim}" y="${from + rim}" width="${side - 2 * rim}" height="${side - 2 * rim}"`;
  const mark = logo && `<rect ${at(0)} fill="${light}"/><image ${at(0.5)} href="${href}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges"><path fill="${light}" d="M0 0h${width}v${width}H0z"/><path fill="${dark}" d="${path}"/>${mark ?? ''}</svg>`;
}

/**
 * The pixels of a code, four bytes each.
 * @param {boolean[][]} modules @param {{ margin: number, scale: number, dark: number[], light: number[] }} look
 */
export function pixelsOf(modules, { margin, scale, dark, light }) {
  const size = (modules.length + 2 * margin) * scale;
  const pixels = new Uint8Array(size * size * 4);
  for (let at = 0; at < size * size; at++) {
    const row = modules[Math.floor(Math.floor(at / size) / scale) - margin];
    const on = row?.[Math.floor((at % size) / scale) - margin];
    pixels.set(on ? dark : light, at * 4);
    pixels[at * 4 + 3] = 255;
  }
  return { size, pixels };
}
