//! X.509 certificates, requests and CRLs. Standards: RFC 5280, RFC 2986, RFC 5652, RFC 7468, RFC 6962.
import { number, text, tool } from '../../kit/tool.js';

/** Generated for the example. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBxjCCAWygAwIBAgIDChssMAoGCCqGSM49BAMCMCgxFDASBgNVBAMMC2V4YW1w
bGUuY29tMRAwDgYDVQQKDAdFeGFtcGxlMB4XDTIzMTAwMTAwMDAwMFoXDTI0MDkz
MDAwMDAwMFowKDEUMBIGA1UEAwwLZXhhbXBsZS5jb20xEDAOBgNVBAoMB0V4YW1w
bGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARFZZ+NLLKY3iyluv1BRDPrhL7t
3PHWUaz1DPL8MT1uRWfpFR37/UUNNEIsBS/sxCnY4NEeWwOl/oV3MjEtBsxUo4GE
MIGBMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsG
AQUFBwMBMC0GA1UdEQQmMCSCC2V4YW1wbGUuY29tgg93d3cuZXhhbXBsZS5jb22H
BMAAAgEwHQYDVR0OBBYEFJNumX2+OPS3B1Fmutfqku3A9PGLMAoGCCqGSM49BAMC
A0gAMEUCIQCsViAHPy9Vc3mwjdwWAx8iUoEBMousWzlwHAlYscVEwwIgTV6j4IVn
+mhJE2HMBCm2xNjE669nLjOE7AZPcoKYLIk=
-----END CERTIFICATE-----
`;

export default tool({
  more: 'show',
  secrets: true,
  secure: true,
  fields: {
    text: text('Certificate', {
      accepts: 'file',
      help: 'Paste PEM, DER, Base64 or hexadecimal, also in XML, JSON, YAML or code: certificates, chains, requests, CRLs, PKCS #7.',
      max: 2 << 20,
      types: '.pem,.crt,.cer,.der,.p7b,.p7c,.csr,.crl',
    }),
    key: text('Key to compare', {
      accepts: 'file',
      help: 'Enter a private or public key, in PEM or as a JWK, to see whether it belongs to the certificate.',
      lines: 2,
      max: 100_000,
    }),
    show: number('Certificate number', {
      value: 1,
      min: 1,
      help: 'Choose one if there are several.',
    }),
  },
  labels: {
    overview: 'All',
    details: 'Fields',
    notes: 'Findings',
    revoked: 'Revoked certificates',
    pem: 'PEM',
  },
  run: async (values, context) =>
    values.text.empty ? {} : (await import('./result.js')).decoded(values, context),
  folded: ['pem'],
  product: { details: 'fields', overview: 'all fields' },
  examples: [
    {
      title: 'A certificate',
      values: { text: CERTIFICATE },
    },
  ],
});
