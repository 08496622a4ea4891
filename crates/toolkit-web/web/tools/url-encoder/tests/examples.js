//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Encode a whole URL': {
    result: 'https://example.com/a%20b?q=%C3%BC',
  },
  'Decode a form value': {
    result: '1 + 1',
  },
};
