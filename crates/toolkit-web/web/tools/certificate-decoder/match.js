//! Whether a key is that of a certificate or request: their public parts are compared.
import { headline, Refusal } from '../../kit/tool.js';
import { unwrap } from '../../kit/unwrap.js';
import { readKeys } from '../../lib/jose/jws.js';
import { isPem, writePem } from '../../lib/keys/pem.js';
import { inField, nowhere } from '../../lib/positions.js';

/** @import { Item } from '../../lib/x509/x509.js' */

/** @param {Record<string, unknown>} jwk */
const publicPart = (jwk) =>
  (jwk.n ?? jwk.x) === undefined
    ? undefined
    : JSON.stringify(['kty', 'crv', 'x', 'y', 'n', 'e'].map((name) => jwk[name]));

/** @param {string} typed */
async function publicParts(typed) {
  if (!isPem(typed) && !typed.trim().startsWith('{'))
    throw new Refusal('is neither PEM nor a JWK', {
      hint: 'PEM begins with -----BEGIN PRIVATE KEY-----.',
    });
  return (await readKeys(typed, 'auto')).map(({ jwk, name }) => {
    const part = publicPart(jwk ?? {});
    if (part === undefined)
      throw new Refusal(`is ${name}, which this browser cannot compare`, {
        hint: 'RSA keys are compared, and those of P-256, P-384, P-521 and Ed25519.',
      });
    return part;
  });
}

/** @param {string} typed a private or public key @param {Item[]} items @param {(sentence: string) => void} warn */
export async function matching(typed, items, warn) {
  const text = unwrap(typed, 'key', warn);
  const place = text === typed ? undefined : nowhere;
  const keys = await inField('key', text, () => publicParts(text), place);
  const names = [];
  for (const [at, { kind, spki }] of items.entries()) {
    if (!spki) continue;
    const own = await publicParts(writePem('PUBLIC KEY', spki.raw)).catch(() => []);
    if (own.some((part) => keys.includes(part)))
      names.push(items.length === 1 ? `the ${kind}` : `${kind} ${at + 1}`);
  }
  if (names.length === 0) return headline('The key does not match', { tone: 'bad' });
  return headline(`The key matches ${names.join(' and ')}`, { tone: 'good' });
}
