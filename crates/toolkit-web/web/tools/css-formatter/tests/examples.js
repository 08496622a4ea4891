//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Minified, with its license': {
    output: '/*! MIT */a>b,c:hover{margin:0 auto;width:calc(1px + 2 * var(--x));--x:{ a b }}',
  },
};
