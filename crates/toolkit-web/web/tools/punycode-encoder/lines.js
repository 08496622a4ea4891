//! Domain names, e-mail addresses and URLs, line by line, in ASCII and Unicode; raw Punycode of any
//! text.

import { attempt, Refusal, refuse, table } from '../../kit/tool.js';
import { domainLabels, isMixed, looksLike, scriptsOf } from '../../lib/domain.js';
import { inField, inPart } from '../../lib/positions.js';
import { decode, encode } from '../../libraries/punycode.js';

/** @import { Context } from '../../kit/types.d.ts' */
/** @import { Label } from '../../lib/domain.js' */

const LINES_MAX = 1000;
const RAW_MAX = 10_000;

/** Whether this is a URL whose host is an IPv6 address, not a domain. @param {string} line */
const hasAddress = (line) => /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#\\]*@)?\[[\da-f:.]+\]/i.test(line);

/** A line as [before, domain, after]: a URL, an e-mail address or a domain alone. @param {string} line */
function parts(line) {
  const url =
    /^([a-z][a-z\d+.-]*:\/\/(?:[^/?#\\]*@)?)([^/?#\\:[\]]+)((?::\d*)?(?:[/?#\\].*)?)$/isu.exec(
      line,
    );
  const at = line.lastIndexOf('@') + 1;
  const [before = '', domain = '', after = ''] = url?.slice(1) ?? [
    line.slice(0, at),
    line.slice(at),
  ];
  // A certificate's wildcard is not a label.
  const wild = /^\*[.\u3002\uff0e\uff61](?=.)/.test(domain);
  return [before + (wild ? '*.' : ''), domain.slice(wild ? 2 : 0), after];
}

/** @param {readonly Label[]} labels @param {Context} context */
function warnOf(labels, context) {
  for (const { unicode, ascii } of labels) {
    const scripts = scriptsOf(unicode);
    const alike = looksLike(unicode);
    if (isMixed(scripts)) context.warn(`"${unicode}" mixes ${scripts.join(' and ')} letters.`);
    if (alike !== undefined) context.warn(`"${unicode}" (${ascii}) looks like "${alike}".`);
    if (/^-|-$/.test(ascii) || (ascii.slice(2, 4) === '--' && !ascii.startsWith('xn--')))
      context.warn(`"${ascii}" has hyphens where registries refuse them.`);
  }
}

/** The parts of a URL around its host, in ASCII (URL standard, §1.3). @param {string} text */
const percentEncoded = (text) =>
  text.toWellFormed().replaceAll(/[^\0-\x7f]+/g, (part) => encodeURIComponent(part));

/** The part before the domain. Percent-encoded in a URL; an e-mail address has no such form. @param {string} before @param {Context} context */
function asciiOf(before, { warn }) {
  if (before.includes('://')) return percentEncoded(before);
  if (/[^\0-\x7f]/.test(before))
    warn(
      `"${before.slice(0, -1)}" before the @ has no ASCII form. Such mail needs SMTPUTF8 (RFC 6531).`,
    );
  return before;
}

/** The labels of one of several lines, or undefined with a warning. @param {string} domain @param {number} line @param {Context} context */
function labelsOf(domain, line, { warn }) {
  try {
    return domainLabels(domain);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    warn(`Line ${line} was not converted: it ${error.message}.`);
    return undefined;
  }
}

/** @param {string} source @param {Context} context */
export function domains(source, context) {
  /** @type {[string, string, string][]} */
  const rows = [];
  const result = { ascii: /** @type {string[]} */ ([]), unicode: /** @type {string[]} */ ([]) };
  let start = 0;
  const isAlone = source.trim().split('\n').length === 1;
  for (const line of source.split('\n')) {
    const [before = '', domain = '', after = ''] = parts(line.trim());
    const from = start + line.indexOf(line.trim()) + before.length;
    start += line.length + 1;
    if (result.ascii.length >= LINES_MAX) refuse('text', `must have at most ${LINES_MAX} lines`);
    const isNone = line.trim() === '' || hasAddress(line.trim());
    const labels = isNone
      ? undefined
      : isAlone
        ? inField('text', source, () => inPart(from, () => domainLabels(domain)))
        : labelsOf(domain, result.ascii.length + 1, context);
    if (!labels) {
      result.ascii.push(line.trim());
      result.unicode.push(line.trim());
      continue;
    }
    warnOf(labels, context);
    result.ascii.push(
      asciiOf(before, context) + labels.map(({ ascii }) => ascii).join('.') + percentEncoded(after),
    );
    result.unicode.push(before + labels.map(({ unicode }) => unicode).join('.') + after);
    for (const { unicode, ascii } of labels)
      if (ascii !== '') rows.push([unicode, ascii, scriptsOf(unicode).join(', ') || '–']);
  }
  return {
    ascii: result.ascii.join('\n'),
    unicode: result.unicode.join('\n'),
    labels: table(['Unicode', 'ASCII', 'Scripts'], rows),
  };
}

/** @param {string} source @param {'encode' | 'decode'} mode */
export function raw(source, mode) {
  if (source.length > RAW_MAX)
    refuse('text', `has ${source.length} characters`, {
      hint: `Enter at most ${RAW_MAX} for raw Punycode.`,
    });
  if (mode === 'encode') {
    if (!source.isWellFormed())
      refuse('text', 'has half of a surrogate pair, which Punycode cannot hold');
    const ascii =
      attempt(() => encode(source)) ??
      refuse('text', 'has characters that are too far apart for its length', {
        hint: 'Encode it in parts.',
      });
    return { ascii };
  }
  const line = source.trim();
  const wrong = line.slice(line.lastIndexOf('-') + 1).search(/[^A-Za-z\d]/u);
  const beyond = line.search(/[^\0-\x7f]/u);
  const place = beyond >= 0 ? beyond : wrong >= 0 ? line.lastIndexOf('-') + 1 + wrong : -1;
  if (place >= 0)
    refuse(
      'text',
      `"${String.fromCodePoint(line.codePointAt(place) ?? 0)}" is not a Punycode digit`,
      { offset: place, hint: 'Use only a to z and 0 to 9 after the last hyphen.' },
    );
  try {
    return { unicode: decode(line) };
  } catch {
    return refuse('text', 'is not Punycode: it ends too early or leads past U+10FFFF', {
      hint: 'Enter the part of a label after xn--, such as bcher-kva for bücher.',
    });
  }
}
