//! Colors: everything that a tool loads when it first runs.
export { cssColor, readColor } from './color-input.js';
export { shades } from './color-ladder.js';
export { convertColor, difference, fits, known } from './color-spaces.js';
export { bytesOf, inSrgb, nearestName, writeColor, writeHex, writeRgb } from './color-write.js';
export { contrastRatio, flatten, luminance, nearestPassing, writeRatio } from './contrast.js';
