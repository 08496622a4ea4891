//! TypeScript declarations of shapes: equal shapes share a name, names come from the members.

/** @typedef {import('./shapes.js').Shape} Shape */
/**
 * @typedef {object} TypeOptions
 * @property {string} root name of the outermost type
 * @property {'interface' | 'type'} style
 * @property {boolean} readonly
 * @property {boolean} exported
 * @property {number} literals most texts that become a union of literals
 * @property {'unknown' | 'any'} empty the type of items that were never seen
 */

/** Names that have another meaning in TypeScript or its library. */
const TAKEN = new Set(
  'Array Boolean Date Error Function Map Number Object Promise Record ReadonlyArray RegExp Set String Symbol'.split(
    ' ',
  ),
);
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** @typedef {{ name: string, body: string, uses: Declaration[] }} Declaration */

/** @param {Shape} shape @param {TypeOptions} options */
export function writeTypes(shape, options) {
  const writer = new Writer(options);
  /** @type {Declaration[]} */
  const uses = [];
  const type = writer.type(shape, options.root, uses, true);
  const [only] = uses;
  const isNamed = only !== undefined && only.name === type;
  const root = isNamed ? [] : [`${writer.prefix}type ${options.root} = ${type};\n`];
  return [...root, ...writer.inOrder(uses)].join('\n');
}

class Writer {
  /** @param {TypeOptions} options */
  constructor(options) {
    this.options = options;
    this.prefix = options.exported ? 'export ' : '';
    /** @type {Map<string, Declaration>} */
    this.byBody = new Map();
    this.freeName = namer(options.root, TAKEN);
  }

  /** @param {Declaration[]} uses @returns {string[]} */
  inOrder(uses, seen = new Set()) {
    const isInterface = this.options.style === 'interface';
    return uses.flatMap((declaration) => {
      if (seen.has(declaration)) return [];
      seen.add(declaration);
      const { name, body } = declaration;
      const written = isInterface ? `interface ${name} ${body}` : `type ${name} = ${body};`;
      return [`${this.prefix}${written}\n`, ...this.inOrder(declaration.uses, seen)];
    });
  }

  /** @param {Shape} shape @param {string} hint @param {Declaration[]} uses @param {boolean} [isRoot] @returns {string} */
  type(shape, hint, uses, isRoot = false) {
    return this.union(shape, hint, uses, isRoot).join(' | ');
  }

  /** @param {Shape} shape @param {string} hint @param {Declaration[]} uses @param {boolean} isRoot @returns {string[]} */
  union(shape, hint, uses, isRoot) {
    const union = [];
    if (shape.members) union.push(this.object(shape, hint, uses, isRoot && !shape.items));
    if (shape.items) union.push(this.list(shape.items, hint, uses));
    if (shape.isString) union.push(...this.texts(shape));
    if (shape.isNumber) union.push('number');
    if (shape.isBoolean) union.push('boolean');
    if (shape.isNull) union.push('null');
    return union.length === 0 ? [this.options.empty] : union;
  }

  /** @param {Shape} items @param {string} hint @param {Declaration[]} uses */
  list(items, hint, uses) {
    const union = this.union(items, singular(hint), uses, false);
    const type = union.join(' | ');
    const safe = union.length > 1 || type.startsWith('readonly ') ? `(${type})` : type;
    return `${this.options.readonly ? 'readonly ' : ''}${safe}[]`;
  }

  /** A few repeated texts become literals. @param {Shape} shape */
  texts({ texts, textCount }) {
    if (texts.size > this.options.literals || texts.size === textCount) return ['string'];
    return [...texts].map((text) => JSON.stringify(text));
  }

  /** @param {Shape} shape @param {string} hint @param {Declaration[]} uses @param {boolean} isRoot */
  object({ members, objectCount }, hint, uses, isRoot) {
    if (!members || members.size === 0) return 'Record<string, never>';
    /** @type {Declaration[]} */
    const inner = [];
    const lines = [...members].map(([name, { shape, count }]) => {
      const comment = shape.isUnsafe
        ? '  /** Has integers beyond 2^53, which JavaScript numbers round. */\n'
        : '';
      const readonly = this.options.readonly ? 'readonly ' : '';
      const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
      return `${comment}  ${readonly}${key}${count < objectCount ? '?' : ''}: ${this.type(shape, name, inner)};\n`;
    });
    const body = `{\n${lines.join('')}}`;
    let declaration = this.byBody.get(body);
    if (!declaration) {
      declaration = { name: isRoot ? this.options.root : this.freeName(hint), body, uses: inner };
      this.byBody.set(body, declaration);
    }
    uses.push(declaration);
    return declaration.name;
  }
}

/** The words of a member's name. @param {string} name @returns {string[]} */
export const wordsOf = (name) =>
  name.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? [];

/** A member's name as a type name. @param {string} name */
export function typeName(name) {
  const joined = wordsOf(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  if (joined === '') return 'Item';
  return /^\p{N}/u.test(joined) ? `Item${joined}` : joined;
}

/** Gives each member a type name that no other has. @param {string} root @param {Set<string>} taken by the language */
export function namer(root, taken, nameOf = typeName) {
  const names = new Set([root]);
  return (/** @type {string} */ hint) => {
    const base = nameOf(hint);
    let name = taken.has(base) ? `${base}Value` : base;
    for (let n = 2; names.has(name); n += 1) name = `${base}${n}`;
    names.add(name);
    return name;
  };
}

/** Singular of a name. @param {string} name */
export function singular(name) {
  if (/ies$/i.test(name) && name.length > 4) return `${name.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes|zes)$/i.test(name)) return name.slice(0, -2);
  if (/[^su]s$/i.test(name) && !/news$|series$/i.test(name) && name.length > 2)
    return name.slice(0, -1);
  return /item$/i.test(name) ? name : `${name}_item`;
}
