//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Code points in decimal': {
    digits: '8364 128512',
  },
  'Back to text': {
    text: 'Gü',
  },
  'A number in base 36': {
    number: '1ps9wxb',
  },
};
