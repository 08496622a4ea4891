//! Values inside certificates: names, times, keys, general names. Standards: RFC 5280, RFC 4514 (names as text).
import { ALGORITHMS, ATTRIBUTES, CURVES, OTHERS } from '../../data/oids.js';
import { Refusal } from '../../kit/tool.js';
import { toBigInt, toHex } from '../bytes.js';
import { formatIpv4, formatIpv6 } from '../ip.js';
import { bitsOf, child, integerOf, oidOf, readDer, unsignedOf } from '../keys/der.js';

/** @import { Element } from '../keys/der.js' */

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => toHex(bytes, { upper: true, between: ':' });

/** @param {string} oid */
export const nameOf = (oid) => (OTHERS[oid] ? `${OTHERS[oid]} (${oid})` : oid);

const ENCODINGS = /** @type {Record<number, string>} */ ({ 12: 'utf-8', 30: 'utf-16be' });

/** @param {Element} element */
export function textOf({ tag, content }) {
  const encoding = ENCODINGS[tag];
  if (encoding) return new TextDecoder(encoding).decode(content);
  if ([0x12, 0x13, 0x14, 0x16, 0x1a, 0x1b].includes(tag) || tag >= 0x80)
    return String.fromCharCode(...content);
  return `#${hexOf(content).replaceAll(':', '').toLowerCase()}`;
}

/** RFC 4514: the last part first, special characters escaped. @param {Element} name */
export function nameText(name) {
  const parts = name.children.map((set) =>
    set.children
      .map((pair) => `${attribute(oidOf(child(pair, 0, 6)))}=${escaped(textOf(child(pair, 1)))}`)
      .join('+'),
  );
  return parts.reverse().join(',');
}

/** @param {string} oid */
const attribute = (oid) => ATTRIBUTES[oid] ?? oid;
/** @param {string} text */
const escaped = (text) =>
  text
    .replace(/[,+"\\<>;]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ')
    .replace(
      /\p{Cc}/gu,
      (control) => `\\${control.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    );

/** @param {Element} element UTCTime or GeneralizedTime @returns {Date} */
export function timeOf(element) {
  const text = String.fromCharCode(...element.content);
  const pattern =
    element.tag === 0x17
      ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/
      : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:\.\d+)?Z$/;
  const [, year = '', month, day, hour, minute, second = '00'] = pattern.exec(text) ?? [];
  const full = year.length === 2 ? `${Number(year) < 50 ? '20' : '19'}${year}` : year;
  const date = new Date(`${full}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(date.getTime()))
    throw new Refusal(`has ${JSON.stringify(text.slice(0, 30))}, which is not a time`);
  return date;
}

/** @param {Date} date */
export const momentText = (date) => date.toISOString().replace('T', ' ').replace('.000Z', ' UTC');

/** @param {Element} element */
export function serialText(element) {
  const value = integerOf(element);
  const digits = (value < 0n ? -value : value).toString(16).toUpperCase();
  return (value < 0n ? '-' : '') + digits.padStart(digits.length + (digits.length % 2), '0');
}

/** @param {Element} identifier an AlgorithmIdentifier */
export function algorithmText(identifier) {
  const oid = oidOf(child(identifier, 0, 6));
  if (oid !== '1.2.840.113549.1.1.10') return ALGORITHMS[oid] ?? oid;
  return `rsassaPss with ${pssParameters(identifier).hash}`;
}

/** RFC 4055 §3.1. SHA-1 and 20 are the defaults. @param {Element} identifier */
export function pssParameters(identifier) {
  const fields = identifier.children[1]?.children ?? [];
  const hash = fields.find(({ tag }) => tag === 0xa0)?.children[0];
  const salt = fields.find(({ tag }) => tag === 0xa2)?.children[0];
  return {
    hash: hash ? (ALGORITHMS[oidOf(child(hash, 0, 6))] ?? 'unknown') : 'SHA-1',
    saltLength: salt ? Number(integerOf(salt)) : 20,
  };
}

/** @param {Element} spki */
export function keyOf(spki) {
  const identifier = child(spki, 0, 0x30);
  const oid = oidOf(child(identifier, 0, 6));
  const algorithm = ALGORITHMS[oid] ?? oid;
  if (algorithm === 'rsaEncryption' || algorithm === 'rsassaPss') {
    const key = readDer(bitsOf(child(spki, 1, 3)));
    return {
      algorithm,
      bits: bitCount(unsignedOf(child(key, 0, 2))),
      detail: `exponent ${integerOf(child(key, 1, 2))}`,
      curve: undefined,
    };
  }
  if (algorithm === 'ecPublicKey') {
    const named = child(identifier, 1);
    const curve = named.tag === 6 ? CURVES[oidOf(named)] : undefined;
    return {
      algorithm,
      bits: curve?.bits,
      detail: curve?.name ?? (named.tag === 6 ? oidOf(named) : 'explicit curve'),
      curve: curve?.name,
    };
  }
  const prime = algorithm === 'dsaEncryption' ? identifier.children[1]?.children[0] : undefined;
  return {
    algorithm,
    bits: prime ? bitCount(unsignedOf(prime)) : undefined,
    detail: '',
    curve: undefined,
  };
}

/** @param {Uint8Array} magnitude */
const bitCount = (magnitude) => (magnitude.length - 1) * 8 + (magnitude[0] ?? 0).toString(2).length;

/** @param {Element} element a GeneralName: RFC 5280 §4.2.1.6 */
export function generalName(element) {
  const { tag, content } = element;
  if (tag === 0x81) return `email:${textOf(element)}`;
  if (tag === 0x82) return `DNS:${textOf(element)}`;
  if (tag === 0x86) return `URI:${textOf(element)}`;
  if (tag === 0x87) return `IP:${addressText(content)}`;
  if (tag === 0x88) return `registered ID:${oidOf(element)}`;
  if (tag === 0xa4) return `name:${nameText(child(element, 0, 0x30))}`;
  if (tag === 0xa0) {
    const value = element.children[1]?.children[0];
    return `other name:${nameOf(oidOf(child(element, 0, 6)))}:${value ? textOf(value) : ''}`;
  }
  return `tag 0x${tag.toString(16)}:${hexOf(content)}`;
}

/** An address, or in name constraints an address with a mask. @param {Uint8Array} bytes @returns {string} */
function addressText(bytes) {
  const value = toBigInt(bytes);
  if (bytes.length === 4) return formatIpv4(Number(value));
  if (bytes.length === 16) return formatIpv6(value);
  const half = bytes.length / 2;
  if (bytes.length === 8 || bytes.length === 32)
    return `${addressText(bytes.subarray(0, half))}/${addressText(bytes.subarray(half))}`;
  return hexOf(bytes);
}
