//! Certificates from pasted or dropped input: PEM, Base64 of DER, DER files; and hints about other
//! input.
import { decode } from '../../kit/decode.js';
import { attempt, Refusal, refuse } from '../../kit/tool.js';
import { unwrap } from '../../kit/unwrap.js';
import { fromBase64 } from '../../lib/bytes.js';
import { isPem, readPem } from '../../lib/keys/pem.js';
import { inField, nowhere } from '../../lib/positions.js';
import { utf8 } from '../../lib/utf8.js';
import { hexOf } from '../../lib/x509/values.js';
import { readStructure } from '../../lib/x509/x509.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Item } from '../../lib/x509/x509.js' */

const LARGEST = 1 << 20;
const MOST = 100;
const READABLE =
  /^(X509 |TRUSTED )?CERTIFICATE$|^(NEW )?CERTIFICATE REQUEST$|^X509 CRL$|^PKCS7$|^CMS$/;

const BEGINNING = 'A certificate begins with -----BEGIN CERTIFICATE-----.';

/** The kind of a text that is not a certificate. @param {string} text */
function lookOf(text) {
  if (/PRIVATE KEY/.test(text)) return 'is a private key, which is not shown: keep it secret';
  if (/^\s*(ssh-|ecdsa-)/.test(text)) return 'is an OpenSSH public key, not a certificate';
  if (/BEGIN PGP/.test(text)) return 'is an OpenPGP key, not an X.509 certificate';
  if (/^\s*\{/.test(text)) return 'is JSON, perhaps a JWK, not a certificate';
  if (/^\s*https?:/.test(text))
    return 'is an address, and nothing is fetched here: paste the certificate itself';
  if (/^\s*</.test(text)) return 'is HTML or XML, not a certificate';
  return 'is not PEM, and not the Base64 of DER';
}

/** @param {string} text @param {T.Context['warn']} warn @returns {Item[]} */
function fromText(text, warn) {
  if (!isPem(text)) {
    const der = attempt(() => fromBase64(text));
    if (der?.[0] !== 0x30)
      throw new Refusal(lookOf(text), {
        hint: BEGINNING,
      });
    return readStructure(der);
  }
  const blocks = readPem(text, MOST);
  const readable = blocks.filter(({ label }) => READABLE.test(label));
  const first = blocks[0]?.label ?? '';
  if (readable.length === 0)
    throw new Refusal(
      /PRIVATE KEY/.test(first)
        ? lookOf(first)
        : `is PEM of the kind "${first}", not a certificate`,
      { hint: BEGINNING },
    );
  for (const { label } of blocks.filter((block) => !readable.includes(block))) {
    warn(
      /PRIVATE/.test(label)
        ? 'The private key in the text is not shown.'
        : `A block of the kind "${label}" was left out.`,
    );
  }
  return readable.flatMap(({ bytes }, index) => {
    try {
      return readStructure(bytes);
    } catch (error) {
      if (error instanceof Refusal && readable.length > 1)
        throw new Refusal(`has a fault in block ${index + 1}: it ${error.message}`, error.position);
      throw error;
    }
  });
}

/** @param {T.TextValue} value @param {T.Context} context */
function itemsOf(value, { warn }) {
  const { bytes, file } = value;
  const isDer = file && bytes[0] === 0x30 && (bytes[1] !== 0x30 || utf8(bytes) === undefined);
  if (isDer) return inField('text', '', () => readStructure(bytes), nowhere);
  if (file && decode(bytes) === undefined)
    refuse('text', 'is neither PEM nor DER', {
      hint: `Its first bytes are ${hexOf(bytes.subarray(0, 8))}.`,
    });
  const inner = unwrap(value.string, 'certificate', warn);
  const place = inner === value.string ? undefined : nowhere;
  return inField('text', inner, () => fromText(inner, warn), place);
}

/** @param {T.TextValue} value @param {T.Context} context */
export function readItems(value, context) {
  const { bytes } = value;
  if (bytes.length > LARGEST)
    refuse('text', `is ${bytes.length} bytes long`, { hint: 'Enter at most 1 MiB.' });
  const items = itemsOf(value, context);
  if (items.length > MOST)
    refuse('text', `holds ${items.length} certificates`, { hint: `Enter at most ${MOST}.` });
  if (items.length === 0) refuse('text', 'is PKCS #7 without certificates');
  return items;
}
