//! Signatures and the order of a chain. Standards: RFC 5280 §6 (in part: names and signatures), RFC 5758, RFC 8410.
import { ALGORITHMS, CURVES } from '../../data/oids.js';
import { concat } from '../bytes.js';
import { child, oidOf, readDer, unsignedOf } from '../keys/der.js';
import { pssParameters } from './values.js';

/** @import { Item } from './x509.js' */
/** @import { Element } from '../keys/der.js' */

/** @param {Element} identifier @param {Element} spki */
function methodOf(identifier, spki) {
  const name = ALGORITHMS[oidOf(child(identifier, 0, 6))] ?? '';
  const hash = `SHA-${/sha(1|256|384|512)/i.exec(name)?.[1] ?? ''}`;
  if (/^sha\d+WithRSA/.test(name) && hash !== 'SHA-')
    return {
      import: { name: 'RSASSA-PKCS1-v1_5', hash },
      verify: { name: 'RSASSA-PKCS1-v1_5' },
      size: 0,
    };
  if (name === 'rsassaPss') {
    const { hash: inner, saltLength } = pssParameters(identifier);
    return {
      import: { name: 'RSA-PSS', hash: inner },
      verify: { name: 'RSA-PSS', saltLength },
      size: 0,
    };
  }
  if (name === 'Ed25519') return { import: { name }, verify: { name }, size: 0 };
  const named = child(spki, 0, 0x30).children[1];
  const curve = named?.tag === 6 ? CURVES[oidOf(named)] : undefined;
  if (name.startsWith('ecdsa') && curve?.name.startsWith('P-')) {
    return {
      import: { name: 'ECDSA', namedCurve: curve.name },
      verify: { name: 'ECDSA', hash },
      size: Math.ceil(curve.bits / 8),
    };
  }
  return undefined;
}

/** A DER-encoded ECDSA signature as two numbers of fixed size. @param {Uint8Array} der @param {number} size */
function rawSignature(der, size) {
  return concat(
    ...readDer(der).children.map((number) => {
      const bytes = unsignedOf(number);
      return concat(new Uint8Array(Math.max(0, size - bytes.length)), bytes);
    }),
  );
}

/** Whether `signer` signed `item`. Undefined if that cannot be determined here. @param {Item} item @param {Element} spki */
async function isSignedBy(item, spki) {
  const method = methodOf(item.signature.algorithm, spki);
  if (!method) return undefined;
  try {
    const bytes = method.size
      ? rawSignature(item.signature.bytes, method.size)
      : item.signature.bytes;
    const key = await crypto.subtle.importKey(
      'spki',
      /** @type {BufferSource} */ (spki.raw),
      method.import,
      false,
      ['verify'],
    );
    return await crypto.subtle.verify(
      method.verify,
      key,
      /** @type {BufferSource} */ (bytes),
      /** @type {BufferSource} */ (item.signature.over),
    );
  } catch {
    return undefined;
  }
}

/**
 * The signer of each item, among the given ones.
 * @param {Item[]} items
 * @returns {Promise<{ by: number | undefined, valid: boolean | undefined }[]>}
 */
export async function signersOf(items) {
  return Promise.all(
    items.map(async (item) => {
      if (item.kind === 'request')
        return { by: items.indexOf(item), valid: item.spki && (await isSignedBy(item, item.spki)) };
      const named = items.flatMap((other, index) =>
        other.kind === 'certificate' && other.subject === item.issuer ? [{ other, index }] : [],
      );
      let best = /** @type {{ by: number | undefined, valid: boolean | undefined }} */ ({
        by: undefined,
        valid: undefined,
      });
      for (const { other, index } of named) {
        const valid = other.spki && (await isSignedBy(item, other.spki));
        if (best.by === undefined || valid) best = { by: index, valid };
        if (valid) break;
      }
      return best;
    }),
  );
}
