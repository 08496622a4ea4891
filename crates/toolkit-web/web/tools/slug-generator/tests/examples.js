//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'German, shortened': {
    slugs: 'ueber-die',
  },
  'Repeated titles': {
    slugs: 'news\nnews-2\nnews-day',
  },
  'Unicode kept': {
    slugs: '日本語-テキスト',
  },
};
