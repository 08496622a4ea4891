//! Shapes of JSON samples: common structure of the values at each path.

import { JsonNumber } from '../../lib/json/json.js';

/** @typedef {import('../../lib/json/json.js').JsonValue} Value */

/**
 * Everything seen at one path.
 * @typedef {object} Shape
 * @property {boolean} isNull
 * @property {boolean} isBoolean
 * @property {boolean} isNumber
 * @property {boolean} isUnsafe an integer beyond 2^53 was seen
 * @property {boolean} isLarge an integer beyond 64 bits was seen
 * @property {boolean} isFraction a number with a fraction was seen
 * @property {boolean} isString
 * @property {Set<string>} texts the distinct texts, while they are few
 * @property {number} textCount
 * @property {Shape | undefined} items
 * @property {Map<string, { shape: Shape, count: number }> | undefined} members
 * @property {number} objectCount
 */

const MOST_TEXTS = 101;

/** @returns {Shape} */
export function newShape() {
  return {
    isNull: false,
    isBoolean: false,
    isNumber: false,
    isUnsafe: false,
    isLarge: false,
    isFraction: false,
    isString: false,
    texts: new Set(),
    textCount: 0,
    items: undefined,
    members: undefined,
    objectCount: 0,
  };
}

/** Adds one sample to a shape. @param {Shape} shape @param {Value} value */
export function addSample(shape, value) {
  if (value === null) shape.isNull = true;
  else if (typeof value === 'boolean') shape.isBoolean = true;
  else if (typeof value === 'string') addText(shape, value);
  else if (Array.isArray(value)) {
    shape.items ??= newShape();
    for (const item of value) addSample(shape.items, item);
  } else if (value instanceof Map) addObject(shape, value);
  else {
    shape.isNumber = true;
    const text = value instanceof JsonNumber ? value.text : String(value);
    const isInteger = /^-?[0-9]+$/.test(text);
    shape.isUnsafe ||= isInteger && !Number.isSafeInteger(Number(text));
    shape.isLarge ||= isInteger && BigInt(text) !== BigInt.asIntN(64, BigInt(text));
    shape.isFraction ||= !isInteger;
  }
}

/** @param {Shape} shape @param {string} text */
function addText(shape, text) {
  shape.isString = true;
  shape.textCount += 1;
  if (shape.texts.size < MOST_TEXTS) shape.texts.add(text);
}

/** @param {Shape} shape @param {Map<string, Value>} object */
function addObject(shape, object) {
  shape.members ??= new Map();
  shape.objectCount += 1;
  for (const [name, item] of object) {
    let member = shape.members.get(name);
    if (!member) {
      member = { shape: newShape(), count: 0 };
      shape.members.set(name, member);
    }
    member.count += 1;
    addSample(member.shape, item);
  }
}
