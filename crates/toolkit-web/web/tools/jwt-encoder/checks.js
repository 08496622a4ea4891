//! Checks whether the claims of a token are valid now. Standard: RFC 7519 §4.1.
import { span } from '../../lib/zones.js';

/** @typedef {[check: string, result: string, holds: boolean]} Check */

/** @param {unknown} seconds */
export function momentOf(seconds) {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || Math.abs(seconds) > 8.64e12)
    return undefined;
  return new Date(seconds * 1000).toISOString().replace(/\.000Z$/, 'Z');
}

/** @param {Record<string, unknown>} claims @param {number} now @param {number} skew @returns {Check[]} */
function times({ exp, nbf, iat }, now, skew) {
  /** @type {Check[]} */
  const checks = [];
  const add = (
    /** @type {string} */ label,
    /** @type {unknown} */ value,
    /** @type {(value: number) => [string, boolean]} */ judge,
  ) => {
    if (value === undefined) return;
    const moment = momentOf(value);
    const [words, holds] =
      moment === undefined ? ['not a number of seconds', false] : judge(Number(value));
    checks.push([label, moment === undefined ? words : `${moment}: ${words}`, holds]);
  };
  add('Expires (exp)', exp, (value) =>
    now - skew < value
      ? [now < value ? `in ${span(value - now)}` : 'expired, within the skew', true]
      : [`expired ${span(now - value)} ago`, false],
  );
  add('Not before (nbf)', nbf, (value) =>
    now + skew >= value ? ['reached', true] : [`only in ${span(value - now)}`, false],
  );
  add('Issued (iat)', iat, (value) =>
    value <= now + skew ? [`${span(now - value)} ago`, true] : ['lies in the future', false],
  );
  return checks;
}

/**
 * @param {Record<string, unknown>} claims
 * @param {{ now: number, skew: number, issuer: string, audience: string }} expected
 * @returns {Check[]}
 */
export function checkClaims(claims, { now, skew, issuer, audience }) {
  const checks = times(claims, now, skew);
  const { iss, aud } = claims;
  if (issuer)
    checks.push([
      'Issuer (iss)',
      iss === issuer
        ? 'as expected'
        : `is ${JSON.stringify(iss) ?? 'missing'}, not ${JSON.stringify(issuer)}`,
      iss === issuer,
    ]);
  if (audience) {
    const meant = Array.isArray(aud) ? aud.includes(audience) : aud === audience;
    checks.push([
      'Audience (aud)',
      meant
        ? 'as expected'
        : `is ${JSON.stringify(aud) ?? 'missing'}, which does not name ${JSON.stringify(audience)}`,
      meant,
    ]);
  }
  return checks;
}
