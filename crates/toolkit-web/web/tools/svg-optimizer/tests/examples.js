//! Outputs and warnings of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A malicious file': {
    svg: '<svg xmlns="http://www.w3.org/2000/svg"><a><circle r="5"/></a></svg>',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A malicious file': ['Scripts and event handlers were removed.'],
};
