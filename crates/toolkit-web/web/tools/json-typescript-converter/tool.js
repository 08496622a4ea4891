//! JSON samples to types: TypeScript, and other languages.
import { choice, line, number, refuse, text, textOutput, toggle, tool } from '../../kit/tool.js';
import { duplicateWarning, readJson } from '../../lib/json/input.js';
import { addSample, newShape } from './shapes.js';

const WORDS = new Set(
  'any as bigint boolean break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof interface let never new null number object package private protected public return static string super switch symbol this throw true try type typeof undefined unknown var void while with yield'.split(
    ' ',
  ),
);

const LANGUAGES = {
  typescript: 'TypeScript',
  zod: 'Zod',
  python: 'Python (Pydantic)',
  go: 'Go',
  rust: 'Rust (serde)',
  schema: 'JSON Schema',
};
const TYPESCRIPT = { when: { language: 'typescript' } };
const languages = () => import('./languages.js');

/** @param {string} name @param {keyof typeof LANGUAGES} language */
async function checkName(name, language) {
  const isPlain = language === 'typescript' || /^\p{Lu}[\p{L}\p{N}]*$/u.test(name);
  if (!isPlain || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
    refuse('root', 'is not an identifier', {
      hint: isPlain
        ? 'Use letters, digits, "$" and "_", and start with a letter.'
        : 'Use letters and digits, and start with a capital letter.',
    });
  const isTaken = language === 'typescript' ? WORDS.has(name) : (await languages()).TAKEN.has(name);
  if (isTaken)
    refuse('root', `is "${name}", which ${LANGUAGES[language]} uses itself`, {
      hint: 'Choose another name, such as Root.',
    });
}

export default tool({
  more: 'literals',
  fields: {
    text: text('JSON', { accepts: 'file', types: '.json,.jsonl' }),
    samples: choice('Input', {
      one: 'One document',
      list: 'A list of samples',
      lines: 'JSON lines',
    }),
    language: choice('Language', LANGUAGES),
    style: choice('Style', { interface: 'interface', type: 'type' }, TYPESCRIPT),
    root: line('Type name', { value: 'Root', max: 100 }),
    literals: number('Largest union of literals', {
      value: 0,
      min: 0,
      max: 100,
      ...TYPESCRIPT,
      help: 'Turn up to this many distinct strings into `"a" | "b"`, if one repeats.',
    }),
    empty: choice('Empty array items', { unknown: 'unknown', any: 'any' }, TYPESCRIPT),
    export: toggle('Export', { value: true, ...TYPESCRIPT }),
    readonly: toggle('Read-only properties', TYPESCRIPT),
  },
  async run({ text, samples, root, language, export: exported, ...options }, context) {
    if (text.string.trim() === '') return {};
    await checkName(root, language);
    const onDuplicate = duplicateWarning(text.string, context.warn);
    const value = readJson('text', text.string, {
      lines: samples === 'lines',
      warn: context.warn,
      onDuplicate,
    });
    if (samples === 'list' && !Array.isArray(value)) {
      refuse('text', 'is not a list', {
        hint: 'Choose "One document", or wrap the samples in [ and ].',
      });
    }
    const shape = newShape();
    for (const sample of samples === 'one' ? [value] : value) addSample(shape, sample);
    if (language === 'typescript') {
      const { writeTypes } = await import('./types.js');
      const types = writeTypes(shape, { root, exported, ...options });
      return { types: textOutput(types, { file: `${root}.ts`, type: 'text/typescript' }) };
    }
    const { write, file } = (await languages()).WRITERS[language] ?? {};
    const types = write?.(shape, root, context.warn) ?? '';
    return { types: textOutput(types, { file: `${root}.${file}` }) };
  },
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
    },
    {
      title: 'Go',
      values: { text: '{"id": 1, "price": 9.5, "tags": ["new"]}', language: 'go' },
    },
    {
      title: 'JSON Schema of JSON lines',
      values: { text: '{"a": 1}\n{"a": 2, "b": null}', samples: 'lines', language: 'schema' },
    },
  ],
});
