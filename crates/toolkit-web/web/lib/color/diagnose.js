//! Diagnosis of a text that the color parser refuses: what is wrong and where, which the library does not say.

import { Refusal } from '../../kit/tool.js';
import * as library from '../../libraries/csstools-color-parser.js';

/** @typedef {ReturnType<typeof library.tokenize>} Tokens */
/** `parts` are between a function's brackets. @typedef {{ kind: string, text: string, at: number, data: any, parts: Part[], token: Tokens[number] }} Part */

const COLOR = /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color|color-mix|contrast-color|alpha)$/;
const MATH =
  /^(?:calc|min|max|clamp|round|mod|rem|a?sin|a?cos|a?tan|atan2|pow|sqrt|hypot|log|exp|abs|sign)$/;
const ON_THE_PAGE = /^(?:var|env|attr|light-dark)$/;
const SYSTEM =
  /^(?:currentcolor|accentcolor(?:text)?|activetext|button(?:border|face|text)|canvas(?:text)?|field(?:text)?|graytext|highlight(?:text)?|linktext|mark(?:text)?|selecteditem(?:text)?|visitedtext)$/;
/** Color spaces: those that `color()` knows, and the others. */
const PLAIN =
  'srgb srgb-linear display-p3 display-p3-linear a98-rgb prophoto-rgb rec2020 xyz-d65 xyz-d50'.split(
    ' ',
  );
const OWN = 'lab lch oklab oklch hsl hwb'.split(' ');
const UNITS = /^(?:deg|grad|rad|turn)$/i;
const SIGNS = /^[-+*/,()]$/;
const KINDS = /^(?:ident|function|hash|number|percentage|dimension|EOF)-token$/;

/** @param {Part | undefined} part @param {string} offence @returns {never} */
function fail(part, offence) {
  throw new Refusal(offence, { at: part?.at ?? 0 });
}

/** @param {Part | undefined} part @param {string} expected @returns {never} */
function unexpected(part, expected) {
  if (part?.kind === 'EOF') fail(part, `ends too early: ${expected} is missing`);
  fail(part, `has "${part?.text}" where ${expected} belongs`);
}

/** @param {Tokens} tokens @param {number} end index after the text @returns {never} */
export function diagnose(tokens, end) {
  const all = tokens.flatMap((token) =>
    /^(?:whitespace|comment)/.test(token[0]) ? [] : [partOf(token, end)],
  );
  const [first, second] = nested(all.values());
  if (!first || first.kind === 'EOF') fail(first, 'is empty');
  checkColor(first);
  if (second?.kind !== 'EOF')
    fail(second, `goes on with "${second?.text}" after the end of the color`);
  fail(first, 'is not a color of CSS');
}

/** In lower case as CSS compares words: letters of ASCII only. @param {string} word */
const lower = (word) => word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** @param {Tokens[number]} token @param {number} end @returns {Part} */
function partOf(token, end) {
  const [type, raw, at, , data] = token;
  const value = data && 'value' in data ? lower(String(data.value)) : raw;
  const part = { kind: type.replace('-token', ''), text: raw, at, data, parts: [], token };
  if (type === 'EOF-token') return { ...part, at: end };
  if (type === 'ident-token' || type === 'function-token') part.text = value;
  if (!KINDS.test(type) && !SIGNS.test(raw)) fail(part, `has "${raw}", which no color has`);
  if (type === 'dimension-token' && !UNITS.test(data.unit))
    fail(part, `has the unknown unit "${data.unit}"; angles are in deg, grad, rad or turn`);
  if (type !== 'function-token') return part;
  if (ON_THE_PAGE.test(value)) fail(part, `has "${value}()", whose value depends on the page`);
  if (!COLOR.test(value) && !MATH.test(value)) fail(part, `has the unknown function "${value}()"`);
  return part;
}

/** The parts up to the end of a bracket, and that end. @param {ArrayIterator<Part>} all @returns {Part[]} */
function nested(all) {
  /** @type {Part[]} */
  const list = [];
  for (const part of all) {
    list.push(part);
    if (part.text === ')' || part.kind === 'EOF') break;
    if (part.kind !== 'function' && part.text !== '(') continue;
    part.parts = nested(all);
    const end = part.parts.at(-1);
    if (end?.kind === 'EOF') unexpected(end, '")"');
  }
  return list;
}

/** Refuses a part that is not a color. @param {Part | undefined} part */
function checkColor(part) {
  const { kind = '', text = '', at = 0, parts = [] } = part ?? {};
  if (kind === 'hash') return checkHex(text.slice(1), at);
  if (kind === 'ident') {
    if (SYSTEM.test(text)) fail(part, `has "${text}", whose color depends on the page`);
    if (part && library.color(new library.TokenNode(part.token))) return undefined;
    fail(part, `has "${text}", which is not the name of a color`);
  }
  if (kind !== 'function' || !COLOR.test(text)) unexpected(part, 'a color');
  if (text === 'color-mix') return checkMix(parts);
  if (text === 'contrast-color') return checkColor(parts[0]);
  return checkChannels(text, parts);
}

/** @param {string} digits @param {number} at */
function checkHex(digits, at) {
  const foreign = digits.search(/[^0-9a-f]/i);
  if (foreign >= 0)
    throw new Refusal(`has "${digits[foreign]}", which is not a hexadecimal digit`, {
      at: at + foreign + 1,
    });
  if (![3, 4, 6, 8].includes(digits.length))
    throw new Refusal(
      `has ${digits.length} hexadecimal ${digits.length === 1 ? 'digit' : 'digits'}; a color has 3, 4, 6 or 8`,
      { at },
    );
}

/** @param {string} name of the function @param {Part | undefined} part */
function checkSpace(name, part) {
  const known = name === 'color' ? PLAIN : [...PLAIN, ...OWN];
  if (part?.kind !== 'ident') unexpected(part, 'a color space');
  if (part.text !== 'xyz' && !known.includes(part.text))
    fail(part, `has the unknown color space "${part.text}"; ${name}() knows ${known.join(', ')}`);
}

/** @param {Part[]} parts of `color-mix()` */
function checkMix(parts) {
  let next = 0;
  if (parts[0]?.text === 'in') {
    checkSpace('color-mix', parts[1]);
    next = /^(?:shorter|longer|increasing|decreasing)$/.test(parts[2]?.text ?? '') ? 4 : 2;
    if (next === 4 && parts[3]?.text !== 'hue') unexpected(parts[3], '"hue"');
    if (next === 4 && !/^(?:h|(?:ok)?lch)/.test(parts[1]?.text ?? ''))
      fail(parts[2], `has "${parts[2]?.text} hue", but ${parts[1]?.text} has no hue`);
    if (parts[next]?.text !== ',') unexpected(parts[next], '","');
    next += 1;
  }
  for (; next < parts.length; next += 1) {
    const start = next;
    while (!/^[,)]$/.test(parts[next]?.text ?? ')')) next += 1;
    const group = parts.slice(start, next + 1);
    const [color, after] = group.filter(({ kind }) => kind !== 'percentage');
    const share = group.find(({ kind }) => kind === 'percentage');
    checkColor(color);
    if (after !== group.at(-1)) unexpected(after, 'a share in percent');
    if (share && (share.data.value < 0 || share.data.value > 100))
      fail(share, 'has a share that is not from 0 % to 100 %');
  }
}

/** @param {string} name @param {Part[]} parts of a function with channels */
function checkChannels(name, parts) {
  const list = [...parts];
  const isRelative = list[0]?.text === 'from';
  if (isRelative) checkColor(list.splice(0, 2)[1]);
  if (name === 'alpha' && !isRelative) unexpected(list[0], '"from"');
  if (name === 'alpha') return;
  if (name === 'color') checkSpace(name, list.shift());
  const comma = list.find(({ text }) => text === ',');
  if (comma && (isRelative || !/^(?:rgb|hsl)/.test(name))) unexpected(comma, 'a space');
  const isValue = (/** @type {Part | undefined} */ part) =>
    /^(?:number|percentage|dimension)$/.test(part?.kind ?? '') ||
    MATH.test(part?.text ?? '') ||
    (isRelative ? /^(?:none|alpha|[rgbxyzlachsw])$/ : /^none$/).test(part?.text ?? '');
  /** @type {Part[]} */
  const values = [];
  for (const sign of comma ? ['', ',', ',', ','] : ['', '', '', '/']) {
    const isLast = values.length === 3;
    if (isLast && list[0]?.text === ')') break;
    if (sign && list[0]?.text !== sign)
      unexpected(list[0], isLast ? `"${sign}" or ")"` : `"${sign}"`);
    if (sign) list.shift();
    const [value] = list.splice(0, 1);
    if (!value || !isValue(value)) unexpected(value, 'a number');
    values.push(value);
  }
  if (list[0]?.text !== ')') unexpected(list[0], '")"');
  checkKinds(name, values, comma !== undefined);
}

/** @param {string} name @param {Part[]} values @param {boolean} hasCommas */
function checkKinds(name, values, hasCommas) {
  // The hue is the first channel of hsl() and hwb(), and the last of lch() and oklch().
  const hue = name.startsWith('h') ? 0 : name.endsWith('lch') ? 2 : -1;
  for (const [i, value] of values.entries()) {
    const { kind, text } = value;
    if (hasCommas && text === 'none')
      fail(value, 'has none in a list with commas, which takes numbers only');
    if (kind === 'percentage' && i === hue)
      fail(value, 'has a percentage as hue, which is an angle or a number');
    if (kind === 'dimension' && i !== hue)
      fail(value, 'has an angle where a number or a percentage belongs');
    if (!hasCommas || i === 0 || i === 3) continue;
    if (name.startsWith('hsl') && kind !== 'percentage')
      fail(value, 'needs percentages for saturation and lightness when it has commas');
    if (name.startsWith('rgb') && kind !== values[0]?.kind)
      fail(value, 'mixes numbers and percentages in a list with commas');
  }
  const computed = values.find(({ kind }) => kind === 'function');
  if (computed)
    fail(computed, `has "${computed.text}()" whose result is not a number of this kind`);
}
