//! A payload signed with a key as people paste it. Standards: RFC 7515, RFC 7518 §3, RFC 8725 (practice).

import { Refusal } from '../../kit/tool.js';
import * as jose from './jws.js';
import { keyText, warnOfLength } from './verify.js';

/** @import * as T from '../../kit/types.d.ts' */

/**
 * The token, and the key where it is not shared.
 * @param {string} header @param {Uint8Array} payload @param {string} alg @param {T.TextValue} typed @param {'auto'} format @param {T.Context} context
 */
export async function signed(header, payload, alg, typed, format, context) {
  const keys = await jose.readKeys(keyText(typed, alg, context.warn), format);
  const [key] = keys;
  if (!key || keys.length > 1)
    throw new Refusal(`is a JWK Set of ${keys.length} keys; one signs a token`);
  jose.demandFit(alg, key, 'sign');
  const isShared = key.jwk.kty === 'oct';
  if (!isShared && !jose.isPrivate(key))
    throw new Refusal('is a public key; signing needs the private one', {
      hint: 'Accepted is a private key as PEM or JWK.',
    });
  warnOfLength(alg, key, context);
  const token = await jose.signJws(header, payload, alg, key);
  return { token, publicKey: isShared ? undefined : jose.essential(alg, key, 'verify') };
}
