//! YAML reader. The library yaml parses, and this module makes values from its nodes. Standard: YAML 1.2.2 with the core
//! schema and the merge key `<<`. An integer with leading zeros stays a string, with a note.

import { Refusal } from '../../kit/tool.js';
import { isAlias, isCollection, isMap, isScalar, parseAllDocuments } from '../../libraries/yaml.js';
import { exactNumber, JsonNumber, MAX_DEPTH } from '../json/json.js';
import { faultOf } from './faults.js';

/** Maximum number of values that aliases may create. */
const MAX_ALIASED = 250_000;
const TOO_DEEP = `nests deeper than ${MAX_DEPTH} levels`;
const RADIX_DIGITS_MAX = 1024;

/** @typedef {import('../json/json.js').JsonValue} Value */
/** Facts about the documents, for warnings.
 * @typedef {{ comments: number, tags: string[], leadingZeros: string[], keys: string[] }} Notes */

/** @type {any} */
const OPTIONS = {
  version: '1.2',
  // Scalars stay strings here. `plain` finds their types.
  schema: 'failsafe',
  prettyErrors: false,
  strict: true,
  // The library compares every pair of keys.
  uniqueKeys: false,
  resolveKnownTags: false,
};

/** The documents of a text as the library's nodes. @param {string} text @returns {any[]} */
export function composeYaml(text) {
  const stream = /** @type {any} */ (guardDepth(() => parseAllDocuments(text, OPTIONS)));
  for (const { errors } of stream.empty ? [stream] : stream) {
    const [defect] = errors;
    if (/call stack|recursion/i.test(defect?.message)) throw new Refusal(TOO_DEEP, { at: 0 });
    if (defect) throw faultOf(defect, text);
  }
  if (stream.empty && /^%/m.test(text))
    throw new Refusal('is not valid YAML: a directive needs a document after it', { at: 0 });
  const head = text.split('\n', 100);
  const end = head.findIndex((line) => !/^[#%]/.test(line));
  const versions = head
    .slice(0, end < 0 ? head.length : end)
    .filter((line) => line.startsWith('%YAML '));
  if (versions.length > 1)
    throw new Refusal('is not valid YAML: its version is stated twice', {
      at: text.lastIndexOf('%YAML '),
    });
  return [...stream].filter((document) => !isEmpty(document));
}

/** Warns about a line that starts with a no-break space, for example copied from a web page. @param {string} text @param {(sentence: string) => void} warn */
export function noBreakIn(text, warn) {
  const line = text.split('\n').findIndex((one) => /^ *(?! )\p{Zs}/u.test(one));
  if (line >= 0) warn(`Line ${line + 1} begins with a no-break space, which does not indent.`);
}

/** The values of all documents. @param {string} text @returns {{ values: Value[], notes: Notes }} */
export function parseYaml(text) {
  const documents = composeYaml(text);
  const reader = new Reader();
  if (documents.length === 0 && /^[ \t]*#/m.test(text)) reader.notes.comments = 1;
  const values = documents.map((document) => guardDepth(() => reader.document(document)));
  return { values, notes: reader.notes };
}

/** @template T @param {() => T} run @returns {T} */
function guardDepth(run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal(TOO_DEEP, { at: 0 });
  }
}

/** Whether the document between two ends is empty. @param {any} document */
const isEmpty = ({ contents, directives }) =>
  !directives.docStart &&
  (contents === null ||
    (isScalar(contents) &&
      contents.source === '' &&
      contents.type === 'PLAIN' &&
      !contents.anchor &&
      !contents.tag));

const CORE = 'tag:yaml.org,2002:';
const NUMBER = /^([+-]?)(\d*)(?:(\.)(\d*))?([eE][+-]?\d+)?$/;

/** @typedef {{ kind: 'null' | 'bool' | 'int' | 'float' | 'infinite' | 'padded' | 'text', value: Value }} Resolved */

/** The type and value of a plain scalar without a tag. @param {string} text @returns {Resolved} */
export function plain(text) {
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return { kind: 'null', value: null };
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text))
    return { kind: 'bool', value: /^t/i.test(text) };
  if (!/^[\d+.-]/.test(text)) return { kind: 'text', value: text };
  if (/^[+-]?\.(?:inf|Inf|INF)$/.test(text))
    return { kind: 'infinite', value: text.startsWith('-') ? -Infinity : Infinity };
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return { kind: 'infinite', value: Number.NaN };
  if (/^0(?:o[0-7]+|x[\da-f]+)$/i.test(text) && /^0[ox]/.test(text)) {
    if (text.length > RADIX_DIGITS_MAX + 2)
      throw new Refusal(`has a number of over ${RADIX_DIGITS_MAX} digits with a base`);
    return { kind: 'int', value: exactNumber(String(BigInt(text))) };
  }
  const [all, sign, whole = '', point, fraction = '', exponent = ''] = NUMBER.exec(text) ?? [];
  if (all === undefined || whole + fraction === '') return { kind: 'text', value: text };
  const isPadded = /^0\d/.test(whole);
  if (!point && !exponent && isPadded) return { kind: 'padded', value: text };
  if (!point && !exponent) return { kind: 'int', value: exactNumber(text.replace(/^\+/, '')) };
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  const rest = point ? `.${fraction || '0'}` : '';
  return {
    kind: 'float',
    value: new JsonNumber(`${sign === '-' ? '-' : ''}${digits}${rest}${exponent}`),
  };
}

/** The value of a scalar with a core schema tag. Undefined if it does not fit. @param {string} name @param {string} text @returns {Value | undefined} */
function tagged(name, text) {
  const { kind, value } = plain(text);
  const number = () => exactNumber(text.replace(/^([+-]?)0+(?=\d)/, '$1').replace(/^\+/, ''));
  const isWhole = kind === 'int' || kind === 'padded';
  if (name === 'int') return kind === 'padded' ? number() : kind === 'int' ? value : undefined;
  if (name === 'float') {
    if (kind === 'float' || kind === 'infinite') return value;
    if (!isWhole || /^0[ox]/.test(text)) return undefined;
    return new JsonNumber(`${text.replace(/^([+-]?)0+(?=\d)/, '$1').replace(/^\+/, '')}.0`);
  }
  return kind === name ? value : undefined;
}

class Reader {
  /** @type {Notes} */
  notes = { comments: 0, tags: [], leadingZeros: [], keys: [] };
  /** Number of values that aliases may still create. */
  #left = MAX_ALIASED;
  /** Value and size of each anchor. Undefined until its node ends. @type {Map<string, { value: Value, size: number, height: number } | undefined>} */
  #anchors = new Map();

  /** @param {any} document @returns {Value} */
  document(document) {
    this.#anchors.clear();
    this.#note(document);
    if (document.contents === null) return null;
    return this.#node(document.contents, 0).value;
  }

  /** @param {any} node */
  #note(node) {
    this.notes.comments += (node?.comment ? 1 : 0) + (node?.commentBefore ? 1 : 0);
  }

  /** @param {any} node @param {number} depth @returns {{ value: Value, size: number, height: number }} */
  #node(node, depth) {
    if (node === null) return { value: null, size: 1, height: 0 };
    this.#note(node);
    if (isAlias(node)) return this.#alias(node, depth);
    if (node.anchor) this.#anchors.set(node.anchor, undefined);
    const loaded = isCollection(node)
      ? this.#collection(node, depth + 1)
      : { value: this.#scalar(node), size: 1, height: 0 };
    if (node.anchor) this.#anchors.set(node.anchor, loaded);
    return loaded;
  }

  /** @param {any} node @param {number} depth */
  #alias(node, depth) {
    const at = node.range?.[0] ?? 0;
    const loaded = this.#anchors.get(node.source);
    if (loaded === undefined) throw aliasFault(node, this.#anchors.has(node.source));
    this.#left -= loaded.size;
    if (this.#left < 0)
      throw new Refusal(
        `has aliases that make more than ${MAX_ALIASED.toLocaleString('en')} values`,
        { at },
      );
    if (depth + loaded.height > MAX_DEPTH) throw new Refusal(TOO_DEEP, { at });
    return loaded;
  }

  /** @param {any} node @param {number} depth */
  #collection(node, depth) {
    const at = node.range?.[0] ?? 0;
    if (depth > MAX_DEPTH) throw new Refusal(TOO_DEEP, { at });
    const own = isMap(node) ? 'map' : 'seq';
    const name = node.tag?.startsWith(CORE) ? node.tag.slice(CORE.length) : undefined;
    if (/^(?:null|bool|int|float|str|map|seq)$/.test(name ?? '') && name !== own)
      throw new Refusal(`has a ${own === 'map' ? 'mapping' : 'list'}, which !!${name} cannot be`, {
        at,
      });
    if (node.tag && node.tag !== '!' && name !== own)
      this.notes.tags.push(name ? `!!${name}` : node.tag);
    let [size, height] = [1, 1];
    const inner = (/** @type {any} */ one) => {
      const loaded = this.#node(one, depth);
      size += loaded.size;
      height = Math.max(height, loaded.height + 1);
      return loaded.value;
    };
    if (own === 'seq') return { value: node.items.map(inner), size, height };
    return { value: this.#mapping(node, inner), size, height };
  }

  /** @param {any} node @param {(node: any) => Value} inner */
  #mapping(node, inner) {
    /** @type {Map<string, Value>} */
    const own = new Map();
    /** @type {[string, Value][][] | undefined} */
    let merged;
    let mergedAt = 0;
    for (const { key, value } of node.items) {
      const at = key?.range?.[0] ?? 0;
      const isMerge =
        isScalar(key) &&
        ((key.source === '<<' && key.type === 'PLAIN' && !key.tag) || key.tag === `${CORE}merge`);
      if (isMerge) {
        this.#note(key);
        if (merged)
          throw new Refusal('repeats the key `<<`', {
            at,
            hint: 'Several mappings are merged by `<<: [*a, *b]`.',
          });
        [merged, mergedAt] = [sources(inner(value), at), own.size];
        continue;
      }
      const name = this.#name(key, inner);
      if (own.has(name)) throw new Refusal(`repeats the key \`${name}\``, { at });
      own.set(name, inner(value));
    }
    if (!merged) return own;
    const entries = [...own];
    const all = new Map(entries.slice(0, mergedAt));
    for (const [name, value] of merged.flat())
      if (!own.has(name) && !all.has(name)) all.set(name, value);
    for (const [name, value] of entries.slice(mergedAt)) all.set(name, value);
    return all;
  }

  /** The text of a key. @param {any} key @param {(node: any) => Value} inner */
  #name(key, inner) {
    const at = key?.range?.[0] ?? 0;
    const value = inner(key);
    if (typeof value === 'string') return value;
    if (Array.isArray(value) || value instanceof Map)
      throw new Refusal('has a list or a mapping as a name, which only YAML can express', { at });
    const text =
      value instanceof JsonNumber
        ? value.text
        : isScalar(key) && typeof value === 'number' && !Number.isFinite(value)
          ? String(key.source)
          : String(value);
    this.notes.keys.push(text);
    return text;
  }

  /** @param {any} node @returns {Value} */
  #scalar(node) {
    const text = String(node.value ?? '');
    const isPlain = node.type === 'PLAIN';
    const at = node.range?.[0] ?? 0;
    const name = node.tag?.startsWith(CORE) ? node.tag.slice(CORE.length) : undefined;
    if (!node.tag) {
      if (!isPlain) return text;
      const { kind, value } = plain(text);
      if (kind === 'padded') this.notes.leadingZeros.push(text);
      return value;
    }
    if (node.tag === '!' || name === 'str' || name === 'merge') return text;
    if (!/^(?:null|bool|int|float|seq|map)$/.test(name ?? '')) {
      this.notes.tags.push(name ? `!!${name}` : node.tag);
      return text;
    }
    const value = tagged(name ?? '', text);
    if (value === undefined) throw new Refusal(`has "${text}", which !!${name} cannot be`, { at });
    return value;
  }
}

/** The error for an alias whose anchor has not ended. @param {any} alias @param {boolean} isOpen whether it has begun */
export const aliasFault = ({ source, range }, isOpen) =>
  new Refusal(
    `has the alias "*${source}"${isOpen ? ' inside the value that it refers to' : ', but no anchor of this name before it'}`,
    { at: range?.[0] ?? 0 },
  );

/** The members added by a `<<`. @param {Value} value @param {number} at @returns {[string, Value][][]} */
function sources(value, at) {
  const all = Array.isArray(value) ? value : [value];
  if (all.every((one) => one instanceof Map)) return all.map((one) => [...one]);
  throw new Refusal('has a `<<` whose value is not a mapping', {
    at,
    hint: 'Give it a mapping, or a list of mappings.',
  });
}
