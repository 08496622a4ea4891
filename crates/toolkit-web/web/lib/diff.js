//! Differences between two sequences: unique common tokens first (patience), Myers between them.
//! Sequences too different for Myers become one replacement, so that the time stays linear.

/** A block: equal, or `a` replaced by `b`. @typedef {{ same: boolean, a: [number, number], b: [number, number] }} Block */

const EDITS_MAX = 1000;
const DEPTH_MAX = 40;

/** The blocks, in order, that turn one sequence into the other. @param {readonly string[]} a @param {readonly string[]} b @returns {Block[]} */
export function diff(a, b) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  const intern = (/** @type {string} */ token) => {
    const known = numbers.get(token) ?? numbers.size;
    numbers.set(token, known);
    return known;
  };
  const [left, right] = [Int32Array.from(a, intern), Int32Array.from(b, intern)];
  /** @type {[number, number, number][]} */
  const matches = [];
  compare(left, right, [0, left.length], [0, right.length], matches, 0);
  return blocksOf(matches, left.length, right.length);
}

/** @typedef {readonly [number, number]} Range @typedef {[number, number, number][]} Matches */

/**
 * Adds `[a, b, length]` for everything that both ranges share, in order.
 * @type {(a: Int32Array, b: Int32Array, ra: Range, rb: Range, out: Matches, depth: number) => void}
 */
function compare(a, b, [a0, a1], [b0, b1], out, depth) {
  let head = 0;
  while (a0 + head < a1 && b0 + head < b1 && a[a0 + head] === b[b0 + head]) head++;
  let tail = 0;
  while (a1 - tail > a0 + head && b1 - tail > b0 + head && a[a1 - tail - 1] === b[b1 - tail - 1])
    tail++;
  if (head > 0) out.push([a0, b0, head]);
  const [ra, rb] = /** @type {[Range, Range]} */ ([
    [a0 + head, a1 - tail],
    [b0 + head, b1 - tail],
  ]);
  if (ra[0] < ra[1] && rb[0] < rb[1]) between(a, b, ra, rb, out, depth);
  if (tail > 0) out.push([a1 - tail, b1 - tail, tail]);
}

/** @type {(a: Int32Array, b: Int32Array, ra: Range, rb: Range, out: Matches, depth: number) => void} */
function between(a, b, ra, rb, out, depth) {
  const anchors = depth < DEPTH_MAX ? uniqueAnchors(a, b, ra, rb) : [];
  if (anchors.length === 0) return myers(a, b, ra, rb, out);
  let [fromA, fromB] = [ra[0], rb[0]];
  for (const [x, y] of anchors) {
    if (x < fromA || y < fromB) continue;
    compare(a, b, [fromA, x], [fromB, y], out, depth + 1);
    out.push([x, y, 1]);
    [fromA, fromB] = [x + 1, y + 1];
  }
  compare(a, b, [fromA, ra[1]], [fromB, rb[1]], out, depth + 1);
}

/**
 * Tokens that occur once in each range, as the longest increasing subsequence.
 * @type {(a: Int32Array, b: Int32Array, ra: Range, rb: Range) => [number, number][]}
 */
function uniqueAnchors(a, b, ra, rb) {
  const [inA, inB] = [places(a, ra), places(b, rb)];
  /** @type {[number, number][]} */
  const pairs = [];
  for (const [token, x] of inA) {
    const y = inB.get(token) ?? -1;
    if (x >= 0 && y >= 0) pairs.push([x, y]);
  }
  return rising(pairs.sort(([x], [y]) => x - y));
}

/** Position of each token, or −1 when it is repeated. @param {Int32Array} tokens @param {Range} range */
function places(tokens, [from, to]) {
  /** @type {Map<number, number>} */
  const found = new Map();
  for (let index = from; index < to; index++) {
    const token = tokens[index] ?? 0;
    found.set(token, found.has(token) ? -1 : index);
  }
  return found;
}

/** @param {[number, number][]} pairs @returns {[number, number][]} */
function rising(pairs) {
  /** @type {number[]} */
  const ends = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, y]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < y) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  }
  /** @type {[number, number][]} */
  const found = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) found.push(pair);
  }
  return found.reverse();
}

/** Myers' greedy algorithm with a limited number of edits. @type {(a: Int32Array, b: Int32Array, ra: Range, rb: Range, out: Matches) => void} */
function myers(a, b, [a0, a1], [b0, b1], out) {
  const [n, m] = [a1 - a0, b1 - b0];
  const most = Math.min(n + m, EDITS_MAX);
  const size = 2 * most + 3;
  let best = new Int32Array(size);
  /** @type {Int32Array[]} */
  const trace = [];
  for (let d = 0; d <= most; d++) {
    trace.push(best);
    best = best.slice();
    for (let k = -d; k <= d; k += 2) {
      const at = k + most + 1;
      const down = k === -d || (k !== d && (best[at - 1] ?? 0) < (best[at + 1] ?? 0));
      let x = down ? (best[at + 1] ?? 0) : (best[at - 1] ?? 0) + 1;
      while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++;
      best[at] = x;
      if (x >= n && x - k >= m) return backtrack(trace, [n, m], [a0, b0], most, out);
    }
  }
}

/** @type {(trace: Int32Array[], end: Range, start: Range, most: number, out: Matches) => void} */
function backtrack(trace, [n, m], [a0, b0], most, out) {
  /** @type {Matches} */
  const found = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0 && (x > 0 || y > 0); d--) {
    const best = trace[d] ?? new Int32Array(0);
    const [k, at] = [x - y, x - y + most + 1];
    const down = k === -d || (k !== d && (best[at - 1] ?? 0) < (best[at + 1] ?? 0));
    const startX = d === 0 ? 0 : down ? (best[at + 1] ?? 0) : (best[at - 1] ?? 0);
    const startY = d === 0 ? 0 : startX - (down ? k + 1 : k - 1);
    const from = d === 0 ? 0 : down ? startX : startX + 1;
    if (x > from) found.push([a0 + from, b0 + (from - k), x - from]);
    [x, y] = [startX, startY];
  }
  out.push(...found.reverse());
}

/** @param {Matches} matches @param {number} n @param {number} m @returns {Block[]} */
function blocksOf(matches, n, m) {
  /** @type {Block[]} */
  const blocks = [];
  let [x, y] = [0, 0];
  for (const [a, b, length] of [...matches, /** @type {const} */ ([n, m, 0])]) {
    if (a > x || b > y) blocks.push({ same: false, a: [x, a], b: [y, b] });
    const last = blocks.at(-1);
    if (length > 0 && last?.same) {
      last.a[1] += length;
      last.b[1] += length;
    } else if (length > 0) blocks.push({ same: true, a: [a, a + length], b: [b, b + length] });
    [x, y] = [a + length, b + length];
  }
  return blocks;
}
