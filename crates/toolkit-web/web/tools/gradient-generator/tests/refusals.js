//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { 'stops.0.color': 'red', 'stops.1.color': 'blue' },
  shows: /red 0%, blue 100%/,
  bad: [
    bad('stops', { 'stops.1.color': '' }, /^Stops must have two colors at least\.$/),
    bad('stops', { 'stops.1.color': 'blu' }, /^Row 2: The color has "blu", which is not the name/),
    bad(
      'stops',
      { 'stops.0.at': '2000' },
      /^Row 1: "Position in %" must be a number from -1000 to/,
    ),
    bad('width', '2001', /^Image width must be a whole number from 1 to 2000\.$/),
    bad('css', 'color: red', /has no gradient/, 'Import CSS'),
    bad('css', 'linear-gradient(red', /bracket that is never closed/, 'Import CSS'),
  ],
};
