//! CSS colors by @csstools/css-color-parser: all of CSS Color 4, and `color-mix()` and relative colors of level 5.
//! Loaded late, so it shares no module with earlier ones, which would cost every color page one more request.

import { Refusal } from '../../kit/tool.js';
import * as library from '../../libraries/csstools-color-parser.js';
import { diagnose } from './diagnose.js';

/** @typedef {import('./spaces.js').Color} Color */

/**
 * Parses a color; throws a `Refusal` on any other text.
 * @param {string} text @returns {Color}
 */
export function parseCss(text) {
  const tokens = library.tokenize({ css: text });
  const [node, ...rest] = nodesOf(tokens).filter((one) => !library.isWhiteSpaceOrCommentNode(one));
  // CSS closes open brackets at the end of a text, but here the user is probably still typing.
  const isOpen = library.isFunctionNode(node) && library.isTokenEOF(node.endToken);
  const color = node && rest.length === 0 && !isOpen && library.color(node);
  // The alpha is a node when it depends on the page: var().
  if (!color || typeof color.alpha !== 'number') return diagnose(tokens, text.length);
  const { colorNotation, alpha } = color;
  const isRgb = colorNotation === 'rgb' || colorNotation === 'hex';
  // The channels of rgb() end at 0 and 255, except of a color that is made from others.
  const { RelativeColorSyntax, ColorMix } = library.SyntaxFlag;
  const isMade = [RelativeColorSyntax, ColorMix].some((flag) => color.syntaxFlags.has(flag));
  const bounded = (/** @type {number} */ v) => Math.min(1, Math.max(0, v));
  const channels = isRgb && !isMade ? color.channels.map(bounded) : color.channels;
  // The library writes `none` as NaN.
  const [a = null, b = null, c = null, share = null] = [...channels, alpha].map((v) =>
    Number.isNaN(v) ? null : v,
  );
  return { space: isRgb ? 'srgb' : colorNotation, coords: [a, b, c], alpha: share };
}

/** @param {ReturnType<typeof library.tokenize>} tokens */
function nodesOf(tokens) {
  try {
    return library.parseListOfComponentValues(tokens);
  } catch {
    // The only error that the library throws.
    throw new Refusal('nests brackets deeper than 512 levels', { at: 0 });
  }
}
