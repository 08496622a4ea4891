//! Gradients parsed from CSS into the values of the form.

import { refuse } from '../../kit/tool.js';

/** To the sides; the corners are those of a square. @type {Record<string, number>} */
const ANGLES = {
  ...{ top: 0, right: 90, bottom: 180, left: 270 },
  ...{ 'top right': 45, 'bottom right': 135, 'bottom left': 225, 'top left': 315 },
};
const PLACES = new Map(Object.entries({ left: 0, top: 0, center: 50, right: 100, bottom: 100 }));
const HINT =
  'Enter one linear-, radial- or conic-gradient(), or its repeating form, with stops in percent.';

/** With two decimals; never -0. @param {number} value */
const rounded = (value) => Number(value.toFixed(2)) + 0;

/**
 * @param {string} css @param {typeof import('../../lib/color/input.js').readColor} readColor given, since a module that
 *   both share would cost the page's first run one more request
 * @param {(sentence: string) => void} warn
 * @returns {Promise<Record<string, any>>}
 */
export async function readGradient(css, readColor, warn) {
  // Without a prefix: the line that has one is a fallback.
  const match = /(?<![\w-])(repeating-)?(linear|radial|conic)-gradient\(/i.exec(css);
  if (!match) return refuse('css', 'has no gradient', { hint: HINT });
  const from = match.index + match[0].length;
  const [value = ''] = css.slice(match.index).split(';');
  if ((value.match(/gradient\(/gi) ?? []).length > 1)
    refuse('css', 'has several gradients in one value, and this form shows one', {
      hint: 'Import them one at a time.',
    });
  if (/\burl\(/i.test(value))
    warn('The layer with `url()` was left out: this form shows a gradient.');
  const parts = splitList(css, from);
  const kind = /** @type {string} */ (match[2]).toLowerCase();
  const head = readHead(parts[0] ?? '', kind);
  const typed = parts.slice(head ? 1 : 0).flatMap((part) => readStop(part, kind));
  for (const { color } of typed) await readColor('css', color, () => {}, `Stop "${color}"`);
  const stops = spread(typed);
  if (stops.length < 2) refuse('css', 'has fewer than two stops', { hint: HINT });
  return {
    kind,
    repeating: match[1] !== undefined,
    angle: kind === 'linear' ? 180 : 0,
    shape: 'ellipse',
    x: 50,
    y: 50,
    space: 'default',
    hue: 'shorter',
    ...head,
    stops: stops.map(({ color, at }) => ({ color, at: rounded(at) })),
  };
}

/** Arguments of a function. @param {string} css @param {number} from */
function splitList(css, from) {
  const parts = [''];
  let depth = 0;
  for (let at = from; at < css.length; at += 1) {
    const mark = css.charAt(at);
    if (mark === '(') depth += 1;
    else if (mark === ')') {
      if (depth === 0) return parts.map((part) => part.trim());
      depth -= 1;
    }
    if (mark === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += mark;
  }
  return refuse('css', 'has a bracket that is never closed', { hint: HINT });
}

/** Shape, place and color space; undefined where the first argument is a stop. @param {string} text @param {string} kind */
function readHead(text, kind) {
  let rest = ` ${text.toLowerCase()} `;
  /** @type {Record<string, any>} */
  const head = {};
  const take = (/** @type {RegExp} */ pattern, /** @type {(match: string[]) => void} */ use) => {
    const match = pattern.exec(rest);
    if (match) {
      use(match.map((part) => part ?? ''));
      rest = rest.replace(match[0], ' ');
    }
  };
  take(/ in ([a-z0-9-]+)(?: (shorter|longer|increasing|decreasing) hue)? /, ([, space = '', hue]) =>
    Object.assign(head, { space: space === 'xyz' ? 'xyz-d65' : space, hue: hue || 'shorter' }),
  );
  take(/ at (.{1,100}) $/, ([, place = '']) => Object.assign(head, readPlace(place.trim())));
  if (kind === 'linear')
    take(/ to ((?:top|right|bottom|left)(?: (?:top|right|bottom|left))?) /, ([, side = '']) =>
      Object.assign(head, { angle: side.includes(' ') ? toCorner(side) : ANGLES[side] }),
    );
  take(
    kind === 'conic' ? / from (-?[0-9.]+)(deg|turn|rad|grad) / : / (-?[0-9.]+)(deg|turn|rad|grad) /,
    ([, size, unit]) => {
      const turns = { deg: 1, turn: 360, grad: 0.9, rad: 180 / Math.PI };
      const degrees = Number(size) * turns[/** @type {'deg'} */ (unit)];
      head.angle = rounded(((degrees % 360) + 360) % 360);
    },
  );
  if (kind === 'radial') take(/ (circle|ellipse) /, ([, shape]) => Object.assign(head, { shape }));
  take(/ farthest-corner /, () => {});
  if (Object.keys(head).length === 0 && rest.trim() !== '') return undefined;
  if (rest.trim() !== '')
    refuse('css', `has "${rest.trim()}", which this form cannot show`, { hint: HINT });
  return head;
}

/** @param {string} side @returns {never} */
function toCorner(side) {
  const angle = ANGLES[side] ?? ANGLES[side.split(' ').reverse().join(' ')];
  return refuse('css', `has "to ${side}", whose angle depends on the size of the box`, {
    hint: angle === undefined ? HINT : `Write \`${angle}deg\`, its angle in a square.`,
  });
}

/** @param {string} text */
function readPlace(text) {
  const [first = 'center', second = 'center'] = text.split(/\s+/);
  const swap = /top|bottom/.test(first) || /left|right/.test(second);
  const [x, y] = (swap ? [second, first] : [first, second]).map(
    (word) =>
      PLACES.get(word) ??
      (/^-?[0-9.]+%$/.test(word)
        ? Number.parseFloat(word)
        : refuse('css', `has the place "${word}", which is not in percent`, { hint: HINT })),
  );
  return { x, y };
}

/** @param {string} text @param {string} kind @returns {{ color: string, at: number | null }[]} */
function readStop(text, kind) {
  /** @type {number[]} */
  const places = [];
  let color = text;
  for (
    let match = /(?<!\s)\s+(-?[0-9.]+)(%|deg|turn)$/.exec(color);
    match;
    match = /(?<!\s)\s+(-?[0-9.]+)(%|deg|turn)$/.exec(color)
  ) {
    if (match[2] !== '%' && kind !== 'conic')
      refuse('css', `has the stop "${text}" at an angle`, { hint: HINT });
    const scale = match[2] === '%' ? 1 : match[2] === 'turn' ? 100 : 100 / 360;
    places.unshift(Number(match[1]) * scale);
    color = color.slice(0, match.index);
  }
  if (/^-?[0-9.]+(?:%|[a-z]+)$/.test(color) || /\s-?[0-9.]+[a-z]+$/.test(color))
    refuse('css', `has the stop "${text}", which this form cannot show`, { hint: HINT });
  return places.length === 0 ? [{ color, at: null }] : places.map((at) => ({ color, at }));
}

/** Spaces stops without a position evenly between their neighbours. @param {{ color: string, at: number | null }[]} stops */
function spread(stops) {
  const places = stops.map(({ at }) => at);
  if (places.length > 0) {
    places[0] ??= 0;
    places[places.length - 1] ??= 100;
  }
  for (let i = 1; i < places.length; i += 1) {
    if (places[i] !== null) continue;
    let end = i;
    while (places[end] === null) end += 1;
    const [from, to] = [places[i - 1] ?? 0, places[end] ?? 100];
    for (let k = i; k < end; k += 1) places[k] = from + ((to - from) * (k - i + 1)) / (end - i + 1);
  }
  return stops.map(({ color }, i) => ({ color, at: places[i] ?? 0 }));
}
