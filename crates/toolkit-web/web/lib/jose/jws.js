//! Compact JWS and its keys, using the library jose. Standards: RFC 7515, RFC 7518 §3, RFC 8037 and RFC 9864 (Ed25519),
//! RFC 7517. Every key becomes a JWK. Signing uses WebCrypto, since the library rewrites the header and here exactly
//! the given text must be signed. `none` is not accepted as an algorithm.
import { attempt, Refusal } from '../../kit/tool.js';
import { fromAnyBase64, fromBase64Url, fromHex, toBase64Url, toUtf8 } from '../bytes.js';
import { child, oidOf, readDer, sequence, write } from '../keys/der.js';
import { isPem, readPem } from '../keys/pem.js';
import { bitsOfModulus, readRsaKey, toJwk } from '../keys/rsa.js';
import { inPart } from '../positions.js';

/** @typedef {{ jwk: any, name: string }} Key `name`: what it is, in a sentence */

const library = () => import('../../libraries/jose.js');

export const ALGORITHMS = [
  ...[256, 384, 512].flatMap((bits) => ['HS', 'RS', 'PS', 'ES'].map((kind) => `${kind}${bits}`)),
  ...['Ed25519', 'EdDSA', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'],
];
const KINDS = /** @type {Record<string, [kty: string, name: string]>} */ ({
  HS: ['oct', 'HMAC'],
  RS: ['RSA', 'RSASSA-PKCS1-v1_5'],
  PS: ['RSA', 'RSA-PSS'],
  ES: ['EC', 'ECDSA'],
  Ed: ['OKP', 'Ed25519'],
});

/** An algorithm's key type and curve, hash bits and WebCrypto parameters. @param {unknown} alg */
export function algorithmOf(alg) {
  const hint = `Known are ${ALGORITHMS.join(', ')}.`;
  if (typeof alg !== 'string') throw new Refusal('has no algorithm ("alg")', { hint });
  if (alg.toLowerCase() === 'none')
    throw new Refusal(
      'has the algorithm "none": such a token is not signed, and is never accepted',
      { hint },
    );
  if (!ALGORITHMS.includes(alg))
    throw new Refusal(`has the algorithm ${JSON.stringify(alg)}`, { hint });
  const [kty, name] = KINDS[alg.slice(0, 2)] ?? ['AKP', alg];
  const bits = Number(alg.slice(2)) || 0;
  const curves = { EC: `P-${bits === 512 ? 521 : bits}`, OKP: 'Ed25519' };
  const crv = kty === 'EC' || kty === 'OKP' ? curves[kty] : undefined;
  return { kty, crv, bits, webCrypto: { name, hash: `SHA-${bits}`, saltLength: bits / 8 } };
}

/** @param {string} what @param {any} jwk */
const named = (what, { kty, crv }) => `${what} of the type ${kty}${crv ? ` with ${crv}` : ''}`;
/** @param {any} jwk @returns {Key} */
const fromJwk = (jwk) => ({ jwk, name: named('a JWK', jwk ?? {}) });
/** @param {Uint8Array} bytes @returns {Key} */
const fromSecret = (bytes) => ({
  jwk: { kty: 'oct', k: toBase64Url(bytes) },
  name: 'a shared secret',
});

const EC = '1.2.840.10045.2.1';
/** Types of keys by the identifier of their algorithm or curve. @type {Record<string, { kty: string, crv?: string, webCrypto?: any }>} */
const OIDS = {
  '1.2.840.113549.1.1.1': {
    kty: 'RSA',
    webCrypto: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  },
  '1.2.840.10045.3.1.7': { kty: 'EC', crv: 'P-256', webCrypto: { name: 'ECDSA' } },
  '1.3.132.0.34': { kty: 'EC', crv: 'P-384', webCrypto: { name: 'ECDSA' } },
  '1.3.132.0.35': { kty: 'EC', crv: 'P-521', webCrypto: { name: 'ECDSA' } },
  '1.3.132.0.10': { kty: 'EC', crv: 'secp256k1' },
  '1.3.101.112': { kty: 'OKP', crv: 'Ed25519', webCrypto: { name: 'Ed25519' } },
  '1.3.101.113': { kty: 'OKP', crv: 'Ed448' },
};

/** A key in DER. One of a type that no algorithm takes has its type alone, for the refusal. @param {'spki' | 'pkcs8'} format @param {Uint8Array} der @returns {Promise<Key>} */
async function fromDer(format, der) {
  const identifier = child(readDer(der), format === 'spki' ? 0 : 1, 0x30);
  const oid = oidOf(child(identifier, 0, 6));
  const id = oid === EC ? oidOf(child(identifier, 1, 6)) : oid;
  const { webCrypto, ...type } = OIDS[id] ?? { kty: `unknown (${id})` };
  const name = named('a key', type);
  if (!webCrypto) return { jwk: type, name };
  const parameters = { ...webCrypto, namedCurve: type.crv };
  try {
    const key = await crypto.subtle.importKey(
      format,
      /** @type {BufferSource} */ (der),
      parameters,
      true,
      [format === 'spki' ? 'verify' : 'sign'],
    );
    return { jwk: await (await library()).exportJWK(key), name };
  } catch {
    throw new Refusal(`is not valid as ${name}`);
  }
}

/** The public key of a certificate. @param {Uint8Array} der */
function spkiOfCertificate(der) {
  const fields = child(readDer(der), 0, 0x30);
  return child(fields, fields.children[0]?.tag === 0xa0 ? 6 : 5, 0x30).raw;
}

/** Converts SEC 1 to PKCS #8: the curve moves to the front. @param {Uint8Array} der */
function pkcs8OfSec1(der) {
  const curve = readDer(der).children.find(({ tag }) => tag === 0xa0)?.children[0];
  if (!curve) throw new Refusal('is an EC private key that does not name its curve');
  const ecPublicKey = Uint8Array.of(6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1);
  return sequence(Uint8Array.of(2, 1, 0), sequence(ecPublicKey, curve.raw), write(4, der));
}

/** @param {string} text @returns {Promise<Key>} */
async function readPemKey(text) {
  const blocks = readPem(text, 20).filter(({ label }) => label !== 'EC PARAMETERS');
  const { label = '', bytes = new Uint8Array(), headers = '' } = blocks[0] ?? {};
  if (label.startsWith('ENCRYPTED') || headers.includes('ENCRYPTED'))
    throw new Refusal('is encrypted; decrypt it first');
  if (label === 'PUBLIC KEY') return fromDer('spki', bytes);
  if (label === 'PRIVATE KEY') return fromDer('pkcs8', bytes);
  if (label === 'EC PRIVATE KEY') return fromDer('pkcs8', pkcs8OfSec1(bytes));
  if (label === 'CERTIFICATE') return fromDer('spki', spkiOfCertificate(bytes));
  if (!/^RSA |^OPENSSH/.test(label))
    throw new Refusal(`is PEM of the kind "${label}", which is not a key`);
  return { jwk: toJwk(readRsaKey(text)), name: named('a key', { kty: 'RSA' }) };
}

/**
 * All keys in a text. A JWK Set has several.
 * @param {string} text
 * @param {'auto' | 'text' | 'hex' | 'base64url'} format
 * @returns {Promise<Key[]>}
 */
export async function readKeys(text, format) {
  const trimmed = text.trim();
  if (isPem(trimmed)) return [await readPemKey(trimmed)];
  if (format === 'auto' && trimmed.startsWith('{')) {
    const jwk = readJwk(trimmed);
    if (!Array.isArray(jwk.keys)) return [fromJwk(jwk)];
    if (jwk.keys.length === 0 || jwk.keys.length > 100)
      throw new Refusal(`is a JWK Set of ${jwk.keys.length} keys; 1 to 100 are read`);
    return jwk.keys.map(fromJwk);
  }
  if (format === 'hex') return [fromSecret(fromHex(text))];
  if (format === 'base64url') return [fromSecret(fromAnyBase64(text))];
  return [fromSecret(toUtf8(text))];
}

/** @param {string} text @returns {any} */
function readJwk(text) {
  const jwk = attempt(() => JSON.parse(text));
  if (jwk === undefined) throw new Refusal('begins as a JWK and is not valid JSON');
  return jwk;
}

/** @param {Key} key */
export const isPrivate = ({ jwk }) => jwk.d !== undefined || jwk.priv !== undefined;

/** Refuses a key that is not for this algorithm and use. @param {string} alg @param {Key} key @param {'sign' | 'verify'} use */
export function demandFit(alg, { jwk, name }, use) {
  const { kty, crv } = algorithmOf(alg);
  const need =
    kty === 'oct' ? 'a shared secret' : `a key of the type ${kty}${crv ? ` with ${crv}` : ''}`;
  if (jwk?.kty !== kty || (crv && jwk.crv !== crv))
    throw new Refusal(`is ${name}, but ${alg} needs ${need}`);
  if (jwk.alg !== undefined && jwk.alg !== alg && kty !== 'OKP')
    throw new Refusal(`is a JWK for ${JSON.stringify(jwk.alg)}, not for ${alg}`);
  if (jwk.use !== undefined && jwk.use !== 'sig')
    throw new Refusal(`is a JWK whose "use" is ${JSON.stringify(jwk.use)}, not "sig"`);
  // The operations of a private key are its owner's. Verifying uses the public part.
  const wanted = isPrivate({ jwk, name }) ? 'sign' : use;
  if (jwk.key_ops !== undefined && !(Array.isArray(jwk.key_ops) && jwk.key_ops.includes(wanted)))
    throw new Refusal(`is a JWK whose "key_ops" lack "${wanted}": ${JSON.stringify(jwk.key_ops)}`);
  if (kty !== 'RSA') return;
  const n = fromBase64Url(String(jwk.n ?? ''));
  const bits = n.length === 0 ? 0 : bitsOfModulus(n);
  if (bits < 2048)
    throw new Refusal(`is an RSA key of ${bits} bits; 2048 at least are demanded (RFC 7518 §3.3)`);
}

const PUBLIC = ['kty', 'crv', 'x', 'y', 'n', 'e', 'k', 'pub'];
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'priv'];

/** The JWK with the members that make the key, for this algorithm. @param {string} alg @param {Key} key @param {'sign' | 'verify'} use */
export function essential(alg, { jwk }, use) {
  const names = use === 'sign' ? [...PUBLIC, ...PRIVATE] : PUBLIC;
  const kept = names.filter((name) => jwk[name] !== undefined).map((name) => [name, jwk[name]]);
  return Object.fromEntries([...kept, ['alg', alg]]);
}

/** Words an error of WebCrypto or the library about a key. @param {any} error @param {string} alg */
const unusable = ({ name }, alg) =>
  new Refusal(
    name === 'NotSupportedError'
      ? `is for ${alg}, which this browser does not offer`
      : `is not a valid key for ${alg}`,
  );

/** @param {string} header as written @param {Uint8Array} payload @param {string} alg @param {Key} material */
export async function signJws(header, payload, alg, material) {
  const input = `${toBase64Url(toUtf8(header))}.${toBase64Url(payload)}`;
  const { webCrypto } = algorithmOf(alg);
  try {
    const imported = await (await library()).importJWK(essential(alg, material, 'sign'), alg);
    const key =
      imported instanceof Uint8Array
        ? await crypto.subtle.importKey(
            'raw',
            /** @type {BufferSource} */ (imported),
            webCrypto,
            false,
            ['sign'],
          )
        : imported;
    const signature = await crypto.subtle.sign(webCrypto, key, toUtf8(input));
    return `${input}.${toBase64Url(new Uint8Array(signature))}`;
  } catch (error) {
    throw unusable(error, alg);
  }
}

/** Whether the signature is valid. @param {string} token @param {string} alg @param {Key} key */
export async function verifyJws(token, alg, key) {
  const { compactVerify } = await library();
  try {
    await compactVerify(token, essential(alg, key, 'verify'), { algorithms: [alg] });
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return false;
    throw unusable(error, alg);
  }
}

/** A new private key as a JWK, or undefined where the platform does not offer it. @param {string} alg */
export async function newPrivateKey(alg) {
  const { exportJWK, generateKeyPair } = await library();
  const options = { modulusLength: 3072, extractable: true };
  const pair = await generateKeyPair(alg, options).catch(() => undefined);
  if (!pair) return undefined;
  const { alg: _, ...jwk } = await exportJWK(pair.privateKey);
  return { ...jwk, alg };
}

/** The parts of a token, as bytes. @param {string} token */
export function splitJws(token) {
  const parts = token.split('.');
  if (parts.length === 5) throw new Refusal('has five parts: it is encrypted (JWE), not signed');
  if (parts.length !== 3)
    throw new Refusal(
      `has ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}; a signed token has three, joined by dots`,
    );
  let next = 0;
  const [header, payload] = parts.map((part) => {
    const start = next;
    next += part.length + 1;
    return inPart(start, () => fromBase64Url(part));
  });
  const empty = new Uint8Array();
  return { header: header ?? empty, payload: payload ?? empty };
}
