//! Sentences about certificates, tokens and times, for `peel`. Nothing is verified.

import { toBase64 } from '../bytes.js';
import { readStructure } from '../x509/x509.js';
import { span } from '../zones.js';

/** @import { Layer } from './peel.js' */

const DAY = 86_400_000;
const NAMES_MAX = 4;

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** How long something is valid. @param {number} until @param {number} now in milliseconds */
function validity(until, now) {
  const days = Math.floor(Math.abs(until - now) / DAY);
  const count = days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
  const date = dates.format(until);
  return until < now ? `expired ${count} ago, on ${date}` : `${count} left, until ${date}`;
}

/** A certificate in DER: its names, and its days. @param {Uint8Array} der @param {number} now @returns {Layer | undefined} */
export function certificate(der, now) {
  if (der[0] !== 0x30 || der.length < 100) return undefined;
  try {
    const [item] = readStructure(der);
    if (!item) return undefined;
    const names = item.extensions.find(({ oid }) => oid === '2.5.29.17')?.lines ?? [];
    const common = /(?:^|,)CN=((?:\\.|[^,\\])*)/.exec(item.subject)?.[1];
    const all = names.length > 0 ? names.map((name) => name.replace(/^\w+:/, '')) : [common];
    const shown = all.filter(Boolean).slice(0, NAMES_MAX).join(', ') || item.subject || item.issuer;
    const more = all.length > NAMES_MAX ? ` and ${all.length - NAMES_MAX} more` : '';
    const kind = { certificate: 'Certificate', request: 'Certificate request', crl: 'CRL' }[
      item.kind
    ];
    const dated = item.until ? `: ${validity(item.until.getTime(), now)}` : '';
    return {
      said: `${kind} of ${shown}${more}${dated}`,
      isValue: true,
      opens: [['certificate-decoder', { text: toBase64(der) }]],
    };
  } catch {
    return undefined;
  }
}

/** A point in time in UTC, and how far it is. @param {number} ms @param {number} now */
export function moment(ms, now) {
  const distance = span((ms - now) / 1000);
  const far = Math.abs(ms - now) < 1000 ? 'now' : ms < now ? `${distance} ago` : `in ${distance}`;
  return `${times.format(ms).replace(' at ', ', ')} UTC: ${far}`;
}

/** When a token expires. @param {Record<string, any>} claims @param {number} now */
export function expiry({ exp, nbf }, now) {
  if (typeof nbf === 'number' && nbf * 1000 > now) return `valid only in ${span(nbf - now / 1000)}`;
  if (typeof exp !== 'number') return 'does not expire';
  const distance = span(exp - now / 1000);
  return exp * 1000 > now ? `expires in ${distance}` : `expired ${distance} ago`;
}
