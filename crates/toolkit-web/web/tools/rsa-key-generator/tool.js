//! RSA key pairs. Standards: RFC 8017 (PKCS #1), RFC 5958 (PKCS #8), RFC 7517 (JWK), RFC 4253 §6.6 (OpenSSH).
import { choice, line, pairs, refuse, text, textOutput, tool } from '../../kit/tool.js';
import { unwrap } from '../../kit/unwrap.js';
import { toBase64, toBigInt } from '../../lib/bytes.js';
import * as rsa from '../../lib/keys/rsa.js';
import { sshPublicBlob } from '../../lib/keys/ssh.js';
import { inField, nowhere } from '../../lib/positions.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { RsaPrivate, RsaPublic } from '../../lib/keys/rsa.js' */

const SMALLEST = 2048;
const LARGEST = 16384;
const COMMON = 65537n;

/** @param {Uint8Array} bytes */
async function fingerprint(bytes) {
  const digest = await crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (bytes));
  return `SHA256:${toBase64(new Uint8Array(digest)).replaceAll('=', '')}`;
}

/** @param {number} bits @returns {Promise<RsaPrivate>} */
async function generate(bits) {
  const parameters = {
    name: 'RSA-PSS',
    modulusLength: bits,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  };
  const { privateKey } = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
  const { kty, n, e, d, p, q, dp, dq, qi } = await crypto.subtle.exportKey('jwk', privateKey);
  return /** @type {RsaPrivate} */ (
    rsa.readRsaKey(JSON.stringify({ kty, n, e, d, p, q, dp, dq, qi }))
  );
}

/** @param {'private' | 'public'} field @param {T.TextValue} value @param {T.Context} context */
function read(field, value, { warn }) {
  if (value.empty) return undefined;
  const text = unwrap(value.string, 'key', warn);
  const place = text === value.string ? undefined : nowhere;
  const key = inField(field, text, () => rsa.readRsaKey(text), place);
  const bits = rsa.bitsOfModulus(key.n);
  if (bits < SMALLEST)
    refuse(field, `has ${bits} bits, which is no longer safe`, {
      hint: `Use a key with at least ${SMALLEST}.`,
    });
  if (bits > LARGEST)
    refuse(field, `has ${bits} bits`, { hint: `Use a key with at most ${LARGEST}.` });
  return key;
}

/** @param {RsaPrivate | undefined} own @param {RsaPublic | undefined} other */
function belongs(own, other) {
  if (!own || !other) return undefined;
  const same = toBigInt(own.n) === toBigInt(other.n) && toBigInt(own.e) === toBigInt(other.e);
  return same
    ? 'The keys belong together.'
    : 'The keys do not belong together: their modulus or exponent differs.';
}

/** @param {RsaPublic} key @param {RsaPrivate | undefined} own @param {string} comment @param {T.Context} context @returns {Promise<T.Outputs>} */
async function show(key, own, comment, context) {
  const open = rsa.publicForms(key, comment);
  const closed = own && rsa.privateForms(own, comment, context.random(4));
  const pem = (/** @type {string | undefined} */ content, /** @type {string} */ file) =>
    content && textOutput(content, { file, type: 'application/x-pem-file' });
  return {
    facts: pairs([
      ['Bits', rsa.bitsOfModulus(key.n)],
      ['Public exponent', String(toBigInt(key.e))],
      ['Fingerprint (OpenSSH)', await fingerprint(sshPublicBlob(key))],
      ['Fingerprint (SPKI)', await fingerprint(rsa.spki(key))],
    ]),
    privatePkcs8: pem(closed?.pkcs8, 'private.pem'),
    publicSpki: pem(open.spki, 'public.pem'),
    publicSsh: textOutput(open.ssh, { file: 'id_rsa.pub' }),
    privateSsh: pem(closed?.ssh, 'id_rsa'),
    privatePkcs1: pem(closed?.pkcs1, 'private-pkcs1.pem'),
    publicPkcs1: pem(open.pkcs1, 'public-pkcs1.pem'),
    privateJwk:
      closed && textOutput(closed.jwk, { file: 'private.jwk.json', type: 'application/json' }),
    publicJwk: textOutput(open.jwk, { file: 'public.jwk.json', type: 'application/json' }),
  };
}

/** A public key for the examples. */
const SPKI = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyXFqYCbMJTOtziKv2yed
UjzY09nag9kLhlwVT/CUg/o/wDcEbxLp7Byx2GaHw5cAfxcABa1POjaBnJNvLmZS
wSNz8FwlT+NyFH5sFbpKiSeoTgKwbCg8yp7+JFpKL9KHLS19tRBBiakvVOqX16xX
0VjWnPVslnOHilR+bQRDkZECsvO5sK9JatY7z4lJINoTET3NrPy8TSETivAtunzX
QEYN3PsJjIdXSZFI1vXE3ZmaLzcY7uZD9JoPoTlHMpHhispPi6kHU+RrIh9v2aNV
EUZERZO0fLg5PYRs7Eho+SvXgrhw3g1XNzlLqgJjMQyuSa4ExP++lJCDG3FviYf0
kQIDAQAB
-----END PUBLIC KEY-----
`;
const SSH =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDJcWpgJswlM63OIq/bJ51SPNjT2dqD2QuGXBVP8JSD+j/ANwRvEunsHLHYZofDlwB/FwAFrU86NoGck28uZlLBI3PwXCVP43IUfmwVukqJJ6hOArBsKDzKnv4kWkov0octLX21EEGJqS9U6pfXrFfRWNac9WyWc4eKVH5tBEORkQKy87mwr0lq1jvPiUkg2hMRPc2s/LxNIROK8C26fNdARg3c+wmMh1dJkUjW9cTdmZovNxju5kP0mg+hOUcykeGKyk+LqQdT5GsiH2/Zo1URRkRFk7R8uDk9hGzsSGj5K9eCuHDeDVc3OUuqAmMxDK5JrgTE/76UkIMbcW+Jh/SR';

export default tool({
  secrets: true,
  secure: true,
  live: (raw) => raw.mode === 'check',
  limits: { seconds: 120 },
  verb: ({ mode }) => (mode === 'check' ? 'Check' : 'Generate'),
  fields: {
    mode: choice('Action', { generate: 'Generate a key pair', check: 'Convert or check keys' }),
    bits: choice(
      'Size',
      { 2048: '2048 bits', 3072: '3072 bits', 4096: '4096 bits' },
      {
        value: '3072',
        help: 'Choose 3072 unless 4096 is required, which can take several seconds.',
        when: { mode: 'generate' },
      },
    ),
    comment: line('Comment', { help: 'Enter a comment for the OpenSSH keys.', max: 200 }),
    private: text('Private key', {
      help: 'Enter PEM (PKCS #8, PKCS #1, OpenSSH) or JWK.',
      max: 64 * 1024,
      accepts: 'file',
      when: { mode: 'check' },
    }),
    public: text('Public key', {
      help: 'Enter PEM, JWK or an OpenSSH line. Enter a private key too to compare both.',
      max: 64 * 1024,
      accepts: 'file',
      when: { mode: 'check' },
    }),
  },
  labels: {
    facts: 'Key',
    privatePkcs8: 'Private key (PKCS #8)',
    publicSpki: 'Public key (SPKI)',
    publicSsh: 'Public key (OpenSSH)',
    privateSsh: 'Private key (OpenSSH)',
    privatePkcs1: 'Private key (PKCS #1)',
    publicPkcs1: 'Public key (PKCS #1)',
    privateJwk: 'Private key (JWK)',
    publicJwk: 'Public key (JWK)',
  },
  async run(values, context) {
    const comment = values.comment.trim();
    if (/[\r\n\0]/.test(comment)) refuse('comment', 'must be one line');
    if (values.mode === 'generate') {
      const made = await generate(Number(values.bits));
      return show(made, made, comment, context);
    }
    const own = read('private', values.private, context);
    const other = read('public', values.public, context);
    if (own && !rsa.isPrivate(own))
      refuse('private', 'is a public key', { hint: 'Paste it into the other field.' });
    if (other && rsa.isPrivate(other))
      context.warn('The public key field has a private key. Only its public part was used.');
    const key = own ?? other;
    if (!key) return {};
    const fault = own && rsa.faultOfNumbers(own);
    if (fault) refuse('private', `is damaged: ${fault}`);
    if (toBigInt(key.e) !== COMMON)
      context.warn(`The public exponent is ${toBigInt(key.e)}; 65537 is usual.`);
    return { pair: belongs(own, other), ...(await show(key, own, comment, context)) };
  },
  answer: 'pair',
  product: { privatePkcs8: 'private key', publicSpki: 'public key' },
  examples: [
    {
      title: 'Convert a public key',
      values: { mode: 'check', public: SPKI, comment: 'anna@example.com' },
      outputs: { publicSsh: textOutput(`${SSH} anna@example.com\n`, { file: 'id_rsa.pub' }) },
    },
    {
      title: 'An OpenSSH key as PEM',
      values: { mode: 'check', public: SSH },
    },
  ],
});
