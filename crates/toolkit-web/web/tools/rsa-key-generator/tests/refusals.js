//! Good and bad input.

import { bad } from '../../../tests/row.js';
import rsa from '../tool.js';

const PUBLIC_KEY = String(rsa.examples[0]?.values.public);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { mode: 'Convert or check keys', public: PUBLIC_KEY },
  shows: /^ssh-rsa /,
  bad: [
    bad(
      'public',
      'hello',
      /is not PEM, JWK or an OpenSSH line\. PEM begins with -----BEGIN PUBLIC/,
    ),
    bad('public', 'ssh-ed25519 AAAA', /OpenSSH key of the kind ssh-ed25519\. Accepted is ssh-rsa/),
    bad('private', PUBLIC_KEY, /^Private key is a public key\. Paste it into the other field\.$/),
    bad('comment', 'a'.repeat(201), /^Comment must have at most 200 characters, not 201\.$/),
  ],
};
