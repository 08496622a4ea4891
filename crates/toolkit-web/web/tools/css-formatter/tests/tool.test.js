import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minifyCss } from '../../../lib/css/minify.js';
import { change, reduction, shrunk } from '../../../lib/sizes.js';
import { inLinearTime, require, runTool, seeded, suite } from '../../../tests/run.mjs';
import css from '../tool.js';
import { SHEETS, SYNTAX, TOKENS } from './vectors.js';

/** @type {typeof import('css-tree')} */
const { generate, parse, tokenize } = require('css-tree');

/** The rules that css-tree parses, without white space next to separators. @param {string} text */
const meaning = (/** @type {string} */ text) =>
  generate(parse(text))
    .replaceAll(/\/\*(?!!)[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{}:;,>~+()[\]|=]) ?/g, '$1')
    .replaceAll(/(?<=[{;]);+|;+(?=})/g, '');

/** @param {any} values */
async function output(values) {
  const { outputs, refusal } = await runTool(css, values);
  assert.equal(refusal, undefined, refusal?.sentence ?? '');
  return outputs.output?.text ?? '';
}

test('the same rules before and after, and formatting is idempotent', async () => {
  for (const text of SHEETS) {
    const small = await output({ text, mode: 'minify' });
    assert.ok(small.length < text.length, text);
    assert.equal(meaning(small), meaning(text));
    assert.equal(await output({ text: small, mode: 'minify' }), small);
    const { outputs, warnings } = await runTool(css, { text });
    assert.deepEqual(warnings, [], text);
    const wide = outputs.output.text;
    assert.equal(await output({ text: wide }), wide);
    assert.equal(
      await output({ text: wide, mode: 'minify' }).then(meaning),
      meaning(small).replaceAll('U+0025-00FF', 'U+0025-00FF'),
      text,
    );
  }
});

test('CSS Syntax Level 3: the same rules before and after, and formatting is idempotent', async () => {
  const beyond = [];
  for (const text of SYNTAX) {
    const small = await output({ text, mode: 'minify' });
    assert.equal(meaning(small), meaning(text), text);
    assert.equal(await output({ text: small, mode: 'minify' }), small, text);
    const { outputs, refusal, warnings } = await runTool(css, { text });
    if (refusal) {
      beyond.push(refusal.offence);
      continue;
    }
    const wide = outputs.output.text;
    if (warnings.length > 0) beyond.push(...warnings);
    else assert.equal(await output({ text: wide }), wide, text);
  }
  // Prettier refuses `\\)` in a URL and rules in an unknown at-rule; it breaks `-->` and `|c`.
  assert.deepEqual(beyond, [
    'cannot be formatted: the formatter fails on it (unbalanced parenthesis)',
    'Formatting changed more than white space and spelling. Compare before using it.',
    'Line 1: "z" is no declaration; browsers skip it, and it was left as it is.',
    'Formatting changed more than white space and spelling. Compare before using it.',
  ]);
});

/** Tokens without comments, each run of white space as one. @param {string} text */
function tokensOf(text) {
  /** @type {string[]} */
  const tokens = [];
  tokenize(text, (type, start, end) => {
    const token = text.slice(start, end);
    const isSpace = /^[ \t\r\n\f]+$/.test(token);
    if (!token.startsWith('/*')) tokens.push(isSpace ? ' ' : `${type} ${token}`);
  });
  return tokens.filter((token, at) => token !== ' ' || tokens[at - 1] !== ' ');
}

test('CSS Syntax §9: no two tokens of a value become one', () => {
  const marks = (/** @type {string} */ text) =>
    tokensOf(text)
      .filter((token) => token !== ' ')
      .join('\n');
  for (const left of TOKENS)
    for (const right of TOKENS)
      for (const between of ['/* x */', ' /**/ ']) {
        const text = `a{b:x ${left}${between}${right} y}`;
        const small = minifyCss(text, 'css');
        if (marks(small) !== marks(text)) assert.equal(marks(small), marks(text), text);
        if (minifyCss(small, 'css') !== small) assert.equal(minifyCss(small, 'css'), small, text);
      }
});

test('postcss-parser-tests: minified to the same rules, and formatting is idempotent', async (t) => {
  const cases = suite(t, 'css_postcss_parser_tests');
  if (!cases) return;
  const beyond = [];
  for (const { id, input } of cases) {
    for (const mode of /** @type {const} */ (['format', 'minify'])) {
      const { outputs, refusal } = await runTool(css, { text: input, mode });
      if (refusal) {
        beyond.push(`${id} ${mode}`);
        assert.match(refusal.sentence, /the formatter fails on it/);
        continue;
      }
      const once = outputs.output?.text ?? '';
      if (mode === 'minify') assert.equal(meaning(once), meaning(input), id);
      assert.equal(await output({ text: once, mode }), once, id);
    }
  }
  // Prettier cannot parse braces without declarations, nor a block without a selector.
  assert.deepEqual(beyond, ['css-custom-properties format', 'css-no-selector format']);
});

test('custom properties, licences and significant white space are kept', () => {
  const cases = /** @type {[string, string][]} */ ([
    ['a{--x:  a  b ;--y:{ c : d }}', 'a{--x:a  b;--y:{ c : d }}'],
    ['/*! keep */a{b:c}/* gone */', '/*! keep */a{b:c}'],
    ['a { /*! in */ b : c }', 'a{/*! in */b:c}'],
    ['a :hover{b:c}', 'a :hover{b:c}'],
    ['a/**/b{c:d}', 'a/**/b{c:d}'],
    ['a{b:var/* c */(--d)}', 'a{b:var/**/(--d)}'],
    ['.a/* x */.b{c:d}', '.a.b{c:d}'.replace('.a.b', '.a/**/.b')],
    ['a{b:1px + 2px;;c:d;}', 'a{b:1px + 2px;c:d}'],
    ['@media screen and (min-width: 1px){}', '@media screen and (min-width:1px){}'],
    ['a{b:c};d{e:f;;}', 'a{b:c};d{e:f}'],
    ['a{b:url( x y )}', 'a{b:url( x y )}'],
    ['@import "a" ;b{}', '@import "a";b{}'],
    ['.\\31  .b{c:d}', '.\\31  .b{c:d}'],
    ['.\\31 .b{c:d}', '.\\31 .b{c:d}'],
    ['.\\31/**/ .b{c:d}', '.\\31  .b{c:d}'],
    ['a{b:--/**/>c}', 'a{b:--/**/>c}'],
  ]);
  for (const [text, wanted] of cases) assert.equal(minifyCss(text, 'css'), wanted, text);
});

test('SCSS and Less: line comments, interpolation, operators', async () => {
  const scss = /** @type {[string, string][]} */ ([
    [
      '// x\n$a : 1px ; .b { width : $a + 2 - $c*3 / 4 ; &-d { e : f } }',
      '$a:1px;.b{width:$a + 2 - $c*3 / 4;&-d{e:f}}',
    ],
    [
      'a-#{ $b } > c { #{$d} : "#{ "x}" }" ; url : url(//e/f) }',
      'a-#{ $b }>c{#{$d} : "#{ "x}" }";url:url(//e/f)}',
    ],
    [
      '@mixin m ( $a : 1 , $b... ) { @include n { c : d } ; @if $a == 1 { e : f } @else { g : h } }',
      '@mixin m ($a : 1,$b...){@include n{c:d}@if $a == 1{e:f}@else{g:h}}',
    ],
    ['font : { family : x ; size : 1px }', 'font :{family:x;size:1px}'],
    ['%p { @extend %q ; } // end', '%p{@extend %q}'],
  ]);
  for (const [text, wanted] of scss) {
    assert.equal(minifyCss(text, 'scss'), wanted, text);
    assert.equal(minifyCss(wanted, 'scss'), wanted, 'twice equals once');
  }
  const less = /** @type {[string, string][]} */ ([
    [
      '@a : 1px ; // x\n.m( @b ; @c : 2 ) when ( @b > 1 ) { width : @a + @b }',
      '@a : 1px;.m(@b ; @c : 2) when (@b > 1){width:@a + @b}',
    ],
    [
      '.@{n} { .m() ; .o !important ; @r() ; color : ~"x  y" ; &:extend( .p all ) }',
      '.@{n}{.m();.o !important;@r();color:~"x  y";&:extend(.p all)}',
    ],
    ['@d : { a : b } ; @plugin "p" ;', '@d :{a:b};@plugin "p";'],
  ]);
  for (const [text, wanted] of less) {
    assert.equal(minifyCss(text, 'less'), wanted, text);
    assert.equal(minifyCss(wanted, 'less'), wanted, 'twice equals once');
  }
  assert.equal(
    await output({ text: '// c\n$a:1px;.b{&-c{d:$a+1}}', syntax: 'scss' }),
    '// c\n$a: 1px;\n.b {\n  &-c {\n    d: $a + 1;\n  }\n}\n',
  );
  assert.equal(
    await output({ text: '.m(@a){b:@a}.c{.m(1)}', syntax: 'less' }),
    '.m(@a) {\n  b: @a;\n}\n.c {\n  .m(1);\n}\n',
  );
});

test('options and sizes', async () => {
  assert.equal(
    await output({ text: 'a{b:"c"}', indent: 'tab', single_quotes: true }),
    "a {\n\tb: 'c';\n}\n",
  );
  const { headline } = await reduction('a'.repeat(1000), 'a');
  assert.equal(headline.text, '1 kB → 1 byte, 99.9 % smaller');
  assert.match(headline.below ?? '', /^After gzip: \d+ bytes → \d+ bytes, [+−]/);
  assert.equal(shrunk(1_234_567, 340_123), '1.23 MB → 340 kB, 72.5 % smaller');
  assert.equal(shrunk(7, 7), '7 bytes, nothing to save');
  assert.equal(change(100, 150), '+50 %');
});

const refusals = /** @type {[string, RegExp, string?][]} */ ([
  ['a{b:c', /Line 1, column 2: .*has a "\{" that is never closed\. The line is: a\{b:c/],
  ['a{}\n}', /Line 2, column 1: .*has a "\}" that closes nothing/],
  ['a{b:"c\n}', /Line 1, column 5: .*has a text whose quote is not closed on its line/],
  ['a{}\n /* b', /Line 2, column 2: .*has a comment that is never closed/],
  ['a:not(.b{c:d}', /Line 1, column 6: .*has a "\(" that is never closed/],
  ['a[b{c:d}', /has a "\[" that is never closed/],
  ['a{b:"#{"c"}}', /quote is not closed/, 'scss'],
]);
for (const [text, sentence, syntax = 'css'] of refusals) {
  test(`refuses ${JSON.stringify(text)}`, async () => {
    const { refusal } = await runTool(css, { text, syntax: /** @type {any} */ (syntax) });
    assert.equal(refusal?.field, 'text');
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test('random pieces: minifying is idempotent and keeps the meaning', () => {
  const next = seeded(4);
  const pieces = [
    'a',
    '.b',
    ' ',
    '  ',
    '>',
    '+',
    ',',
    ':hover',
    '/* c */',
    '[d]',
    ':is(e , f)',
    '*',
    '#g',
    '\n',
  ];
  for (let round = 0; round < 500; round += 1) {
    const selector = Array.from(
      { length: 1 + next(7) },
      () => /** @type {string} */ (pieces[next(pieces.length)]),
    ).join('');
    const text = `${selector}{ top : 0 ; }`;
    const once = minifyCss(text, 'css');
    assert.equal(minifyCss(once, 'css'), once);
    assert.equal(meaning(once), meaning(text), text);
  }
});

test('a megabyte is compared in time in proportion to its length', async () => {
  const { hasChanged } = await import('../compare.js');
  const text = 'a{color:red;margin:0 auto;padding:1px}\n'.repeat(27_000);
  const other = text.replaceAll(';', ' ; ');
  assert.equal(await inLinearTime(() => hasChanged(text, other, 'css')), false);
});

test('what is no declaration is left as it is and told, as browsers skip it', async () => {
  const text = 'a{color:red;;foo bar;\n  *zoom 1;b:c}\nd{\n  junk\n}\n';
  const { outputs, refusal, warnings } = await runTool(css, { text });
  assert.equal(refusal, undefined);
  for (const part of ['foo bar;', '*zoom 1;', 'b: c;', 'junk'])
    assert.ok(outputs.output.text.includes(part), part);
  assert.deepEqual(
    warnings.map((one) => one.slice(0, 18)),
    ['Line 1: "foo bar" ', 'Line 2: "*zoom 1" ', 'Line 4: "junk" is '],
  );
});
