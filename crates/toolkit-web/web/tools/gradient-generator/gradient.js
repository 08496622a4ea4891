//! CSS gradients as text, as SVG and as pixels, and all else that the tool loads when it first runs. Standard:
//! CSS Images 4, section 3.

import { figure } from '../../lib/color/figure.js';
import { interpolate } from '../../lib/color/mix.js';
import { convertColor, inSrgb, SPACES } from '../../lib/color/spaces.js';
import { bytesOf, writeHex } from '../../lib/color/write.js';

export { cssColor, readColor } from '../../lib/color/input.js';

/** @typedef {import('../../lib/color/spaces.js').Color} Color */
/** @typedef {import('../../lib/color/spaces.js').Space} Space */
/**
 * Positions count from 0 to 1; `written` is the color as it was typed.
 * @typedef {object} Gradient
 * @property {'linear' | 'radial' | 'conic'} kind
 * @property {boolean} repeating
 * @property {number} angle degrees; for a conic gradient its start
 * @property {'ellipse' | 'circle'} shape
 * @property {number} x percent
 * @property {number} y percent
 * @property {Space | 'default'} space
 * @property {'shorter' | 'longer' | 'increasing' | 'decreasing'} hue
 * @property {{ color: Color, written: string, at: number }[]} stops
 */

/** What stands before the stops: of the gradient, and of a bar that shows its colors. @param {Gradient} gradient @param {boolean} [plain] without the color space, for old browsers */
export function beginnings(gradient, plain = false) {
  const { kind, repeating, angle, shape, x, y, space, hue } = gradient;
  const place = x === 50 && y === 50 ? '' : ` at ${figure(x, 2)}% ${figure(y, 2)}%`;
  const shapes = {
    linear: angle === 180 ? '' : `${figure(angle, 2)}deg`,
    radial: `${shape === 'circle' ? 'circle' : ''}${place}`.trim(),
    conic: `${angle === 0 ? '' : `from ${figure(angle, 2)}deg`}${place}`.trim(),
  };
  const way =
    space !== 'default' && SPACES[space].letters.includes('h') && hue !== 'shorter'
      ? ` ${hue} hue`
      : '';
  const mixing = plain || space === 'default' ? '' : `in ${space}${way}`;
  const begun = (/** @type {string} */ name, /** @type {string} */ shaped) => {
    const head = [shaped, mixing].filter(Boolean).join(' ');
    return `${name}-gradient(${head}${head && ', '}`;
  };
  return {
    preview: begun(`${repeating ? 'repeating-' : ''}${kind}`, shapes[kind]),
    bar: begun('linear', '90deg'),
  };
}

/** @param {Gradient} gradient @param {boolean} [plain] */
export function writeCss(gradient, plain = false) {
  const stops = plain ? sampled(gradient) : gradient.stops;
  const list = stops.map(
    (stop) =>
      `${'written' in stop ? stop.written : writeHex(inSrgb(stop.color))} ${figure(stop.at * 100, 2)}%`,
  );
  return `${beginnings(gradient, plain).preview}${list.join(', ')})`;
}

/** The color at each percent, as hex. @param {Gradient} gradient */
export const samples = (gradient) =>
  Array.from({ length: 101 }, (_, at) =>
    writeHex(inSrgb(colorAt({ ...gradient, repeating: false }, at / 100))),
  );

/** The color at a position. @param {Gradient} gradient @param {number} at @returns {Color} */
function colorAt({ stops, space, hue, repeating }, at) {
  const first = stops[0];
  const last = stops.at(-1);
  if (!first || !last) throw new TypeError('a gradient has stops');
  const length = last.at - first.at;
  const place =
    repeating && length > 0 ? first.at + ((((at - first.at) % length) + length) % length) : at;
  if (place <= first.at) return first.color;
  const next = stops.findIndex((stop) => stop.at > place);
  const [a, b] = [stops[next - 1], stops[next]];
  if (!a || !b) return last.color;
  return interpolate(
    a.color,
    b.color,
    (place - a.at) / (b.at - a.at),
    space === 'default' ? 'srgb' : space,
    hue,
  );
}

/** Stops dense enough that interpolation in sRGB looks the same. @param {Gradient} gradient */
export function sampled(gradient) {
  if (gradient.space === 'default' || gradient.space === 'srgb')
    return gradient.stops.map(({ color, at }) => ({ color, at }));
  return gradient.stops.flatMap((stop, i) => {
    const next = gradient.stops[i + 1];
    if (!next || next.at === stop.at) return [{ color: stop.color, at: stop.at }];
    const places = Array.from({ length: 8 }, (_, k) => stop.at + ((next.at - stop.at) * k) / 8);
    return places.map((at) => ({ color: colorAt({ ...gradient, repeating: false }, at), at }));
  });
}

/** SVG of a linear or radial gradient. @param {Gradient} gradient @param {number} width @param {number} height */
export function writeSvg(gradient, width, height) {
  const { kind, angle, repeating, shape, x, y } = gradient;
  const stops = sampled(gradient)
    .map(
      ({ color, at }) =>
        `<stop offset="${figure(at, 4)}" stop-color="${writeHex({ ...inSrgb(color), alpha: 1 })}"${(color.alpha ?? 0) < 1 ? ` stop-opacity="${figure(color.alpha, 3)}"` : ''}/>`,
    )
    .join('');
  const spread = repeating ? ' spreadMethod="repeat"' : '';
  const size = `width="${width}" height="${height}"`;
  let definition;
  if (kind === 'linear') {
    const [dx, dy] = linearHalf(angle, width, height);
    const ends = [width / 2 - dx, height / 2 - dy, width / 2 + dx, height / 2 + dy].map((v) =>
      figure(v, 2),
    );
    definition = `<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="${ends[0]}" y1="${ends[1]}" x2="${ends[2]}" y2="${ends[3]}"${spread}>${stops}</linearGradient>`;
  } else {
    const [rx, ry] = radii(shape, x, y, width, height);
    const [cx, cy] = [(x / 100) * width, (y / 100) * height];
    definition = `<radialGradient id="g" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="translate(${figure(cx, 2)} ${figure(cy, 2)}) scale(${figure(rx, 2)} ${figure(ry, 2)})"${spread}>${stops}</radialGradient>`;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}"><defs>${definition}</defs><rect ${size} fill="url(#g)"/></svg>`;
}

/** Half of the gradient line. @param {number} angle @param {number} width @param {number} height @returns {[number, number]} */
function linearHalf(angle, width, height) {
  const radians = (angle * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const half = (Math.abs(width * sin) + Math.abs(height * cos)) / 2;
  return [sin * half, -cos * half];
}

/** Radii to the farthest corner. @param {string} shape @param {number} x @param {number} y @param {number} width @param {number} height @returns {[number, number]} */
function radii(shape, x, y, width, height) {
  const side = [Math.max(x, 100 - x) / 100, Math.max(y, 100 - y) / 100];
  const [dx, dy] = [(side[0] ?? 0) * width, (side[1] ?? 0) * height];
  if (shape === 'circle') return [Math.hypot(dx, dy), Math.hypot(dx, dy)];
  return [dx * Math.SQRT2, dy * Math.SQRT2];
}

/** @param {Gradient} gradient @param {number} width @param {number} height */
export function writePixels(gradient, width, height) {
  const place = placeOf(gradient, width, height);
  const colors = Array.from({ length: 2049 }, (_, i) =>
    pixel(
      colorAt({ ...gradient, repeating: false }, (i / 2048) * span(gradient) + start(gradient)),
    ),
  );
  const out = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (place(x + 0.5, y + 0.5) - start(gradient)) / (span(gradient) || 1);
      const inside = gradient.repeating ? at - Math.floor(at) : Math.min(1, Math.max(0, at));
      out.set(colors[Math.round(inside * 2048)] ?? [], (y * width + x) * 4);
    }
  }
  return out;
}

/** @param {Gradient} gradient */
const start = ({ stops }) => stops[0]?.at ?? 0;
/** @param {Gradient} gradient */
const span = ({ stops }) => (stops.at(-1)?.at ?? 1) - (stops[0]?.at ?? 0);

/** @param {Color} color */
const pixel = (color) => [
  ...bytesOf(inSrgb(convertColor(color, 'srgb'))),
  Math.round((color.alpha ?? 0) * 255),
];

/** @param {Gradient} gradient @param {number} width @param {number} height @returns {(x: number, y: number) => number} */
function placeOf({ kind, angle, shape, x, y }, width, height) {
  const [cx, cy] = [(x / 100) * width, (y / 100) * height];
  if (kind === 'linear') {
    const [dx, dy] = linearHalf(angle, width, height);
    const size = 2 * (dx * dx + dy * dy);
    return (px, py) => ((px - width / 2) * dx + (py - height / 2) * dy) / size + 0.5;
  }
  if (kind === 'radial') {
    const [rx, ry] = radii(shape, x, y, width, height);
    return (px, py) => Math.hypot((px - cx) / rx, (py - cy) / ry);
  }
  return (px, py) =>
    (((((Math.atan2(px - cx, cy - py) * 180) / Math.PI - angle) % 360) + 360) % 360) / 360;
}
