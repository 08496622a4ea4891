//! Digests and HMACs of texts and files, all at once, and comparison with a checksum. Standards: RFC 1321, FIPS 180-4, FIPS 202,
//! RFC 2104, the specification of BLAKE3, ISO/IEC 3309 for CRC-32.

import {
  attempt,
  choice,
  files,
  headline,
  line,
  pairs,
  refuse,
  secret,
  table,
  text,
  tool,
} from '../../kit/tool.js';
import { bareOf } from '../../lib/around.js';
import { fromAnyBase64, fromHex, toBase64, toBase64Url, toHex, toUtf8 } from '../../lib/bytes.js';
import { inField } from '../../lib/positions.js';
import { Crc32 } from './crc32.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @typedef {{ name: string, blob: Blob }} Source */

const NAMES = /** @type {const} */ ({
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
  sha3_256: 'SHA3-256',
  sha3_512: 'SHA3-512',
  blake3: 'BLAKE3',
  crc32: 'CRC-32',
});
/** @typedef {keyof typeof NAMES} Name */
const ALL = /** @type {Name[]} */ (Object.keys(NAMES));
/** Of files, unless a checksum is compared with: others take as long as all of these. */
const USUAL = /** @type {Name[]} */ (['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'crc32']);
/** Of digests in hexadecimal digits. */
const LENGTHS = [8, 32, 40, 64, 96, 128];
const BROKEN = ['md5', 'sha1'];
/** No hashes of a message with a key: BLAKE3 has a way of its own, and CRC-32 none. */
const KEYLESS = ['blake3', 'crc32'];
/** Read at once of a file. */
const PART_BYTES = 4 << 20;

/** @type {Record<string, (bytes: Uint8Array) => string>} */
const WRITE = { hex: (bytes) => toHex(bytes), base64: toBase64, base64url: toBase64Url };
/** @type {Record<string, (typed: string) => Uint8Array>} */
const READ = {
  utf8: toUtf8,
  hex: (typed) => fromHex(bareOf(typed).replace(/^0x/i, '')),
  base64: (typed) => fromAnyBase64(bareOf(typed)),
};
/** What a key in an encoding looks like. */
const LOOKS = Object.entries({
  hex: /^(?:[\da-f]{2}){16,}$/i,
  base64: /^(?:[\w+/-]{4}){5,}(?:[\w+/-]{3}=|[\w+/-]{2}==)$/,
});
/** What a key may begin with, and how the rest is read. */
const PREFIXES = Object.entries({ 'hex:': 'hex', 'base64:': 'base64', whsec_: 'base64' });
const ENCODINGS = { utf8: 'UTF-8 text', hex: 'Hexadecimal', base64: 'Base64' };

/** A key as text, unless it begins with its encoding. @param {string} typed @param {T.Context} context */
function keyOf(typed, { warn }) {
  const bare = typed.replace(/^[\s"'`]+/, '').replace(/(?<![\s"'`])[\s"'`]+$/, '');
  const isFirst = (/** @type {string} */ prefix) => bare.toLowerCase().startsWith(prefix);
  const [prefix, encoding = ''] = PREFIXES.find(([prefix]) => isFirst(prefix)) ?? [];
  const plain = bare.replace(/^0x/i, '').replace(/[\s:"']/g, '');
  const [looks] = LOOKS.find(([, form]) => form.test(plain)) ?? [];
  if (!prefix && looks)
    warn(`The key was taken as text. If it is ${looks}, put \`${looks}:\` in front of it.`);
  if (!prefix) return toUtf8(typed);
  const read = attempt(() => READ[encoding]?.(bare.slice(prefix.length)));
  const how = read?.length ? 'so the rest was read as' : 'but the rest is not';
  const text = read?.length ? '' : ': all of it was taken as text';
  warn(`The key begins with \`${prefix}\`, ${how} ${encoding}${text}.`);
  return read?.length ? read : toUtf8(typed);
}

/** The digests of a source by each algorithm, read once in parts. @param {Source} source @param {readonly Name[]} names @param {Uint8Array | undefined} key @param {(bytes: number) => void} told */
async function digests({ blob }, names, key, told) {
  const library = await import('../../libraries/noble-hashes.js');
  const states = names.map((name) => {
    if (name === 'crc32') return new Crc32();
    return key ? library.hmac.create(library[name], key) : library[name].create();
  });
  for (let at = 0; at < blob.size; at += PART_BYTES) {
    const part = new Uint8Array(await blob.slice(at, at + PART_BYTES).arrayBuffer());
    for (const state of states) state.update(part);
    told(part.length);
  }
  return states.map((state) => state.digest());
}

/** Algorithms that are not computed, some of which make digests as long as those that are. */
const OTHERS =
  /(?<!\w)(?:sha-?224|sha2?-?512[/_-]2\d\d|sha-?3-?(?:224|384)|shake|blake2\w*|ripemd-?\d*|rmd160|whirlpool|sm3)/i;
/** What precedes the end of a digest, where the name of a file is no algorithm. */
const BEFORE = /^.*(?=[\w+/]{22}|(?:[\da-f]{2}[:\s-]+){15})/is;
/** What stands right before digits that could be a part of them: `sha512-`, `sha256:`. */
const LABEL = /(?<![\w+/])(?:--hash=)?(?:md5|sha\d?(?:-?\d{3})?|blake3|crc-?32)[-:=]/gi;
const GROUPS = /(?<!\w)[\da-f]{2,8}(?:[:\s-]+[\da-f]{2,8})+(?!\w)/gi;
const DIGITS = /(?<![\w+/])[\da-f]{8,}(?![\w+/=])/gi;
const BASE64 = /(?<![\w+/])(?![\da-f]+\b)[\w+/-]{22,88}={0,2}(?![\w+/=])/gi;

/** What may be digests in a line as programs write and read it, in hexadecimal digits. @param {string} typed */
function checksumsOf(typed) {
  const bare = typed.replaceAll(LABEL, ' ');
  const all = (/** @type {RegExp} */ form) => (bare.match(form) ?? []).map(String);
  const digits = [...all(DIGITS), ...all(GROUPS).map((text) => text.replaceAll(/[:\s-]/g, ''))];
  // Beside a digest, eight digits are a date.
  const least = digits.some((one) => one.length >= 32) ? 9 : 8;
  return [
    ...digits.filter((one) => one.length >= least),
    ...all(BASE64).flatMap((text) => attempt(() => toHex(fromAnyBase64(text))) ?? []),
  ].map((digits) => digits.toLowerCase());
}

/** @param {string} compare @param {{ source: Source, name: Name, digest: Uint8Array }[]} all @param {boolean} isEmpty whether there is nothing yet to compare with it */
function comparison(compare, all, isEmpty) {
  if (compare.trim() === '') return undefined;
  const not = (/** @type {string} */ why) => headline(`Not compared: ${why}`, { tone: 'note' });
  const checksums = checksumsOf(compare);
  const hex = all.map(({ source, name, digest }) => ({ source, name, digits: toHex(digest) }));
  const equal = hex.filter(({ digits }) => checksums.includes(digits));
  const told = equal.map(
    ({ source, name }) => `${NAMES[name]}${source.name && ` of ${source.name}`}`,
  );
  if (equal.length > 0) return headline(`Same: it is the ${told.join(', ')}`, { tone: 'good' });
  const [before = ''] = BEFORE.exec(compare) ?? [];
  const [other] = OTHERS.exec(before.replaceAll(/\([^()]*\)/g, '')) ?? [];
  if (other) return not(`${other} is none of these algorithms`);
  const alike = hex.filter(({ digits }) => checksums.some((one) => one.length === digits.length));
  const [first] = alike;
  if (first && isEmpty)
    return headline(
      `${first.digits.length} hexadecimal digits: the length of ${alike.map(({ name }) => NAMES[name]).join(', ')}`,
      { tone: 'note', below: 'Enter the text, or choose the file, to compare.' },
    );
  if (first) return headline('Different: no digest is this checksum', { tone: 'bad' });
  const long = checksums.find((one) => LENGTHS.includes(one.length));
  if (long) return not(`${4 * long.length} bits are the length of another algorithm`);
  return not('this is not a checksum of a known length');
}

/** @param {readonly Name[]} names @param {boolean} isKeyed @param {T.Context} context */
function warnOfBroken(names, isKeyed, { warn }) {
  const [name = ''] = names.length === 1 ? names : [];
  if (!BROKEN.includes(name)) return;
  const label = NAMES[/** @type {Name} */ (name)];
  warn(
    isKeyed
      ? `HMAC with ${label} is outdated (RFC 6151, RFC 6194); use SHA-256 for new uses.`
      : `${label} is broken: two texts with one digest can be made. Use SHA-256 for security.`,
  );
}

/** A strong digest as what the tool for bytes takes. @param {{ name: Name, digest: Uint8Array }[]} all @returns {T.Opens} */
const opensOf = (all) => [
  'hex-encoder',
  {
    mode: 'decode',
    text: toHex(all.find(({ name }) => name === 'sha256')?.digest ?? new Uint8Array()),
  },
];

export default tool({
  fields: {
    text: text('Text'),
    files: files('Files', {
      stream: true,
      max: Number.MAX_SAFE_INTEGER,
      count: 1000,
      help: 'Choose files of any size, in place of the text.',
    }),
    algorithm: choice('Algorithm', { all: 'All', ...NAMES }),
    compare: line('Expected checksum', { code: true }),
    key: secret('Key', {
      help: 'Enter a key to get HMACs. Put `hex:`, `base64:` or `whsec_` in front to say how the rest is read.',
    }),
    encoding: choice('Digest format', {
      hex: 'Hexadecimal',
      base64: 'Base64',
      base64url: 'Base64url',
    }),
    input_encoding: choice('Text format', ENCODINGS),
    key_encoding: choice('Key format', ENCODINGS),
  },
  more: 'key',
  limits: { seconds: 7200 },
  async run(values, context) {
    const { text, files, algorithm, compare, encoding } = values;
    const typed = values.key;
    const key = inField('key', typed, () => {
      if (typed === '') return undefined;
      return values.key_encoding === 'utf8'
        ? keyOf(typed, context)
        : READ[values.key_encoding]?.(typed.replace(/^whsec_/, ''));
    });
    const content = () =>
      values.input_encoding === 'utf8'
        ? text.bytes
        : inField('text', text.raw, () => (READ[values.input_encoding] ?? toUtf8)(text.raw));
    /** @type {Source[]} */
    const sources =
      files.length > 0
        ? files.map(({ name, bytes, blob }) => ({
            name,
            blob: blob ?? new Blob([/** @type {BlobPart} */ (bytes)]),
          }))
        : [{ name: '', blob: new Blob([/** @type {BlobPart} */ (content())]) }];
    const isKeyed = key !== undefined;
    if (isKeyed && KEYLESS.includes(algorithm))
      refuse('algorithm', `is ${NAMES[/** @type {Name} */ (algorithm)]}, which makes no HMAC`, {
        hint: 'Leave the key empty, or choose another.',
      });
    const wanted = files.length > 0 && compare.trim() === '' ? USUAL : ALL;
    const all = wanted.filter((name) => !(isKeyed && KEYLESS.includes(name)));
    const names = algorithm === 'all' ? all : [algorithm];
    warnOfBroken(names, key !== undefined, context);
    const total = sources.reduce((sum, { blob }) => sum + blob.size, 0);
    let done = 0;
    /** @type {{ source: Source, name: Name, digest: Uint8Array }[]} */
    const rows = [];
    for (const source of sources) {
      const made = await digests(source, names, key, (bytes) => {
        done += bytes;
        context.progress(done, total);
      });
      made.forEach((digest, at) => {
        rows.push({ source, name: names[at] ?? 'sha256', digest });
      });
    }
    const write = WRITE[encoding] ?? toHex;
    const label = (/** @type {Name} */ name) => `${key ? 'HMAC-' : ''}${NAMES[name]}`;
    const isEmpty = sources.every(({ blob }) => blob.size === 0);
    const answer = comparison(compare, rows, isEmpty);
    if (files.length > 1)
      return {
        headline: answer,
        result: table(
          ['File', 'Algorithm', 'Digest'],
          rows.map(({ source, name, digest }) => [source.name, label(name), write(digest)]),
        ),
      };
    if (names.length === 1)
      return { headline: answer, result: write(rows[0]?.digest ?? new Uint8Array()) };
    return {
      headline: answer,
      result: pairs(
        rows.map(({ name, digest }) => [label(name), write(digest)]),
        { opens: [opensOf(rows)], main: label('sha256') },
      ),
    };
  },
  product: { result: 'hash' },
  examples: [
    {
      title: 'All digests of a text',
      values: { text: 'abc' },
    },
    {
      title: 'HMAC with a key, in Base64',
      values: {
        text: 'what do ya want for nothing?',
        algorithm: 'sha256',
        key: 'Jefe',
        encoding: 'base64',
      },
    },
    {
      title: 'A checksum to compare with',
      values: { text: 'abc', compare: 'a9993e364706816aba3e25717850c26c9cd0d89d  abc.txt' },
    },
    {
      title: 'MD5 (broken) of bytes given as hexadecimal digits',
      values: { text: '616263', input_encoding: 'hex', algorithm: 'md5' },
    },
  ],
});
