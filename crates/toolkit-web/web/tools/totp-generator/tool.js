//! One-time codes. Standards: RFC 6238 (TOTP), RFC 4226 (HOTP), the otpauth:// key URI format.
import {
  choice,
  file,
  line,
  number,
  pairs,
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

/** @typedef {'SHA1' | 'SHA256' | 'SHA512'} Algorithm */

const SIZES = { SHA1: 20, SHA256: 32, SHA512: 64 };

/** Scanners need a light background, also where the picture is shown on a dark one. @param {string} svg */
const onWhite = (svg) =>
  svg.replace(/<svg[^<>]*>/, '$&<rect width="100%" height="100%" fill="#fff"/>');

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
  labels: { countdown: 'Time left', checked: 'Check', qr: 'QR code' },
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
    const { default: encodeQR } = await import('../../libraries/qr.js');
    const exported = isMigration(values.secret)
      ? inField('secret', values.secret, () => readMigration(values.secret))
      : undefined;
    const isLink = /^\s*(?:otpauth:|steam:)/i.test(values.secret);
    const linked = isLink
      ? inField('secret', values.secret, () => formOf(values.secret))
      : exported && { ...exported.first, format: /** @type {const} */ ('base32') };
    const form = { ...values, ...linked };
    const { kind, algorithm, digits, window, check } = form;
    const isSteam = kind === 'steam';
    // Steam Guard has one kind of code.
    const period = isSteam ? 30 : form.period;
    const isTimed = kind !== 'hotp';
    const bytes = secretBytes(form.secret, form.format);
    if (bytes.length === 0)
      refuse('secret', 'has no bytes', { hint: 'Write at least one character of it.' });
    if (bytes.length < 16)
      context.warn(
        `The secret has ${bytes.length * 8} bits; RFC 4226 demands 128 at least and recommends 160.`,
      );
    const now = secondsOf(values.at, context.now());
    const step = isTimed ? Math.floor(now / period) : form.counter;
    const shared = new Secret({ buffer: bytes.slice().buffer });
    const codeOf = (/** @type {number} */ counter) =>
      isSteam
        ? steamCode(
            Number(HOTP.generate({ secret: shared, algorithm: 'SHA1', digits: 10, counter })),
          )
        : HOTP.generate({ secret: shared, algorithm, digits, counter });
    const steps = [step - 1, step, step + 1].filter(
      (one) => one >= 0 && one <= Number.MAX_SAFE_INTEGER,
    );
    const names = new Map([
      [step - 1, 'previous'],
      [step, 'current'],
      [step + 1, 'next'],
    ]);
    const accounts = exported ? [exported.first, ...exported.others] : [];
    if (accounts.length > 1)
      context.warn(
        `The export has ${accounts.length} accounts: the code is of the first, the table has all.`,
      );
    if (exported && exported.parts > 1)
      context.warn(
        `The export has ${exported.parts} links or pictures; this is number ${exported.part}.`,
      );
    const codeNow = (/** @type {import('../../lib/otp.js').KeyUri} */ key) =>
      HOTP.generate({
        secret: Secret.fromBase32(key.secret),
        algorithm: key.algorithm,
        digits: key.digits,
        counter: key.kind === 'hotp' ? key.counter : Math.floor(now / key.period),
      });
    const until = (step + 1) * period;
    if (isTimed && values.at.trim() === '') context.again(until - now);
    const account = form.account.trim();
    const link =
      !isSteam && (account || form.issuer.trim())
        ? writeKeyUri({
            ...form,
            kind,
            secret: toBase32(bytes, 'standard'),
            issuer: form.issuer.trim(),
            account: account || form.issuer.trim(),
          })
        : undefined;
    return {
      code: codeOf(step),
      countdown: isTimed && values.at.trim() === '' ? view({ until, period }) : undefined,
      accounts:
        accounts.length > 1
          ? table(
              ['Issuer', 'Account', 'Code', 'Link'],
              accounts.map((key) => [key.issuer, key.account, codeNow(key), writeKeyUri(key)]),
            )
          : undefined,
      codes: isTimed
        ? table(
            ['Code', 'Which', 'From', 'Until'],
            steps.map((one) => [
              codeOf(one),
              names.get(one),
              utc(one * period),
              utc((one + 1) * period),
            ]),
          )
        : table(
            ['Code', 'Which', 'Counter'],
            steps.map((one) => [codeOf(one), names.get(one), one]),
          ),
      checked: check.trim()
        ? pairs(checkCode(check, step, window, isSteam ? 5 : digits, codeOf))
        : undefined,
      secret: pairs([
        ...(form.format === 'base32'
          ? []
          : [/** @type {[string, string]} */ (['Base32', toBase32(bytes, 'standard')])]),
        ['Bits', bytes.length * 8],
      ]),
      link,
      qr: link
        ? picture(onWhite(encodeQR(link, 'svg', { ecc: 'medium', border: 4 })), {
            alt: 'QR code of the link',
            file: 'totp.svg',
          })
        : undefined,
    };
  },
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
