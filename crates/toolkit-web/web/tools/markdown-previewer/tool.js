//! Markdown as a page and as HTML, with a table of contents.
//! Standards: CommonMark 0.31.2, GitHub Flavored Markdown 0.29 with footnotes.
import { choice, preview, text, textOutput, toggle, tool } from '../../kit/tool.js';

const LIVE_MAX = 1 << 20;

/** A complete document around a body. @param {string} body @param {string} title */
const page = (body, title) =>
  `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>${title.replace(/[&<]/g, (one) => `&#${one.charCodeAt(0)};`)}</title>\n<body>\n${body}\n</body>\n</html>\n`;

export default tool({
  verb: 'Render',
  tabs: ['preview', 'html', 'contents'],
  fields: {
    markdown: text('Markdown', {
      accepts: 'file',
      types: '.md,.markdown,text/markdown,text/plain',
      lines: 20,
      max: 10 << 20,
      prose: true,
    }),
    flavor: choice('Flavor', {
      github: 'GitHub (GFM)',
      common: 'CommonMark',
    }),
    raw: toggle('Render HTML', {
      help: 'Show HTML as elements rather than as text. The preview neither runs nor fetches anything.',
    }),
    anchors: toggle('Heading anchors', { value: true }),
    whole: toggle('Complete HTML document'),
  },
  labels: { html: 'HTML' },
  limits: { seconds: 60 },
  live: ({ markdown }) => (markdown?.size ?? markdown?.length ?? 0) <= LIVE_MAX,
  async run({ markdown, flavor, raw, anchors, whole }, context) {
    const source = markdown.string;
    if (source.trim() === '') return {};
    const { contentsOf, toHtml, withAnchors, withBlockAnchors, withoutFrontMatter } = await import(
      './markdown.js'
    );
    const body = withoutFrontMatter(source);
    if (body !== source) context.warn('The front matter (YAML at the beginning) was removed.');
    const made = toHtml(body, { github: flavor === 'github', raw });
    const { html, headings } = withAnchors(made);
    const result = (anchors ? html : made).trimEnd();
    const shown = withBlockAnchors(result);
    return {
      preview: preview(shown.html, { field: 'markdown', anchors: shown.anchors }),
      contents:
        headings.length > 0
          ? textOutput(contentsOf(headings), { file: 'contents.md', type: 'text/markdown' })
          : null,
      html: textOutput(whole ? page(result, headings[0]?.text ?? 'Document') : result, {
        file: 'document.html',
        type: 'text/html',
      }),
    };
  },
  product: { html: 'HTML' },
  examples: [
    {
      title: 'Headings, a table and tasks',
      values: {
        markdown:
          '# Title\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n## Tasks & more\n\n- [x] done\n- [ ] ~~not~~ yet',
      },
      outputs: {
        contents: '- [Title](#title)\n  - [Tasks & more](#tasks--more)',
        html: '<h1 id="title">Title</h1>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align="right">2</td>\n</tr>\n</tbody>\n</table>\n<h2 id="tasks--more">Tasks &amp; more</h2>\n<ul>\n<li><input type="checkbox" disabled="" checked="" /> done</li>\n<li><input type="checkbox" disabled="" /> <del>not</del> yet</li>\n</ul>',
      },
    },
    {
      title: 'HTML is shown as text',
      values: {
        markdown: 'Hello <b onclick="x()">you</b> and [a link](javascript:x())',
        flavor: 'common',
      },
    },
    {
      title: 'A footnote',
      values: { markdown: 'Text[^1].\n\n[^1]: The note.' },
    },
  ],
});
