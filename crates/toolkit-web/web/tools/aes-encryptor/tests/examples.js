//! Outputs and warnings of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Encrypt with a key': {
    encrypted: 'AAECAwQFBgcICQoLAHAVpwZ6p7N59sQk3EDhx1rrnyMwXSk=',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'Encrypt with a passphrase (weak: 1,000 rounds)': [
    '1,000 rounds make guessing fast: use 210,000 or more for a secret of your own.',
  ],
};
