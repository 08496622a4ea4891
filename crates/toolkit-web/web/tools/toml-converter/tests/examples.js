//! Outputs and warnings of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'JSON to TOML': {
    output: 'title = "x"\n\n[owner]\nname = "Ada"\n\n[[ports]]\nn = 1\n\n[[ports]]\nn = 2.0\n',
  },
  'YAML to TOML': {
    output: 'country = "no"\n\n[base]\na = 1\n\n[copy]\na = 1\n',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'TOML to JSON': ['1 date or time became text, as JSON has none.'],
};
