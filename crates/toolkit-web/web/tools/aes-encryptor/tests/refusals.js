//! Good and bad input.
import { bad } from '../../../tests/row.js';

const RAW = 'Raw key (AES-GCM)';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'Grüße', passphrase: 'correct horse', rounds: '1000' },
  shows: /^eyJ/,
  bad: [
    bad('passphrase', '', /^Passphrase is empty\. Enter any text\. A long one is safer\.$/),
    bad('rounds', '999', /^PBKDF2 rounds must be a whole number from 1000 to 2000000\.$/),
    bad(
      'text',
      { mode: 'Decrypt', text: 'hello' },
      /has 1 part; a compact JWE has five, joined by/,
    ),
    bad('key', { method: RAW, key: '0011' }, /^Key has 16 bits; AES keys have 128, 192 or 256\.$/),
  ],
};
