//! Colors as people with a color blindness see them. Source: Machado, Oliveira and Fernandes 2009, severity 1, in
//! linear sRGB.

import { convertColor, known } from './spaces.js';
import { writeHex } from './write.js';

/** @typedef {import('./spaces.js').Color} Color */

/** @type {[name: string, matrix: number[][]][]} */
const KINDS = [
  [
    'protanopia, no red',
    [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
  ],
  [
    'deuteranopia, no green',
    [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
  ],
  [
    'tritanopia, no blue',
    [
      [1.255528, -0.076749, -0.178779],
      [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.3039],
    ],
  ],
  ['achromatopsia, no color', Array.from({ length: 3 }, () => [0.2126, 0.7152, 0.0722])],
];

/** A color as seen with each, as swatches. @param {Color} color */
export function asSeen(color) {
  const linear = known(convertColor(color, 'srgb-linear').coords);
  return KINDS.map(([label, matrix]) => {
    const coords = matrix.map((row) =>
      row.reduce((sum, share, at) => sum + share * (linear[at] ?? 0), 0),
    );
    const seen = { ...color, space: /** @type {const} */ ('srgb-linear') };
    return { color: writeHex({ ...seen, coords: /** @type {Color['coords']} */ (coords) }), label };
  });
}
