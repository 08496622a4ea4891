//! Base32: RFC 4648 §6 and §7, Crockford's with check symbols, z-base-32.

export const ALPHABETS = {
  standard: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789ABCDEFGHIJKLMNOPQRSTUV',
  crockford: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  zbase32: 'ybndrfg8ejkmcpqxot1uwisza345h769',
};
const CHECKS = `${ALPHABETS.crockford}*~$=U`;

/** @typedef {keyof typeof ALPHABETS} Alphabet */
/** @typedef {{ offence: string, index: number, hint: string }} Fault */

/** @param {Uint8Array} bytes @param {Alphabet} alphabet */
export function toBase32(bytes, alphabet) {
  const symbols = ALPHABETS[alphabet];
  const parts = [];
  let line = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) line += symbols[(held >> (bits - 5)) & 31];
    held &= 31;
    if (line.length > 8192) {
      parts.push(line);
      line = '';
    }
  }
  if (bits > 0) line += symbols[(held << (5 - bits)) & 31];
  return parts.join('') + line;
}

/** `=` up to a multiple of eight symbols. @param {string} symbols */
export const padding = (symbols) => '='.repeat((8 - (symbols.length % 8)) % 8);

/** Crockford's check symbol: the number modulo 37. @param {string} symbols */
export function checkSymbol(symbols) {
  let rest = 0;
  for (const symbol of symbols) rest = (rest * 32 + ALPHABETS.crockford.indexOf(symbol)) % 37;
  return CHECKS.charAt(rest);
}

/** A whole number in Crockford's symbols. @param {bigint} number */
export function fromNumber(number) {
  let symbols = '';
  for (let rest = number; rest > 0n || symbols === ''; rest /= 32n)
    symbols = ALPHABETS.crockford.charAt(Number(rest % 32n)) + symbols;
  return symbols;
}

/** @param {string} symbols */
export function toNumber(symbols) {
  let number = 0n;
  for (const symbol of symbols) number = number * 32n + BigInt(ALPHABETS.crockford.indexOf(symbol));
  return number;
}

const LOOKS = { O: '0', I: '1', L: '1' };

/**
 * The symbols of a text in their canonical form, each with its index; tells what was tolerated.
 * @param {string} string @param {Alphabet} alphabet @param {boolean} check whether the last one is a check symbol
 * @param {(fault: Fault) => never} fault @param {(sentence: string) => void} warn
 */
export function readSymbols(string, alphabet, check, fault, warn) {
  const symbols = ALPHABETS[alphabet];
  const canonical =
    alphabet === 'zbase32'
      ? (/** @type {string} */ one) => one.toLowerCase()
      : (/** @type {string} */ one) => one.toUpperCase();
  const content = string.replace(/[\s=]+$/, '');
  const padded = string.slice(content.length).replace(/\s/g, '').length;
  const body = check && alphabet === 'crockford' && padded > 0 ? `${content}=` : content;
  /** @type {{ symbol: string, index: number }[]} */
  const found = [];
  const told = new Set();
  for (let index = 0; index < body.length; index++) {
    const typed = body.charAt(index);
    if (/\s/.test(typed)) {
      told.add('White space was left out.');
      continue;
    }
    if (typed === '-' && alphabet === 'crockford') {
      told.add('Hyphens were left out.');
      continue;
    }
    let symbol = canonical(typed);
    if (symbol !== typed)
      told.add(
        alphabet === 'zbase32'
          ? 'Capital letters were taken as small ones.'
          : 'Small letters were taken as capital ones.',
      );
    if (alphabet === 'crockford' && symbol in LOOKS) {
      told.add(`"${symbol}" was taken as "${LOOKS[/** @type {keyof typeof LOOKS} */ (symbol)]}".`);
      symbol = LOOKS[/** @type {keyof typeof LOOKS} */ (symbol)];
    }
    const isLast = check && index === body.length - 1;
    if (!(isLast ? CHECKS : symbols).includes(symbol))
      fault({
        offence: `"${String.fromCodePoint(string.codePointAt(index) ?? 0)}" is not a symbol of this alphabet`,
        index,
        hint: `The symbols are ${symbols}${isLast ? ', and * ~ $ = U as check symbols' : ''}.`,
      });
    found.push({ symbol, index });
  }
  for (const sentence of told) warn(sentence);
  return { found, padded };
}

/**
 * The bytes of symbols. Refuses impossible lengths and trailing bits that are not zero.
 * @param {{ symbol: string, index: number }[]} found @param {Alphabet} alphabet @param {(fault: Fault) => never} fault
 */
export function fromSymbols(found, alphabet, fault) {
  const symbols = ALPHABETS[alphabet];
  const last = found.at(-1)?.index ?? 0;
  if ([1, 3, 6].includes(found.length % 8))
    fault({
      offence: `has ${found.length} symbols, which is not a length that Base32 gives`,
      index: last,
      hint: 'One, three or six symbols over a multiple of eight hold no whole byte.',
    });
  const bytes = new Uint8Array(Math.floor((found.length * 5) / 8));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (const { symbol } of found) {
    held = (held << 5) | symbols.indexOf(symbol);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  if (held !== 0)
    fault({
      offence: `"${found.at(-1)?.symbol}" has bits past the last byte that are not zero`,
      index: last,
      hint: 'The text is cut off or was changed.',
    });
  return bytes;
}
