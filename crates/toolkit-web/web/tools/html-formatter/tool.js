//! Formats or minifies HTML, with a preview that runs and fetches nothing.
import { choice, number, preview, text, textOutput, toggle, tool } from '../../kit/tool.js';
import { INDENTS } from '../../lib/indents.js';
import { inField, lineAt } from '../../lib/positions.js';
import { reduction } from '../../lib/sizes.js';

const format = { mode: 'format' };
const minify = { mode: 'minify' };

export default tool({
  more: 'whitespace',
  tabs: ['output', 'preview'],
  fields: {
    text: text('HTML', { accepts: 'file', types: '.html,.htm,.xhtml' }),
    mode: choice('Output', { format: 'Format', minify: 'Minify' }),
    indent: choice('Indent', INDENTS, { when: format }),
    show_preview: toggle('Preview', {
      help: 'Show the page without scripts, its own styles and remote images.',
    }),
    width: number('Line width', { value: 80, min: 20, max: 400, when: format }),
    whitespace: choice(
      'Whitespace',
      { css: 'Keep visible', strict: 'Keep all', ignore: 'Change freely' },
      {
        when: format,
        help: 'Choose what may change: white space between words and inline elements is visible.',
      },
    ),
    attribute_lines: toggle('Each attribute on its own line', { when: format }),
    bracket_same_line: toggle('Closing bracket on the last line', { when: format }),
    comments: toggle('Remove comments', {
      value: true,
      help: 'Conditional ones and `<!--!` stay.',
      when: minify,
    }),
    embedded: toggle('Embedded CSS and JavaScript', {
      value: true,
      help: 'Format both. Of these, only style sheets are minified.',
    }),
  },
  async run(values, context) {
    const source = values.text.string;
    if (source.trim() === '') return {};
    const [{ tokenizeHtml }, { formatHtml, minifyDocument }] = await Promise.all([
      import('./tokens.js'),
      import('./format.js'),
    ]);
    const tokens = inField('text', source, () => tokenizeHtml(source), lineAt);
    const isDocument = tokens.some(
      ({ kind, name }) => kind === 'start' && (name === 'html' || name === 'body'),
    );
    if (isDocument && !tokens.some(({ kind }) => kind === 'doctype')) {
      context.warn('The document has no DOCTYPE, so browsers show it in quirks mode.');
    }
    const isSmall = values.mode === 'minify';
    const output = isSmall
      ? minifyDocument(source, values)
      : await formatHtml(source, values, context.warn);
    return {
      output: textOutput(output, {
        file: isDocument ? 'document.html' : 'fragment.html',
        type: 'text/html',
      }),
      ...(isSmall ? await reduction(source, output) : {}),
      preview: values.show_preview ? preview(output) : null,
    };
  },
  limits: { seconds: 30 },
  examples: [
    {
      title: 'A fragment',
      values: { text: '<ul><li>One</li><li><a href="#x">Two</a> and <b>more</b></li></ul>' },
      outputs: {
        output: '<ul>\n  <li>One</li>\n  <li><a href="#x">Two</a> and <b>more</b></li>\n</ul>\n',
      },
    },
    {
      title: 'A document, minified',
      values: {
        text: '<!doctype html>\n<html>\n  <head>\n    <title>A</title>\n    <style>a { color : red }</style>\n  </head>\n  <body>\n    <!-- gone -->\n    <p  class="x" >Some   <b>bold</b> text</p>\n    <pre>  stays\n</pre>\n  </body>\n</html>\n',
        mode: 'minify',
      },
    },
  ],
});
