//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Encrypt with a key': {
    encrypted: 'AAECAwQFBgcICQoLAHAVpwZ6p7N59sQk3EDhx1rrnyMwXSk=',
  },
};
