//! Verifies the signature of a token with the keys of a form. Standards: RFC 7515, RFC 7518 §3, RFC 7517.
import { attempt, Refusal } from '../../kit/tool.js';
import { unwrap } from '../../kit/unwrap.js';
import { fromBase64Url } from '../bytes.js';
import * as jose from './jws.js';

/** @import * as T from '../../kit/types.d.ts' */

/** Warns of a secret shorter than its hash. @param {string} alg @param {jose.Key} key @param {T.Context} context */
export function warnOfLength(alg, { jwk }, context) {
  if (jwk.kty !== 'oct') return;
  const bits = fromBase64Url(String(jwk.k ?? '')).length * 8;
  const wanted = jose.algorithmOf(alg).bits;
  if (bits < wanted)
    context.warn(`The secret has ${bits} bits; ${alg} demands ${wanted} at least (RFC 7518 §3.2).`);
}

/** A key without its surroundings. A shared secret may be any text. @param {T.TextValue} typed @param {unknown} alg @param {T.Context['warn']} warn */
export const keyText = ({ string }, alg, warn) =>
  String(alg).startsWith('HS') ? string : unwrap(string, 'key', warn);

/** Whether one of the keys made the signature. @param {string} token @param {any} header @param {T.TextValue} typed @param {'auto'} format @param {T.Context} context */
export async function verifySignature(token, { alg, kid }, typed, format, context) {
  const all = await jose.readKeys(keyText(typed, alg, context.warn), format);
  const named = all.filter(({ jwk }) => all.length === 1 || kid === undefined || jwk?.kid === kid);
  if (named.length === 0) throw new Refusal(`has no key with the "kid" ${JSON.stringify(kid)}`);
  const fitting = all.length === 1 ? named : named.filter((one) => fits(alg, one));
  if (fitting.length === 0) throw new Refusal(`has no key that fits ${alg}`);
  for (const key of fitting) {
    jose.demandFit(alg, key, 'verify');
    warnOfLength(alg, key, context);
    if (await jose.verifyJws(token, alg, key)) return true;
  }
  return false;
}

/** @param {string} alg @param {jose.Key} key */
const fits = (alg, key) => attempt(() => jose.demandFit(alg, key, 'verify') ?? true) ?? false;
