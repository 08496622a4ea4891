//! `calc()` in colors: numbers, percentages and angles with + − × ÷, and the channels of relative
//! colors.

/** @typedef {import('./tokens.js').Cursor} Cursor */
/** @typedef {{ kind: 'none' | 'number' | 'percent' | 'angle' | 'channel', value: number }} Part */
/** @typedef {Map<string, number | null> | undefined} Channels */

/** @param {Cursor} cursor @param {Channels} channels @returns {Part} */
export function readCalc(cursor, channels) {
  if (!cursor.take('calc')) cursor.unexpected('a number or calc()');
  return brackets(cursor, channels, 1);
}

/** @param {Cursor} cursor @param {Channels} channels @param {number} depth @returns {Part} */
function brackets(cursor, channels, depth) {
  if (depth > 32) cursor.fail('nests brackets deeper than 32 levels');
  cursor.expect('(');
  const value = sum(cursor, channels, depth);
  cursor.expect(')');
  return value;
}

/** @param {Cursor} cursor @param {Channels} channels @param {number} depth @returns {Part} */
function sum(cursor, channels, depth) {
  let left = product(cursor, channels, depth);
  while (cursor.is('+') || cursor.is('-')) {
    const sign = cursor.is('+') ? 1 : -1;
    cursor.index += 1;
    const right = product(cursor, channels, depth);
    if (left.kind !== right.kind) cursor.fail(`adds a ${left.kind} and a ${right.kind} in calc()`);
    left = { kind: left.kind, value: left.value + sign * right.value };
  }
  return left;
}

/** @param {Cursor} cursor @param {Channels} channels @param {number} depth @returns {Part} */
function product(cursor, channels, depth) {
  let left = factor(cursor, channels, depth);
  while (cursor.is('*') || cursor.is('/')) {
    const divides = cursor.is('/');
    cursor.index += 1;
    const right = factor(cursor, channels, depth);
    if (divides ? right.kind !== 'number' : left.kind !== 'number' && right.kind !== 'number')
      cursor.fail('multiplies or divides by what is not a number in calc()');
    const value = divides ? left.value / right.value : left.value * right.value;
    left = { kind: left.kind === 'number' ? right.kind : left.kind, value };
  }
  return left;
}

/** @param {Cursor} cursor @param {Channels} channels @param {number} depth @returns {Part} */
function factor(cursor, channels, depth) {
  if (cursor.is('(')) return brackets(cursor, channels, depth + 1);
  const token = cursor.next ?? cursor.unexpected('a number');
  if (token.kind === 'function') {
    if (!cursor.take('calc')) cursor.unexpected('a number');
    return brackets(cursor, channels, depth + 1);
  }
  const constant = { pi: Math.PI, e: Math.E, infinity: Infinity, '-infinity': -Infinity, nan: 0 }[
    token.text
  ];
  const channel = channels?.has(token.text) ? (channels.get(token.text) ?? 0) : constant;
  const isValue = token.kind === 'number' || token.kind === 'percent' || token.kind === 'angle';
  if (!isValue && channel === undefined) cursor.unexpected('a number');
  cursor.index += 1;
  return isValue
    ? { kind: /** @type {'number'} */ (token.kind), value: token.value }
    : { kind: 'number', value: channel ?? 0 };
}
