//! Good and bad input.

import { bad } from '../../../tests/row.js';
import rsa from '../../rsa-key-generator/tool.js';
import certificate from '../tool.js';

const CERTIFICATE = String(certificate.examples[0]?.values.text);
const PUBLIC_KEY = String(rsa.examples[0]?.values.public);
const PRIVATE_KEY =
  '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----';

/** @type {import('../../../tests/row.js').Row} */
export default {
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
};
