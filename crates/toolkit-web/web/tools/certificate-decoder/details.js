//! The fields of a certificate, request or CRL as rows. Standard: RFC 5280.
import { pairs } from '../../kit/tool.js';
import { toBase64 } from '../../lib/bytes.js';
import { hexOf, momentText, nameOf } from '../../lib/x509/values.js';
import { keyFacts, signatureName } from '../../lib/x509/x509.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Item } from '../../lib/x509/x509.js' */

/** @param {'SHA-256' | 'SHA-1'} name @param {Uint8Array} bytes */
const digest = async (name, bytes) =>
  new Uint8Array(await crypto.subtle.digest(name, /** @type {BufferSource} */ (bytes)));

/** @param {Item} item */
export async function details(item) {
  const { kind, subject, issuer, serial, version, spki, der, revoked, attributes } = item;
  const { from, until } = item;
  const key = keyFacts(item);
  /** @type {[string, T.Cell][]} */
  const rows = [
    [
      'Kind',
      {
        certificate: 'Certificate',
        request: 'Certificate request',
        crl: 'Certificate revocation list',
      }[kind],
    ],
  ];
  if (kind !== 'request') rows.push(['Version', version]);
  if (kind !== 'crl') rows.push(['Subject', subject || '(empty)']);
  if (kind !== 'request') rows.push(['Issuer', issuer]);
  if (serial) rows.push(['Serial number', serial]);
  const isList = kind === 'crl';
  if (from) rows.push([isList ? 'This update' : 'Valid from', momentText(from)]);
  if (until) rows.push([isList ? 'Next update' : 'Valid until', momentText(until)]);
  if (key)
    rows.push([
      'Key',
      [key.algorithm, key.bits && `${key.bits} bits`, key.detail].filter(Boolean).join(', '),
    ]);
  rows.push(['Signature', signatureName(item)]);
  if (kind === 'crl') rows.push(['Revoked certificates', revoked.length]);
  if (attributes.length) rows.push(['Other attributes', attributes.map(nameOf).join(', ')]);
  rows.push(
    ['SHA-256 fingerprint', hexOf(await digest('SHA-256', der))],
    ['SHA-1 fingerprint', hexOf(await digest('SHA-1', der))],
  );
  if (spki) rows.push(['SPKI pin (SHA-256)', toBase64(await digest('SHA-256', spki.raw))]);
  return pairs(rows);
}
