//! Searches with JavaScript's own regular expressions: matches with their groups, replacement, list.
//! Standard: ECMA-262.
import { Refusal } from '../../kit/tool.js';

/** @typedef {{ text: string, start: number, end: number, groups: (string | undefined)[], named: Record<string, string | undefined> }} Match `start`, `end`: UTF-16 units */
/** @typedef {[start: number, end: number, name: string]} Mark */

/** The flags of JavaScript; `d` changes nothing that is shown. @type {Record<string, string>} */
export const FLAGS = {
  g: 'All matches, not only the first',
  i: 'Ignore case',
  m: '^ and $ at lines',
  s: '. matches a line break too',
  u: 'Unicode: whole characters, \\p{…}',
  v: 'Unicode with sets in classes: [a--b], [a&&b]',
  y: 'Each match begins where the last ended',
  x: 'Leave white space and #comments out of the pattern',
};

/** @param {string} flags */
export function checkFlags(flags) {
  for (const [at, flag] of [...flags].entries()) {
    if (flags.indexOf(flag) < at) throw new Refusal(`has \`${flag}\` twice`);
    if (flag === 'd' || Object.hasOwn(FLAGS, flag)) continue;
    throw new Refusal(`has no flag \`${flag}\``, {
      hint: `Use any of ${Object.keys(FLAGS).join(', ')}.`,
    });
  }
  if (flags.includes('u') && flags.includes('v'))
    throw new Refusal('has both `u` and `v`', { hint: 'Use one: `v` has all of `u`.' });
}

/** A pattern without white space and comments, as the flag `x` of the service reads it. @param {string} pattern */
export const withoutSpace = (pattern) =>
  pattern.replace(/(\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?)|\s+|#.*/g, '$1');

/** The same with blanks in place of comments, so that everything else keeps its position. @param {string} pattern */
export const withoutComments = (pattern) =>
  pattern.replace(
    /(\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?)|#.*/g,
    (part, kept) => kept ?? ' '.repeat(part.length),
  );

/** @param {string} pattern @param {string} flags */
export function compile(pattern, flags) {
  try {
    return new RegExp(pattern, flags.replace(/[xd]/g, ''));
  } catch (error) {
    // Engines write "Invalid regular expression: /(/: Unterminated group" or a part of it.
    const reason = /** @type {Error} */ (error).message.split(': ').at(-1) ?? '';
    throw new Refusal(
      `is not a pattern of JavaScript: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
      placeOf(reason, pattern),
    );
  }
}

/** Where an error is, if that can be told. @param {string} reason @param {string} pattern */
function placeOf(reason, pattern) {
  /** @type {number[]} */
  const open = [];
  const bare = pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?/g, (part, at) => {
    if (part.startsWith('[') && !part.endsWith(']')) open.push(at);
    return '\u0001'.repeat(part.length);
  });
  if (/^Unterminated character class/.test(reason)) return { at: open[0] ?? 0 };
  if (/^Nothing to repeat/.test(reason))
    return {
      at: bare.search(/(?<![\s\S])[*+?]|[(|][*+?](?!<?[:=!<>a-z-])|[*+?}][*+]|[*+?}]\?[?*+]/),
    };
  for (const [at, one] of [...bare].entries()) {
    if (one === '(') open.push(at);
    else if (one === ')' && open.pop() === undefined) return { at };
  }
  return /^Unterminated group/.test(reason) ? { at: open.at(-1) ?? 0 } : {};
}

/** @param {RegExp} pattern @param {string} text */
const allOf = (pattern, text) => (pattern.global ? text.matchAll(pattern) : [pattern.exec(text)]);

/**
 * All matches are counted; the first `most` are returned.
 * @param {RegExp} pattern @param {string} text @param {number} most
 */
export function search(pattern, text, most) {
  /** @type {Match[]} */
  const matches = [];
  let count = 0;
  for (const match of allOf(pattern, text)) {
    if (!match) break;
    if (count++ < most) matches.push(matchOf(match));
  }
  return { matches, count };
}

/** @param {RegExpExecArray | RegExpMatchArray} match @returns {Match} */
const matchOf = (match) => ({
  text: match[0] ?? '',
  start: match.index ?? 0,
  end: (match.index ?? 0) + (match[0]?.length ?? 0),
  groups: match.slice(1),
  named: { ...match.groups },
});

/** Fills a template from a match as JavaScript does, and `${name}` too. @param {string} template @param {Match & { in: string }} match */
export const filled = (template, { text, start, end, groups, named, in: whole }) =>
  template.replace(/\$(?:([$&`'])|(\d{1,2})|\{(\w+)\}|<(\w+)>)/g, (reference, sign, ...names) => {
    if (sign === '$') return '$';
    if (sign) return sign === '&' ? text : sign === '`' ? whole.slice(0, start) : whole.slice(end);
    const name = names.slice(0, 3).find(Boolean);
    if (Object.hasOwn(named, name)) return named[name] ?? '';
    const at = Number(name);
    if (at >= 1 && at <= groups.length) return groups[at - 1] ?? '';
    // `$12` of a pattern with one group is group 1, then "2".
    const first = Number(String(name).charAt(0));
    if (/^\d\d$/.test(name) && reference === `$${name}` && first >= 1 && first <= groups.length)
      return (groups[first - 1] ?? '') + String(name).charAt(1);
    return reference.startsWith('$<') && Object.keys(named).length > 0 ? '' : reference;
  });

/** The text with its matches replaced. @param {RegExp} pattern @param {string} text @param {string} template */
export const replaced = (pattern, text, template) =>
  text.replace(pattern, (...args) => {
    const last = typeof args.at(-1) === 'object' ? args.pop() : {};
    const [whole, ...groups] = args.slice(0, -2);
    const start = Number(args.at(-2));
    const end = start + whole.length;
    return filled(template, { text: whole, start, end, groups, named: { ...last }, in: text });
  });

/** Warns of references that only other languages have, or to groups that the pattern lacks. @param {string} template @param {string} pattern */
export function templateWarnings(template, pattern) {
  const groups = groupsOf(pattern);
  const isGroup = (/** @type {string} */ name) =>
    groups.includes(name) || (Number(name) >= 1 && Number(name) <= groups.length);
  const references =
    /\$\$|\\(?:([0-9])|g<(\w+)>|[ULul](?=[$\\]))|\$(?:(\d{1,2})|<(\w+)>|\{(\w+)\}|([A-Za-z_]\w*))/g;
  return [...template.matchAll(references)].flatMap(([reference, number, name, ...own]) => {
    const [digits, angled, braced, bare] = own;
    const other = number ?? name ?? bare;
    const known = digits ?? angled ?? braced;
    if (/^\\[ULul]$/.test(reference))
      return `\`${reference}\` in the replacement is literal text: the case of letters is not changed.`;
    if (known && !isGroup(known) && !isGroup(digits?.charAt(0) ?? ''))
      return `\`${reference}\` in the replacement names no group of the pattern; \`$&\` is the whole match.`;
    if (other === undefined) return [];
    const isNamed = groups.includes(other);
    if (!isNamed && !/^\d+$/.test(other)) return [];
    const wanted = other === '0' ? '$&' : isNamed ? `$<${other}>` : `$${other}`;
    return `\`${reference}\` in the replacement is literal text; write \`${wanted}\` instead.`;
  });
}

/** The groups of a pattern with their headings, which are names or numbers, and places. @param {string} pattern */
function groupsIn(pattern) {
  const token =
    /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?|(?<open>\((?:\?<(?![=!])(?<name>[^<>]*)>|(?<other>\?))?)|(?<close>\))/g;
  /** @type {{ name: string, start: number, end: number }[]} */
  const groups = [];
  /** @type {typeof groups} */
  const open = [];
  for (const { index: start, groups: part = {} } of pattern.matchAll(token)) {
    if (part.open) {
      const name = part.name ?? `Group ${groups.length + 1}`;
      const group = { name, start, end: pattern.length };
      open.push(group);
      if (!part.other) groups.push(group);
    }
    const closed = part.close && open.pop();
    if (closed) closed.end = start + 1;
  }
  return groups;
}

/** @param {string} pattern */
export const groupsOf = (pattern) => groupsIn(pattern).map(({ name }) => name);

const TONES = 6;
/** The color of a group, the same wherever it is shown. @param {number} at from 0 */
export const toneOf = (at) => `tone-${(at % TONES) + 1}`;

/** Ranges without overlap: a range inside another takes its place there. @param {Mark[]} ranges @returns {Mark[]} */
function flat(ranges) {
  const ends = ranges.flatMap((range) => range.slice(0, 2).map(Number));
  const cuts = [...new Set(ends)].sort((a, b) => a - b);
  return cuts.slice(1).flatMap((end, at) => {
    const start = cuts[at] ?? 0;
    const [, , name] = ranges.findLast(([from, to]) => from <= start && end <= to) ?? [];
    return name ? [/** @type {Mark} */ ([start, end, name])] : [];
  });
}

/** The groups of a pattern in their colors. @param {string} pattern */
export const marksOfPattern = (pattern) =>
  flat(groupsIn(pattern).map(({ start, end }, at) => [start, end, toneOf(at)]));

/** Matches in two alternating colors, and their groups in those of the pattern. @param {RegExp} pattern @param {string} text @param {number} most @returns {Mark[]} */
export function marksOfText(pattern, text, most) {
  /** @type {Mark[]} */
  const marks = [];
  let turn = 0;
  // The positions of groups take time, so only marked matches have them.
  for (const match of allOf(new RegExp(pattern, `${pattern.flags}d`), text)) {
    const [whole = [0, 0], ...groups] = match?.indices ?? [];
    const ranges = groups.map((place, at) => [...(place ?? [0, 0]), toneOf(at)]);
    // A group of a lookaround may be inside an earlier match.
    const last = marks.at(-1)?.[1] ?? 0;
    const own = /** @type {Mark[]} */ ([[...whole, `match-${turn++ % 2}`], ...ranges]);
    marks.push(
      ...(groups.length > 0 ? flat(own) : own).filter(([from, to]) => from >= last && from < to),
    );
    if (marks.length >= most) break;
  }
  return marks.slice(0, most);
}

/** The number of characters before each of some places in order. @param {string} text @param {number[]} places */
export function characters(text, places) {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return places;
  let [at, count] = [0, 0];
  return places.map((place) => {
    for (; at < place; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    return count;
  });
}

const CASES_MAX = 1000;

/** Whether each line matches as it must. After an exclamation mark, it must not. @param {RegExp} compiled @param {string} cases @returns {[text: string, wanted: string, is: string, holds: string][]} */
export function judge(compiled, cases) {
  const once = new RegExp(compiled.source, compiled.flags.replace(/[gy]/g, ''));
  const word = (/** @type {boolean} */ is) => (is ? 'Yes' : 'No');
  return cases
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .slice(0, CASES_MAX)
    .map((line) => {
      const isWanted = !line.startsWith('!');
      const text = isWanted ? line : line.slice(1);
      const isFound = once.test(text);
      return [text, word(isWanted), word(isFound), word(isWanted === isFound)];
    });
}
