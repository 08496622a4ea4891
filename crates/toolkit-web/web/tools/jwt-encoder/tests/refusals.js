//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { payload: '{"sub":"1"}', key: 'a shared secret of at least 32 bytes' },
  shows: /^eyJ/,
  bad: [
    bad('payload', '{"sub":}', /^Line 1, column 8: Payload has "\}" where a value belongs\.$/),
    bad('payload', '["sub"]', /^Payload must be a JSON object\. Write it as \{"sub": "anna"\}\.$/),
    bad('header', '{"alg":"none"}', /"none": such a token is not signed, .* Known are HS256/),
    bad('key', { algorithm: 'RS256' }, /is a shared secret, but RS256 needs a key of the type RSA/),
    bad(
      'token',
      { mode: 'Verify a token', token: 'a.b' },
      /^Token has 2 parts; a signed token has three, joined by dots\.$/,
    ),
  ],
};
