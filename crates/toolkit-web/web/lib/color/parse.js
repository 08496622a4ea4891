//! CSS colors: all of CSS Color 4, and `color-mix()` and relative colors of level 5.

import { COLOR_NAMES } from '../../data/color-names.js';
import { Refusal } from '../../kit/tool.js';
import { readCalc } from './calc.js';
import { mixColors, readMix } from './mix.js';
import { CHANNELS, convertColor } from './spaces.js';
import { Cursor } from './tokens.js';

/** @typedef {import('./spaces.js').Space} Space */
/** @typedef {import('./spaces.js').Coords} Coords */
/** `legacy`: written with commas, as hex or as a name. @typedef {import('./spaces.js').Color & { legacy?: boolean }} Color */
/** @typedef {Map<string, number | null>} Known channels of the color after `from` */

const FUNCTIONS = new Map(
  Object.entries(
    /** @type {Record<string, Space>} */ ({
      rgb: 'srgb',
      rgba: 'srgb',
      hsl: 'hsl',
      hsla: 'hsl',
      hwb: 'hwb',
      lab: 'lab',
      lch: 'lch',
      oklab: 'oklab',
      oklch: 'oklch',
    }),
  ),
);
/** Value of 100 % for each coordinate; 0 for a hue. @type {Partial<Record<Space, number[]>>} */
const WHOLE = {
  srgb: [255, 255, 255],
  hsl: [0, 100, 100],
  hwb: [0, 100, 100],
  lab: [100, 125, 125],
  lch: [100, 150, 0],
  oklab: [1, 0.4, 0.4],
  oklch: [1, 0.4, 0],
};
const IN_COLOR = new Set([
  'srgb',
  'srgb-linear',
  'display-p3',
  'display-p3-linear',
  'a98-rgb',
  'prophoto-rgb',
  'rec2020',
  'xyz',
  'xyz-d50',
  'xyz-d65',
]);
const SYSTEM =
  /^(?:currentcolor|accentcolor|accentcolortext|activetext|buttonborder|buttonface|buttontext|canvas|canvastext|field|fieldtext|graytext|highlight|highlighttext|linktext|mark|marktext|selecteditem|selecteditemtext|visitedtext)$/;

/**
 * Parses a color; throws a `Refusal` on any other text.
 * @param {string} text @returns {Color}
 */
export function parseColor(text) {
  const cursor = new Cursor(text);
  if (!cursor.next) cursor.fail('is empty');
  const color = readColor(cursor);
  if (cursor.next) cursor.fail(`goes on with "${cursor.next.text}" after the end of the color`);
  return color;
}

/** @param {Cursor} cursor @returns {Color} */
export function readColor(cursor) {
  const token = cursor.next ?? cursor.unexpected('a color');
  if (token.kind === 'hash') return readHex(cursor, token.text);
  if (token.kind === 'word') return readName(cursor, token.text);
  if (token.kind !== 'function') cursor.unexpected('a color');
  const space = FUNCTIONS.get(token.text);
  if (!space && token.text !== 'color' && token.text !== 'color-mix')
    cursor.fail(`has the unknown function "${token.text}()"`);
  cursor.index += 1;
  cursor.expect('(');
  const color =
    token.text === 'color-mix'
      ? mixColors(readMix(cursor, readColor))
      : readFunction(cursor, space);
  cursor.expect(')');
  return color;
}

/** @param {Cursor} cursor @param {string} text @returns {Color} */
function readHex(cursor, text) {
  const digits = text.slice(1);
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(digits)) {
    const foreign = digits.search(/[^0-9a-f]/i);
    const offence =
      foreign < 0
        ? `has ${digits.length} hexadecimal ${digits.length === 1 ? 'digit' : 'digits'}; a color has 3, 4, 6 or 8`
        : `has "${digits[foreign]}", which is not a hexadecimal digit`;
    throw new Refusal(offence, { at: (cursor.next?.at ?? 0) + Math.max(0, foreign + 1) });
  }
  cursor.index += 1;
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const [r = 0, g = 0, b = 0, a = 255] = (long.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return { space: 'srgb', coords: [r / 255, g / 255, b / 255], alpha: a / 255, legacy: true };
}

/** @param {Cursor} cursor @param {string} name @returns {Color} */
function readName(cursor, name) {
  const hex = name === 'transparent' ? '#00000000' : COLOR_NAMES.get(name);
  if (!hex) {
    if (SYSTEM.test(name)) return cursor.fail(`has "${name}", whose color depends on the page`);
    return cursor.fail(`has "${name}", which is not the name of a color`);
  }
  return readHex(cursor, hex);
}

/** Arguments of every function except `color-mix()`. @param {Cursor} cursor @param {Space | undefined} fixed @returns {Color} */
function readFunction(cursor, fixed) {
  const origin = cursor.take('from') ? readColor(cursor) : undefined;
  const space = fixed ?? readSpace(cursor);
  const whole = fixed ? WHOLE[fixed] : undefined;
  const unit = fixed === 'srgb' ? 255 : 1;
  const channels = origin && channelsOf(origin, space, unit);
  const read = () => readComponent(cursor, channels);
  const parts = [read()];
  const commas =
    fixed !== undefined && !origin && cursor.is(',') && (fixed === 'srgb' || fixed === 'hsl');
  for (let i = 0; i < 2; i += 1) {
    if (commas) cursor.expect(',');
    parts.push(read());
  }
  if (commas) checkLegacy(cursor, parts, space);
  const slash = commas ? cursor.take(',') : cursor.take('/');
  const alpha = slash ? read() : undefined;
  if (commas && alpha?.kind === 'none')
    cursor.fail('has none in a list with commas, which takes numbers only');
  const coords = /** @type {Coords} */ (
    parts.map((part, i) => scale(scaled(cursor, part, whole?.[i] ?? 1), 1 / unit))
  );
  return finish(
    { space, coords, alpha: alphaOf(cursor, alpha, origin), legacy: !origin && fixed === 'srgb' },
    origin !== undefined,
  );
}

/** @param {Cursor} cursor @returns {Space} */
function readSpace(cursor) {
  const name = cursor.next?.kind === 'word' ? cursor.next.text : cursor.unexpected('a color space');
  if (!IN_COLOR.has(name))
    cursor.fail(`has the unknown color space "${name}"; color() knows ${[...IN_COLOR].join(', ')}`);
  cursor.index += 1;
  return name === 'xyz' ? 'xyz-d65' : /** @type {Space} */ (name);
}

/** @param {Color} origin @param {Space} space @param {number} unit @returns {Known} */
function channelsOf(origin, space, unit) {
  const converted = convertColor(origin, space);
  const names = CHANNELS[space];
  /** @type {Known} */
  const known = new Map(names.map((name, i) => [name, scale(converted.coords[i] ?? null, unit)]));
  return known.set('alpha', origin.alpha);
}

/** @param {number | null} value @param {number} unit */
const scale = (value, unit) => (value === null ? null : value * unit);

/** @typedef {{ kind: 'none' | 'number' | 'percent' | 'angle' | 'channel', value: number }} Part */

/** @param {Cursor} cursor @param {Known | undefined} channels @returns {Part} */
function readComponent(cursor, channels) {
  const token = cursor.next ?? cursor.unexpected('a number');
  if (token.kind === 'function') return readCalc(cursor, channels);
  if (token.kind === 'word') {
    const channel = channels?.get(token.text);
    if (token.text !== 'none' && channel === undefined)
      cursor.unexpected('a number, a percentage or none');
    cursor.index += 1;
    return { kind: token.text === 'none' ? 'none' : 'channel', value: channel ?? 0 };
  }
  if (token.kind !== 'number' && token.kind !== 'percent' && token.kind !== 'angle')
    cursor.unexpected('a number');
  cursor.index += 1;
  return { kind: /** @type {Part['kind']} */ (token.kind), value: token.value };
}

/** @param {Cursor} cursor @param {Part[]} parts @param {Space} space */
function checkLegacy(cursor, parts, space) {
  if (parts.some(({ kind }) => kind === 'none'))
    cursor.fail('has none in a list with commas, which takes numbers only');
  const kinds = parts.slice(space === 'hsl' ? 1 : 0).map(({ kind }) => kind);
  if (space === 'hsl' && kinds.some((kind) => kind !== 'percent'))
    cursor.fail('needs percentages for saturation and lightness when it has commas');
  if (new Set(kinds).size > 1) cursor.fail('mixes numbers and percentages in a list with commas');
}

/** @param {Cursor} cursor @param {Part} part @param {number} whole @returns {number | null} */
function scaled(cursor, { kind, value }, whole) {
  if (kind === 'none') return null;
  if (whole === 0) {
    return kind === 'percent'
      ? cursor.fail('has a percentage as hue, which is an angle or a number')
      : value;
  }
  if (kind === 'angle') cursor.fail('has an angle where a number or a percentage belongs');
  return kind === 'percent' ? (value / 100) * whole : value;
}

/** @param {Cursor} cursor @param {Part | undefined} part @param {Color | undefined} origin */
function alphaOf(cursor, part, origin) {
  if (!part) return origin ? origin.alpha : 1;
  if (part.kind === 'none') return null;
  if (part.kind === 'angle') cursor.fail('has an angle as alpha');
  return Math.min(1, Math.max(0, part.kind === 'percent' ? part.value / 100 : part.value));
}

/** Clamps coordinates to the bounds of the space. @param {Color} color @param {boolean} isRelative @returns {Color} */
function finish(color, isRelative) {
  const { space, coords } = color;
  const top = space === 'lab' || space === 'lch' ? 100 : 1;
  if (/^(?:ok)?l(?:ab|ch)$/.test(space) && coords[0] !== null)
    coords[0] = Math.min(top, Math.max(0, coords[0]));
  if ((space === 'lch' || space === 'oklch' || space === 'hsl') && coords[1] !== null)
    coords[1] = Math.max(0, coords[1]);
  if (color.legacy)
    color.coords = /** @type {Coords} */ (
      coords.map((v) => (v === null ? v : Math.min(1, Math.max(0, v))))
    );
  return isRelative && (space === 'hsl' || space === 'hwb')
    ? { ...convertColor(color, 'srgb') }
    : color;
}
