//! Warnings about a certificate, and the order of a chain.
//! Sources: RFC 5280 §6, the baseline requirements of the CA/Browser Forum (§6.3.2 lifetimes), NIST SP 800-131A.
import { keyFacts, signatureName } from '../../lib/x509/x509.js';

/** @import { Item } from '../../lib/x509/x509.js' */
/** @typedef {{ by: number | undefined, valid: boolean | undefined }[]} Signers */

const DAY = 86_400_000;
/** Maximum lifetime of a server certificate in days by date of issue, newest first. */
const LIVES = /** @type {const} */ ([
  ['2029-03-15', 47],
  ['2027-03-15', 100],
  ['2026-03-15', 200],
  ['2020-09-01', 398],
  ['2018-03-01', 825],
]);

/** @param {Item} item @param {string} oid */
const extension = (item, oid) => item.extensions.find((one) => one.oid === oid);

/** @param {Item} item */
const isCa = (item) => extension(item, '2.5.29.19')?.lines[0]?.startsWith('CA: yes') ?? false;

/** @param {Item} item @param {number} now @param {boolean} isDated whether the headline says that it has expired @returns {string[]} */
export function flagsOf(item, now, isDated) {
  const { from, until, kind } = item;
  const key = keyFacts(item);
  const isServer = kind === 'certificate' && !isCa(item);
  const days = from && until ? Math.round((until.getTime() - from.getTime()) / DAY) : 0;
  const allowed = from && LIVES.find(([since]) => from.getTime() >= Date.parse(since))?.[1];
  const weakRsa = /^(rsa|dsa)/.test(key?.algorithm ?? '') && (key?.bits ?? 2048) < 2048;
  const weakCurve = key?.algorithm === 'ecPublicKey' && (key.bits ?? 256) < 256;
  /** @type {[boolean | undefined, string][]} */
  const flags = [
    [
      !isDated && until && until.getTime() < now,
      kind === 'crl' ? 'A newer list is due: the next update has passed.' : 'It has expired.',
    ],
    [!isDated && from && from.getTime() > now, 'It is not valid yet.'],
    [
      /sha1|SHA1|SHA-1|md5/.test(signatureName(item)),
      `It is signed with ${signatureName(item)}, which is broken.`,
    ],
    [weakRsa || weakCurve, `The key has ${key?.bits} bits, which is too small.`],
    [
      isServer && !extension(item, '2.5.29.17'),
      'It has no Subject Alternative Name: browsers refuse it for a server.',
    ],
    [
      isServer && allowed !== undefined && days > allowed,
      `It is valid for ${days} days; server certificates of that date may have ${allowed}.`,
    ],
    [
      item.extensions.some(({ critical, name }) => critical && /^\d/.test(name)),
      'It has a critical extension that is not known here: programs that do not know it must refuse it.',
    ],
  ];
  return flags.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

/** Whose key made the signature of an item, and whether it is right. @param {Signers} signers @param {number} index */
export function signerOf(signers, index) {
  const { by, valid } = signers[index] ?? { by: undefined, valid: undefined };
  if (by === undefined) return 'an issuer that is not here: not checked';
  const signer = by === index ? 'itself' : `number ${by + 1}`;
  if (valid === undefined) return `${signer}: this browser cannot check it`;
  return `${signer}: ${valid ? 'valid' : 'NOT valid'}`;
}

/** Whether each certificate is followed by its issuer, as TLS servers send them. @param {Item[]} items @param {Signers} signers */
export function orderOf(items, signers) {
  const certificates = items.flatMap(({ kind }, index) => (kind === 'certificate' ? [index] : []));
  if (certificates.length < 2) return undefined;
  const inOrder = certificates.every(
    (index, at) => at === certificates.length - 1 || signers[index]?.by === certificates[at + 1],
  );
  if (inOrder) return 'In order: each certificate is followed by its issuer.';
  const issuers = new Set(
    certificates.map((index) => signers[index]?.by).filter((by, at) => by !== certificates[at]),
  );
  const first = certificates.find((index) => !issuers.has(index));
  /** @type {number[]} */
  const path = [];
  for (let at = first; at !== undefined && !path.includes(at); at = signers[at]?.by) path.push(at);
  if (path.length < certificates.length)
    return 'Not one chain: some certificates are not signed by any other here.';
  return `Not in order. A server should send: ${path.map((index) => index + 1).join(', ')}.`;
}
