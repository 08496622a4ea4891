//! Crypto: good and bad input.
import certificate from '../../tools/certificate-decoder.js';
import rsa from '../../tools/rsa-key-generator.js';
import { bad, upload } from './row.js';

/** Inputs of the tools' own examples. */
const CERTIFICATE = String(certificate.examples[0]?.values.text);
const PUBLIC_KEY = String(rsa.examples[0]?.values.public);
const PRIVATE_KEY =
  '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----';

const RAW = 'Raw key (AES-GCM)';
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** @type {Record<string, import('./row.js').Row>} */
export const CRYPTO = {
  'aes-encryptor': {
    good: { text: 'Grüße', passphrase: 'correct horse', rounds: '1000' },
    shows: /^eyJ/,
    bad: [
      bad('passphrase', '', /^Passphrase is empty\. Any text is accepted; a long one is safer\.$/),
      bad('rounds', '999', /^PBKDF2 rounds must be a whole number from 1000 to 2000000\.$/),
      bad(
        'text',
        { mode: 'Decrypt', text: 'hello' },
        /has 1 part; a compact JWE has five, joined by/,
      ),
      bad(
        'key',
        { method: RAW, key: '0011' },
        /^Key has 16 bits; AES keys have 128, 192 or 256\.$/,
      ),
    ],
  },
  'bcrypt-generator': {
    good: { password: 'correct horse', cost: '4' },
    shows: /^\$2b\$04\$/,
    bad: [
      bad('cost', '16', /^Cost must be a whole number from 4 to 15\.$/),
      bad(
        'password',
        'x'.repeat(73),
        /has 73 bytes in UTF-8; bcrypt reads 72\. Tick "Truncate long/,
      ),
      bad(
        'hash',
        { mode: 'Check a password', hash: 'hello' },
        /does not begin with \$2a\$, \$2b\$ or \$2y\$, .* A bcrypt hash is, for example, \$2b\$12\$/,
      ),
      bad(
        'hash',
        { mode: 'Check a password', hash: `$2b$05$${'C'.repeat(52)}` },
        /has 52 characters after the cost; 22 of salt and 31 of checksum make 53/,
      ),
    ],
  },
  'certificate-decoder': {
    good: { text: CERTIFICATE },
    shows: /example\.com/,
    bad: [
      bad(
        'text',
        'hello world',
        /is not PEM, and not the Base64 of DER\. A certificate begins with ---/,
      ),
      bad(
        'text',
        PRIVATE_KEY,
        /is a private key, which is not shown: .* A certificate begins with ---/,
      ),
      bad(
        'text',
        PUBLIC_KEY,
        /"PUBLIC KEY", not a certificate\. A certificate begins with -----BEGIN/,
      ),
      bad('show', '2', /^Certificate number must be 1: the text holds no more\.$/),
    ],
  },
  'jwt-encoder': {
    good: { payload: '{"sub":"1"}', key: 'a shared secret of at least 32 bytes' },
    shows: /^eyJ/,
    bad: [
      bad('payload', '{"sub":}', /^Payload has "\}" where a value belongs, at line 1, column 8\.$/),
      bad(
        'payload',
        '["sub"]',
        /^Payload must be a JSON object\. Write it as \{"sub": "anna"\}\.$/,
      ),
      bad('header', '{"alg":"none"}', /"none": such a token is not signed, .* Known are HS256/),
      bad(
        'key',
        { algorithm: 'RS256' },
        /is a shared secret, but RS256 needs a key of the type RSA/,
      ),
      bad(
        'token',
        { mode: 'Verify a token', token: 'a.b' },
        /^Token has 2 parts; a signed token has three, joined by dots\.$/,
      ),
    ],
  },
  'rsa-key-generator': {
    good: { mode: 'Convert or check keys', public: PUBLIC_KEY },
    shows: /^ssh-rsa /,
    bad: [
      bad(
        'public',
        'hello',
        /is not PEM, JWK or an OpenSSH line\. PEM begins with -----BEGIN PUBLIC/,
      ),
      bad(
        'public',
        'ssh-ed25519 AAAA',
        /OpenSSH key of the kind ssh-ed25519\. Accepted is ssh-rsa/,
      ),
      bad('private', PUBLIC_KEY, /^Private key is a public key\. Paste it into the other field\.$/),
      bad('comment', 'a'.repeat(201), /^Comment must have at most 200 characters, not 201\.$/),
    ],
  },
  'totp-generator': {
    good: { secret: SECRET, at: '59' },
    shows: /^287082$/,
    bad: [
      bad('secret', 'GEZ1', /"1", which is not in Base32, at character 3\. Base32 has the letters/),
      bad('secret', 'otpauth://totp/a', /is a link without "secret="\. A link looks like otpauth:/),
      bad('digits', '5', /^Digits must be a whole number from 6 to 10\.$/),
      bad('at', 'noon', /^"noon" is not a moment\. Write Unix seconds such as 1700000000, or 2023/),
      bad('check', '12345', /^Code to check has 5 digits; codes have 6\.$/),
      bad('secret', SECRET, /^Secret is not an otpauth:\/\/ link/, 'Fill the form from the link'),
      bad('image', {}, /is missing: choose a picture first\.$/, 'Read the QR code'),
      bad('image', upload('notes.txt', 'hello'), /is not an image/, 'Read the QR code'),
    ],
  },
};
