//! Style sheets whose rules must survive, by CSS feature: nesting, layers, containers, scopes,
//! ranges; and the corner cases of CSS Syntax Level 3, section by section.

/** Style sheets whose rules must survive. */
export const SHEETS = [
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

/** CSS Syntax Level 3: inputs in the order of its sections. */
export const SYNTAX = [
  // §3.3: line ends and NUL.
  'a{color:red}\r\nb\f{top:0}\rc{top:1px}',
  '.a\0b{color:red}',
  // §4.3.7: escapes, also of digits, spaces and line ends in a string.
  '.\\31 a,.\\000031b,.a\\,b,.\\@x,.\\26 B,#\\#a{content:"a\\\nb\\"c\\A  d"}',
  '.\\{,.\\;,.\\},.a\\/\\*b\\*\\/{top:0}',
  '.-\\31 a,.--,.---x,.\\--a,.é🎉{top:0}',
  // §4.3.6: unquoted URLs.
  'a{background:url(  a.png  )}b{background:url(a\\)b.png)}c{background:URL( "a.png" )}d{background:url()}',
  'a{background:url(data:image/svg+xml;utf8,%3Csvg/%3E)}',
  // §4.3.12: numbers and dimensions.
  'a{margin:+.5px -0.0px 1e3px 1E-1em;line-height:1.50;opacity:.5;z-index:-0;width:1e3e3}',
  'a{margin:1px-1px;margin:1px -1px;margin:1 px;transform:translate(-1px,+2px)}',
  // §4.2: early ends of a comment or a string.
  'a/* } */{/* ; */color/**/:/**/red/**/;/**/}/**/b{content:"/* no */"}',
  'a{content:"}";quotes:"{" "}"}b{top:0}',
  // CDO and CDC between rules.
  '<!-- a{top:0} --> b{top:1px}',
  // §5.5: unclosed at-rules and rules, unknown at-rules, empty declarations.
  '@unknown x { y { z } } a{top:0} @unknown; b{top:1px}',
  'a{;;color:red;;;}b{}c{;}',
  'a{color:red!important;top:0 ! important;--a:1!important;--b: ! important}',
  'a{color:red;b{top:0}color:blue;&:hover{top:1px}c &{top:2px}@media (width>1px){top:3px}top:4px}',
  'a{:hover{top:0}>b{top:1px}+c{top:2px}~d{top:3px}[e]{top:4px}*{top:5px}.f &{top:6px}}',
  // §6: An+B, whose signs need spaces.
  ':nth-child(2n+1),:nth-child(2n + 1),:nth-child(+n - 2),:nth-child(-n+3),:nth-child( EVEN ),:nth-child(-2n-1 of .a , b){top:0}',
  // Custom properties: white space, blocks, empty, bad URLs.
  ':root{--a:;--b: ;--c:  x  y  ;--d:{a:b;c:{d:e}};--e:[;];--f:url( a );--g:"}";--H:1;--h:2;--i:a/**/b;--\\6a:3}',
  // Ranges of media and containers; where a space is needed before a bracket.
  '@media (1px<=width<=2px) and (height>=3px){a{top:0}}@media not (color){a{top:0}}@media screen and (width),print{a{top:1px}}',
  '@container c (width>1px) and style(--a:b) or (not (height<2px)){a{top:0}}@container style(--x:  y){a{top:1px}}',
  '@supports (top:0) and (not (top:x)) or selector(a > b){a{top:0}}@supports not (--a:b){a{top:1px}}',
  '@layer a.b,c;@layer{a{top:0}}@layer d.e{a{top:1px}@layer f{a{top:2px}}}',
  '@scope (.a) to (.b > .c){:scope{top:0}& d{top:1px}}@scope{a{top:2px}}',
  '@starting-style{a{opacity:0}}@property --p{syntax:"<color> | none";inherits:true;initial-value:red}',
  '@font-face{font-family:A B;src:local("A B"),url(a.woff2) format("woff2") tech(variations);unicode-range:U+0-7F,u+4??}',
  '@counter-style c{system:cyclic;symbols:"‣" "*";suffix:" "}@page a:left{margin:1in;@top-left{content:"x"}}',
  '@keyframes "a b"{from,50%{top:0}to{top:1px}}@keyframes c{0%{top:0;animation-timing-function:steps(2,jump-none)}}',
  '@view-transition{navigation:auto}@position-try --a{top:anchor(bottom)}',
  // Values with significant and insignificant white space.
  'a{width:calc(1px + 2px*3 - (4px / 2));width:calc( (1px) + -2px );font:italic 1px/2 "a b",serif;grid-area:1/2/3/4}',
  'a{grid-template-areas:"a b" "c  d";grid-template-columns:[a b] 1fr [c] minmax( 0 , 1fr );transition:top 1s,left 2s}',
  'a{color:rgb( 1 2 3/50% );color:color-mix( in oklch , red 10% , blue );background:linear-gradient( to right,red 0 50%,blue )}',
  'a{width:max( 1px , 2px );inset:0 auto;clip-path:polygon( 0 0 , 1px 1px );content:counter(a)". "attr( title )}',
  'a{aspect-ratio:16 / 9;--x:var( --y , );color:var(--a,var( --b , red ));width:if(style(--a:b):1px;else:2px)}',
  // Selectors: spaces that are combinators, and spaces that are not.
  'a :hover,a:hover,a *,a*,* a,a .b,a.b,a #c,a#c,a [d],a[d],a ::before,a::before{top:0}',
  'a>b,a > b,a+ b,a ~b,a>*,*>a,:is( a , b ) c,:is(a)c,:where() d,:not( a b )>e{top:0}',
  '[a="b c"],[a=b i],[ a |= "b" s ],[a~=b],[*|a],[|a],*|b,|c{top:0}',
  '::slotted( a )::before,:host( .a ) b,:host-context(c),::part( a  b ),::highlight(x){top:0}',
];

/** Tokens that can join with their neighbours: CSS Syntax §9, the table of serialization. */
export const TOKENS = [
  'foo',
  'bar()',
  'url(baz)',
  '-',
  '--',
  '1',
  '1.5',
  '.5',
  '10%',
  '3em',
  '@x',
  '#h',
  '#',
  '\\66',
  '-a',
  '--b',
  '"s"',
  '(c)',
  '[d]',
  '+',
  '.',
  '*',
  '/',
  '%',
  '<',
  '>',
  '|',
  '=',
  '~',
  '^',
  '$',
  '!',
  ':',
  ',',
  'U+1',
  'e3',
  'é',
];
