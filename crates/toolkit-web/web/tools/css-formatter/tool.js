//! CSS, SCSS and Less formatted or minified.
import { choice, number, text, textOutput, toggle, tool } from '../../kit/tool.js';
import { minifyCss } from '../../lib/css/minify.js';
import { scanCss } from '../../lib/css/scan.js';
import { INDENTS, tabs } from '../../lib/indents.js';
import { inField, lineAt } from '../../lib/positions.js';
import { reduction } from '../../lib/sizes.js';
import { hasChanged } from './compare.js';
import { withJunk } from './junk.js';

const NAMES = { css: 'CSS', scss: 'SCSS', less: 'Less' };
const when = { mode: 'format' };

/** @param {string} source @param {keyof typeof NAMES} syntax @param {Record<string, any>} options @param {(sentence: string) => void} warn */
async function format(source, syntax, options, warn) {
  const [postcss, { formatOrRefuse }] = await Promise.all([
    import('../../libraries/prettier-postcss.js'),
    import('../../lib/prettier.js'),
  ]);
  const all = { ...options, parser: syntax, plugins: [postcss] };
  return withJunk(source, (text) => formatOrRefuse(text, all, NAMES[syntax]), warn);
}

export default tool({
  fields: {
    text: text('Style sheet', { accepts: 'file', types: '.css,.scss,.less' }),
    syntax: choice('Language', NAMES),
    mode: choice('Output', { format: 'Format', minify: 'Minify' }),
    indent: choice('Indent', INDENTS, { when }),
    width: number('Line width', { value: 80, min: 20, max: 400, when }),
    single_quotes: toggle('Single quotes', { when }),
  },
  async run({ text, syntax, mode, indent, width, single_quotes }, context) {
    const source = text.string;
    if (source.trim() === '') return {};
    inField('text', source, () => scanCss(source, syntax), lineAt);
    const output =
      mode === 'minify'
        ? minifyCss(source, syntax)
        : await format(
            source,
            syntax,
            {
              ...tabs(indent),
              printWidth: width,
              singleQuote: single_quotes,
            },
            context.warn,
          );
    if (mode === 'format' && hasChanged(source, output, syntax))
      context.warn(
        'Formatting changed more than white space and spelling. Compare before using it.',
      );
    return {
      output: textOutput(output, {
        file: `style.${syntax}`,
        type: `text/${syntax === 'css' ? 'css' : `x-${syntax}`}`,
      }),
      ...(mode === 'minify' ? await reduction(source, output) : {}),
    };
  },
  limits: { seconds: 30 },
  examples: [
    {
      title: 'A nested rule',
      values: {
        text: '.card{color:red;&:hover{color:blue}@media (width>40rem){padding:1rem 2rem}}',
      },
      outputs: {
        output:
          '.card {\n  color: red;\n  &:hover {\n    color: blue;\n  }\n  @media (width>40rem) {\n    padding: 1rem 2rem;\n  }\n}\n',
      },
    },
    {
      title: 'Minified, with its license',
      values: {
        text: '/*! MIT */\n/* gone */\na > b , c:hover {\n  margin : 0 auto ;\n  width: calc( 1px + 2 * var(--x) );\n  --x:  { a b } ;\n}\n',
        mode: 'minify',
      },
    },
  ],
});
