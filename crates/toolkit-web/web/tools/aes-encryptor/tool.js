//! Encryption with AES. Standards: RFC 7516 and RFC 7518 §4.8 (JWE with a passphrase), NIST SP 800-38D (AES-GCM).
import { choice, line, number, secret, text, tool } from '../../kit/tool.js';
import { toHex } from '../../lib/bytes.js';
import { ROUNDS_LIMIT } from '../../lib/jose/jwe.js';
import { withKey, withPassphrase } from './form.js';

export default tool({
  secrets: true,
  secure: true,
  live: false,
  limits: { seconds: 60 },
  verb: ({ mode }) => (mode === 'decrypt' ? 'Decrypt' : 'Encrypt'),
  fields: {
    text: text('Text or file', {
      accepts: 'file',
      max: 15 << 20,
      help: 'To decrypt, enter a compact JWE, or IV, ciphertext and tag together as Base64 or hexadecimal.',
    }),
    mode: choice('Direction', { encrypt: 'Encrypt', decrypt: 'Decrypt' }),
    method: choice('Method', { passphrase: 'Passphrase (JWE)', key: 'Raw key (AES-GCM)' }),
    passphrase: secret('Passphrase', { max: 1000, when: { method: 'passphrase' } }),
    rounds: number('PBKDF2 rounds', {
      value: 600_000,
      min: 1000,
      max: ROUNDS_LIMIT,
      help: 'Use more rounds to make guessing slower: 600,000 take about half a second. To decrypt, enter those of `openssl enc -iter`.',
      when: { method: 'passphrase' },
    }),
    size: choice(
      'New key size',
      { 256: '256 bits', 192: '192 bits', 128: '128 bits' },
      { value: '256', when: { method: 'key' } },
    ),
    key: secret('Key', {
      help: 'Enter 16, 24 or 32 bytes in hexadecimal or Base64.',
      max: 200,
      when: { method: 'key' },
    }),
    iv: line('IV', {
      help: 'Enter hexadecimal or Base64. Leave empty to generate one, or if the text starts with it.',
      code: true,
      max: 600,
      when: { method: 'key' },
    }),
    aad: line('Additional data', {
      help: 'Enter the same to decrypt. It is authenticated, not encrypted.',
      max: 10_000,
      when: { method: 'key' },
    }),
    tag: choice(
      'Tag',
      { 128: '128 bits', 120: '120 bits', 112: '112 bits', 104: '104 bits', 96: '96 bits' },
      { value: '128', when: { method: 'key' } },
    ),
  },
  labels: { text: 'Decrypted', file: 'Decrypted' },
  actions: [
    {
      title: 'New key',
      field: 'key',
      run: ({ size }, { random }) => ({ key: toHex(random(Number(size) / 8)) }),
    },
  ],
  async run(values, context) {
    if (values.text.empty) return {};
    return values.method === 'key' ? withKey(values, context) : withPassphrase(values, context);
  },
  product: { encrypted: 'encrypted text', text: 'text' },
  examples: [
    {
      title: 'Encrypt with a passphrase (weak: 1,000 rounds)',
      values: { text: 'Grüße', passphrase: 'correct horse battery staple', rounds: 1000 },
      outputs: {
        encrypted:
          'eyJhbGciOiJQQkVTMi1IUzUxMitBMjU2S1ciLCJlbmMiOiJBMjU2R0NNIiwicDJjIjoxMDAwLCJwMnMiOiJBQUVDQXdRRkJnY0lDUW9MREEwT0R3In0.DxywM-s7v12V6JaclEkc893yWKHni6IQQscE1y4tApqyM_CfmnPlDA.MDEyMzQ1Njc4OTo7.0WLmNTOi8w.pDfN1oMC6eFTRvm3hcqpfg',
      },
    },
    {
      title: 'Encrypt with a key',
      values: {
        text: 'Grüße',
        method: 'key',
        key: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
      },
    },
  ],
});
