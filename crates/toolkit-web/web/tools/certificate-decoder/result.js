//! The result for a certificate, a chain, a request or a CRL.
import { headline, list, refuse, table, textOutput } from '../../kit/tool.js';
import { writePem } from '../../lib/keys/pem.js';
import { momentText } from '../../lib/x509/values.js';
import { signersOf } from '../../lib/x509/verify.js';
import { details } from './details.js';
import { readItems } from './input.js';
import { chainRows, flagsOf, orderOf } from './judge.js';
import { matching } from './match.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Item } from '../../lib/x509/x509.js' */

const LABELS = { certificate: 'CERTIFICATE', request: 'CERTIFICATE REQUEST', crl: 'X509 CRL' };

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
  const item = items[show - 1];
  if (!item)
    return refuse(
      'show',
      `must be ${items.length === 1 ? '' : 'from 1 to '}${items.length}: the text holds no more`,
    );
  const signers = await signersOf(items);
  const now = context.now().getTime();
  const notes = flagsOf(item, now);
  // For one certificate its fields come first, for several their order in the chain.
  const chain = table(['Number', 'Signed by', 'Signature'], chainRows(items, signers));
  const match = key.empty ? undefined : matching(key.string, items, context.warn);
  return {
    headline: (await match) ?? (items.length === 1 ? validityOf(item, now) : undefined),
    overview:
      items.length > 1
        ? table(
            ['Number', 'Kind', 'Subject or issuer', 'Valid until'],
            items.map((one, index) => [
              index + 1,
              one.kind,
              one.subject || one.issuer,
              one.until && momentText(one.until),
            ]),
          )
        : undefined,
    ...(items.length > 1 && { chain }),
    order: items.length > 1 ? orderOf(items, signers) : undefined,
    notes: notes.length ? list(notes) : undefined,
    details: await details(item),
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
    ...(items.length === 1 && { chain }),
    pem: textOutput(writePem(LABELS[item.kind], item.der), { file: `${item.kind}.pem` }),
  };
}
