//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { token: 'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.' },
  shows: /Algorithmnone/,
  bad: [
    bad('token', 'abc', /has 1 part where a token has three \(header/),
    bad('token', 'a.b', /has 2 parts where a token has three/),
    bad(
      'token',
      'eyJhbGciOiJub25lIn0.e30*.',
      /Character 24: .*payload that is not base64url: it has the character "\*".*/,
    ),
  ],
};
