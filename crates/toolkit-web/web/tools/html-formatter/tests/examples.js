//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A document, minified': {
    output:
      '<!doctype html><html><head><title>A</title><style>a{color:red}</style></head><body><p class="x">Some <b>bold</b> text</p><pre>  stays\n</pre></body></html>',
  },
};
