//! Makes SVG smaller and safe.
import { decode, decodedWarning } from '../../kit/decode.js';
import {
  choice,
  download,
  files,
  number,
  picture,
  refuse,
  table,
  text,
  textOutput,
  toggle,
  tool,
} from '../../kit/tool.js';
import { byteSize, change, gzipSize, reduction, writeBytes } from '../../lib/sizes.js';

/** @param {string} svg */
function dataAddress(svg) {
  const escaped = svg
    .replaceAll('"', "'")
    .replaceAll(/[%#{}<>\p{Cc}]|[^\p{ASCII}]/gu, (character) => encodeURIComponent(character));
  return `data:image/svg+xml,${escaped}`;
}

/** @param {any[]} chosen @param {any} values @param {(sentence: string) => void} warn */
async function optimizeFiles(chosen, values, warn) {
  const { optimizeSvg, svgWarnings } = await import('./optimize.js');
  const { zipSync } = await import('../../libraries/fflate.js');
  /** @type {Record<string, Uint8Array>} */
  const archive = {};
  const rows = [];
  for (const { name, bytes } of chosen) {
    const decoded = decode(bytes) ?? refuse('files', `"${name}" is not text`);
    const { text: source } = decoded;
    const told = decodedWarning(name, bytes, decoded);
    if (told) warn(told);
    for (const sentence of svgWarnings(source)) warn(`${name}: ${sentence}`);
    const small = optimizeSvg(source, values, 'files', name);
    archive[name in archive ? `${rows.length + 1}-${name}` : name] = new TextEncoder().encode(
      small,
    );
    rows.push([
      name,
      writeBytes(bytes.length),
      writeBytes(byteSize(small)),
      change(bytes.length, byteSize(small)),
      writeBytes(await gzipSize(small)),
    ]);
  }
  return {
    files: table(['File', 'Before', 'After', 'Change', 'After, gzip'], rows),
    archive: download(zipSync(archive, { mtime: '1980-01-01' }), {
      file: 'optimized.zip',
      type: 'application/zip',
    }),
  };
}

export default tool({
  more: 'keep_viewbox',
  tabs: ['svg', 'address'],
  fields: {
    text: text('SVG', { accepts: 'file', types: '.svg', max: 10 << 20 }),
    files: files('More files', {
      types: '.svg',
      max: 10 << 20,
      help: 'Choose up to 50 files. They are returned as one ZIP archive.',
    }),
    level: choice(
      'Level',
      { safe: 'Safe', strong: 'Strong' },
      { help: 'Choose Strong to also merge paths and groups, and remove hidden parts.' },
    ),
    precision: number('Decimal places', { value: 3, min: 0, max: 8 }),
    keep_viewbox: toggle('Keep viewBox', {
      value: true,
      help: 'Keep it so that the image can scale.',
    }),
    keep_title: toggle('Keep titles', { value: true }),
    keep_description: toggle('Keep descriptions', { value: true }),
    keep_ids: toggle('Keep IDs', { help: "Keep IDs that a page's CSS or scripts use." }),
    remove_size: toggle('Remove width and height', { help: 'Let the image fill its container.' }),
  },
  async run(values, context) {
    const { optimizeSvg, svgWarnings } = await import('./optimize.js');
    const source = values.text.string;
    const more =
      values.files.length > 0 ? await optimizeFiles(values.files, values, context.warn) : {};
    if (source.trim() === '') return more;
    const svg = optimizeSvg(source, values, 'text');
    for (const sentence of svgWarnings(source)) context.warn(sentence);
    return {
      svg: textOutput(svg, { file: 'optimized.svg', type: 'image/svg+xml' }),
      ...(await reduction(source, svg)),
      before: picture(source, { alt: 'The picture before', type: 'image/svg+xml' }),
      after: picture(svg, {
        alt: 'The picture after',
        type: 'image/svg+xml',
        file: 'optimized.svg',
      }),
      address: textOutput(dataAddress(svg), { file: 'address.txt' }),
      ...more,
    };
  },
  labels: { svg: 'SVG', address: 'Data URL' },
  limits: { seconds: 60 },
  product: { svg: 'SVG' },
  examples: [
    {
      title: 'A drawing by an editor',
      values: {
        text: '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">\n  <title>Tick</title>\n  <path d="M 4.0000 12.0000 L 10.0000 18.0000 L 20.0000 6.0000" fill="none" stroke="#000000"/>\n</svg>\n',
      },
      outputs: {
        svg: '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><title>Tick</title><path fill="none" stroke="#000" d="m4 12 6 6L20 6"/></svg>',
      },
    },
    {
      title: 'A malicious file',
      values: {
        text: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><a href=" java\tscript:alert(3)"><circle r="5"/></a></svg>',
      },
    },
  ],
});
