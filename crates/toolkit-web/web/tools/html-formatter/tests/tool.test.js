import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import { minifyHtml } from '../minify.js';
import { tokenizeHtml } from '../tokens.js';
import html from '../tool.js';

/** @param {any} values */
async function output(values) {
  const { outputs, refusal } = await runTool(html, values);
  assert.equal(refusal, undefined, refusal?.sentence ?? '');
  return outputs.output?.text ?? '';
}

/** @param {string} text */
const small = (text) => minifyHtml(text, true);

/** Tags and words in order. @param {string} text */
const essence = (text) =>
  tokenizeHtml(text).flatMap(({ kind, name, raw }) => {
    if (kind === 'text') return raw.split(/[ \t\r\n\f]+/).filter(Boolean);
    return kind === 'start' || kind === 'end'
      ? [`${kind} ${name}`]
      : kind === 'raw'
        ? [raw.trim()]
        : [];
  });

test('html5lib tree construction: minified to the same tags and words, idempotently', async (t) => {
  const cases = suite(t, 'html_tree_construction');
  if (!cases) return;
  const count = { minified: 0, refused: 0 };
  for (const { id, input } of cases) {
    const values = { text: input, mode: /** @type {const} */ ('minify'), embedded: false };
    const { outputs, refusal } = await runTool(html, values);
    if (refusal) {
      assert.match(
        refusal.sentence,
        /^Line \d+, column \d+: HTML has .+(?:never closed|without its ">")/,
        id,
      );
      count.refused += 1;
      continue;
    }
    const once = outputs.output?.text ?? '';
    assert.equal(essence(once).join(''), essence(input).join(''), id);
    assert.equal(await output({ ...values, text: once }), once, id);
    count.minified += 1;
  }
  assert.ok(count.minified >= 1740, JSON.stringify(count));
});

test('html5lib tree construction: formatting keeps tags and words, and is idempotent', async (t) => {
  const cases = suite(t, 'html_tree_construction');
  if (!cases) return;
  const count = { formatted: 0, asRead: 0, unclosed: 0, refused: 0 };
  const changing = [];
  const ignored = [];
  const words = (/** @type {string} */ text) =>
    essence(text)
      .filter((part) => !part.startsWith('end '))
      .join('')
      .replaceAll(/\s/g, '')
      .replaceAll('\0', '');
  for (const { id, input } of cases) {
    const values = { text: input, embedded: false };
    const { outputs, refusal, warnings } = await runTool(html, values);
    if (refusal) {
      const isUnclosed = /^Line \d+, column \d+: HTML has .+(?:never closed|without its ">")/.test(
        refusal.sentence,
      );
      if (!isUnclosed) assert.match(refusal.sentence, /cannot be formatted without a change/, id);
      count[isUnclosed ? 'unclosed' : 'refused'] += 1;
      continue;
    }
    if (!outputs.output) continue;
    const once = outputs.output.text;
    const isAsRead = warnings.some((warning) => /formatted as browsers read it/.test(warning));
    if (!isAsRead && words(once) !== words(input)) ignored.push(input);
    count[isAsRead ? 'asRead' : 'formatted'] += 1;
    const again = await runTool(html, { text: once, embedded: false });
    if ((again.outputs.output?.text ?? '') !== once) changing.push(input);
  }
  assert.deepEqual(count, { formatted: 1058, asRead: 531, unclosed: 38, refused: 166 });
  // Tags that browsers ignore.
  assert.deepEqual(ignored, [
    '<!doctype html><select><plaintext></plaintext>X',
    '<!doctype html><frameset><plaintext></plaintext>',
    '<!doctype html><pre><frameset>',
    '<!doctype html><listing><frameset>',
  ]);
  assert.deepEqual(changing, [
    '\u0000',
    '<html><ruby>a<rtc>b<rt>c<rb>d</ruby></html>',
    '<!DOCTYPE html><select><optgroup><option><optgroup>',
  ]);
});

test('white space is removed only where CSS would never render it', () => {
  const cases = /** @type {[string, string][]} */ ([
    ['<p> a  <b> c </b> d </p>', '<p>a <b> c </b> d</p>'],
    ['<ul>\n <li> a </li>\n <li>b</li>\n</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<pre>\n  a\n</pre> <p>b', '<pre>\n  a\n</pre><p>b'],
    ['<textarea>  a\n </textarea>', '<textarea>  a\n </textarea>'],
    ['<script>\n  a  =  1\n</script>', '<script>\n  a  =  1\n</script>'],
    ['<span>a</span> <span>b</span>', '<span>a</span> <span>b</span>'],
    ['<div style="white-space: pre">  a  </div>', '<div style="white-space: pre">  a  </div>'],
    ['a <br> b <img src=x> c', 'a <br> b <img src=x> c'],
    ['<a  href = "x"   title=y >z</a >', '<a href="x" title=y>z</a>'],
    ['<svg><path d="m 0 0" /></svg><br/>', '<svg><path d="m 0 0"/></svg><br/>'],
    ['<a b=c />', '<a b=c />'],
    ['a\u00a0 \u00a0b', 'a\u00a0 \u00a0b'],
  ]);
  for (const [text, wanted] of cases) assert.equal(small(text), wanted, text);
});

test('comments are removed, except conditional, marked and separating ones', () => {
  const cases = /** @type {[string, string][]} */ ([
    ['a<!-- b -->c', 'ac'],
    ['<!--[if IE]>x<![endif]-->', '<!--[if IE]>x<![endif]-->'],
    ['<!--! licence -->a', '<!--! licence -->a'],
    ['&am<!-- -->p;', '&am<!-- -->p;'],
    ['<<!-- -->b>', '<<!-- -->b>'],
    ['<pre><!-- -->\n a</pre>', '<pre><!-- -->\n a</pre>'],
    ['<!-->a<!--->b', 'ab'],
    ['<script><!-- a </script>b', '<script><!-- a </script>b'],
    [
      '<script><!-- <script> </script> --> </script> b',
      '<script><!-- <script> </script> --> </script> b',
    ],
    ['<title><!-- a --></title>', '<title><!-- a --></title>'],
  ]);
  for (const [text, wanted] of cases) assert.equal(small(text), wanted, text);
});

test('embedded languages, options, preview and warnings', async () => {
  const text = '<style>a{b:c}</style><script>let a=1</script><p onclick="x()">y';
  assert.match(await output({ text }), /a \{\n {4}b: c;\n {2}\}[\s\S]*let a = 1;/);
  assert.match(await output({ text, embedded: false }), /a\{b:c\}[\s\S]*let a=1/);
  assert.equal(
    await output({ text: '<style>a { b : c }</style>', mode: 'minify' }),
    '<style>a{b:c}</style>',
  );
  assert.equal(
    await output({ text: '<style>a { b</style>', mode: 'minify' }),
    '<style>a { b</style>',
    'stays where it is wrong',
  );
  assert.equal(
    await output({ text: '<a b="1" c="2">d</a>', attribute_lines: true, indent: 'tab' }),
    '<a\n\tb="1"\n\tc="2"\n\t>d</a\n>\n',
  );
  assert.equal(
    await output({
      text: '<div><span>a</span><span>b</span></div>',
      whitespace: 'ignore',
      width: 30,
    }),
    '<div>\n  <span>a</span>\n  <span>b</span>\n</div>\n',
  );
  const shown = await runTool(html, { text: '<html><p>a', show_preview: true });
  assert.equal(shown.outputs.preview.kind, 'preview');
  assert.deepEqual(shown.warnings, [
    'The document has no DOCTYPE, so browsers show it in quirks mode.',
  ]);
});

test('HTML that the formatter refuses or would change is formatted as browsers read it', async () => {
  for (const [text, wanted, warning] of [
    [
      '<div>\n</span><ul><li>a<li>b</ul></div>',
      '<div>\n  <ul>\n    <li>a</li>\n    <li>b</li>\n  </ul>\n</div>\n',
      /error at line 2, column 1 \(unexpected closing tag "span"\): it was formatted as browsers/,
    ],
    ['<b><p>x</b>y', '<b></b>\n<p><b>x</b>y</p>\n', /an element is left open or out of place/],
    [
      '<a b=c/>x</a>',
      '<a b="c/">x</a>\n',
      /error at line 1, column 10 \(unexpected closing tag "a"\)/,
    ],
  ]) {
    const { outputs, warnings, refusal } = await runTool(html, {
      text: String(text),
      embedded: false,
    });
    assert.equal(outputs.output?.text, wanted, `${text} ${refusal?.sentence}`);
    assert.match(String(warnings), /** @type {RegExp} */ (warning));
    assert.equal(await output({ text: outputs.output.text, embedded: false }), wanted);
  }
  const { refusal } = await runTool(html, { text: '<p>a\n<div<div>' });
  assert.match(
    refusal?.sentence ?? '',
    /^HTML has an error at line 2, column 1 \(opening tag "div" not terminated\), and cannot be formatted/,
  );
});

const refusals = /** @type {[any, RegExp][]} */ ([
  [
    { text: '<p>a\n<!-- b' },
    /Line 2, column 1: .*has a comment that is never closed\. The line is: <!-- b/,
  ],
  [{ text: '<a href="x' }, /Line 1, column 1: .*has the tag <a without its ">"/],
  [{ text: '<a href="x', mode: 'minify' }, /has the tag <a without its ">"/],
  [{ text: '<svg><![CDATA[x' }, /has a CDATA section that is never closed/],
  [{ text: '<i>'.repeat(5000) }, /nests deeper than 512 levels/],
  [{ text: '<!doctype html' }, /has a DOCTYPE that is never closed/],
]);
for (const [values, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values)}`, async () => {
    const { refusal } = await runTool(html, values);
    assert.equal(refusal?.field, 'text');
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test('a script that is not JavaScript is left unchanged', async () => {
  assert.match(await output({ text: '<script>let a = ;</script>' }), /let a = ;/);
});

test('random pieces keep their tags and words when minified', () => {
  const next = seeded(6);
  const pieces = [
    '<p>',
    '</p>',
    ' ',
    '\n',
    'a',
    'b c',
    '<b>',
    '</b>',
    '<!-- x -->',
    '<br>',
    '<div class="y  z">',
    '</div>',
    '<pre>',
    '</pre>',
    '&amp;',
    '<i a=b>',
    '</i>',
    '<table>',
    '<td>',
    '</table>',
  ];
  for (let round = 0; round < 500; round += 1) {
    const text = Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join('');
    const once = small(text);
    assert.equal(essence(once).join(''), essence(text).join(''), text);
    assert.equal(small(once), once);
  }
});

test('text whose white space is shown stays as it is, and any name of an element is one', async () => {
  const words = `${'word '.repeat(40)}\n  end`;
  for (const open of [
    '<div style="white-space: pre">',
    "<b class=x style='color:red;white-space:pre-wrap'>",
    '<span class="a whitespace-pre-wrap">',
  ]) {
    const name = /\w+/.exec(open)?.[0];
    const inner = `${words}<${name}> x </${name}>`;
    const text = `<section>${open}${inner}</${name}></section>`;
    const { outputs, refusal } = await runTool(html, { text });
    assert.equal(refusal, undefined, String(refusal?.sentence));
    assert.ok(outputs.output.text.includes(`>${inner}</`), outputs.output.text);
  }
  const text = '<div><constructor>a</constructor></div>';
  assert.equal((await runTool(html, { text })).outputs.output.text, `${text}\n`);
});
