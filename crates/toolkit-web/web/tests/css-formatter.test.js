import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minifyCss } from '../lib/css-minify.js';
import { change, sizes } from '../lib/sizes.js';
import { generate, parse } from '../libraries/css-tree.js';
import css from '../tools/css-formatter.js';
import { runTool, seeded, suite } from './run.mjs';

/** Style sheets whose rules must survive. */
const SHEETS = [
  '@charset "utf-8";@import url("a.css") layer(base) supports(display: grid) screen and (width >= 40em);',
  '.a { & > .b , + .c , &:hover { color : red } .d & { top : 0 } color : blue }',
  '@layer a , b ; @layer a { @layer c { x { y : z } } } @layer { p { margin : 0 } }',
  '@container card ( width > 30rem ) and (height < 50em) { .a { color : red } }',
  '@scope ( .card ) to ( .x > .y ) { img { border : 1px solid } :scope { top : 0 } }',
  '@media ( 400px <= width <= 700px ) , not all and ( monochrome ) { a { b : c } }',
  ':root { --a : 1px ; --b:{ c : d } ; --e: ; --f : "x  y" , url( z ) ; --g:a  /* k */  b }',
  'a { width : calc( 100% - ( 2 * var( --a , 10px ) ) + 1px ) ; grid-area : 1 / 2 / 3 / auto }',
  'a:not( .b , .c ) :nth-child( 2n + 1 of .d ) ~ e || f > g + h[ data-x = "a  b" i ] { i : j }',
  '@font-face { font-family : "A  B" ; src : url( data:font/woff2;base64,AA== ) format( "woff2" ) ; unicode-range : U+0025-00FF , u+4?? }',
  '@supports ( display : grid ) and ( not ( selector( a :hover ) ) ) { a { color : red !important ; } ; }',
  '@keyframes k { from { top : 0 } 50.5% , 60% { top : 1px } to { top : 2px } }',
  '@property --x { syntax : "<length> | auto" ; inherits : false ; initial-value : 0px }',
  '.a\\:b\\/c , .\\31 23 , #\\{x { content : "\\201C  \\"" ; color : RGB( 1 2 3 / 50% ) }',
  'a { background : url( "x y.png" ) no-repeat , linear-gradient( to right , red 0 50% , blue ) }',
  '@page :first { margin : 1in ; @top-left { content : "x" } } @starting-style { a { opacity : 0 } }',
  'a{margin:-1px - 1px;margin:1px -1px;margin:1px+-1px;color:#fff;b:c/**/d;e:f/* g */h;i:1px/**/2px}',
];

/** What css-tree reads, without white space next to what divides. @param {string} text */
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

test('the same rules before and after, and twice equals once', async () => {
  for (const text of SHEETS) {
    const small = await output({ text, mode: 'minify' });
    assert.ok(small.length < text.length, text);
    assert.equal(meaning(small), meaning(text));
    assert.equal(await output({ text: small, mode: 'minify' }), small);
    const wide = await output({ text });
    assert.equal(await output({ text: wide }), wide);
    assert.equal(
      await output({ text: wide, mode: 'minify' }).then(meaning),
      meaning(small).replaceAll('U+0025-00FF', 'U+0025-00FF'),
      text,
    );
  }
});

test('postcss-parser-tests: minified to the same rules, formatted twice as once', async (t) => {
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
  // Braces that hold no declarations, and a block without a selector, are beyond prettier.
  assert.deepEqual(beyond, ['css-custom-properties format', 'css-no-selector format']);
});

test('custom properties, licences and what white space means stay', () => {
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
  ]);
  for (const [text, wanted] of cases) assert.equal(minifyCss(text, 'css'), wanted, text);
});

test('SCSS and Less: comments of a line, interpolation, operators', async () => {
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
  assert.deepEqual((await sizes('a'.repeat(1000), 'a'))[1], ['After', '1 bytes (−99.9 %)']);
  assert.equal(change(100, 150), '+50 %');
});

const refusals = /** @type {[string, RegExp, string?][]} */ ([
  ['a{b:c', /has a "\{" that is never closed, at line 1, column 2\. The line is: a\{b:c/],
  ['a{}\n}', /has a "\}" that closes nothing, at line 2, column 1/],
  ['a{b:"c\n}', /has a text whose quote is not closed on its line, at line 1, column 5/],
  ['a{}\n /* b', /has a comment that is never closed, at line 2, column 2/],
  ['a:not(.b{c:d}', /has a "\(" that is never closed, at line 1, column 6/],
  ['a[b{c:d}', /has a "\[" that is never closed/],
  ['a{b c d}', /is not CSS: unknown word/],
  ['a{b:"#{"c"}}', /quote is not closed/, 'scss'],
]);
for (const [text, sentence, syntax = 'css'] of refusals) {
  test(`refuses ${JSON.stringify(text)}`, async () => {
    const { refusal } = await runTool(css, { text, syntax: /** @type {any} */ (syntax) });
    assert.equal(refusal?.field, 'text');
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test('random pieces: minified twice as once, with the same meaning', () => {
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
