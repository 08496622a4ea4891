//! Detects the kind of a text or file, and suggests tools, best first. Nothing is stored or sent.

import { DOCUMENTS, json } from './documents.js';
import { ENCODINGS } from './encodings.js';
import { KINDS } from './kinds.js';
import { VALUES } from './values.js';

/** @typedef {{ slug: string, kind: string, certainty: number, values: Record<string, any> }} Suggestion */

/** Longer texts are not examined. */
const LOOKED_AT = 1 << 20;
/** The part of a long text that detectors see. The JSON detector sees all of it. */
const SAMPLE = 1 << 16;
/** Factor between the certainties of successive tools of a kind. */
const STEP = 0.85;
/** Kinds below this share of the best certainty are dropped. */
const SHARE = 0.5;
const MOST = 6;
/** Certainty of the tools that accept any text. */
export const ANY = 0.05;

/**
 * The kinds that a text may be, most certain first.
 * @param {string} text @returns {import('./values.js').Guess[]}
 */
export function guess(text) {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LOOKED_AT) return [];
  const cut = trimmed.lastIndexOf('\n', SAMPLE);
  const sample = trimmed.slice(0, trimmed.length > SAMPLE && cut > 0 ? cut : SAMPLE);
  /** @type {Map<string, number>} */
  const certainties = new Map();
  for (const detector of [...VALUES, ...ENCODINGS, ...DOCUMENTS])
    for (const [kind, certainty] of detector(detector === json ? trimmed : sample) ?? [])
      certainties.set(kind, Math.max(certainty, certainties.get(kind) ?? 0));
  return [...certainties].sort(([, a], [, b]) => b - a);
}

/** Tools for a text, best first, each once. The tools that accept any text come last. @param {string} text @returns {Suggestion[]} */
export function detect(text) {
  if (text.trim() === '') return [];
  const kinds = guess(text);
  const least = SHARE * (kinds[0]?.[1] ?? 0);
  const of = (/** @type {string} */ kind, /** @type {number} */ certainty) =>
    (KINDS[kind]?.targets ?? []).map(({ slug, fill }, at) => ({
      slug,
      kind: KINDS[kind]?.name ?? '',
      certainty: certainty * STEP ** at,
      values: fill(text.trim()),
    }));
  const all = kinds
    .filter(([, certainty]) => certainty >= least)
    .flatMap(([kind, certainty]) => of(kind, certainty))
    .sort((a, b) => b.certainty - a.certainty);
  const isFirst = (
    /** @type {Suggestion} */ { slug },
    /** @type {number} */ at,
    /** @type {Suggestion[]} */ list,
  ) => list.findIndex((one) => one.slug === slug) === at;
  return [...all.filter(isFirst).slice(0, MOST), ...of('any', ANY)].filter(isFirst);
}

/** Signatures of files, in hexadecimal. @type {[start: RegExp, kind: string, targets: [slug: string, field: string, others?: Record<string, any>][]][]} */
const FILES = [
  [
    /^(?:89504e47|ffd8ff|47494638|52494646.{8}57454250|.{8}66747970(?:61766966|68656963)|424d|49492a00|4d4d002a)/,
    'an image',
    [
      ['image-converter', 'files'],
      ['image-base64-encoder', 'image', { mode: 'encode' }],
    ],
  ],
  [/^3082/, 'a certificate', [['certificate-decoder', 'text']]],
  [/./, 'a file', [['hex-encoder', 'text', { mode: 'encode' }]]],
];

/** Tools for a file, by its first bytes or its text. @param {File} file @returns {Promise<Suggestion[]>} */
export async function detectFile(file) {
  const start = new Uint8Array(await file.slice(0, 32).arrayBuffer());
  const digits = Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const [, kind = '', targets = []] = FILES.find(([pattern]) => pattern.test(digits)) ?? [];
  const binary = targets.map(([slug, field, others]) => ({
    slug,
    kind,
    certainty: 0.9,
    values: { ...others, [field]: field === 'files' ? [file] : file },
  }));
  if (kind !== 'a file' || file.size > LOOKED_AT) return binary;
  const { decode } = await import('../../kit/decode.js');
  const decoded = decode(new Uint8Array(await file.arrayBuffer()));
  return [...(decoded ? detect(decoded.text.replace(/^\uFEFF/, '')) : []), ...binary];
}
