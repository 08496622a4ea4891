//! Colors: everything that a tool loads when it first runs.

export { asSeen } from './blindness.js';
export { apca, contrastRatio, flatten, luminance, nearestPassing, writeRatio } from './contrast.js';
export { cssColor, readColor } from './input.js';
export { harmonies, palette, shades } from './ladder.js';
export { parseColor } from './parse.js';
export { convertColor, difference, fits, inSrgb, known } from './spaces.js';
export { bytesOf, nearestName, writeColor, writeHex, writeRgb } from './write.js';
