//! One-time codes. Standards: RFC 6238 (TOTP), RFC 4226 (HOTP), the otpauth:// key URI format.
import {
  choice,
  file,
  line,
  number,
  picture,
  refuse,
  secret,
  table,
  tool,
  view,
} from '../../kit/tool.js';
import { toBase32 } from '../../lib/base32.js';
import { steamCode, writeKeyUri } from '../../lib/otp.js';
import { inField } from '../../lib/positions.js';
import { checkCode, formOf, secondsOf, secretBytes, utc } from './form.js';
import { isMigration, readMigration } from './migration.js';

const SIZES = { SHA1: 20, SHA256: 32, SHA512: 64 };

/** Scanners need a light background, even if the picture is shown on a dark one. @param {string} svg */
const onWhite = (svg) =>
  svg.replace(/<svg[^<>]*>/, '$&<rect width="100%" height="100%" fill="#fff"/>');

/** @typedef {import('../../lib/otp.js').KeyUri} KeyUri */
/** @typedef {ReturnType<typeof readMigration>} Exported */

export default tool({
  secrets: true,
  more: 'period',
  fields: {
    secret: secret('Secret', {
      help: 'Enter the shared secret that the service shows, or its whole `otpauth://` or `otpauth-migration://` link.',
      max: 2000,
    }),
    format: choice('Secret format', { base32: 'Base32', hex: 'Hexadecimal', text: 'Text' }),
    kind: choice('Code type', {
      totp: 'Time-based (TOTP)',
      hotp: 'Counter-based (HOTP)',
      steam: 'Steam Guard',
    }),
    algorithm: choice('Hash', { SHA1: 'SHA-1', SHA256: 'SHA-256', SHA512: 'SHA-512' }),
    digits: number('Digits', { value: 6, min: 6, max: 10 }),
    period: number('Period', {
      value: 30,
      min: 1,
      max: 86400,
      unit: 'seconds',
      when: { kind: ['totp', 'steam'] },
    }),
    at: line('Time', {
      help: 'Enter Unix seconds or ISO 8601. Leave empty for the current time.',
      max: 40,
      when: { kind: ['totp', 'steam'] },
    }),
    counter: number('Counter', {
      value: 0,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      when: { kind: 'hotp' },
    }),
    check: line('Code to check', { max: 20 }),
    window: number('Accepted clock drift', {
      value: 1,
      min: 0,
      max: 100,
      unit: 'steps',
    }),
    issuer: line('Issuer', { help: 'Enter it for the link and its QR code.', max: 200 }),
    account: line('Account', { help: 'Enter it for the link and its QR code.', max: 200 }),
    image: file('QR code image', { types: 'image/*', max: 20 << 20 }),
  },
  answer: 'code',
  folded: ['codes', 'secret'],
  labels: { countdown: 'Time left', checked: 'Check', secret: 'Secret in Base32', qr: 'QR code' },
  actions: [
    {
      title: 'New secret',
      field: 'secret',
      run: ({ algorithm }, { random }) => ({
        secret: toBase32(random(SIZES[algorithm]), 'standard'),
        format: 'base32',
      }),
    },
    {
      title: 'Fill the form from the link',
      field: 'secret',
      run: ({ secret }) => inField('secret', secret, () => formOf(secret)),
    },
    {
      title: 'Read the QR code',
      field: 'image',
      async run({ image }) {
        if (!image) refuse('image', 'is missing: choose a picture first');
        const { pixelsOf, readQr } = await import('../../lib/image/qr.js');
        return inField('image', '', async () => formOf(readQr(await pixelsOf(image))));
      },
    },
  ],
  async run(values, context) {
    if (values.secret.trim() === '') return {};
    const { HOTP, Secret } = await import('../../libraries/otpauth.js');
    const exported = isMigration(values.secret)
      ? inField('secret', values.secret, () => readMigration(values.secret))
      : undefined;
    const form = { ...values, ...linkedOf(values.secret, exported) };
    const { kind, algorithm, digits, window, check } = form;
    const isSteam = kind === 'steam';
    // Steam Guard has one kind of code.
    const period = isSteam ? 30 : form.period;
    const isTimed = kind !== 'hotp';
    const bytes = secretBytes(form.secret, form.format);
    warnOf(bytes, exported, context);
    const now = secondsOf(values.at, context.now());
    const step = isTimed ? Math.floor(now / period) : form.counter;
    const shared = new Secret({ buffer: bytes.slice().buffer });
    const codeOf = (/** @type {number} */ counter) =>
      isSteam
        ? steamCode(
            Number(HOTP.generate({ secret: shared, algorithm: 'SHA1', digits: 10, counter })),
          )
        : HOTP.generate({ secret: shared, algorithm, digits, counter });
    const isNow = isTimed && values.at.trim() === '';
    const until = (step + 1) * period;
    if (isNow) context.again(until - now);
    const link = isSteam ? undefined : linkOf(form, bytes);
    return {
      code: codeOf(step),
      countdown: isNow ? view({ until, period }) : undefined,
      accounts: exported?.others.length ? await accountsOf(exported, now) : undefined,
      codes: codesAround(step, isTimed ? period : undefined, codeOf),
      checked: check.trim()
        ? checkCode(check, step, window, isSteam ? 5 : digits, codeOf)
        : undefined,
      secret: form.format === 'base32' ? undefined : toBase32(bytes, 'standard'),
      link,
      qr: link ? await pictureOf(link) : undefined,
    };
  },
  product: { code: 'code' },
  examples: [
    {
      title: 'RFC 6238, appendix B',
      values: { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', digits: 8, at: '59' },
      outputs: { code: '94287082' },
    },
    {
      title: 'A link, and a code to check',
      values: {
        secret:
          'otpauth://totp/ACME:anna@example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=ACME',
        at: '2005-03-18T01:58:29Z',
        check: '081 804',
      },
    },
    {
      title: 'A counter (HOTP)',
      values: { secret: '12345678901234567890', format: 'text', kind: 'hotp', counter: 9 },
    },
  ],
});

/** The values of the form that a link or an export holds. @param {string} secret @param {Exported | undefined} exported */
function linkedOf(secret, exported) {
  if (/^\s*(?:otpauth:|steam:)/i.test(secret))
    return inField('secret', secret, () => formOf(secret));
  return exported && { ...exported.first, format: /** @type {const} */ ('base32') };
}

/** The accounts of an export with their codes. @param {Exported} exported @param {number} now in seconds */
async function accountsOf({ first, others }, now) {
  const { HOTP, Secret } = await import('../../libraries/otpauth.js');
  const codeNow = (/** @type {KeyUri} */ { secret, algorithm, digits, kind, counter, period }) =>
    HOTP.generate({
      ...{ secret: Secret.fromBase32(secret), algorithm, digits },
      counter: kind === 'hotp' ? counter : Math.floor(now / period),
    });
  return table(
    ['Issuer', 'Account', 'Code', 'Link'],
    [first, ...others].map((key) => [key.issuer, key.account, codeNow(key), writeKeyUri(key)]),
  );
}

/** Refuses an empty secret, and warns of a short one, and of other accounts in an export. @param {Uint8Array} bytes @param {Exported | undefined} exported @param {import('../../kit/types.d.ts').Context} context */
function warnOf(bytes, exported, { warn }) {
  if (bytes.length === 0)
    refuse('secret', 'has no bytes', { hint: 'Enter at least one character.' });
  if (bytes.length < 16)
    warn(
      `The secret has ${bytes.length * 8} bits; RFC 4226 demands 128 at least and recommends 160.`,
    );
  const accounts = exported ? 1 + exported.others.length : 0;
  if (accounts > 1)
    warn(
      `The export has ${accounts} accounts. The code is for the first, and the table has all of them.`,
    );
  if (exported && exported.parts > 1)
    warn(`The export has ${exported.parts} links or pictures. This is number ${exported.part}.`);
}

/** The link that enrols the account, if it has a name. @param {KeyUri} form @param {Uint8Array} bytes */
function linkOf(form, bytes) {
  const [account, issuer] = [form.account.trim(), form.issuer.trim()];
  if (!account && !issuer) return undefined;
  const secret = toBase32(bytes, 'standard');
  return writeKeyUri({ ...form, secret, issuer, account: account || issuer });
}

/** The previous, current and next code, with their periods or counters. @param {number} step @param {number | undefined} period @param {(counter: number) => string} codeOf */
function codesAround(step, period, codeOf) {
  const steps = [step - 1, step, step + 1].filter(
    (one) => one >= 0 && one <= Number.MAX_SAFE_INTEGER,
  );
  const which = (/** @type {number} */ one) => ['previous', 'current', 'next'][one - step + 1];
  const times = (/** @type {number} */ one) =>
    period === undefined ? [one] : [utc(one * period), utc((one + 1) * period)];
  return table(
    ['Code', 'Which', ...(period === undefined ? ['Counter'] : ['From', 'Until'])],
    steps.map((one) => [codeOf(one), which(one), ...times(one)]),
  );
}

/** @param {string} link */
async function pictureOf(link) {
  const { default: encodeQR } = await import('../../libraries/qr.js');
  return picture(onWhite(encodeQR(link, 'svg', { ecc: 'medium', border: 4 })), {
    alt: 'QR code of the link',
    file: 'totp.svg',
  });
}
