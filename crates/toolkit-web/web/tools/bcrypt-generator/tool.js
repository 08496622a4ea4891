//! bcrypt hashes of passwords. Standards: Provos and Mazières 1999, the prefixes of OpenBSD and crypt_blowfish.
import {
  choice,
  headline,
  line,
  number,
  pairs,
  refuse,
  secret,
  toggle,
  tool,
} from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { hashIn, readBcrypt } from './parts.js';

const LONGEST = 72;
/** The least that OWASP recommends. */
const COST_SAFE = 10;

/** Refuses what bcrypt cannot hash whole. @param {string} password @param {boolean} cut @param {(sentence: string) => void} warn */
function check(password, cut, warn) {
  if (!password.isWellFormed())
    refuse('password', 'contains half of a surrogate pair, which UTF-8 cannot hold');
  const nul = password.indexOf('\0');
  if (nul >= 0)
    refuse('password', 'contains NUL, where bcrypt ends', {
      offset: [...password.slice(0, nul)].length,
    });
  const { length } = new TextEncoder().encode(password);
  if (length <= LONGEST) return;
  if (!cut)
    refuse('password', `has ${length} bytes in UTF-8; bcrypt reads ${LONGEST}`, {
      hint: 'Tick "Truncate long passwords" to hash the first 72 bytes, as most programs do silently.',
    });
  warn(`Only the first ${LONGEST} of ${length} bytes count.`);
}

/** @param {(done: number, total: number) => void} progress */
const reporter = (progress) => (/** @type {number} */ part) => progress(part, 1);

/**
 * The library's types allow progress only with callbacks; without one it returns a promise.
 * @typedef {<R>(password: string, salt: string, callback: undefined, progress: (part: number) => void) => Promise<R>} Slow
 */

export default tool({
  secrets: true,
  live: (raw) => raw.mode === 'verify' || Number(raw.cost) <= 10,
  limits: { seconds: 60 },
  verb: ({ mode }) => (mode === 'verify' ? 'Check' : 'Hash'),
  fields: {
    mode: choice('Action', { hash: 'Hash a password', verify: 'Check a password' }),
    password: secret('Password', { max: 4096 }),
    cost: number('Cost', {
      value: 12,
      min: 4,
      max: 15,
      help: 'Use more to make guessing slower. Each step doubles the time: 10 takes about 80 ms, 12 about 0.3 s, 15 about 2.6 s.',
      when: { mode: 'hash' },
    }),
    version: choice(
      'Version',
      { '2b': '2b (OpenBSD, default)', '2y': '2y (PHP)', '2a': '2a (older)' },
      { when: { mode: 'hash' } },
    ),
    hash: line('Hash', {
      help: 'Enter a hash, such as `$2b$12$` and 53 more characters, or an htpasswd line.',
      code: true,
      max: 200,
      when: { mode: 'verify' },
    }),
    cut: toggle('Truncate long passwords', {
      help: 'Use the first 72 bytes, which are all that bcrypt reads.',
    }),
  },
  labels: { parts: 'Parts of the hash' },
  async run({ mode, password, cost, version, hash: given, cut }, context) {
    const { warn, progress, random } = context;
    if (mode === 'verify') {
      if (given.trim() === '') return {};
      const hash = hashIn(given, warn);
      const parts = inField('hash', given, () => readBcrypt(hash));
      const explained = pairs([
        ['Version', parts.version],
        ['Cost', `${parts.cost} (2^${parts.cost} = ${2 ** parts.cost} rounds)`],
        ['Salt', parts.salt],
        ['Checksum', parts.checksum],
      ]);
      if (password === '') return { parts: explained };
      check(password, cut, warn);
      const { compare } = await import('../../libraries/bcryptjs.js');
      const compared = /** @type {Slow} */ (/** @type {unknown} */ (compare));
      const matches = await compared(password, hash, undefined, reporter(progress));
      return {
        result: matches
          ? headline('The password matches', { tone: 'good' })
          : headline('The password does not match', { tone: 'bad' }),
        parts: explained,
      };
    }
    if (password === '') return {};
    check(password, cut, warn);
    if (cost < COST_SAFE)
      warn(
        `Cost ${cost} makes guessing fast: use ${COST_SAFE} or more for a password of your own.`,
      );
    const { encodeBase64, hash } = await import('../../libraries/bcryptjs.js');
    const hashed = /** @type {Slow} */ (/** @type {unknown} */ (hash));
    const salt = `$${version}$${String(cost).padStart(2, '0')}$${encodeBase64([...random(16)], 16)}`;
    return { hash: await hashed(password, salt, undefined, reporter(progress)) };
  },
  product: { hash: 'hash', parts: 'parts of the hash' },
  examples: [
    {
      title: 'Hash a password (weak: cost 4)',
      values: { password: 'correct horse', cost: 4 },
      outputs: { hash: '$2b$04$..CA.uOD/eaGAOmJB.yMBuM872uvtNqimzkCcRocGwv7haFzmUZ5a' },
    },
    {
      title: 'Check a password',
      values: {
        mode: 'verify',
        password: 'U*U',
        hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
      },
    },
  ],
});
