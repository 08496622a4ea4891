//! Forms in which documents embed an image, and the reverse.

import { pairs, picture, refuse } from '../../kit/tool.js';
import { toBase64 } from '../../lib/bytes.js';
import { decodeBase64, parseDataUrl } from '../../lib/data-url.js';
import { imageSize, imageType, otherType } from '../../lib/image/type.js';
import { inField, inPart } from '../../lib/positions.js';

/** @import { Context, FileValue } from '../../kit/types.d.ts' */

const LARGE = 32 * 1024;
const READ = 'PNG, JPEG, GIF, WebP, AVIF, HEIC, SVG, BMP, ICO, TIFF and JPEG XL are read.';

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** @param {Uint8Array} bytes */
function factsOf(bytes) {
  const known = imageType(bytes);
  const size = imageSize(bytes);
  return [
    ['Type', `${known?.name} (${known?.type})`],
    ['Dimensions', size ? `${size.width} × ${size.height}` : 'not in the head of the file'],
    ['Bytes', bytes.length],
  ];
}

/** @param {FileValue} image @param {string} alt @param {Context} context */
export function encoded(image, alt, context) {
  const { bytes } = image;
  if (bytes.length === 0) refuse('image', 'is an empty file', { hint: READ });
  const actual = imageType(bytes);
  if (actual === undefined)
    return refuse('image', `is ${otherType(bytes)}, not an image`, {
      hint: READ,
    });
  if (
    image.type.startsWith('image/') &&
    image.type !== actual.type &&
    !/icon/.test(image.type + actual.type)
  )
    context.warn(
      `The file is called ${image.type}, but its bytes are ${actual.name}; ${actual.type} is used.`,
    );
  if (bytes.length > LARGE)
    context.warn('The image is larger than 32 KiB: a file of its own loads faster and is cached.');
  const base64 = toBase64(bytes);
  const url = `data:${actual.type};base64,${base64}`;
  const size = imageSize(bytes);
  const dimensions = size ? ` width="${size.width}" height="${size.height}"` : '';
  return {
    dataUrl: url,
    facts: pairs([...factsOf(bytes), ['Characters as data URL', url.length]]),
    base64,
    css: `background-image: url("${url}");`,
    html: `<img src="${url}" alt="${escaped(alt)}"${dimensions}>`,
    markdown: `![${alt.replace(/[[\]\\]/g, '\\$&')}](${url})`,
  };
}

/** The data URL without the CSS, HTML or Markdown around it; other text unchanged. @param {string} source */
function bare(source) {
  const match = /(?:url\(\s*["']?|src\s*=\s*["']?|\]\(\s*<?)(data:[^"')>\s]+)/i.exec(source);
  return match
    ? { url: match[1] ?? '', start: match.index + match[0].length - (match[1]?.length ?? 0) }
    : { url: source, start: 0 };
}

/** @param {string} source @param {Context} context */
export function decoded(source, context) {
  const { url, start } = bare(source);
  if (/^\s*(?:https?|blob|file):/i.test(url))
    refuse('text', 'is an address, and nothing is fetched here', {
      hint: 'Save the picture, and choose it as a file.',
    });
  const isUrl = /^\s*data:/i.test(url);
  const { type: declared, bytes } = inField('text', source, () =>
    inPart(start, () => (isUrl ? parseDataUrl(url) : { type: '', bytes: decodeBase64(url) })),
  );
  const actual = imageType(bytes);
  if (actual === undefined)
    return refuse(
      'text',
      `holds ${bytes.length === 0 ? 'nothing' : otherType(bytes)}, not an image`,
      { hint: READ },
    );
  if (isUrl && declared !== actual.type && !/icon/.test(declared + actual.type))
    context.warn(
      `The data URL says ${declared}, but its bytes are ${actual.name}; saved as ${actual.ending}.`,
    );
  return {
    picture: picture(bytes, {
      alt: `The decoded image, ${actual.name}`,
      type: actual.type,
      file: `image.${actual.ending}`,
    }),
    facts: pairs(factsOf(bytes)),
  };
}
