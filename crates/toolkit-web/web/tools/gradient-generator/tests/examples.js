//! Outputs and warnings of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Two colors': {
    css: 'background: linear-gradient(90deg, orange 0%, hotpink 100%);\n',
    svg: '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="20" viewBox="0 0 100 20"><defs><linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" y1="10" x2="100" y2="10"><stop offset="0" stop-color="#ffa500"/><stop offset="1" stop-color="#ff69b4"/></linearGradient></defs><rect width="100" height="20" fill="url(#g)"/></svg>\n',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A wheel of all hues': ['SVG has no conic gradients; the PNG shows it.'],
};
