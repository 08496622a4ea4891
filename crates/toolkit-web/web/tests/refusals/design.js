//! Design: good and bad input.
import { bad, upload } from './row.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="5"/></svg>';
const PIXELS = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR4nGP4z8AAQg0AD3oDfnfpf5cAAAAASUVORK5CYII=',
  'base64',
);

const CLEAR = 'rgb(0 0 0 / 50%)';

/** @type {Record<string, import('./row.js').Row>} */
export const DESIGN = {
  'color-picker': {
    good: { color: 'skyblue' },
    shows: /Hex#87ceeb/,
    bad: [
      bad(
        'color',
        'skyblu',
        /"skyblu", which is not the name of a color, at character 0\. Accepted are/,
      ),
      bad('color', '#12345', /has 5 hexadecimal digits; a color has 3, 4, 6 or 8, .* Accepted are/),
      bad(
        'color',
        'hsl(10deg 20% 30%',
        /ends too early: "\)" is missing, at character 17\. Accepted/,
      ),
      bad('steps', '21', /^Lighter and darker steps must be a whole number from 0 to 20\.$/),
    ],
  },
  'color-converter': {
    good: { color: '#663399' },
    shows: /RGBrgb\(102 51 153\)/,
    bad: [
      bad(
        'color',
        'purpel',
        /"purpel", which is not the name of a color, at .* Accepted are names/,
      ),
      bad(
        'color',
        'rgb(102 51)',
        /has "\)" where a number belongs, at character 10\. Accepted are/,
      ),
      bad(
        'color',
        'color(p3 1 0 0)',
        /unknown color space "p3"; color\(\) knows srgb, srgb-linear/,
      ),
      bad('steps', '-1', /^Lighter and darker steps must be a whole number from 0 to 20\.$/),
    ],
  },
  'contrast-checker': {
    good: { text: '#777', ground: 'white' },
    shows: /Contrast4\.47:1/,
    bad: [
      bad('text', '#77', /^Text color has 2 hexadecimal digits; a color has 3, 4, 6 or 8, at/),
      bad(
        'ground',
        'whit',
        /^Background color has "whit", which is not the name of a color, .* Accepted/,
      ),
      bad(
        'behind',
        { ground: CLEAR },
        /^Color behind the background is needed, .* Give the color that/,
      ),
      bad('behind', { ground: CLEAR, behind: CLEAR }, /translucent itself\. Accepted is an opaque/),
    ],
  },
  'gradient-generator': {
    good: { 'stops.0.color': 'red', 'stops.1.color': 'blue' },
    shows: /red 0%, blue 100%/,
    bad: [
      bad('stops', { 'stops.1.color': '' }, /^Stops must have two colors at least\.$/),
      bad(
        'stops',
        { 'stops.1.color': 'blu' },
        /^The color of row 2 has "blu", which is not the name/,
      ),
      bad(
        'stops',
        { 'stops.0.at': '2000' },
        /^"Position in %" of row 1 must be a number from -1000 to/,
      ),
      bad('width', '2001', /^Image width must be a whole number from 1 to 2000\.$/),
      bad('css', 'color: red', /has no gradient/, 'Import CSS'),
      bad('css', 'linear-gradient(red', /bracket that is never closed/, 'Import CSS'),
    ],
  },
  'image-converter': {
    good: { files: upload('two.png', PIXELS, 'image/png') },
    shows: /two\.pngPNG2 × 1/,
    bad: [
      bad(
        'files',
        upload('notes.txt', 'hello'),
        /^"notes\.txt" is not an image\. Accepted are PNG/,
      ),
      bad('files', upload('a.svg', SVG, 'image/svg+xml'), /SVG drawing\. The SVG optimizer takes/),
      bad(
        'files',
        upload('cut.png', PIXELS.subarray(0, 40), 'image/png'),
        /^"cut\.png" cannot be decoded by this browser\. Accepted are PNG, .* whole and undamaged\.$/,
      ),
      bad('height', '0', /^Height must be a whole number from 1 to 16384\.$/),
      bad(
        'width',
        { width: '10000', height: '10000', fit: 'Stretch' },
        /^Width and height make a picture of 10000 × 10000 pixels\. At most 50 megapixels are accepted/,
      ),
      bad(
        'ground',
        { to: 'JPEG', ground: 'whit' },
        /^Background has "whit", which is not the name of/,
      ),
    ],
  },
  'svg-optimizer': {
    good: { text: SVG },
    shows: /<circle r="5"\/>/,
    bad: [
      bad('text', 'hello', /^SVG has no <svg> element\. Accepted is an SVG document\.$/),
      bad(
        'text',
        '<svg><g></svg>',
        /is not well-formed XML: unexpected close tag, at line 1, column/,
      ),
      bad(
        'files',
        upload('notes.txt', 'hello'),
        /^"notes\.txt" has no <svg> element\. Accepted is/,
      ),
      bad('precision', '9', /^Decimal places must be a whole number from 0 to 8\.$/),
    ],
  },
};
