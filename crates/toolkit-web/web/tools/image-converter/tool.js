//! Images to PNG, JPEG, WebP or AVIF, resized, without metadata.
import {
  choice,
  color,
  download,
  files,
  group,
  headline,
  number,
  picture,
  refuse,
  table,
  tool,
} from '../../kit/tool.js';
import { imageSize, imageType } from '../../lib/image/type.js';
import { goodRows } from '../../lib/rows.js';
import { change, rounded, shrunk, writeBytes } from '../../lib/sizes.js';
import { canConvert, convertImage } from './convert.js';
import { imageFacts } from './facts.js';
import { LANDSCAPE_BYTES, landscape } from './landscape.js';

/** @typedef {{ name: string, bytes: Uint8Array }} Image */

const NAMES = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP', avif: 'AVIF' };
const ENDINGS = { png: 'png', jpeg: 'jpg', webp: 'webp', avif: 'avif' };

/** Detects the types of the files; refuses those that are not images. @param {Image[]} images @param {(sentence: string) => void} warn */
function inspect(images, warn) {
  const read = (/** @type {(typeof images)[number]} */ image) => {
    const { name, bytes } = image;
    const type = imageType(bytes);
    if (!type)
      return refuse('files', `"${name}" is not an image`, {
        hint: 'Accepted are PNG, JPEG, WebP, GIF, BMP and AVIF.',
      });
    if (type.type === 'image/svg+xml')
      return refuse('files', `"${name}" is an SVG drawing`, {
        hint: 'The SVG optimizer takes drawings; this tool takes pictures of pixels.',
      });
    const size = imageSize(bytes);
    if (size && size.width * size.height > 50_000_000)
      refuse('files', `"${name}" has ${size.width} × ${size.height} pixels`, {
        hint: 'At most 50 megapixels are accepted.',
      });
    const { isAnimated, metadata, isDeep } = imageFacts(bytes);
    if (isAnimated) warn(`${name} is animated; only its first picture is converted.`);
    if (isDeep) warn(`${name} has 16 bits a channel, of which browsers keep 8.`);
    if (metadata.length > 0)
      warn(`${name} holds metadata, which the result does not: ${metadata.join(', ')}.`);
    return {
      image,
      type,
      cells: [
        name,
        type.name,
        size ? `${size.width} × ${size.height}` : '',
        writeBytes(bytes.length),
      ],
    };
  };
  return goodRows(images, read, warn, ({ name }) => name);
}

/** @param {string} name @param {string} ending @param {Set<string>} taken */
function freeName(name, ending, taken) {
  const base = name.replace(/\.[^.]*$/, '');
  let free = `${base}.${ending}`;
  for (let n = 2; taken.has(free); n += 1) free = `${base}-${n}.${ending}`;
  taken.add(free);
  return free;
}

export default tool({
  fields: {
    files: files('Images', { types: 'image/*', count: 50 }),
    to: choice('Format', { ...NAMES, avif: 'AVIF (if supported)' }),
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
      value: 85,
      min: 1,
      max: 100,
      slider: 100,
      when: { to: ['jpeg', 'webp', 'avif'] },
    }),
    target: number('Target size', {
      min: 1,
      max: 100_000,
      unit: 'KiB',
      help: 'Finds the best quality within this size.',
      when: { to: ['jpeg', 'webp', 'avif'] },
    }),
    ground: color('Background', {
      value: '#ffffff',
      help: 'JPEG has no transparency.',
      when: { to: 'jpeg' },
    }),
  },
  async run(values, context) {
    const images = values.files;
    if (images.length === 0) return {};
    const inspected = inspect(images, context.warn);
    const originals = table(
      ['File', 'Type', 'Pixels', 'Size'],
      inspected.map(({ cells }) => cells),
    );
    if (!canConvert()) {
      context.warn('This browser cannot convert images outside the page.');
      return { originals };
    }
    const taken = new Set();
    /** @type {Record<string, Uint8Array>} */
    const archive = {};
    const rows = [];
    /** @type {import('../../kit/types.d.ts').Before | undefined} of the first */
    let before;
    for (const [i, { image, type }] of inspected.entries()) {
      const { blob, width, height, quality, isOver } = await convertImage(
        image,
        type.type,
        values,
        context.warn,
      );
      if (isOver)
        context.warn(
          `${image.name}: no quality makes it as small as ${values.target} KiB; make it narrower.`,
        );
      const name = freeName(image.name, ENDINGS[values.to], taken);
      archive[name] = new Uint8Array(await blob.arrayBuffer());
      const chosen = values.to === 'png' ? '' : `, quality ${quality}`;
      before ??= {
        data: image.bytes,
        type: type.type,
        fit: values.fit === 'stretch' ? 'fill' : 'cover',
        ...{ width, height },
        said: [
          `${type.name}, ${rounded(image.bytes.length)}`,
          `${NAMES[values.to]}, ${rounded(blob.size)}${chosen}`,
        ],
      };
      rows.push([
        name,
        `${width} × ${height}`,
        writeBytes(blob.size),
        change(image.bytes.length, blob.size),
        values.to === 'png' ? '' : quality,
      ]);
      context.progress(i + 1, inspected.length);
    }
    const { zipSync } = await import('../../libraries/fflate.js');
    const [first = ''] = Object.keys(archive);
    const type = `image/${values.to}`;
    const size = (/** @type {Uint8Array[]} */ all) => all.reduce((sum, one) => sum + one.length, 0);
    return {
      headline: headline(
        shrunk(size(images.map(({ bytes }) => bytes)), size(Object.values(archive))),
      ),
      picture: picture(archive[first] ?? new Uint8Array(), {
        alt: `The first result, ${first}`,
        type,
        file: first,
        before,
      }),
      results: table(['File', 'Pixels', 'Size', 'Change', 'Quality'], rows),
      originals,
      archive:
        images.length > 1
          ? download(zipSync(archive, { level: 0, mtime: '1980-01-01' }), {
              file: 'images.zip',
              type: 'application/zip',
            })
          : null,
    };
  },
  // Its head has no name, and stands in the row of the answer.
  labels: { picture: 'Result' },
  limits: { seconds: 120 },
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
      warnings: ['This browser cannot convert images outside the page.'],
    },
  ],
});
