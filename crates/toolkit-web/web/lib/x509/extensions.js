//! Extensions of certificates, requests and CRLs as lines of text. Standards: RFC 5280 §4.2 and §5.2, RFC 6962 §3.3,
//! RFC 7633. Unknown or undecodable extensions are shown as hexadecimal digits.
import { EXTENSIONS } from '../../data/oids.js';
import { Refusal } from '../../kit/tool.js';
import { toBase64 } from '../bytes.js';
import { child, integerOf, oidOf, readDer } from '../keys/der.js';
import {
  generalName,
  hexOf,
  momentText,
  nameOf,
  nameText,
  serialText,
  textOf,
  timeOf,
} from './values.js';

/** @import { Element } from '../keys/der.js' */
/** @typedef {{ oid: string, name: string, critical: boolean, lines: string[] }} Extension */

const USAGES =
  'Digital Signature,Non Repudiation,Key Encipherment,Data Encipherment,Key Agreement,Certificate Sign,CRL Sign,Encipher Only,Decipher Only'.split(
    ',',
  );
/** Reasons with the same numbers in certificates and CRLs. */
const SHARED =
  'Key Compromise,CA Compromise,Affiliation Changed,Superseded,Cessation Of Operation,Certificate Hold'.split(
    ',',
  );
const LATER = ['Privilege Withdrawn', 'AA Compromise'];
const REASONS = ['Unused', ...SHARED, ...LATER];
const CRL_REASONS = ['Unspecified', ...SHARED, '', 'Remove From CRL', ...LATER];
const NETSCAPE =
  'SSL Client,SSL Server,S/MIME,Object Signing,Reserved,SSL CA,S/MIME CA,Object Signing CA'.split(
    ',',
  );

/** Names of the bits that are set in a BIT STRING. @param {Element} element @param {string[]} names */
function flags({ content }, names) {
  const set = names.filter((_, bit) => ((content[1 + (bit >> 3)] ?? 0) >> (7 - (bit & 7))) & 1);
  return [set.join(', ') || 'none'];
}

/** @param {Element} element @param {number} tag */
const tagged = (element, tag) => element.children.find((one) => one.tag === tag);
/** @param {Element} element */
const isTrue = (element) => element.tag === 1 && element.content[0] !== 0;
/** @param {Element} element an implicit INTEGER */
const small = (element) => String(integerOf(element));

/** @param {Element} element */
function basicConstraints(element) {
  const [first, second] = element.children;
  const isCa = first !== undefined && isTrue(first);
  const path = first?.tag === 2 ? first : second;
  return [`CA: ${isCa ? 'yes' : 'no'}${path?.tag === 2 ? `, path length: ${small(path)}` : ''}`];
}

/** @param {Element} element */
function authorityKey(element) {
  const [id, issuer, serial] = [0x80, 0xa1, 0x82].map((tag) => tagged(element, tag));
  const lines = id ? [hexOf(id.content)] : [];
  if (issuer) lines.push(`Issuer: ${issuer.children.map(generalName).join(', ')}`);
  if (serial) lines.push(`Serial: ${serialText(serial)}`);
  return lines;
}

/** RFC 5280 §4.2.1.13. @param {Element} element */
function distributionPoint(element) {
  const [point, reasons, issuer] = [0xa0, 0x81, 0xa2].map((tag) => tagged(element, tag));
  const full = point && tagged(point, 0xa0);
  const relative = point && tagged(point, 0xa1);
  const lines = full ? full.children.map(generalName) : [];
  if (relative) lines.push(`Relative name: ${relativeName(relative)}`);
  if (reasons) lines.push(`Reasons: ${flags(reasons, REASONS)}`);
  if (issuer) lines.push(`CRL issuer: ${issuer.children.map(generalName).join(', ')}`);
  return lines;
}

/** @param {Element} element */
const relativeName = (element) => nameText({ ...element, children: [element] });

/** @param {Element} element */
function issuingPoint(element) {
  const lines = distributionPoint({
    ...element,
    children: element.children.filter(({ tag }) => tag === 0xa0),
  });
  const names = /** @type {const} */ ([
    [0x81, 'Only user certificates'],
    [0x82, 'Only CA certificates'],
    [0x84, 'Indirect CRL'],
    [0x85, 'Only attribute certificates'],
  ]);
  for (const [tag, name] of names) if (tagged(element, tag)?.content[0]) lines.push(name);
  const reasons = tagged(element, 0x83);
  return reasons ? [...lines, `Only reasons: ${flags(reasons, REASONS)}`] : lines;
}

/** @param {Element} element */
function policies(element) {
  return element.children.flatMap((policy) => {
    const qualifiers = policy.children[1]?.children ?? [];
    return [nameOf(oidOf(child(policy, 0, 6))), ...qualifiers.map((one) => `  ${qualifier(one)}`)];
  });
}

/** @param {Element} element */
function qualifier(element) {
  const value = child(element, 1);
  if (value.tag !== 0x30) return `${nameOf(oidOf(child(element, 0, 6)))}: ${textOf(value)}`;
  const text = value.children.find(({ tag }) => tag !== 0x30);
  return `User notice: ${text ? textOf(text) : hexOf(value.content)}`;
}

/** @param {Element} element */
function nameConstraints(element) {
  return /** @type {const} */ ([
    [0xa0, 'Permitted'],
    [0xa1, 'Excluded'],
  ]).flatMap(([tag, title]) =>
    (tagged(element, tag)?.children ?? []).map(
      (subtree) => `${title}: ${generalName(child(subtree, 0))}`,
    ),
  );
}

/** @param {Element} element */
function policyConstraints(element) {
  return /** @type {const} */ ([
    [0x80, 'Require explicit policy'],
    [0x81, 'Inhibit policy mapping'],
  ]).flatMap(([tag, title]) => {
    const count = tagged(element, tag);
    return count ? [`${title}: ${small(count)}`] : [];
  });
}

/** RFC 6962 §3.3: a list of TLS structures. @param {Element} element */
function timestamps(element) {
  const { content } = element;
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const lines = [];
  for (let at = 2; at + 2 < content.length; ) {
    const length = view.getUint16(at);
    const log = toBase64(content.subarray(at + 3, at + 35));
    const time = new Date(Number(view.getBigUint64(at + 35)));
    lines.push(`${momentText(time).replace(/\.\d+Z$/, ' UTC')}, log ${log}`);
    at += 2 + length;
  }
  return lines;
}

/** @type {Record<string, (element: Element) => string[]>} */
const READERS = {
  '2.5.29.14': (element) => [hexOf(element.content)],
  '2.5.29.15': (element) => flags(element, USAGES),
  '2.5.29.17': (element) => element.children.map(generalName),
  '2.5.29.18': (element) => element.children.map(generalName),
  '2.5.29.19': basicConstraints,
  '2.5.29.20': (element) => [small(element)],
  '2.5.29.21': (element) => [CRL_REASONS[element.content[0] ?? 0] ?? 'unknown'],
  '2.5.29.24': (element) => [momentText(timeOf(element))],
  '2.5.29.27': (element) => [small(element)],
  '2.5.29.28': issuingPoint,
  '2.5.29.29': (element) => element.children.map(generalName),
  '2.5.29.30': nameConstraints,
  '2.5.29.31': (element) => element.children.flatMap(distributionPoint),
  '2.5.29.32': policies,
  '2.5.29.33': (element) =>
    element.children.map((pair) => pair.children.map(oidOf).map(nameOf).join(' is ')),
  '2.5.29.35': authorityKey,
  '2.5.29.36': policyConstraints,
  '2.5.29.37': (element) => element.children.map(oidOf).map(nameOf),
  '2.5.29.46': (element) => element.children.flatMap(distributionPoint),
  '2.5.29.54': (element) => [small(element)],
  '1.3.6.1.5.5.7.1.1': access,
  '1.3.6.1.5.5.7.1.11': access,
  '1.3.6.1.5.5.7.1.24': (element) =>
    element.children.map((one) => (small(one) === '5' ? 'OCSP must be stapled (5)' : small(one))),
  '1.3.6.1.5.5.7.48.1.5': () => ['yes'],
  '1.3.6.1.4.1.11129.2.4.2': timestamps,
  '1.3.6.1.4.1.11129.2.4.3': () => ['This is a precertificate, not to be used.'],
  '2.16.840.1.113730.1.1': (element) => flags(element, NETSCAPE),
  '2.16.840.1.113730.1.13': (element) => [textOf(element)],
};

/** @param {Element} element */
function access(element) {
  return element.children.map(
    (one) => `${nameOf(oidOf(child(one, 0, 6)))}: ${generalName(child(one, 1))}`,
  );
}

/** @param {Element} element the SEQUENCE of extensions @returns {Extension[]} */
export function readExtensions(element) {
  return element.children.map((extension) => {
    const oid = oidOf(child(extension, 0, 6));
    const second = child(extension, 1);
    const value = second.tag === 1 ? child(extension, 2, 4) : second;
    return {
      oid,
      name: EXTENSIONS[oid] ?? oid,
      critical: isTrue(second),
      lines: decoded(oid, value.content),
    };
  });
}

/** @param {string} oid @param {Uint8Array} bytes */
function decoded(oid, bytes) {
  const reader = READERS[oid];
  if (!reader) return [hexOf(bytes)];
  try {
    return reader(readDer(bytes));
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError)
      return [`does not decode: ${hexOf(bytes)}`];
    throw error;
  }
}
