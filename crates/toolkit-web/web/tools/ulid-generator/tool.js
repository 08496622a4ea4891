//! Generates ULIDs in ascending order, and reads one. Standard: the ULID specification.

import { line, list, number, pairs, Refusal, tool } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The parts of a ULID. @param {string} typed */
async function facts(typed) {
  const { decodeTime } = await import('../../libraries/ulid.js');
  const ulid = typed.trim().toUpperCase();
  const foreign = /[^\dA-HJKMNP-TV-Z]/u.exec(ulid);
  if (foreign)
    throw new Refusal(`has "${foreign[0]}", which no ULID has`, {
      at: typed.search(/\S/) + foreign.index,
      hint: 'Use digits, and letters except I, L, O and U.',
    });
  if (ulid.length !== 26) throw new Refusal(`has ${ulid.length} characters where a ULID has 26`);
  if (ulid > '7ZZZZZZZZZZZZZZZZZZZZZZZZZ')
    throw new Refusal('is beyond the largest ULID, which begins with 7');
  const value = [...ulid].reduce((sum, digit) => sum * 32n + BigInt(DIGITS.indexOf(digit)), 0n);
  const hex = value.toString(16).padStart(32, '0');
  return pairs([
    ['Time (UTC)', new Date(decodeTime(ulid)).toISOString()],
    ['Milliseconds since 1970', decodeTime(ulid)],
    ['Random part', ulid.slice(10)],
    ['As a UUID', hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')],
  ]);
}

export default tool({
  verb: 'Generate',
  options: 'count',
  fields: {
    count: number('Count', { value: 1, min: 1, max: 1000 }),
    inspect: line('ULID to read', { code: true }),
  },
  labels: { parts: 'ULID parts' },
  start: true,
  async run({ count, inspect }, { now, random }) {
    const { monotonicFactory } = await import('../../libraries/ulid.js');
    const parts = inspect.trim()
      ? await inField('inspect', inspect, () => facts(inspect))
      : undefined;
    // The library derives a digit from each number below 1.
    const next = monotonicFactory(() => Number(random(1)[0]) / 256);
    const time = now().getTime();
    return { parts, result: list(Array.from({ length: count }, () => next(time))) };
  },
  product: ({ count }) => ({ result: count === 1 ? 'ULID' : 'ULIDs' }),
  examples: [
    {
      title: 'Two ULIDs in one millisecond, each above the last',
      values: { count: 2 },
    },
    {
      title: 'The time in a ULID',
      values: { inspect: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    },
  ],
});
