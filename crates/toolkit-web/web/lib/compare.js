//! Text order by code point, which is also the order of UTF-8 bytes, as in `sort(1)` under `LC_ALL=C`.

/** Surrogates represent code points above all others. @param {number} unit */
const rank = (unit) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** @param {string} a @param {string} b */
export function compareCodePoints(a, b) {
  const shorter = Math.min(a.length, b.length);
  let index = 0;
  while (index < shorter && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  if (index === shorter) return a.length - b.length;
  return rank(a.charCodeAt(index)) - rank(b.charCodeAt(index));
}
