//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'JSON lines with a string union': {
    types: 'type Entry = {\n  level: "info" | "warn";\n  n?: string | number;\n};\n',
  },
  Go: {
    types:
      'package main\n\ntype Root struct {\n\tId    int64    `json:"id"`\n\tPrice float64  `json:"price"`\n\tTags  []string `json:"tags"`\n}\n',
  },
};
