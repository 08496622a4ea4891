//! The parts of a compact token in colors.

/** Positions of header, payload and signature in a text, each with its color. Empty if the token is not in one piece. @param {string} text @param {string} token @returns {[start: number, end: number, name: string][]} */
export function partsIn(text, token) {
  const begin = text.indexOf(token);
  if (begin < 0) return [];
  let end = begin - 1;
  return token.split('.').map((part, at) => {
    const start = end + 1;
    end = start + part.length;
    return [start, end, `tone-${Math.min(at, 2) + 1}`];
  });
}
