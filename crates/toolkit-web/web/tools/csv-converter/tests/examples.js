//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'JSON to CSV': {
    output: 'id;place.city;tags.0;tags.1\n1;Zürich;;\n2;;a;b\n',
  },
  'A Markdown table from tab-separated values': {
    output: '| code | meaning |\n| ---- | ------- |\n| 007  | agent   |\n',
  },
  'YAML of some columns': {
    output:
      '- name: Ada\n  place:\n    city: London\n  id: "007"\n- name: "no"\n  place:\n    city: Paris\n  id: 8\n',
  },
};
