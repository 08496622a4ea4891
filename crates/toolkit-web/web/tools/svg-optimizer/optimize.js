//! SVG by svgo: removals for safety, options, and errors as refusals.

import { refuse } from '../../kit/tool.js';
import { quoteLine } from '../../lib/positions.js';
import { optimize } from '../../libraries/svgo.js';

/** @typedef {{ level: string, precision: number, keep_viewbox: boolean, keep_title: boolean, keep_description: boolean, keep_ids: boolean, remove_size: boolean }} Options */

/** Attributes with an address. */
const ADDRESSES = new Set([
  'href',
  'xlink:href',
  'src',
  'action',
  'formaction',
  'from',
  'to',
  'values',
]);

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

/** Plugins that the safe level turns off: each changed a picture of the W3C suite, or may. */
const SAFE = {
  mergePaths: false,
  collapseGroups: false,
  moveGroupAttrsToElems: false,
  moveElemsAttrsToGroup: false,
  convertShapeToPath: false,
  removeHiddenElems: false,
  removeUnknownsAndDefaults: false,
  removeNonInheritableGroupAttrs: false,
  inlineStyles: false,
  mergeStyles: false,
  // Selectors and filters depend on numbers as written.
  cleanupNumericValues: false,
};

/** What an animation, a style or a script of a page moves: its shape and transform are no constants. */
const MOVED = [
  /<(?:[\w-]+:)?(?:animate\w*|set)[\s>/]/i,
  /<(?:[\w-]+:)?style[\s>](?:(?!<\/)[\s\S])*?(?:@keyframes|animation|transition|transform|offset-|rotate|scale|translate|[{;]\s*(?:d|r[xy]?|c[xy]|x|y)\s*:)/i,
  /\sstyle\s*=\s*(?:"[^"]*|'[^']*)(?:animation|transition|transform|offset-)/i,
  /\stransform-(?:origin|box)\s*=/i,
];

/** Plugins that bake a transform into a shape, change its kind, or take out what is not seen at first. */
const STILL = {
  convertPathData: false,
  convertTransform: false,
  convertEllipseToCircle: false,
  removeUselessStrokeAndFill: false,
  removeEmptyContainers: false,
  removeEmptyText: false,
};

/** Most decimals in paths with arcs: a nearly closed circle ends very close to its start. @param {string} source */
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
  const floatPrecision = Math.max(precision, Math.min(8, arcDigits(source)));
  /** @type {Record<string, any>} */
  const overrides = {
    ...(keep_description && { removeDesc: false }),
    ...(keep_ids && { cleanupIds: false }),
    ...(isNested && { minifyStyles: false, inlineStyles: false, mergeStyles: false }),
    ...(!strong && { ...SAFE, convertPathData: { removeUseless: false, floatPrecision } }),
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

const ACCEPTED = 'Accepted is an SVG document.';

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

/** Sentences about what an SVG fetches or declares. @param {string} source */
export function svgWarnings(source) {
  const outside = [
    ...source.matchAll(
      /(?:href|src)\s*=\s*["']\s*((?:https?:)?\/\/[^"']+)|url\(\s*["']?((?:https?:)?\/\/[^"')]+)/gi,
    ),
  ].map((match) => match[1] ?? match[2] ?? '');
  return [
    ...(/<!ENTITY/i.test(source)
      ? ['The document declares entities; they were replaced by their texts.']
      : []),
    ...(/<(?:[\w-]+:)?script|\son\w+\s*=|javascript:/i.test(source)
      ? ['Scripts and handlers were taken out.']
      : []),
    ...[...new Set(outside)]
      .slice(0, 5)
      .map((address) => `It refers to ${address}, which is fetched where the SVG is shown inline.`),
  ];
}
