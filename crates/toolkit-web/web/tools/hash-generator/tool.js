//! Digests and HMACs of texts and files, all at once, and comparison with a checksum. Standards: RFC 1321, FIPS 180-4, FIPS 202,
//! RFC 2104, the specification of BLAKE3, ISO/IEC 3309 for CRC-32.

import {
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
const BROKEN = ['md5', 'sha1'];
/** No hashes of a message with a key: BLAKE3 has a way of its own, and CRC-32 none. */
const KEYLESS = ['blake3', 'crc32'];
/** Read at once of a file. */
const PART_BYTES = 4 << 20;

/** @type {Record<string, (bytes: Uint8Array) => string>} */
const WRITE = { hex: (bytes) => toHex(bytes), base64: toBase64, base64url: toBase64Url };
/** @type {Record<string, (typed: string) => Uint8Array>} */
const READ = { utf8: toUtf8, hex: fromHex, base64: fromAnyBase64 };
const ENCODINGS = { utf8: 'UTF-8 text', hex: 'Hexadecimal', base64: 'Base64' };

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

/** Digits of a checksum as pasted, also from a line of `sha256sum`. @param {string} typed */
function checksumOf(typed) {
  const [first = ''] = typed
    .trim()
    .replace(/^[a-z]+-?\d*[:= ]\s*(?=\S{22})/i, '')
    .split(/\s/);
  return /^[\da-f]+$/i.test(first) && first.length >= 8 && first.length % 8 === 0
    ? first.toLowerCase()
    : first;
}

/** Whether a checksum in hexadecimal, Base64 or Base64url is this digest. @param {string} checksum @param {Uint8Array} digest */
const isSame = (checksum, digest) =>
  [toHex(digest), toBase64(digest), toBase64Url(digest)].includes(checksum);

/** @param {string} compare @param {{ source: Source, name: Name, digest: Uint8Array }[]} all */
function comparison(compare, all) {
  const checksum = checksumOf(compare);
  if (checksum === '') return undefined;
  const equal = all.filter(({ digest }) => isSame(checksum, digest));
  if (equal.length === 0) return headline('Different: no digest is this checksum', { tone: 'bad' });
  const told = equal.map(
    ({ source, name }) => `${NAMES[name]}${source.name && ` of ${source.name}`}`,
  );
  return headline(`Same: it is the ${told.join(', ')}`, { tone: 'good' });
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
    key: secret('Key', { help: 'Enter a key to get HMACs.' }),
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
    const key = inField('key', typed, () =>
      typed === '' ? undefined : (READ[values.key_encoding] ?? toUtf8)(typed),
    );
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
    const answer = comparison(compare, rows);
    if (files.length > 0)
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
        { opens: [opensOf(rows)] },
      ),
    };
  },
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
      warnings: ['MD5 is broken: two texts with one digest can be made. Use SHA-256 for security.'],
    },
  ],
});
