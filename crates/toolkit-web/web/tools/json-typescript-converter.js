//! JSON samples to TypeScript types.
import { choice, line, number, refuse, text, textOutput, toggle, tool } from '../kit/tool.js';
import { duplicateWarning, readJson } from '../lib/json/input.js';
import { addSample, newShape } from './json-typescript-converter/shapes.js';
import { writeTypes } from './json-typescript-converter/types.js';

const WORDS = new Set(
  'any as bigint boolean break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof interface let never new null number object package private protected public return static string super switch symbol this throw true try type typeof undefined unknown var void while with yield'.split(
    ' ',
  ),
);

/** @param {string} name */
function checkName(name) {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
    refuse('root', 'is not a name', {
      hint: 'Accepted are letters, digits, "$" and "_", not beginning with a digit.',
    });
  if (WORDS.has(name))
    refuse('root', `is "${name}", which is a word of TypeScript`, {
      hint: 'Accepted is any other name, such as Root.',
    });
}

export default tool({
  fields: {
    text: text('JSON', { accepts: 'file', types: '.json,.jsonl' }),
    samples: choice('Input', {
      one: 'One document',
      list: 'A list of samples',
      lines: 'JSON lines',
    }),
    style: choice('Style', { interface: 'interface', type: 'type' }),
    root: line('Type name', { value: 'Root', max: 100 }),
    literals: number('Largest union of literals', {
      value: 0,
      min: 0,
      max: 100,
      help: 'Up to this many distinct strings become `"a" | "b"`, if one repeats.',
    }),
    empty: choice('Empty array items', { unknown: 'unknown', any: 'any' }),
    export: toggle('Export', { value: true }),
    readonly: toggle('Read-only members'),
  },
  run({ text, samples, root, style, export: exported, readonly, literals, empty }, context) {
    if (text.string.trim() === '') return {};
    checkName(root);
    const onDuplicate = duplicateWarning(text.string, context.warn);
    const found = readJson('text', text.string, { lines: samples === 'lines', onDuplicate });
    if (samples === 'list' && !Array.isArray(found)) {
      refuse('text', 'is not a list', {
        hint: 'Choose "One document", or put the samples into [ and ].',
      });
    }
    const shape = newShape();
    for (const sample of samples === 'one' ? [found] : found) addSample(shape, sample);
    const types = writeTypes(shape, { root, style, exported, readonly, literals, empty });
    return { types: textOutput(types, { file: `${root}.ts`, type: 'text/typescript' }) };
  },
  labels: { types: 'TypeScript' },
  examples: [
    {
      title: 'A document',
      values: {
        text: '{"id": 1, "tags": [], "owner": {"name": "Ada"}, "members": [{"name": "Bob"}, {"name": "Eve", "age": null}]}',
      },
      outputs: {
        types:
          'export interface Root {\n  id: number;\n  tags: unknown[];\n  owner: Owner;\n  members: Member[];\n}\n\nexport interface Owner {\n  name: string;\n}\n\nexport interface Member {\n  name: string;\n  age?: null;\n}\n',
      },
    },
    {
      title: 'JSON lines with a string union',
      values: {
        text: '{"level":"info","n":1}\n{"level":"warn","n":"x"}\n{"level":"info"}\n',
        samples: 'lines',
        literals: 5,
        root: 'Entry',
        style: 'type',
        export: false,
      },
      outputs: { types: 'type Entry = {\n  level: "info" | "warn";\n  n?: string | number;\n};\n' },
    },
  ],
});
