//! X.509 certificates, requests and CRLs. Standards: RFC 5280, RFC 2986, RFC 5652, RFC 7468, RFC 6962.
import { headline, list, number, refuse, table, text, textOutput, tool } from '../kit/tool.js';
import { writePem } from '../lib/keys/pem.js';
import { momentText } from '../lib/x509/values.js';
import { signersOf } from '../lib/x509/verify.js';
import { details } from './certificate-decoder/details.js';
import { MOST, readItems } from './certificate-decoder/input.js';
import { chainRows, flagsOf, orderOf } from './certificate-decoder/judge.js';

const LABELS = { certificate: 'CERTIFICATE', request: 'CERTIFICATE REQUEST', crl: 'X509 CRL' };

/** Generated for the examples. */
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
const REQUEST = `-----BEGIN CERTIFICATE REQUEST-----
MIHjMIGKAgEAMCgxEDAOBgNVBAoMB0V4YW1wbGUxFDASBgNVBAMMC2V4YW1wbGUu
Y29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERWWfjSyymN4spbr9QUQz64S+
7dzx1lGs9Qzy/DE9bkVn6RUd+/1FDTRCLAUv7MQp2ODRHlsDpf6FdzIxLQbMVKAA
MAoGCCqGSM49BAMCA0gAMEUCIQCUmf+nafKp5QOaGULOm5Uh99qounRKK23tni0V
e+BvvQIge93UvuJvOWDrLP8JfheK3Eq0e2alsTcMsAOvxn1Z5Us=
-----END CERTIFICATE REQUEST-----
`;

const DAY = 86_400_000;

/** Whether an item is valid, and for how long. @param {import('../lib/x509/x509.js').Item} item @param {number} now */
function validityOf({ from, until }, now) {
  if (!until) return undefined;
  const days = (/** @type {number} */ time) => {
    const count = Math.floor(Math.abs(time - now) / DAY);
    return count === 1 ? '1 day' : `${count.toLocaleString('en')} days`;
  };
  if (from && from.getTime() > now)
    return headline(`Not valid for another ${days(from.getTime())}`, { tone: 'bad' });
  if (until.getTime() < now)
    return headline(`Expired ${days(until.getTime())} ago`, { tone: 'bad' });
  return headline(`Valid for ${days(until.getTime())}`, { tone: 'good' });
}

export default tool({
  secrets: true,
  secure: true,
  fields: {
    text: text('Certificate', {
      accepts: 'file',
      help: 'PEM, or the Base64 of DER, or a DER file: certificates, chains, requests, CRLs, PKCS #7.',
      max: 2 << 20,
      types: '.pem,.crt,.cer,.der,.p7b,.p7c,.csr,.crl',
    }),
    show: number('Certificate number', {
      value: 1,
      min: 1,
      max: MOST,
      help: 'Which one to show, if there are several.',
    }),
    key: text('Key to compare', {
      accepts: 'file',
      help: 'A private or public key, in PEM or as a JWK: whether it belongs to the certificate.',
      lines: 2,
      max: 100_000,
    }),
  },
  labels: {
    overview: 'All',
    details: 'Fields',
    notes: 'Findings',
    revoked: 'Revoked certificates',
    pem: 'PEM',
  },
  async run({ text, show, key }, context) {
    if (text.empty) return {};
    const items = readItems(text, context);
    const item = items[show - 1];
    if (!item)
      return refuse(
        'show',
        `must be ${items.length === 1 ? '' : 'from 1 to '}${items.length}: the text holds no more`,
      );
    const signers = await signersOf(items);
    const now = context.now().getTime();
    const notes = flagsOf(item, now);
    // For one certificate its fields come first, for several their order in the chain.
    const chain = table(['Number', 'Signed by', 'Signature'], chainRows(items, signers));
    const match = key.empty
      ? undefined
      : (await import('./certificate-decoder/match.js')).matching(key.string, items);
    return {
      headline: (await match) ?? (items.length === 1 ? validityOf(item, now) : undefined),
      overview:
        items.length > 1
          ? table(
              ['Number', 'Kind', 'Subject or issuer', 'Valid until'],
              items.map((one, index) => [
                index + 1,
                one.kind,
                one.subject || one.issuer,
                one.until && momentText(one.until),
              ]),
            )
          : undefined,
      ...(items.length > 1 && { chain }),
      order: items.length > 1 ? orderOf(items, signers) : undefined,
      notes: notes.length ? list(notes) : undefined,
      details: await details(item, now),
      extensions: item.extensions.length
        ? table(
            ['Extension', 'Critical', 'Value'],
            item.extensions.map(({ name, critical, lines }) => [
              name,
              critical ? 'yes' : 'no',
              lines.join('\n'),
            ]),
          )
        : undefined,
      revoked: item.revoked.length
        ? table(
            ['Serial number', 'Since', 'Reason'],
            item.revoked.map(({ serial, date, reason }) => [serial, momentText(date), reason]),
            { file: 'revoked.csv' },
          )
        : undefined,
      ...(items.length === 1 && { chain }),
      pem: textOutput(writePem(LABELS[item.kind], item.der), { file: `${item.kind}.pem` }),
    };
  },
  folded: ['pem'],
  examples: [
    {
      title: 'A certificate',
      values: { text: CERTIFICATE },
      outputs: { chain: table(['Number', 'Signed by', 'Signature'], [[1, 'itself', 'valid']]) },
    },
    { title: 'A certificate request', values: { text: REQUEST } },
  ],
});
