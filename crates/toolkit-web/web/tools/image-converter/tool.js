//! Images to PNG, JPEG, WebP or AVIF, resized, without metadata.
import {
  choice,
  color,
  files,
  group,
  headline,
  number,
  Refusal,
  refuse,
  tool,
  view,
} from '../../kit/tool.js';
import { imageSize, imageType } from '../../lib/image/type.js';
import { goodRows } from '../../lib/rows.js';
import { canConvert, convertAll, NAMES } from './convert.js';
import { checkSize, imageFacts } from './facts.js';
import { LANDSCAPE_BYTES, landscape } from './landscape.js';

/** @typedef {{ name: string, bytes: Uint8Array }} Image */

const SVG = 'image/svg+xml';

/** Detects the types of the files; refuses those that are not images. @param {Image[]} images @param {(sentence: string) => void} warn */
function inspect(images, warn) {
  const read = (/** @type {(typeof images)[number]} */ image) => {
    const { name, bytes } = image;
    const type = imageType(bytes);
    if (!type)
      return refuse('files', `"${name}" is not an image`, {
        hint: 'Use PNG, JPEG, WebP, GIF, BMP, AVIF or SVG, or HEIC in a browser that reads it.',
      });
    const size = imageSize(bytes);
    if (size) checkSize(name, size);
    const { isAnimated, metadata, isDeep, bare } = imageFacts(bytes);
    if (isAnimated) warn(`${name} is animated; only its first picture is converted.`);
    if (isDeep) warn(`${name} has 16 bits a channel, of which browsers keep 8.`);
    return { image, type, metadata, bare };
  };
  return goodRows(images, read, warn, ({ name }) => name);
}

export default tool({
  fields: {
    files: files('Images', { types: 'image/*' }),
    to: choice(
      'Format',
      { auto: 'Automatic', ...NAMES, avif: 'AVIF (if supported)' },
      { beside: ['auto', 'jpeg', 'png'] },
    ),
    ...group('Size', {
      width: number('Width', {
        min: 1,
        max: 16_384,
        unit: 'px',
        help: 'Leave empty to follow the height, or for no change.',
      }),
      height: number('Height', { min: 1, max: 16_384, unit: 'px' }),
      fit: choice('Fit', { inside: 'Fit inside', cover: 'Fill and crop', stretch: 'Stretch' }),
    }),
    quality: number('Quality', {
      value: 82,
      min: 1,
      max: 100,
      slider: 100,
      when: { to: ['auto', 'jpeg', 'webp', 'avif'] },
    }),
    target: number('Target size', {
      min: 1,
      max: 100_000,
      unit: 'KiB',
      help: 'Enter a size to get the best quality within it.',
      when: { to: ['auto', 'jpeg', 'webp', 'avif'] },
    }),
    ground: color('Background', {
      value: '#ffffff',
      help: 'Choose what fills transparent parts, which JPEG has not.',
      when: { to: 'jpeg' },
    }),
  },
  async run(values, context) {
    const images = values.files;
    if (images.length === 0) return {};
    const inspected = inspect(images, context.warn);
    const drawings = inspected.filter(({ type }) => type.type === SVG);
    for (const { image } of drawings) {
      const { isDrawable } = await import('../../lib/image/svg.js');
      if (!isDrawable(new TextDecoder().decode(image.bytes)))
        refuse('files', `"${image.name}" repeats more elements than a browser can draw`);
    }
    if (!canConvert()) {
      return { headline: headline('This browser cannot convert images', { tone: 'bad' }) };
    }
    if (drawings.length > 0) {
      // Only the page can draw them.
      return { drawn: view({ inspected, values: { ...values, files: [] } }) };
    }
    return convertAll(inspected, values, context.warn, context.progress);
  },
  async finish(outputs) {
    const { drawn } = outputs;
    if (typeof drawn !== 'object' || drawn?.kind !== 'view') return outputs;
    const { inspected, values } = drawn.data;
    /** @type {string[]} */
    const said = [];
    try {
      const made = await convertAll(
        inspected,
        values,
        (one) => said.push(one),
        () => {},
      );
      return { ...made, ...(said.length > 0 && { notes: said.join('\n') }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { headline: headline(error.message, { tone: 'bad' }) };
    }
  },
  // Its head has no name, and stands in the row of the answer.
  labels: { picture: 'Result' },
  limits: { seconds: 120 },
  product: { archive: 'all as ZIP' },
  examples: [
    {
      title: 'A landscape as a small JPEG',
      values: {
        files: [
          {
            name: 'landscape.bmp',
            type: 'image/bmp',
            size: LANDSCAPE_BYTES,
            // Drawn when it is wanted.
            get bytes() {
              return landscape();
            },
          },
        ],
        to: 'jpeg',
        quality: 12,
      },
    },
  ],
});
