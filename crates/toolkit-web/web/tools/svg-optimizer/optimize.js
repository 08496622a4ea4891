//! SVG by svgo: removals for safety, options, and errors as refusals.

import { refuse } from '../../kit/tool.js';
import { quoteLine } from '../../lib/positions.js';
import { optimize } from '../../libraries/svgo.js';

/** @typedef {{ level: string, precision: number, keep_viewbox: boolean, keep_title: boolean, keep_description: boolean, keep_ids: boolean, remove_size: boolean }} Options */

/** Attributes with an address. */
const ADDRESSES = new Set('href xlink:href src action formaction from to values'.split(' '));

/** Scripts, event handlers and addresses that would run code. */
const withoutScripts = {
  name: 'withoutScripts',
  fn: () => ({
    element: {
      enter: (/** @type {any} */ node, /** @type {any} */ parent) => {
        const name = node.name.replace(/^.*:/, '').toLowerCase();
        if (/^(?:script|handler|listener|iframe|object|embed)$/.test(name)) {
          parent.children = parent.children.filter((/** @type {any} */ child) => child !== node);
          return;
        }
        for (const [key, value] of Object.entries(node.attributes)) {
          const address = String(value)
            .replaceAll(/[\s\p{Cc}]/gu, '')
            .toLowerCase();
          const runs =
            ADDRESSES.has(key.toLowerCase()) &&
            /(?:^|;)(?:javascript|vbscript):|^data:(?!image\/(?!svg))/.test(address);
          if (/^on/i.test(key) || /^ev:/i.test(key) || runs) delete node.attributes[key];
        }
      },
    },
  }),
};

/** @param {string} names of plugins */
const off = (names) => Object.fromEntries(names.split(/\s+/).map((name) => [name, false]));

/**
 * Plugins that the safe level turns off: each changed a picture of the W3C suite, or may. Selectors and filters
 * depend on numbers as written.
 */
const SAFE = off(
  `mergePaths collapseGroups moveGroupAttrsToElems moveElemsAttrsToGroup convertShapeToPath removeHiddenElems
  removeUnknownsAndDefaults removeNonInheritableGroupAttrs inlineStyles mergeStyles cleanupNumericValues`,
);

/** What may depend on numbers and groups as they are written. */
const DEPENDS =
  /<(?:[\w-]+:)?(?:style|filter|switch|use|mask|clipPath|pattern|symbol|marker|foreignObject|text)[\s>/]/i;
/** Those of them that change nothing that is drawn where nothing depends on it. */
const PLAIN =
  'cleanupNumericValues collapseGroups removeHiddenElems removeNonInheritableGroupAttrs'.split(' ');

/** Signs that an animation, a style or a page's script changes shapes or transforms. */
const MOVED = [
  /<(?:[\w-]+:)?(?:animate\w*|set)[\s>/]/i,
  /<(?:[\w-]+:)?style[\s>](?:(?!<\/)[\s\S])*?(?:@keyframes|animation|transition|transform|offset-|rotate|scale|translate|[{;]\s*(?:d|r[xy]?|c[xy]|x|y)\s*:)/i,
  /\sstyle\s*=\s*(?:"[^"]*|'[^']*)(?:animation|transition|transform|offset-)/i,
  /\stransform-(?:origin|box)\s*=/i,
];

/** Plugins that bake a transform into a shape, change its kind, or remove parts that are invisible at first. */
const STILL = off(
  `convertPathData convertTransform convertEllipseToCircle removeUselessStrokeAndFill
  removeEmptyContainers removeEmptyText`,
);

/** The most decimals in paths with arcs. A nearly closed circle ends very close to its start. @param {string} source */
const arcDigits = (source) =>
  [...source.matchAll(/\bd\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
    .map(([, double, single]) => double ?? single ?? '')
    .filter((path) => /a/i.test(path))
    .flatMap((path) => path.match(/(?<=\.)\d+/g) ?? [])
    .reduce((most, digits) => Math.max(most, digits.length), 0);

/** @param {Options} options @param {string} source */
function plugins(
  { level, precision, keep_viewbox, keep_title, keep_description, keep_ids, remove_size },
  source,
) {
  // The style minifier drops nested rules and media ranges, so those styles are left unchanged.
  const isNested = source
    .split(/<style/i)
    .slice(1)
    .some((style) => /\{[^{}]*\{|[<>][^<>]*\{/.test(style.split(/<\/style>/i, 1)[0] ?? ''));
  const isMoved = MOVED.some((pattern) => pattern.test(source));
  const strong = level === 'strong' && !isMoved;
  const isPlain = !isMoved && !DEPENDS.test(source);
  const safe = Object.fromEntries(
    Object.entries(SAFE).filter(([name]) => !isPlain || !PLAIN.includes(name)),
  );
  const floatPrecision = Math.max(precision, Math.min(8, arcDigits(source)));
  /** @type {Record<string, any>} */
  const overrides = {
    ...(keep_description && { removeDesc: false }),
    ...(keep_ids && { cleanupIds: false }),
    ...(isNested && off('minifyStyles inlineStyles mergeStyles')),
    ...(!strong && { ...safe, convertPathData: { removeUseless: false, floatPrecision } }),
    ...(isMoved && STILL),
  };
  return [
    withoutScripts,
    { name: 'preset-default', params: { overrides } },
    ...(keep_title ? [] : ['removeTitle']),
    ...(keep_viewbox ? [] : ['removeViewBox']),
    ...(remove_size ? ['removeDimensions'] : []),
    ...(strong ? ['reusePaths', 'convertOneStopGradients', 'sortAttrs'] : []),
  ];
}

const ACCEPTED = 'Enter an SVG document.';

/** @param {string} source @param {Options} options @param {string} field @param {string} [name] of one file among several */
export function optimizeSvg(source, options, field, name = '') {
  const of = name === '' ? '' : `"${name}" `;
  if (!/<(?:[\w-]+:)?svg[\s>/]/i.test(source))
    refuse(field, `${of}has no <svg> element`, { hint: ACCEPTED });
  try {
    const { data } = optimize(source, {
      multipass: options.level === 'strong',
      floatPrecision: options.precision,
      plugins: /** @type {any} */ (plugins(options, source)),
    });
    if (!/<(?:[\w-]+:)?svg/i.test(data))
      refuse(field, `${of}has no <svg> element at its root`, { hint: ACCEPTED });
    return data;
  } catch (error) {
    const { reason, line, column, name: kind } = /** @type {any} */ (error);
    if (kind !== 'SvgoParserError') throw error;
    return refuse(
      field,
      `${of}is not well-formed XML: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
      {
        line,
        column: Math.max(1, column),
        hint: `The line is: ${quoteLine(source, line, column)}`,
      },
    );
  }
}

/** Warnings about what an SVG fetches or declares. @param {string} source */
export function svgWarnings(source) {
  const outside = [
    ...source.matchAll(
      /(?:href|src)\s*=\s*["']\s*((?:https?:)?\/\/[^"']+)|url\(\s*["']?((?:https?:)?\/\/[^"')]+)/gi,
    ),
  ].map((match) => match[1] ?? match[2] ?? '');
  return [
    ...(/<!ENTITY/i.test(source)
      ? ['The document declares entities. They were replaced by their texts.']
      : []),
    ...(/<(?:[\w-]+:)?script|\son\w+\s*=|javascript:/i.test(source)
      ? ['Scripts and event handlers were removed.']
      : []),
    ...[...new Set(outside)]
      .slice(0, 5)
      .map(
        (address) =>
          `It refers to ${address}, which browsers fetch if the SVG is inlined in a page.`,
      ),
  ];
}
