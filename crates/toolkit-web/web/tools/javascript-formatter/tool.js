//! JavaScript and TypeScript formatted or minified.
import { choice, number, text, textOutput, toggle, tool } from '../../kit/tool.js';
import { INDENTS } from '../../lib/indents.js';
import { reduction } from '../../lib/sizes.js';
import { formatScript, LANGUAGES } from './format.js';

const MIB = 1 << 20;
const format = { mode: 'format' };
const minify = { mode: 'minify' };

export default tool({
  more: 'quotes',
  verb: ({ mode }) => (mode === 'minify' ? 'Minify' : 'Format'),
  fields: {
    text: text('Code', {
      accepts: 'file',
      types: '.js,.mjs,.cjs,.jsx,.ts,.mts,.cts,.tsx',
      max: 2 * MIB,
    }),
    language: choice('Language', LANGUAGES),
    mode: choice('Output', { format: 'Format', minify: 'Minify' }),
    indent: choice('Indent', INDENTS, { when: format }),
    width: number('Line width', { value: 80, min: 20, max: 400, when: format }),
    quotes: choice('Quotes', { double: 'Double', single: 'Single' }, { when: format }),
    trailing_commas: choice(
      'Trailing commas',
      { all: 'Wherever possible', es5: 'In lists and objects', none: 'None' },
      { when: format },
    ),
    arrow_brackets: choice(
      'Arrow function parentheses',
      { always: '(x) => x', avoid: 'x => x' },
      { when: format },
    ),
    property_quotes: choice(
      'Property quotes',
      {
        'as-needed': 'Where needed',
        consistent: 'All, if one needs them',
        preserve: 'Unchanged',
      },
      { when: format },
    ),
    semicolons: toggle('Semicolons', { value: true, when: format }),
    bracket_spacing: toggle('Spaces in braces', { value: true, when: format }),
    compress: toggle('Compress', {
      value: true,
      help: 'Shorten code without changing what it does, and remove unused code.',
      when: minify,
    }),
    mangle: toggle('Short names', {
      value: true,
      help: 'Rename local variables to single letters.',
      when: minify,
    }),
    module: toggle('Module', {
      help: 'Use strict mode, and treat top-level names as local.',
      when: minify,
    }),
    drop_console: toggle('Drop console calls', { when: minify }),
    keep_licenses: toggle('Keep licenses', {
      value: true,
      help: 'Keep comments with `!`, `@license` or `@preserve`.',
      when: minify,
    }),
  },
  async run(values, context) {
    const source = values.text.string;
    if (source.trim() === '') return {};
    const { language, mode } = values;
    const output = await formatScript(source, values, context);
    const file = mode === 'minify' ? 'script.min.js' : `script.${language}`;
    return {
      output: textOutput(output, { file, type: 'text/javascript' }),
      ...(mode === 'minify' ? await reduction(source, output) : {}),
    };
  },
  live: ({ text, mode }) => mode === 'format' || typeof text !== 'string' || text.length < 200_000,
  limits: { seconds: 60 },
  examples: [
    {
      title: 'A function',
      values: {
        text: "const greet=(name='you')=>{if(!name)return;console.log('Hello, ' + name)}",
      },
      outputs: {
        output:
          'const greet = (name = "you") => {\n  if (!name) return;\n  console.log("Hello, " + name);\n};\n',
      },
    },
    {
      title: 'TypeScript, minified',
      values: {
        text: '/*! MIT */\ninterface A { n: number }\nexport function twice(value: A): number {\n  console.log(value);\n  return value.n * 2;\n}\n',
        language: 'ts',
        mode: 'minify',
        drop_console: true,
        module: true,
      },
    },
  ],
});
