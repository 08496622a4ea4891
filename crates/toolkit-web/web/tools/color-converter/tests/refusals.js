//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { color: '#663399' },
  shows: /RGBrgb\(102 51 153\)/,
  bad: [
    bad(
      'color',
      'purpel',
      /^Character 1: .*"purpel", which is not the name of a color\. Accepted are names/,
    ),
    bad('color', 'rgb(102 51)', /Character 11: .*has "\)" where a number belongs\. Accepted are/),
    bad('color', 'color(p3 1 0 0)', /unknown color space "p3"; color\(\) knows srgb, srgb-linear/),
    bad('steps', '-1', /^Lighter and darker steps must be a whole number from 0 to 20\.$/),
  ],
};
