//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A sentence': {
    text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.',
  },
};
