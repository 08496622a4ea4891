//! Compact JWS and the keys for it. Standards: RFC 7515, RFC 7518 §3, RFC 8037 and RFC 9864 (Ed25519), RFC 7517.
//! Signs exactly the text given. `none` is not an algorithm here.
import { fromAnyBase64, fromBase64Url, toBase64Url } from './base64url.js';
import { child, oidOf, readDer, sequence, write } from './der.js';
import { Fault } from './fault.js';
import { secretFromHex } from './otp.js';
import { isPem, readPem } from './pem.js';
import { bitsOfModulus, isPrivate, privateForms, readRsaKey, spki } from './rsa.js';

/** @typedef {{ kty: 'oct' | 'RSA' | 'EC' | 'OKP' | 'AKP', import: any, sign: any, bits: number, curve?: string }} Algorithm */
/** @typedef {{ kind: 'secret', bytes: Uint8Array } | { kind: 'jwk', jwk: any } | { kind: 'spki' | 'pkcs8', der: Uint8Array }} KeyMaterial */

/** @type {Record<string, Algorithm>} */
export const ALGORITHMS = {};
for (const bits of [256, 384, 512]) {
  const hash = `SHA-${bits}`;
  ALGORITHMS[`HS${bits}`] = {
    kty: 'oct',
    import: { name: 'HMAC', hash },
    sign: { name: 'HMAC' },
    bits,
  };
  ALGORITHMS[`RS${bits}`] = {
    kty: 'RSA',
    import: { name: 'RSASSA-PKCS1-v1_5', hash },
    sign: { name: 'RSASSA-PKCS1-v1_5' },
    bits,
  };
  ALGORITHMS[`PS${bits}`] = {
    kty: 'RSA',
    import: { name: 'RSA-PSS', hash },
    sign: { name: 'RSA-PSS', saltLength: bits / 8 },
    bits,
  };
  const curve = `P-${bits === 512 ? 521 : bits}`;
  ALGORITHMS[`ES${bits}`] = {
    kty: 'EC',
    curve,
    import: { name: 'ECDSA', namedCurve: curve },
    sign: { name: 'ECDSA', hash },
    bits,
  };
}
for (const name of ['Ed25519', 'EdDSA'])
  ALGORITHMS[name] = {
    kty: 'OKP',
    curve: 'Ed25519',
    import: { name: 'Ed25519' },
    sign: { name: 'Ed25519' },
    bits: 256,
  };
for (const name of ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'])
  ALGORITHMS[name] = { kty: 'AKP', import: { name }, sign: { name }, bits: 256 };

/** @param {unknown} alg */
export function algorithmOf(alg) {
  const hint = `Known are ${Object.keys(ALGORITHMS).join(', ')}.`;
  if (typeof alg !== 'string') throw new Fault('has no algorithm ("alg")', { hint });
  if (alg.toLowerCase() === 'none')
    throw new Fault('has the algorithm "none": such a token is not signed, and is never accepted', {
      hint,
    });
  const known = Object.hasOwn(ALGORITHMS, alg) ? ALGORITHMS[alg] : undefined;
  if (!known) throw new Fault(`has the algorithm ${JSON.stringify(alg)}`, { hint });
  return known;
}

const OIDS = {
  '1.2.840.113549.1.1.1': { kty: 'RSA', curve: undefined },
  '1.2.840.10045.3.1.7': { kty: 'EC', curve: 'P-256' },
  '1.3.132.0.34': { kty: 'EC', curve: 'P-384' },
  '1.3.132.0.35': { kty: 'EC', curve: 'P-521' },
  '1.3.132.0.10': { kty: 'EC', curve: 'secp256k1' },
  '1.3.101.112': { kty: 'OKP', curve: 'Ed25519' },
  '1.3.101.113': { kty: 'OKP', curve: 'Ed448' },
};
const EC = '1.2.840.10045.2.1';

/** @param {import('./der.js').Element} algorithm */
function kindOf(algorithm) {
  const oid = oidOf(child(algorithm, 0, 6));
  const named = oid === EC ? oidOf(child(algorithm, 1, 6)) : oid;
  return (
    OIDS[/** @type {'1.3.101.112'} */ (named)] ?? { kty: `unknown (${named})`, curve: undefined }
  );
}

/** The public key of a certificate. @param {Uint8Array} der */
export function spkiOfCertificate(der) {
  const fields = child(readDer(der), 0, 0x30);
  return child(fields, fields.children[0]?.tag === 0xa0 ? 6 : 5, 0x30).raw;
}

/** Converts SEC 1 to PKCS #8: the curve moves to the front. @param {Uint8Array} der */
function pkcs8OfSec1(der) {
  const curve = readDer(der).children.find(({ tag }) => tag === 0xa0)?.children[0];
  if (!curve) throw new Fault('is an EC private key that does not name its curve');
  const ecPublicKey = Uint8Array.of(6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1);
  return sequence(Uint8Array.of(2, 1, 0), sequence(ecPublicKey, curve.raw), write(4, der));
}

/** @param {string} text @returns {KeyMaterial} */
function readPemKey(text) {
  const blocks = readPem(text, 20).filter(({ label }) => label !== 'EC PARAMETERS');
  const { label = '', bytes = new Uint8Array(), headers = '' } = blocks[0] ?? {};
  if (label.startsWith('ENCRYPTED') || headers.includes('ENCRYPTED'))
    throw new Fault('is encrypted; decrypt it first');
  if (label === 'PUBLIC KEY') return { kind: 'spki', der: bytes };
  if (label === 'PRIVATE KEY') return { kind: 'pkcs8', der: bytes };
  if (label === 'EC PRIVATE KEY') return { kind: 'pkcs8', der: pkcs8OfSec1(bytes) };
  if (label === 'CERTIFICATE') return { kind: 'spki', der: spkiOfCertificate(bytes) };
  if (!/^RSA |^OPENSSH/.test(label))
    throw new Fault(`is PEM of the kind "${label}", which is not a key`);
  const key = readRsaKey(text);
  if (!isPrivate(key)) return { kind: 'spki', der: spki(key) };
  return {
    kind: 'pkcs8',
    der: readPem(privateForms(key, '', new Uint8Array(4)).pkcs8)[0]?.bytes ?? bytes,
  };
}

/**
 * All keys of a text; a JWK Set has several.
 * @param {string} text
 * @param {'auto' | 'text' | 'hex' | 'base64url'} format
 * @returns {KeyMaterial[]}
 */
export function readKeys(text, format) {
  const trimmed = text.trim();
  if (isPem(trimmed)) return [readPemKey(trimmed)];
  if (format === 'auto' && trimmed.startsWith('{')) {
    const jwk = readJwk(trimmed);
    if (!Array.isArray(jwk.keys)) return [{ kind: 'jwk', jwk }];
    if (jwk.keys.length === 0 || jwk.keys.length > 100)
      throw new Fault(`is a JWK Set of ${jwk.keys.length} keys; 1 to 100 are read`);
    return jwk.keys.map((/** @type {any} */ one) => ({ kind: 'jwk', jwk: one }));
  }
  if (format === 'hex') return [{ kind: 'secret', bytes: secretFromHex(text) }];
  if (format === 'base64url') return [{ kind: 'secret', bytes: fromAnyBase64(text) }];
  return [{ kind: 'secret', bytes: new TextEncoder().encode(text) }];
}

/** @param {string} text @returns {any} */
function readJwk(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('begins as a JWK and is not valid JSON');
  }
}

/** Refuses a key whose type does not fit the algorithm. @param {string} alg @param {KeyMaterial} material */
export function demandFit(alg, material) {
  const { kty, curve } = algorithmOf(alg);
  const found = describe(material);
  const need =
    kty === 'oct' ? 'a shared secret' : `a key of the type ${kty}${curve ? ` with ${curve}` : ''}`;
  if (found.kty !== kty || (curve && found.curve !== curve))
    throw new Fault(`is ${found.name}, but ${alg} needs ${need}`);
  if (
    material.kind === 'jwk' &&
    material.jwk.alg !== undefined &&
    material.jwk.alg !== alg &&
    !(kty === 'OKP')
  )
    throw new Fault(`is a JWK for ${JSON.stringify(material.jwk.alg)}, not for ${alg}`);
  if (kty === 'RSA') demandSize(material);
}

/** @param {KeyMaterial} material */
function describe(material) {
  if (material.kind === 'secret') return { kty: 'oct', curve: undefined, name: 'a shared secret' };
  if (material.kind === 'jwk') {
    const { kty, crv } = material.jwk ?? {};
    return {
      kty: String(kty),
      curve: crv,
      name: `a JWK of the type ${JSON.stringify(kty)}${crv ? ` with ${crv}` : ''}`,
    };
  }
  const root = readDer(material.der);
  const { kty, curve } = kindOf(child(root, material.kind === 'spki' ? 0 : 1, 0x30));
  return { kty, curve, name: `a key of the type ${kty}${curve ? ` with ${curve}` : ''}` };
}

/** @param {KeyMaterial} material */
function demandSize(material) {
  if (material.kind === 'secret') return;
  const n =
    material.kind === 'jwk'
      ? fromBase64Url(String(material.jwk.n ?? ''))
      : readRsaKey(pemOf(material)).n;
  const bits = n.length === 0 ? 0 : bitsOfModulus(n);
  if (bits < 2048)
    throw new Fault(`is an RSA key of ${bits} bits; 2048 at least are demanded (RFC 7518 §3.3)`);
}

/** @param {{ kind: 'spki' | 'pkcs8', der: Uint8Array }} material */
const pemOf = ({ kind, der }) => {
  const label = kind === 'spki' ? 'PUBLIC KEY' : 'PRIVATE KEY';
  return `-----BEGIN ${label}-----\n${btoa(String.fromCharCode(...der))}\n-----END ${label}-----`;
};

/** Members of a JWK that WebCrypto needs; `use`, `key_ops` and `kid` are checked here. @param {any} jwk @param {boolean} open */
function essential(jwk, open) {
  const names = ['kty', 'crv', 'x', 'y', 'n', 'e', 'k', 'pub', 'alg'];
  if (!open) names.push('d', 'p', 'q', 'dp', 'dq', 'qi', 'priv');
  const kept = Object.fromEntries(
    names.filter((name) => jwk[name] !== undefined).map((name) => [name, jwk[name]]),
  );
  if (jwk.kty !== 'AKP') delete kept.alg;
  return kept;
}

/** @param {string} alg @param {KeyMaterial} material */
export const isSecretKey = (alg, material) =>
  algorithmOf(alg).kty === 'oct' ||
  material.kind === 'pkcs8' ||
  (material.kind === 'jwk' && (material.jwk.d !== undefined || material.jwk.priv !== undefined));

/** @param {string} alg @param {KeyMaterial} material @param {'sign' | 'verify'} use @returns {Promise<CryptoKey>} */
export async function importKey(alg, material, use) {
  const { import: parameters } = algorithmOf(alg);
  try {
    if (material.kind === 'secret')
      return await crypto.subtle.importKey(
        'raw',
        /** @type {BufferSource} */ (material.bytes),
        parameters,
        false,
        [use],
      );
    if (use === 'verify' && material.kind === 'pkcs8') {
      const own = await crypto.subtle.importKey(
        'pkcs8',
        /** @type {BufferSource} */ (material.der),
        parameters,
        true,
        ['sign'],
      );
      return await crypto.subtle.importKey(
        'jwk',
        essential(await crypto.subtle.exportKey('jwk', own), true),
        parameters,
        true,
        ['verify'],
      );
    }
    if (material.kind === 'jwk')
      return await crypto.subtle.importKey(
        'jwk',
        essential(material.jwk, use === 'verify'),
        parameters,
        true,
        [use],
      );
    return await crypto.subtle.importKey(
      material.kind,
      /** @type {BufferSource} */ (material.der),
      parameters,
      true,
      [use],
    );
  } catch (error) {
    if (/** @type {Error} */ (error).name === 'NotSupportedError')
      throw new Fault(`is for ${alg}, which this browser does not offer`);
    throw new Fault(`is not a valid key for ${alg}`);
  }
}

const ascii = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** @param {string} header as written @param {Uint8Array} payload @param {string} alg @param {CryptoKey} key */
export async function signJws(header, payload, alg, key) {
  const input = `${toBase64Url(ascii(header))}.${toBase64Url(payload)}`;
  const signature = await crypto.subtle.sign(algorithmOf(alg).sign, key, ascii(input));
  return `${input}.${toBase64Url(new Uint8Array(signature))}`;
}

/** @param {string} token */
export function splitJws(token) {
  const parts = token.split('.');
  if (parts.length === 5) throw new Fault('has five parts: it is encrypted (JWE), not signed');
  if (parts.length !== 3)
    throw new Fault(
      `has ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}; a signed token has three, joined by dots`,
    );
  let offset = 0;
  const [header, payload, signature] = parts.map((part) => {
    try {
      return fromBase64Url(part);
    } catch (error) {
      if (error instanceof Fault)
        throw new Fault(error.message, {
          ...error.place,
          offset: offset + (error.place.offset ?? 0),
        });
      throw error;
    } finally {
      offset += part.length + 1;
    }
  });
  const empty = new Uint8Array();
  return {
    header: header ?? empty,
    payload: payload ?? empty,
    signature: signature ?? empty,
    input: token.slice(0, token.lastIndexOf('.')),
  };
}

/** @param {{ input: string, signature: Uint8Array }} token @param {string} alg @param {CryptoKey} key */
export const verifyJws = ({ input, signature }, alg, key) =>
  crypto.subtle.verify(
    algorithmOf(alg).sign,
    key,
    /** @type {BufferSource} */ (signature),
    ascii(input),
  );
