//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'TypeScript, minified': {
    output: '/*! MIT */\nexport function twice(n){return 2*n.n}',
  },
};
