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

const KINDS = {
  certificate: 'Certificate',
  request: 'Certificate request',
  crl: 'Certificate revocation list',
};

/** @param {Item} item @param {string} signer whose signature it is */
export async function details(item, signer) {
  const { kind, subject, issuer, serial, version, spki, der, revoked, attributes } = item;
  const { from, until } = item;
  const key = keyFacts(item);
  const isList = kind === 'crl';
  /** @type {(readonly [string, T.Cell])[]} */
  const rows = [
    ['Kind', KINDS[kind]],
    ['Version', kind === 'request' ? undefined : version],
    ['Subject', isList ? undefined : subject || '(empty)'],
    ['Issuer', kind === 'request' ? undefined : issuer],
    ['Serial number', serial],
    [isList ? 'This update' : 'Valid from', from && momentText(from)],
    [isList ? 'Next update' : 'Valid until', until && momentText(until)],
    [
      'Key',
      key && [key.algorithm, key.bits && `${key.bits} bits`, key.detail].filter(Boolean).join(', '),
    ],
    ['Signature', signatureName(item)],
    ['Signed by', signer],
    ['Revoked certificates', isList ? revoked.length : undefined],
    ['Other attributes', attributes.map(nameOf).join(', ')],
    ['SHA-256 fingerprint', hexOf(await digest('SHA-256', der))],
    ['SHA-1 fingerprint', hexOf(await digest('SHA-1', der))],
    ['SPKI pin (SHA-256)', spki && toBase64(await digest('SHA-256', spki.raw))],
  ];
  return pairs(rows.filter(([, cell]) => cell !== undefined && cell !== ''));
}
