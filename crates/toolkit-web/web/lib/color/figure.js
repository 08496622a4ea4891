//! Numbers with a limited number of decimals.

/** A number with at most this many decimals. `null` is `none`. @param {number | null} value @param {number} [digits] */
export function figure(value, digits = 4) {
  if (value === null) return 'none';
  const rounded = Number(value.toFixed(digits));
  return String(Object.is(rounded, -0) ? 0 : rounded);
}
