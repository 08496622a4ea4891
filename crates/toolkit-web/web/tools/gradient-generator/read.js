//! Gradients parsed from CSS into the values of the form.

import { refuse } from '../../kit/tool.js';
import { figure } from '../../lib/color/figure.js';
import { readColor } from '../../lib/color/input.js';

const SIDES = /** @type {Record<string, number>} */ ({
  'to top': 0,
  'to right': 90,
  'to bottom': 180,
  'to left': 270,
  'to top right': 45,
  'to right top': 45,
  'to bottom right': 135,
  'to right bottom': 135,
  'to bottom left': 225,
  'to left bottom': 225,
  'to top left': 315,
  'to left top': 315,
});
const PLACES = new Map(
  Object.entries({
    left: 0,
    top: 0,
    center: 50,
    right: 100,
    bottom: 100,
  }),
);
const HINT =
  'Accepted is one linear-, radial- or conic-gradient(), or its repeating form, with stops in percent.';

/** @param {string} css @returns {Promise<Record<string, any>>} */
export async function readGradient(css) {
  const match = /(repeating-)?(linear|radial|conic)-gradient\(/i.exec(css);
  if (!match) return refuse('css', 'has no gradient', { hint: HINT });
  const from = match.index + match[0].length;
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
    stops: stops.map(({ color, at }) => ({ color, at: Number(figure(at, 2)) })),
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
    take(/ (to (?:top|right|bottom|left)(?: (?:top|right|bottom|left))?) /, ([, side = '']) =>
      Object.assign(head, { angle: SIDES[side] }),
    );
  take(
    kind === 'conic' ? / from (-?[0-9.]+)(deg|turn|rad|grad) / : / (-?[0-9.]+)(deg|turn|rad|grad) /,
    ([, size, unit]) => {
      const turns = { deg: 1, turn: 360, grad: 0.9, rad: 180 / Math.PI };
      head.angle = Number(
        figure((((Number(size) * turns[/** @type {'deg'} */ (unit)]) % 360) + 360) % 360, 2),
      );
    },
  );
  if (kind === 'radial') take(/ (circle|ellipse) /, ([, shape]) => Object.assign(head, { shape }));
  take(/ farthest-corner /, () => {});
  if (Object.keys(head).length === 0 && rest.trim() !== '') return undefined;
  if (rest.trim() !== '')
    refuse('css', `has "${rest.trim()}", which this form cannot show`, { hint: HINT });
  return head;
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
