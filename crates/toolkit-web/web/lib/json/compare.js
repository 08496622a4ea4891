//! Structural differences between two JSON values: what was changed, added or removed, with its path. Key order is
//! ignored, list order is not.

import { diff } from '../diff/diff.js';
import { writeJson } from './json.js';
import { below } from './paths.js';

/** @import { JsonValue } from './json.js' */
/** @typedef {{ kind: 'changed' | 'added' | 'removed', path: string, one?: string, other?: string }} Change */

const LONGEST_LIST = 5000;

/** @param {JsonValue} value */
const written = (value) => writeJson(value, { indent: '', sort: true });

/**
 * @param {JsonValue} one @param {JsonValue} other @param {number} most differences
 * @returns {Change[]}
 */
export function compareJson(one, other, most) {
  /** @type {Change[]} */
  const changes = [];
  /** @param {Change} change */
  const put = (change) => changes.length < most && changes.push(change);

  /** @param {JsonValue | undefined} a @param {JsonValue | undefined} b @param {string} path @returns {unknown} */
  function compare(a, b, path) {
    if (changes.length >= most) return undefined;
    if (a === undefined) return put({ kind: 'added', path, other: written(b ?? null) });
    if (b === undefined) return put({ kind: 'removed', path, one: written(a) });
    if (a instanceof Map && b instanceof Map) {
      for (const name of new Set([...a.keys(), ...b.keys()]))
        compare(a.get(name), b.get(name), below(path, name));
      return undefined;
    }
    if (Array.isArray(a) && Array.isArray(b)) return lists(a, b, path);
    const [from, to] = [written(a), written(b)];
    return from === to ? undefined : put({ kind: 'changed', path, one: from, other: to });
  }

  /** An item inserted into a list does not change the following ones. @param {JsonValue[]} a @param {JsonValue[]} b @param {string} path */
  function lists(a, b, path) {
    const isLong = Math.max(a.length, b.length) > LONGEST_LIST;
    const blocks = isLong
      ? [{ same: false, a: [0, a.length], b: [0, b.length] }]
      : diff(a.map(written), b.map(written), { milliseconds: 2000 });
    for (const {
      same,
      a: [from = 0, to = 0],
      b: [start = 0, end = 0],
    } of blocks) {
      if (same) continue;
      for (let at = 0; at < Math.max(to - from, end - start); at++) {
        const [left, right] = [from + at, start + at];
        // Positions are in the first list, or in the second for items that the first lacks.
        compare(
          left < to ? a[left] : undefined,
          right < end ? b[right] : undefined,
          below(path, left < to ? left : right),
        );
      }
    }
  }

  compare(one, other, '$');
  return changes;
}
