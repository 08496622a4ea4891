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

/** @param {Item} item @param {number} now @returns {[string, string][]} */
function validity({ from, until }, now) {
  /** @type {[string, string][]} */
  const rows = [];
  if (from) rows.push(['Valid from', momentText(from)]);
  if (!until) return rows;
  const days = Math.floor((until.getTime() - now) / 86_400_000);
  rows.push(
    ['Valid until', momentText(until)],
    ['Days left', days < 0 ? `expired ${-days} days ago` : String(days)],
  );
  return rows;
}

/** @param {Item} item @param {number} now */
export async function details(item, now) {
  const { kind, subject, issuer, serial, version, spki, der, revoked, attributes } = item;
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
  const times = validity(item, now);
  rows.push(
    ...(kind === 'crl'
      ? times
          .filter(([label]) => label !== 'Days left')
          .map(
            ([label, value]) =>
              /** @type {[string, string]} */ ([
                label === 'Valid from' ? 'This update' : 'Next update',
                value,
              ]),
          )
      : times),
  );
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
