//! Certificates, requests, CRLs and PKCS #7 from DER. Standards: RFC 5280 §4.1 and §5.1, RFC 2986,
//! RFC 5652.

import { Refusal } from '../../kit/tool.js';
import { bitsOf, child, oidOf, readDer } from '../keys/der.js';
import { readExtensions } from './extensions.js';
import { algorithmText, keyOf, nameText, serialText, timeOf } from './values.js';

/** @import { Element } from '../keys/der.js' */
/** @import { Extension } from './extensions.js' */
/**
 * @typedef {object} Item
 * @property {'certificate' | 'request' | 'crl'} kind
 * @property {Uint8Array} der
 * @property {string} subject
 * @property {string} issuer
 * @property {string} serial
 * @property {number} version
 * @property {Date | undefined} from
 * @property {Date | undefined} until
 * @property {Element | undefined} spki
 * @property {Extension[]} extensions
 * @property {{ serial: string, date: Date, reason: string }[]} revoked
 * @property {string[]} attributes
 * @property {{ algorithm: Element, bytes: Uint8Array, over: Uint8Array }} signature
 */

/** @param {Element} root @param {Item['kind']} kind */
function common(root, kind) {
  const signature = {
    algorithm: child(root, 1, 0x30),
    bytes: bitsOf(child(root, 2, 3)),
    over: child(root, 0).raw,
  };
  return {
    kind,
    der: root.raw,
    signature,
    subject: '',
    issuer: '',
    serial: '',
    version: 1,
    from: undefined,
    until: undefined,
    spki: undefined,
    extensions: [],
    revoked: [],
    attributes: [],
  };
}

/** @param {Element} root @returns {Item} */
function readCertificate(root) {
  const fields = child(root, 0, 0x30);
  const hasVersion = fields.children[0]?.tag === 0xa0;
  const version = hasVersion ? (child(child(fields, 0), 0, 2).content[0] ?? 0) + 1 : 1;
  const at = (/** @type {number} */ index, /** @type {number} */ tag) =>
    child(fields, index + (hasVersion ? 1 : 0), tag);
  const validity = at(3, 0x30);
  const extensions = fields.children.find(({ tag }) => tag === 0xa3);
  return {
    ...common(root, 'certificate'),
    version,
    serial: serialText(at(0, 2)),
    issuer: nameText(at(2, 0x30)),
    from: timeOf(child(validity, 0)),
    until: timeOf(child(validity, 1)),
    subject: nameText(at(4, 0x30)),
    spki: at(5, 0x30),
    extensions: extensions ? readExtensions(child(extensions, 0, 0x30)) : [],
  };
}

/** @param {Element} root @returns {Item} */
function readCrl(root) {
  const fields = child(root, 0, 0x30);
  const hasVersion = fields.children[0]?.tag === 2;
  const rest = fields.children.slice(hasVersion ? 1 : 0);
  const isTime = (/** @type {Element | undefined} */ one) => one?.tag === 0x17 || one?.tag === 0x18;
  const next = isTime(rest[3]) ? rest[3] : undefined;
  const list = rest.slice(next ? 4 : 3).find(({ tag }) => tag === 0x30);
  const extensions = rest.find(({ tag }) => tag === 0xa0);
  return {
    ...common(root, 'crl'),
    version: hasVersion ? 2 : 1,
    issuer: nameText(child({ ...fields, children: rest }, 1, 0x30)),
    from: timeOf(child({ ...fields, children: rest }, 2)),
    until: next && timeOf(next),
    extensions: extensions ? readExtensions(child(extensions, 0, 0x30)) : [],
    revoked: (list?.children ?? []).map(readRevoked),
  };
}

/** @param {Element} entry */
function readRevoked(entry) {
  const extensions = entry.children[2] ? readExtensions(entry.children[2]) : [];
  const reason = extensions.find(({ oid }) => oid === '2.5.29.21')?.lines[0] ?? '';
  return { serial: serialText(child(entry, 0, 2)), date: timeOf(child(entry, 1)), reason };
}

/** @param {Element} root @returns {Item} */
function readRequest(root) {
  const fields = child(root, 0, 0x30);
  const attributes = fields.children[3]?.children ?? [];
  const wanted = attributes.find((one) => oidOf(child(one, 0, 6)) === '1.2.840.113549.1.9.14');
  return {
    ...common(root, 'request'),
    subject: nameText(child(fields, 1, 0x30)),
    spki: child(fields, 2, 0x30),
    extensions: wanted ? readExtensions(child(child(wanted, 1, 0x31), 0, 0x30)) : [],
    attributes: attributes.filter((one) => one !== wanted).map((one) => oidOf(child(one, 0, 6))),
  };
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';

/** @param {Element} root @returns {Item[]} */
function readPkcs7(root) {
  const data = child(child(root, 1, 0xa0), 0, 0x30);
  const list = (/** @type {number} */ tag) =>
    data.children.find((one) => one.tag === tag)?.children ?? [];
  return [...list(0xa0).map(readCertificate), ...list(0xa1).map(readCrl)];
}

/** Everything in one DER structure. @param {Uint8Array} der @returns {Item[]} */
export function readStructure(der) {
  const root = readDer(der);
  const [first, second] = root.children;
  if (first?.tag === 6 && oidOf(first) === SIGNED_DATA) return readPkcs7(root);
  if (first?.tag === 6 && second?.tag === 0xa0)
    throw new Refusal('is PKCS #7 without certificates (encrypted or plain data)');
  if (first?.tag === 2 && second?.tag === 0x30 && root.children.length <= 3)
    throw new Refusal(keyOrStore(root));
  if (first?.tag !== 0x30 || root.children.length !== 3)
    throw new Refusal(
      first?.tag === 0x30 && second?.tag === 3
        ? 'is a public key, not a certificate'
        : 'is DER, but not a certificate, request or CRL',
    );
  const kinds = first.children.map(({ tag }) => tag);
  if (kinds[0] === 2 && kinds[1] === 0x30 && kinds[2] === 0x30 && kinds[3] === 0xa0)
    return [readRequest(root)];
  const times = kinds.findIndex((tag) => tag === 0x17 || tag === 0x18);
  return [times >= 0 ? readCrl(root) : readCertificate(root)];
}

/** @param {Element} root */
function keyOrStore(root) {
  const isStore = root.children[0]?.content[0] === 3;
  return isStore
    ? 'is a PKCS #12 store, which is encrypted; export the certificate from it'
    : 'is a private key, which is not shown';
}

/** The signature algorithm of this item, as text. @param {Item} item */
export const signatureName = ({ signature }) => algorithmText(signature.algorithm);

/** @param {Item} item */
export const keyFacts = ({ spki }) => spki && keyOf(spki);
