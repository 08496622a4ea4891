//! ASN.1 distinguished encoding rules. Standard: X.690 (DER; BER's indefinite length is read too,
//! since PKCS #7 files use it). Reads trees of elements and writes the few types that key formats
//! need.
import { Refusal } from '../../kit/tool.js';
import { concat, toBigInt } from '../bytes.js';

/**
 * @typedef {object} Element
 * @property {number} tag the first byte: class, constructed bit and number
 * @property {number} start offset of the first byte in the whole input
 * @property {Uint8Array} raw head and content
 * @property {Uint8Array} content
 * @property {Element[]} children empty for a primitive element
 */

const DEPTH_LIMIT = 64;

/** @param {string} offence @param {number} start */
const fault = (offence, start) => new Refusal(`${offence}, at byte ${start} of its DER`);

/**
 * Reads one element and requires that it ends the input.
 * @param {Uint8Array} bytes
 */
export function readDer(bytes) {
  const element = readElement(bytes, 0, bytes.length, 0);
  const end = element.start + element.raw.length;
  if (end < bytes.length)
    throw fault(`has ${bytes.length - end} bytes after the end of its DER`, end);
  return element;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {number} depth
 * @returns {Element}
 */
function readElement(bytes, start, end, depth) {
  if (depth > DEPTH_LIMIT) throw fault(`nests more than ${DEPTH_LIMIT} elements of DER`, start);
  const { length, head } = readHead(bytes, start, end);
  const tag = /** @type {number} */ (bytes[start]);
  const from = start + head;
  // Without a length, two zeros end it.
  const isOpen = length === -1;
  const to = isOpen ? end : from + length;
  if (to > end)
    throw fault(
      `is cut off: an element of DER says ${length} bytes, ${end - from} are there`,
      start,
    );
  const isEnd = (/** @type {number} */ at) =>
    isOpen ? bytes[at] === 0 && bytes[at + 1] === 0 && at + 2 <= end : at >= to;
  const children = [];
  let at = from;
  while (tag & 0x20 && !isEnd(at)) {
    const child = readElement(bytes, at, to, depth + 1);
    children.push(child);
    at += child.raw.length;
  }
  const raw = bytes.subarray(start, isOpen ? at + 2 : to);
  return { tag, start, raw, content: bytes.subarray(from, isOpen ? at : to), children };
}

/** @param {Uint8Array} bytes @param {number} start @param {number} end */
function readHead(bytes, start, end) {
  const cut = fault('is cut off in the head of an element of DER', start);
  if (start + 2 > end) throw cut;
  const tag = /** @type {number} */ (bytes[start]);
  if ((tag & 0x1f) === 0x1f)
    throw fault('has a DER tag number over 30, which no certificate or key uses', start);
  const first = /** @type {number} */ (bytes[start + 1]);
  if (first < 0x80) return { length: first, head: 2 };
  if (first === 0x80) {
    if (!(tag & 0x20)) throw fault('has a primitive element of DER without a length', start);
    return { length: -1, head: 2 };
  }
  const count = first & 0x7f;
  if (count > 4)
    throw fault(`has a length of ${count} bytes in its DER, four at most are read`, start + 1);
  if (start + 2 + count > end) throw cut;
  let length = 0;
  for (const byte of bytes.subarray(start + 2, start + 2 + count)) length = length * 256 + byte;
  return { length, head: 2 + count };
}

/**
 * The child at `index`, which must have the given tag.
 * @param {Element} element
 * @param {number} index
 * @param {number} [tag]
 * @returns {Element}
 */
export function child(element, index, tag) {
  const inner = element.children[index];
  if (!inner) throw fault(`lacks element ${index + 1} of a DER sequence`, element.start);
  if (tag !== undefined && inner.tag !== tag) {
    throw fault(`has DER tag 0x${hex(inner.tag)} where 0x${hex(tag)} belongs`, inner.start);
  }
  return inner;
}

/** @param {number} byte */
const hex = (byte) => byte.toString(16).padStart(2, '0');

/** @param {Element} element an OBJECT IDENTIFIER, or one with an implicit tag */
export function oidOf(element) {
  const arcs = [];
  let arc = 0n;
  for (const byte of element.content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f);
    if (byte & 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const first = arcs[0];
  if (first === undefined) throw fault('has an empty object identifier', element.start);
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...arcs.slice(1)].join('.');
}

/** Contents of a BIT STRING that fills whole bytes. @param {Element} element */
export function bitsOf(element) {
  if (element.content.length === 0) throw fault('has an empty bit string', element.start);
  return element.content.subarray(1);
}

/** @param {Element} element an INTEGER, two's complement */
export const integerOf = ({ content }) => BigInt.asIntN(8 * content.length, toBigInt(content));

/** Magnitude of a positive INTEGER, without its sign byte. @param {Element} element */
export const unsignedOf = ({ content }) => withoutZeros(content);

/** @param {Uint8Array} bytes */
function withoutZeros(bytes) {
  let at = 0;
  while (at < bytes.length - 1 && bytes[at] === 0) at += 1;
  return bytes.subarray(at);
}

/** @param {number} tag @param {...Uint8Array} parts */
export function write(tag, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [tag];
  if (length < 0x80) head.push(length);
  else {
    const digits = [];
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
    head.push(0x80 | digits.length, ...digits);
  }
  return concat(Uint8Array.from(head), ...parts);
}

/** @param {...Uint8Array} parts */
export const sequence = (...parts) => write(0x30, ...parts);

/** An INTEGER with this magnitude. @param {Uint8Array} bytes */
export function integer(bytes) {
  const magnitude = withoutZeros(bytes);
  return (magnitude[0] ?? 0) & 0x80
    ? write(0x02, Uint8Array.of(0), magnitude)
    : write(0x02, magnitude);
}

/** @param {string} dotted */
export function objectIdentifier(dotted) {
  const [root = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return write(0x06, Uint8Array.from([root * 40 + second, ...rest].flatMap(base128)));
}

/** @param {number} arc */
function base128(arc) {
  const digits = [arc & 0x7f];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128))
    digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
