//! YAML documents to and from plain values. Standard: YAML 1.2, core schema.

import { Refusal } from '../kit/tool.js';
import {
  Document,
  isAlias,
  isCollection,
  isPair,
  parseAllDocuments,
  visit,
} from '../libraries/yaml.js';
import { JsonNumber } from './json/json.js';

const MAX_ALIASES = 10_000;
const MAX_VALUES = 1_000_000;
const TOO_MANY = 'makes more than a million values by its aliases';
const MAX_DEPTH = 512;
const TOO_DEEP = `nests deeper than ${MAX_DEPTH} levels`;

/** @typedef {import('./json/json.js').JsonValue} Value */
/** Facts about a document, for warnings.
 * @typedef {{ comments: number, tags: string[], leadingZeros: string[], keys: string[] }} Notes */

/**
 * The values of all documents.
 * @param {string} text
 * @returns {{ values: Value[], notes: Notes }}
 */
export function parseYaml(text) {
  /** @type {Notes} */
  const notes = { comments: 0, tags: [], leadingZeros: [], keys: [] };
  const documents = guardDepth(() => /** @type {any[]} */ (parseAllDocuments(text, OPTIONS)));
  const stream = /** @type {any} */ (documents);
  for (const { errors } of stream.empty ? [stream] : documents) {
    const [defect] = errors;
    if (defect) throw new Refusal(sentence(defect.message), { at: defect.pos[0] });
  }
  if (stream.empty && /^%/m.test(text))
    throw new Refusal('is not YAML: a directive needs a document after it', { at: 0 });
  const twice = /^(?:[#%].*\n)*%YAML .*\n(?:[#%].*\n)*(?=%YAML )/.exec(text);
  if (twice) throw new Refusal('is not YAML: its version is stated twice', { at: twice[0].length });
  const values = documents
    .filter((document) => !isEmpty(document))
    .map((document) => guardDepth(() => valueOfDocument(document, notes)));
  return { values, notes };
}

/** @type {any} */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: true,
  intAsBigInt: true,
  prettyErrors: false,
  strict: true,
  uniqueKeys: true,
  resolveKnownTags: false,
};

/** @template T @param {() => T} run @returns {T} */
function guardDepth(run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal(TOO_DEEP, { at: 0 });
  }
}

/** @param {string} message */
function sentence(message) {
  if (/call stack|recursion/i.test(message)) return TOO_DEEP;
  const first = message.replace(/\n[\s\S]*$/, '').replace(/\.$/, '');
  return `is not YAML: ${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

/** @param {any} document @param {Notes} notes @returns {Value} */
function valueOfDocument(document, notes) {
  const note = (/** @type {any} */ node) => {
    notes.comments += (node?.comment ? 1 : 0) + (node?.commentBefore ? 1 : 0);
  };
  note(document);
  visit(document, (/** @type {any} */ _, /** @type {any} */ node) => {
    note(node);
    if (isPair(node)) checkName(node.key);
    if (isAlias(node) && !node.resolve(document)) {
      throw new Refusal(`has the alias "*${node.source}", but no anchor of this name before it`, {
        at: node.range?.[0] ?? 0,
      });
    }
    if (node?.tag && node.tag !== '!') heedTag(node, notes);
    if (node?.type === 'PLAIN') keepDigits(node, notes);
  });
  try {
    const value = document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES });
    return tidy(value, notes, { left: MAX_VALUES }, 1);
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new Refusal(TOO_MANY, { at: 0 });
  }
}

/** Whether the document between two ends is empty. @param {any} document */
function isEmpty({ contents, directives }) {
  return (
    !directives.docStart &&
    (contents === null || (contents.value === null && contents.source === ''))
  );
}

/** @param {any} key */
function checkName(key) {
  if (!isCollection(key)) return;
  throw new Refusal('has a list or a mapping as a name, which only YAML can express', {
    at: key.range?.[0] ?? 0,
  });
}

const CORE = 'tag:yaml.org,2002:';
/** Tags that say no more than the value does. */
const STRUCTURE = ['str', 'map', 'seq', 'merge'];
/** Whether the library took a scalar for what its tag says. @type {Map<string, (value: unknown) => boolean>} */
const SCALARS = new Map(
  Object.entries({
    int: (value) => typeof value === 'bigint',
    float: (value) => typeof value === 'number' || value instanceof JsonNumber,
    bool: (value) => typeof value === 'boolean',
    null: (value) => value === null,
  }),
);

/** Applies a tag of the core schema, and notes any other. @param {any} node @param {Notes} notes */
function heedTag(node, notes) {
  const tag = String(node.tag);
  const name = tag.startsWith(CORE) ? tag.slice(CORE.length) : '';
  if (STRUCTURE.includes(name)) return;
  const fits = SCALARS.get(name);
  if (!fits) {
    notes.tags.push(name ? `!!${name}` : tag);
    return;
  }
  // The library reads `!!float 3` as text.
  if (name === 'float' && /^[-+]?[0-9]+$/.test(node.source ?? '')) {
    node.value = new JsonNumber(`${BigInt(node.source.replace('+', ''))}.0`);
  }
  if (!fits(node.value)) {
    const shown = isCollection(node) ? 'a list or a mapping' : `"${node.source}"`;
    throw new Refusal(`has ${shown}, which !!${name} cannot be`, { at: node.range?.[0] ?? 0 });
  }
}

/** Floats keep their digits; `007` is a string, since numbers are not written so. @param {any} node @param {Notes} notes */
function keepDigits(node, notes) {
  const { source, value } = node;
  if (typeof value === 'bigint' && /^[-+]?0[0-9]/.test(source)) {
    notes.leadingZeros.push(source);
    node.value = source;
  } else if (typeof value === 'number' && Number.isFinite(value)) {
    const digits = source
      .replace(/^\+/, '')
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?=[eE]|$)/, '.0');
    node.value = new JsonNumber(digits.replace(/^(-?)0+(?=[0-9])/, '$1'));
  } else if (/^[-+]?[0-9.]+[eE]/.test(source) && typeof value === 'number') {
    node.value = new JsonNumber(source.replace(/^\+/, ''));
  }
}

/**
 * Small integers as numbers, names as strings; counts all values, so that aliases cannot multiply
 * them.
 * @param {any} value @param {Notes} notes @param {{ left: number }} budget @param {number} depth @returns {Value}
 */
function tidy(value, notes, budget, depth) {
  budget.left -= 1;
  if (budget.left < 0) {
    throw new Refusal(TOO_MANY, { at: 0 });
  }
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (depth > MAX_DEPTH + 1) throw new Refusal(TOO_DEEP, { at: 0 });
  if (Array.isArray(value)) return value.map((item) => tidy(item, notes, budget, depth + 1));
  if (value instanceof Set) value = new Map([...value].map((item) => [item, null]));
  if (!(value instanceof Map)) return value;
  /** @type {Map<string, Value>} */
  const object = new Map();
  for (const [name, item] of value)
    object.set(nameOf(name, notes), tidy(item, notes, budget, depth + 1));
  if (object.size < value.size)
    throw new Refusal('has two names that are the same text', { at: 0 });
  return object;
}

/** @param {any} name @param {Notes} notes */
function nameOf(name, notes) {
  if (typeof name === 'string') return name;
  if (name instanceof Map || Array.isArray(name)) {
    throw new Refusal('has a list or a mapping as a name, which only YAML can express', { at: 0 });
  }
  const text = name instanceof JsonNumber ? name.text : String(name);
  notes.keys.push(text);
  return text;
}

const NUMBER_TAG = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?$/,
  identify: (/** @type {unknown} */ value) => value instanceof JsonNumber,
  resolve: (/** @type {string} */ text) => new JsonNumber(text),
  stringify: (/** @type {{ value: JsonNumber }} */ { value }) => value.text,
};

/**
 * YAML text; quotes strings that a YAML 1.1 parser would read as another type.
 * @param {Value[]} values the documents
 * @param {{ indent: number }} options
 */
export function writeYaml(values, { indent }) {
  const texts = values.map((value) => {
    // The library writes a single multi-line string without the indentation that it declares.
    if (typeof value === 'string' && value.includes('\n')) return `${JSON.stringify(value)}\n`;
    const document = new Document(value, {
      version: '1.2',
      schema: 'core',
      compat: 'yaml-1.1',
      aliasDuplicateObjects: false,
      customTags: (/** @type {any[]} */ tags) => [NUMBER_TAG, ...tags],
    });
    return document.toString({ indent: Math.max(1, indent), lineWidth: 0 });
  });
  return texts.join('---\n');
}
