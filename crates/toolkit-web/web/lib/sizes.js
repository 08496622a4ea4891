//! Sizes of texts before and after, in bytes and in bytes after gzip.

/** @param {string | Uint8Array} content */
export async function gzipSize(content) {
  const stream = new Blob([/** @type {any} */ (content)])
    .stream()
    .pipeThrough(new CompressionStream('gzip'));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

/** @param {string} text */
export const byteSize = (text) => new TextEncoder().encode(text).length;

/** @param {number} bytes */
export const writeBytes = (bytes) => `${bytes.toLocaleString('en')} bytes`;

/**
 * Rows that compare two texts.
 * @param {string} before @param {string} after
 * @returns {Promise<[string, string][]>}
 */
export async function sizes(before, after) {
  const [from, to] = [byteSize(before), byteSize(after)];
  const [zippedFrom, zippedTo] = [await gzipSize(before), await gzipSize(after)];
  return [
    ['Before', writeBytes(from)],
    ['After', `${writeBytes(to)} (${change(from, to)})`],
    ['Before, gzip', writeBytes(zippedFrom)],
    ['After, gzip', `${writeBytes(zippedTo)} (${change(zippedFrom, zippedTo)})`],
  ];
}

/** @param {number} from @param {number} to */
export function change(from, to) {
  if (from === 0) return '0 %';
  const percent = Math.round(((to - from) / from) * 1000) / 10;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)} %`;
}
