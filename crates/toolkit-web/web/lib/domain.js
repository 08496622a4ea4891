//! Domain names in Unicode and in ASCII. Standards: UTS #46 through the URL standard's host parser
//! (non-transitional), RFC 3492 for single labels, RFC 1035 §2.3.4 for lengths.
//!
//! Stricter than the host parser: an `xn--` label must decode, and encode back to itself.

import { LOOKALIKES, SCRIPTS, TOGETHER } from '../data/scripts.js';
import { attempt, Refusal } from '../kit/tool.js';
import { decode } from '../libraries/punycode.js';
import { inPart } from './positions.js';

/** @typedef {{ unicode: string, ascii: string }} Label */

/** @type {(offence: string, at: number, hint?: string) => never} */
function fail(offence, at, hint) {
  throw new Refusal(offence, { at, ...(hint && { hint }) });
}

// Characters that the URL standard forbids in domains. Checked first, since a URL parser would continue. `<` and `>`
// are left out, since U+0338 turns them into other characters.
const FORBIDDEN = /[\0-\x20\x7f#%/:?@[\\\]^|]/;
const EMPTY = 'Each label, between two dots, has 1 to 63 characters.';
const AFTER_XN = 'After xn-- stands the Punycode of a label, as in xn--bcher-kva.';
const DOTS = /[.\u3002\uff0e\uff61]/;

/** The host parser's ASCII form. The appended label keeps numbers from being read as IPv4. @param {string} host */
function hostOf(host) {
  const { hostname = '' } = attempt(() => new URL(`http://${host}.x/`)) ?? {};
  return hostname.endsWith('.x') ? hostname.slice(0, -2) : undefined;
}

/**
 * The labels of a domain in both forms. A trailing dot gives an empty last label.
 * @param {string} domain
 * @returns {Label[]}
 */
export function domainLabels(domain) {
  const forbidden = domain.search(FORBIDDEN);
  if (forbidden >= 0)
    fail(`has ${named(domain.charAt(forbidden))}, which a domain name cannot hold`, forbidden);
  const rooted = DOTS.test(domain.slice(-1));
  const body = rooted ? domain.slice(0, -1) : domain;
  const ascii = hostOf(body);
  if (ascii === undefined) return guilty(body);
  const places = labelPlaces(body);
  const whole = ascii.split('.');
  const labels = whole.map((label, index) =>
    inPart((places.length === whole.length && places[index]) || 0, () => checked(label)),
  );
  if (ascii.length > 253)
    fail(`is ${ascii.length} octets long in ASCII`, 0, 'A domain name has at most 253.');
  return rooted ? [...labels, { unicode: '', ascii: '' }] : labels;
}

/** @param {string} character */
const named = (character) =>
  character > ' ' && character !== '\x7f'
    ? `"${character}"`
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Start of each label. @param {string} domain */
function labelPlaces(domain) {
  let next = 0;
  return domain.split(DOTS).map((label) => {
    const place = next;
    next += label.length + 1;
    return place;
  });
}

/** @type {(ascii: string) => Label} */
function checked(ascii) {
  if (ascii === '') fail('has an empty label', 0, EMPTY);
  if (ascii.length > 63)
    fail(`has the label "${short(ascii)}" of ${ascii.length} octets`, 0, 'A label has at most 63.');
  if (!ascii.startsWith('xn--')) return { unicode: ascii, ascii };
  const unicode = decoded(ascii);
  if (unicode === undefined || hostOf(unicode) !== ascii)
    fail(
      `has the label "${short(ascii)}", which does not decode${unicode === undefined ? '' : ' to something that encodes back to itself'}`,
      0,
      AFTER_XN,
    );
  return { unicode: unicode ?? '', ascii };
}

/** @param {string} ascii */
function decoded(ascii) {
  const unicode = attempt(() => decode(ascii.slice(4))) ?? '';
  return /[^\0-\x7f]/.test(unicode) ? unicode : undefined;
}

/**
 * Refuses a name that the host parser rejects, with its first invalid label and character.
 * @type {(domain: string) => never}
 */
function guilty(domain) {
  let offset = 0;
  for (const label of domain.split(DOTS)) {
    if (label === '') fail('has an empty label', offset, EMPTY);
    if (hostOf(label) === undefined) guiltyLabel(label, offset);
    offset += label.length + 1;
  }
  return fail(
    'breaks the rule for labels from right to left (RFC 5893)',
    0,
    'Do not mix directions in one name.',
  );
}

/** @type {(label: string, start: number) => never} */
function guiltyLabel(label, start) {
  if (/^xn--/i.test(label))
    fail(
      `has the label "${short(label)}", which does not decode, or does not encode back to itself`,
      start,
      AFTER_XN,
    );
  let at = start;
  for (const character of label) {
    // A combining mark or joiner is only invalid in its position: tried after a letter.
    if (hostOf(`a${character}`) === undefined && hostOf(character) === undefined)
      fail(`has ${described(character)}, which a domain name cannot hold here`, at);
    at += character.length;
  }
  return fail(
    `has the label "${short(label)}", whose characters do not go together`,
    start,
    'It begins with a mark, or mixes directions.',
  );
}

/** @param {string} character */
const described = (character) =>
  `"${character}" (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`;
/** @param {string} label */
const short = (label) => (label.length > 40 ? `${label.slice(0, 40)}…` : label);

const TESTS = SCRIPTS.map(
  (name) => /** @type {const} */ ([name, new RegExp(`\\p{Script=${name}}`, 'u')]),
);

/** The scripts of a text, except Common and Inherited. @param {string} text */
export function scriptsOf(text) {
  const names = TESTS.filter(([, pattern]) => pattern.test(text)).map(([name]) => String(name));
  const rest = Array.from(text).some(
    (one) =>
      /\p{L}/u.test(one) &&
      !/[\p{Script=Common}\p{Script=Inherited}]/u.test(one) &&
      !TESTS.some(([, pattern]) => pattern.test(one)),
  );
  return rest ? [...names, 'other'] : names;
}

/** Whether the scripts are a mixture that no language uses. @param {readonly string[]} scripts */
export const isMixed = (scripts) =>
  scripts.length > 1 && !TOGETHER.some((set) => scripts.every((script) => set.includes(script)));

/** The ASCII text that a label resembles, or undefined. @param {string} label */
export function looksLike(label) {
  const plain = Array.from(label, (one) => LOOKALIKES.get(one) ?? one).join('');
  return plain !== label && /^[a-z\d-]+$/.test(plain) ? plain : undefined;
}
