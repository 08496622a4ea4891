//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Convert a public key': {
    facts: pairs([
      ['Bits', 2048],
      ['Public exponent', '65537'],
      ['Fingerprint (OpenSSH)', 'SHA256:QILtvRYNpmT0mkeXbOvQS1d0gFEtAsYcmE+82YTKhn8'],
      ['Fingerprint (SPKI)', 'SHA256:wgA/DFWp0EQUPFDsTXLfM251p2/kld76SwkTY8qhUIA'],
    ]),
  },
};
