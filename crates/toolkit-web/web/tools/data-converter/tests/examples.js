//! Outputs and warnings of examples, by title.
import { headline, textOutput } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'XML to JSON, minified': {
    result: textOutput('{"list":{"@id":"7","item":["a",null]}}', { file: 'data.json' }),
  },
  'JSON to XML': {
    result: textOutput('<root>\n  <a>1.10</a>\n  <b>true</b>\n  <b/>\n</root>', {
      file: 'data.xml',
    }),
  },
  'CSV to YAML': {
    headline: headline('CSV to YAML'),
    result: textOutput('- name: Ada\n  age: 36\n- name: Grace\n  age: 45\n', {
      file: 'data.yaml',
    }),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'JSON to XML': ['There is no single root element, so the value was wrapped in `<root>`.'],
};
