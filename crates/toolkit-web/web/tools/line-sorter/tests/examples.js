//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'File names': {
    lines: 'img1.png\nIMG2.png\nimg10.png\nimg12.png',
  },
  'By the second column': {
    lines: 'name,age\nAnna,41\nCleo,19\nBert,7',
  },
  'How often each line occurs': {
    lines: '1 a\n3 b',
  },
  'A list with commas': {
    lines: 'apple, fig, pear',
  },
};
