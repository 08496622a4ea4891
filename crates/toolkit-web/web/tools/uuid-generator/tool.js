//! Generates UUIDs of every version, and reads one. Standard: RFC 9562.

import { choice, line, list, number, pairs, Refusal, tool } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';

/** @import * as T from '../../kit/types.d.ts' */

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const VERSIONS = {
  v4: '4 (random)',
  v7: '7 (sorts by time)',
  v1: '1 (time, then a random node)',
  v6: '6 (version 1, sorted by time)',
  v5: '5 (SHA-1 of a name)',
  v3: '3 (MD5 of a name)',
};
const NAMED = ['v3', 'v5'];
/** @type {Record<string, (uuid: string) => string>} */
const FORMS = {
  plain: (uuid) => uuid,
  upper: (uuid) => uuid.toUpperCase(),
  compact: (uuid) => uuid.replaceAll('-', ''),
  braces: (uuid) => `{${uuid}}`,
  urn: (uuid) => `urn:uuid:${uuid}`,
};
/** Between 1582-10-15 and 1970, in units of 100 ns. */
const GREGORIAN = 0x01b21dd213814000n;

/**
 * `count` in ascending order where the version has a time.
 * @param {string} version @param {number} count @param {T.Context} context
 */
async function generated(version, count, { random, now }) {
  const uuid = await import('../../libraries/uuid.js');
  const msecs = now().getTime();
  const first = random(16);
  const seq = new DataView(first.buffer).getUint32(0) >>> 1;
  return Array.from({ length: count }, (_, at) => {
    const bytes = at === 0 ? first : random(16);
    if (version === 'v7') return uuid.v7({ random: bytes, msecs, seq: seq + at });
    if (version === 'v4') return uuid.v4({ random: bytes });
    const options = { random: first, msecs: msecs + Math.floor(at / 10_000), nsecs: at % 10_000 };
    return version === 'v1' ? uuid.v1(options) : uuid.v6(options);
  });
}

/** @param {bigint} ticks of 100 ns since 1582 */
const gregorian = (ticks) => new Date(Number((ticks - GREGORIAN) / 10_000n)).toISOString();

/** The time at the beginning of some versions. @param {number} version @param {string} digits */
function timeOf(version, digits) {
  if (version === 7) return new Date(Number(`0x${digits.slice(0, 12)}`)).toISOString();
  if (version === 6) return gregorian(BigInt(`0x${digits.slice(0, 12)}${digits.slice(13, 16)}`));
  const [low, middle, high] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)];
  return version === 1 ? gregorian(BigInt(`0x${high}${middle}${low}`)) : undefined;
}

/** @param {string} digits @returns {string} */
function variantOf(digits) {
  const bits = Number.parseInt(digits.charAt(16), 16);
  if (bits < 8) return 'NCS, obsolete';
  if (bits < 12) return 'RFC 9562';
  return bits < 14 ? 'Microsoft, obsolete' : 'reserved';
}

/** The parts of a UUID. @param {string} typed */
function facts(typed) {
  const inner = typed
    .trim()
    .replace(/^urn:uuid:/i, '')
    .replace(/^\{(.*)\}$/, '$1');
  const digits = inner.replaceAll('-', '').toLowerCase();
  const foreign = /[^\da-f{}-]/i.exec(inner);
  if (foreign)
    throw new Refusal(`has "${foreign[0]}", which is not a hexadecimal digit`, {
      at: typed.indexOf(inner) + foreign.index,
    });
  if (digits.length !== 32)
    throw new Refusal(`has ${digits.length} hexadecimal digits where a UUID has 32`);
  const isSpecial = /^(?:0+|f+)$/.test(digits);
  const version = Number.parseInt(digits.charAt(12), 16);
  const variant = variantOf(digits);
  const known = !isSpecial && variant === 'RFC 9562';
  const time = known ? timeOf(version, digits) : undefined;
  const written = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const isTimed = known && (version === 1 || version === 6);
  /** @type {[string, T.Cell][]} */
  const rows = [
    ['UUID', written],
    ['Version', isSpecial ? (digits.startsWith('0') ? 'nil' : 'max') : known ? version : undefined],
    ['Variant', variant],
    ['Time (UTC)', time],
    ['Clock sequence', isTimed ? Number(`0x${digits.slice(16, 20)}`) & 0x3fff : undefined],
    ['Node', isTimed ? digits.slice(20).replace(/(..)(?=.)/g, '$1:') : undefined],
    ['Number', String(BigInt(`0x${digits}`))],
  ];
  return pairs(rows.filter(([, cell]) => cell !== undefined));
}

export default tool({
  verb: 'Generate',
  fields: {
    version: choice('Version', VERSIONS, { beside: ['v4', 'v7'] }),
    count: number('Count', { value: 1, min: 1, max: 1000 }),
    name: line('Name', {
      when: { version: NAMED },
      help: 'Enter a name. The same name always gives the same UUID.',
    }),
    namespace: choice(
      'Namespace',
      {
        [DNS]: 'Domain name',
        [DNS.replace('b810', 'b811')]: 'URL',
        [DNS.replace('b810', 'b812')]: 'Object identifier (OID)',
        [DNS.replace('b810', 'b814')]: 'X.500 name',
      },
      { when: { version: NAMED } },
    ),
    form: choice('Form', {
      plain: 'Lower case',
      upper: 'Capital letters',
      compact: 'Without hyphens',
      braces: 'In braces',
      urn: 'As a URN',
    }),
    inspect: line('UUID to read', { code: true }),
  },
  labels: { parts: 'UUID parts' },
  start: true,
  async run({ version, count, name, namespace, form, inspect }, context) {
    if (inspect.trim()) return { parts: inField('inspect', inspect, () => facts(inspect)) };
    const write = FORMS[form] ?? String;
    if (!NAMED.includes(version))
      return { result: list((await generated(version, count, context)).map(write)) };
    const { v3, v5 } = await import('../../libraries/uuid.js');
    const made = (version === 'v3' ? v3 : v5)(name, namespace);
    return { result: list([write(made)]) };
  },
  product: ({ count }) => ({ result: count === 1 ? 'UUID' : 'UUIDs' }),
  examples: [
    {
      title: 'Two random UUIDs (version 4)',
      values: { count: 2 },
    },
    { title: 'Two UUIDs that sort by time (version 7)', values: { version: 'v7', count: 2 } },
    {
      title: 'The UUID of a domain name (version 5)',
      values: { version: 'v5', name: 'www.example.com' },
    },
    {
      title: 'The time in a UUID',
      values: { inspect: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f' },
    },
  ],
});
