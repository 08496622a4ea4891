//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { password: 'correct horse', cost: '4' },
  shows: /^\$2b\$04\$/,
  bad: [
    bad('cost', '16', /^Cost must be a whole number from 4 to 15\.$/),
    bad('password', 'x'.repeat(73), /has 73 bytes in UTF-8; bcrypt reads 72\. Tick "Truncate long/),
    bad(
      'hash',
      { mode: 'Check a password', hash: 'hello' },
      /does not begin with \$2a\$, \$2b\$ or \$2y\$\. A bcrypt hash is, for example, \$2b\$12\$/,
    ),
    bad(
      'hash',
      { mode: 'Check a password', hash: `$2b$05$${'C'.repeat(52)}` },
      /has 52 characters after the cost; 22 of salt and 31 of checksum make 53/,
    ),
  ],
};
