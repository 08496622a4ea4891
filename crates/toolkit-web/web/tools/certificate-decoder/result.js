//! The result for a certificate, a chain, a request or a CRL.
import { attempt, headline, list, table, textOutput } from '../../kit/tool.js';
import { writePem } from '../../lib/keys/pem.js';
import { numbered } from '../../lib/rows.js';
import { momentText } from '../../lib/x509/values.js';
import { signersOf } from '../../lib/x509/verify.js';
import { details } from './details.js';
import { readItems } from './input.js';
import { flagsOf, orderOf, signerOf } from './judge.js';
import { matching } from './match.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Item } from '../../lib/x509/x509.js' */

const LABELS = { certificate: 'CERTIFICATE', request: 'CERTIFICATE REQUEST', crl: 'X509 CRL' };

/** Private keys pasted with their certificate; an encrypted one with a header cannot be compared. */
const PRIVATE = /-----BEGIN (?<label>[A-Z ]*PRIVATE KEY)-----[^-]*-----END \k<label>-----/g;

const DAY = 86_400_000;

/** Whether an item is valid, and for how long. @param {Item} item @param {number} now */
function validityOf({ from, until }, now) {
  if (!until) return undefined;
  const days = (/** @type {number} */ time) => {
    const count = Math.floor(Math.abs(time - now) / DAY);
    return count === 1 ? '1 day' : `${count.toLocaleString('en')} days`;
  };
  if (from && from.getTime() > now)
    return headline(`Not valid for another ${days(from.getTime())}`, { tone: 'bad' });
  if (until.getTime() < now)
    return headline(`Expired ${days(until.getTime())} ago`, { tone: 'bad' });
  return headline(`Valid for ${days(until.getTime())}`, { tone: 'good' });
}

/** @param {{ text: T.TextValue, show: number, key: T.TextValue }} values @param {T.Context} context */
export async function decoded({ text, show, key }, context) {
  const items = readItems(text, context);
  const { item, which } = numbered('show', show, items, 'Number', 'text holds');
  const signers = await signersOf(items);
  const now = context.now().getTime();
  // DER is no text.
  const beside = attempt(() => text.string)
    ?.match(PRIVATE)
    ?.join('\n');
  const match = key.empty
    ? beside && (await matching(beside, items, context.warn).catch(() => undefined))
    : await matching(key.string, items, context.warn);
  const validity = items.length === 1 ? validityOf(item, now) : undefined;
  const notes = flagsOf(item, now, validity !== undefined);
  return {
    headline: match ? { ...match, below: validity?.text } : validity,
    took: which,
    overview:
      items.length > 1
        ? table(
            ['Number', 'Kind', 'Subject or issuer', 'Valid until', 'Signed by'],
            items.map((one, index) => [
              index + 1,
              one.kind,
              one.subject || one.issuer,
              one.until && momentText(one.until),
              signerOf(signers, index),
            ]),
          )
        : undefined,
    order: items.length > 1 ? orderOf(items, signers) : undefined,
    notes: notes.length ? list(notes) : undefined,
    details: await details(item, signerOf(signers, show - 1)),
    extensions: item.extensions.length
      ? table(
          ['Extension', 'Critical', 'Value'],
          item.extensions.map(({ name, critical, lines }) => [
            name,
            critical ? 'yes' : 'no',
            lines.join('\n'),
          ]),
        )
      : undefined,
    revoked: item.revoked.length
      ? table(
          ['Serial number', 'Since', 'Reason'],
          item.revoked.map(({ serial, date, reason }) => [serial, momentText(date), reason]),
          { file: 'revoked.csv' },
        )
      : undefined,
    pem: textOutput(writePem(LABELS[item.kind], item.der), { file: `${item.kind}.pem` }),
  };
}
