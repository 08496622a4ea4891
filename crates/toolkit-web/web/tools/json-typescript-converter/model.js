//! Shapes as records with named members, for languages without unions: a value seen with several types is `any`.
import { namer, singular, typeName, wordsOf } from './types.js';

/** @typedef {import('./shapes.js').Shape} Shape */
/** @typedef {'text' | 'integer' | 'large' | 'number' | 'truth' | 'any' | 'map' | 'list' | 'record'} Kind */
/** @typedef {{ kind: Kind, isNull: boolean, item?: Type, record?: string }} Type */
/** @typedef {{ name: string, type: Type, isOptional: boolean }} Member */
/** @typedef {{ name: string, members: Member[] }} Made `name`: of the type */

/** Names that one of the languages uses itself. */
export const TAKEN = new Set(
  'Any BaseModel Box Clone Debug Default Deserialize Err Field None Ok Option Result Self Serialize Some String True False Value Vec'.split(
    ' ',
  ),
);

/** The records of a shape, each after those that it uses. @param {Shape} shape @param {string} root */
export function modelOf(shape, root) {
  /** @type {Map<string, Made>} */
  const made = new Map();
  const freeName = namer(root, TAKEN, (hint) => typeName(hint).replace(/^(?!\p{Lu})/u, 'Item'));

  /** @param {NonNullable<Shape['members']>} members @param {number} count @param {string | undefined} hint undefined: the root */
  function recordOf(members, count, hint) {
    const all = [...members].map(([name, member]) => ({
      name,
      type: typeOf(member.shape, name),
      isOptional: member.count < count,
    }));
    const key = JSON.stringify(all);
    const known = made.get(key)?.name;
    if (known) return known;
    const name = hint === undefined ? root : freeName(hint);
    made.set(key, { name, members: all });
    return name;
  }

  /** @param {Shape} shape @param {string} [hint] @returns {Type} */
  function typeOf(shape, hint) {
    const { isNull, members, items, objectCount } = shape;
    const seen = [members, items, shape.isString, shape.isNumber, shape.isBoolean];
    if (seen.filter(Boolean).length !== 1) return { kind: 'any', isNull: true };
    if (members?.size === 0) return { kind: 'map', isNull };
    if (members) return { kind: 'record', isNull, record: recordOf(members, objectCount, hint) };
    if (items) return { kind: 'list', isNull, item: typeOf(items, singular(hint ?? root)) };
    const integer = shape.isLarge ? 'large' : 'integer';
    if (shape.isNumber) return { kind: shape.isFraction ? 'number' : integer, isNull };
    return { kind: shape.isString ? 'text' : 'truth', isNull };
  }

  const type = typeOf(shape);
  return { type, made: [...made.values()] };
}

/** Identifiers for the names of members, each its own. @param {Member[]} members @param {(words: string[]) => string} written @param {RegExp} [reserved] */
export function identifiers(members, written, reserved = /^$/) {
  const used = new Set();
  return members.map(({ name }) => {
    const words = wordsOf(name);
    const plain = written(/^\p{N}/u.test(words[0] ?? '0') ? ['field', ...words] : words);
    const base = reserved.test(plain) ? `${plain}_` : plain;
    let free = base;
    for (let n = 2; used.has(free); n += 1) free = `${base}_${n}`;
    used.add(free);
    return free;
  });
}
