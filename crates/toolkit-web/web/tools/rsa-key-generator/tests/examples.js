//! Outputs of examples, by title.
import { pairs, textOutput } from '../../../kit/tool.js';
import tool from '../tool.js';

const pem = { file: 'public.pem', type: 'application/x-pem-file' };

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
  'An OpenSSH key as PEM': {
    publicSpki: textOutput(String(tool.examples[0]?.values.public), pem),
  },
};
