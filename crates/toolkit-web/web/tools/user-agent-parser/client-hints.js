//! User-Agent Client Hints. Standard: WICG User-Agent Client Hints; header fields are structured fields (RFC 9651).
import { attempt, Refusal } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';

/** @typedef {[string, string]} Pair */

/** Each hint as a header field (after `sec-ch-ua`), as a member of the browser's answer, and in words. */
const HINTS = [
  ['', 'brands', 'Brands'],
  ['-full-version-list', 'fullVersionList', 'Full versions'],
  ['-full-version', 'uaFullVersion', 'Full version'],
  ['-platform', 'platform', 'Platform'],
  ['-platform-version', 'platformVersion', 'Platform version'],
  ['-mobile', 'mobile', 'Mobile'],
  ['-model', 'model', 'Model'],
  ['-arch', 'architecture', 'Architecture'],
  ['-bitness', 'bitness', 'Bits'],
  ['-wow64', 'wow64', '32-bit program on 64-bit Windows'],
  ['-form-factors', 'formFactors', 'Form factors'],
];

/** @param {string} brand */
function isInvented(brand) {
  const at = brand.search(/not/i);
  return at >= 0 && /brand/i.test(brand.slice(at));
}

/** Brands are shuffled and include an invented one ("GREASE"), so that programs cannot rely on their order. @param {{ brand: string, version: string }[]} brands */
const real = (brands) =>
  brands
    .filter(({ brand }) => !isInvented(brand))
    .map(({ brand, version }) => `${brand} ${version}`)
    .join(', ');

/** @param {string} value */
function headerValue(value) {
  const brands = [...value.matchAll(/(?<!\\)"((?:[^"\\]|\\.)*)"\s*;\s*v="([^"]*)"/g)];
  if (brands.length)
    return real(brands.map(([, brand = '', version = '']) => ({ brand, version })));
  if (/^\?[01]$/.test(value)) return value === '?1' ? 'yes' : 'no';
  return value.replaceAll('"', '').trim();
}

/** @param {string} text @returns {Pair[]} */
function fromHeaders(text) {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*:\s*(.*)$/.exec(line) ?? [];
    const [, , label] = HINTS.find(([end]) => `sec-ch-ua${end}` === name.toLowerCase()) ?? [];
    if (!label)
      throw new Refusal('must be header fields such as Sec-CH-UA-Platform, or one JSON object', {
        line: index + 1,
      });
    return [/** @type {Pair} */ ([label, headerValue(value)])];
  });
}

/** @param {string} text @returns {Pair[]} */
function fromJson(text) {
  const hints = attempt(() => JSON.parse(text));
  if (hints === undefined)
    throw new Refusal('must be valid JSON if they begin with "{"', {
      hint: 'Write them as {"platform": "Windows", "mobile": false}.',
    });
  return HINTS.flatMap(([, key = '', label = '']) => {
    const value = hints[key];
    if (value === undefined || value === '') return [];
    const isBrands = Array.isArray(value) && value.every((one) => typeof one?.brand === 'string');
    const shown = isBrands
      ? real(value)
      : String(value === true ? 'yes' : value === false ? 'no' : value);
    return [/** @type {Pair} */ ([label, shown])];
  });
}

/** Windows reports its version only in hints: 13 and later is Windows 11. @param {Pair[]} pairs @returns {Pair[]} */
function withSystem(pairs) {
  const at = pairs.findIndex(([label]) => label === 'Platform version');
  const windows = pairs.some(([label, value]) => label === 'Platform' && value === 'Windows');
  const major = Number.parseInt(pairs[at]?.[1] ?? '', 10);
  if (!windows || Number.isNaN(major)) return pairs;
  const older = major === 0 ? 'Windows 7, 8 or 8.1' : 'Windows 10';
  const name = major >= 13 ? 'Windows 11' : older;
  return [...pairs.slice(0, at + 1), ['System by these', name], ...pairs.slice(at + 1)];
}

/** @param {string} text @returns {Pair[]} */
export function hintsOf(text) {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  return inField('hints', text, () =>
    withSystem(trimmed.startsWith('{') ? fromJson(trimmed) : fromHeaders(text)),
  );
}

/** The browser's own hints as JSON; empty when it has none. @param {any} data */
export async function ownHints(data) {
  if (!data?.getHighEntropyValues) return '';
  const all = await data.getHighEntropyValues(HINTS.map(([, member]) => member));
  return JSON.stringify(all, null, 2);
}
