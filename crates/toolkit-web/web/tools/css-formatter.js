//! CSS, SCSS and Less formatted or minified.
import { choice, number, pairs, refuse, text, textOutput, toggle, tool } from '../kit/tool.js';
import { hasChanged } from '../lib/css-compare.js';
import { minifyCss } from '../lib/css-minify.js';
import { CssError, scanCss } from '../lib/css-scan.js';
import { lineColumn, quoteLine } from '../lib/positions.js';
import { formatOrRefuse } from '../lib/prettier-format.js';
import { sizes } from '../lib/sizes.js';
import * as postcss from '../libraries/prettier-postcss.js';

const NAMES = { css: 'CSS', scss: 'SCSS', less: 'Less' };
const when = { mode: 'format' };

/** @template T @param {string} source @param {() => T} run @returns {T} */
function orRefuse(source, run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CssError)) throw error;
    const place = lineColumn(source, error.offset);
    return refuse('text', error.message, {
      ...place,
      hint: `The line is: ${quoteLine(source, place.line, place.column)}`,
    });
  }
}

export default tool({
  fields: {
    text: text('Style sheet', { accepts: 'file', types: '.css,.scss,.less' }),
    syntax: choice('Language', NAMES),
    mode: choice('Output', { format: 'Format', minify: 'Minify' }),
    indent: choice(
      'Indent',
      { 2: '2 spaces', 4: '4 spaces', 8: '8 spaces', tab: 'Tabs' },
      { when },
    ),
    width: number('Line width', { value: 80, min: 20, max: 400, when }),
    single_quotes: toggle('Single quotes', { when }),
  },
  async run({ text, syntax, mode, indent, width, single_quotes }, context) {
    const source = text.string;
    if (source.trim() === '') return {};
    orRefuse(source, () => scanCss(source, syntax));
    const output =
      mode === 'minify'
        ? orRefuse(source, () => minifyCss(source, syntax))
        : await formatOrRefuse(
            source,
            {
              parser: syntax,
              plugins: [postcss],
              printWidth: width,
              tabWidth: indent === 'tab' ? 2 : Number(indent),
              useTabs: indent === 'tab',
              singleQuote: single_quotes,
            },
            NAMES[syntax],
          );
    if (mode === 'format' && hasChanged(source, output, syntax))
      context.warn(
        'More than white space and spelling changed: compare before you use the result.',
      );
    return {
      output: textOutput(output, {
        file: `style.${syntax}`,
        type: `text/${syntax === 'css' ? 'css' : `x-${syntax}`}`,
      }),
      sizes: mode === 'minify' ? pairs(await sizes(source, output)) : null,
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
      outputs: {
        output: '/*! MIT */a>b,c:hover{margin:0 auto;width:calc(1px + 2 * var(--x));--x:{ a b }}',
      },
    },
  ],
});
