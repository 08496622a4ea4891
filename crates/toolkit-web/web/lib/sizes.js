//! Sizes of texts before and after, in bytes and in bytes after gzip.

import { headline } from '../kit/tool.js';
import { size } from './size.js';

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
export const writeBytes = (bytes) => `${bytes.toLocaleString('en')} byte${bytes === 1 ? '' : 's'}`;

/** The change of a size, in words. @param {number} from @param {number} to */
export function shrunk(from, to) {
  if (from === to) return `${size(from)}, nothing to save`;
  const percent = change(from, to).replace(/^[+−]/, '');
  return `${size(from)} → ${size(to)}, ${percent} ${to < from ? 'smaller' : 'larger'}`;
}

/** The verdict that compares a text with its shorter form. @param {string} before @param {string} after */
export async function reduction(before, after) {
  const [from, to] = [await gzipSize(before), await gzipSize(after)];
  return {
    headline: headline(shrunk(byteSize(before), byteSize(after)), {
      below: `After gzip: ${size(from)} → ${size(to)}, ${change(from, to)}`,
    }),
  };
}

/** @param {number} from @param {number} to */
export function change(from, to) {
  if (from === 0) return '0 %';
  const percent = Math.round(((to - from) / from) * 1000) / 10;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)} %`;
}
