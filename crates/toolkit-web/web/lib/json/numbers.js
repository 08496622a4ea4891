//! Numbers of JSON texts: whether a double represents them exactly.

/**
 * Whether a JavaScript number has exactly the decimal value of the text.
 * @param {string} raw
 */
export function holdsExactly(raw) {
  const number = Number(raw);
  if (!Number.isFinite(number)) return false;
  if (Number.isInteger(number) && Math.abs(number) > Number.MAX_SAFE_INTEGER) return false;
  return decimal(raw) === decimal(String(number));
}

/** Digits and exponent without leading and trailing zeros. @param {string} raw */
function decimal(raw) {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(raw) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/(?<!0)0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
