import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool } from '../../../tests/run.mjs';
import { dialects } from '../dialects.js';
import { explained } from '../explain.js';
import { compile } from '../search.js';
import { SYNTAX } from '../syntax.js';
import regex from '../tool.js';

/** @param {string} pattern @param {string} [flags] */
const words = (pattern, flags = '') =>
  explained(pattern, flags).map(
    ({ depth, source, meaning }) => `${'  '.repeat(depth)}${source} ${meaning}`,
  );

test('a pattern is explained part by part', () => {
  assert.deepEqual(words('(?<year>\\d{4})-(\\w)?'), [
    '(?<year>…) Group 1, year',
    '  \\d{4} a digit 0 to 9, 4 times',
    '- "-"',
    '(…)? Group 2, or nothing',
    '  \\w a letter a to z, a digit or _',
  ]);
  for (const [pattern, flags, wanted] of /** @type {const} */ ([
    ['abc*', '', ['ab "ab"', 'c* "c", any number of times']],
    ['a (b) ', '', ['a  "a "', '(…) Group 1', '  b "b"', '  a space']],
    [
      'a+?b{2,}?',
      '',
      [
        'a+? "a", once or more, as few as possible',
        'b{2,}? "b", 2 times or more, as few as possible',
      ],
    ],
    [
      '[^a-z\\d\\] ]',
      '',
      ['[^a-z\\d\\] ] a character, but not a to z; a digit 0 to 9; "]"; space'],
    ],
    ['[^]', '', ['[^] any character']],
    [
      '\\p{L}\\P{N}\\u{1F600}\\x41\\1\\k<y>',
      'u',
      [
        '\\p{L} a character of L',
        '\\P{N} no character of N',
        '\\u{1F600} the character U+1F600',
        '\\x41 the character U+0041',
        '\\1 the text of group 1 again',
        '\\k<y> the text of group y again',
      ],
    ],
    ['^.$', 'ms', ['^ the start of a line', '. any character', '$ the end of a line']],
    [
      'a|(?:b)(?=c)(?<!d)(?i:e)',
      '',
      [
        'a "a"',
        '| or',
        '(?:…) Together',
        '  b "b"',
        '(?=…) Followed by',
        '  c "c"',
        '(?<!…) Not preceded by',
        '  d "d"',
        '(?i:…) With the flags i',
        '  e "e"',
      ],
    ],
    ['\\(\\.😀', '', ['\\( "("', '\\. "."', '😀 "😀"']],
  ]))
    assert.deepEqual(words(pattern, flags), wanted, pattern);
  assert.ok(Object.keys(SYNTAX).length > 30);
});

test('matches have their groups as columns, a list, marks and a replacement', async () => {
  const { outputs } = await runTool(regex, {
    ...{ pattern: '(?<a>x)|(y)', text: '😀xy', list: '$<a>$2$$$&$9', replacement: '[$<a>$2]' },
  });
  assert.deepEqual(outputs.matches.columns, ['Match', 'From', 'To', 'a', 'Group 2']);
  assert.deepEqual(outputs.matches.rows, [
    ['x', 1, 2, 'x', null],
    ['y', 2, 3, null, 'y'],
  ]);
  assert.deepEqual(outputs.marks.data, {
    pattern: [
      [0, 7, 'tone-1'],
      [8, 11, 'tone-2'],
    ],
    text: [
      [2, 3, 'tone-1'],
      [3, 4, 'tone-2'],
    ],
  });
  assert.equal(outputs.list, 'x$x$9\ny$y$9');
  assert.equal(outputs.replaced.text, '😀[x][y]');
  for (const [template, wanted] of [
    ['$12', 'b2'],
    ['$01', 'b'],
    ['$0', '$0'],
    ['$<z>', '$<z>'],
    ['$$1', '$1'],
  ]) {
    const one = await runTool(regex, { pattern: '(b)', text: 'abc', replacement: template });
    assert.equal(one.outputs.replaced.text, `a${wanted}c`);
    assert.equal(
      one.outputs.replaced.text,
      template === '$<z>' ? 'a$<z>c' : 'abc'.replace(/(b)/g, template ?? ''),
    );
  }
});

test('flags are those of JavaScript; what is not is refused or said', async () => {
  const run = (/** @type {string} */ pattern, /** @type {string} */ flags, text = 'aA\nb') =>
    runTool(regex, { pattern, flags, text });
  assert.equal((await run('a', 'gi')).outputs.headline.text, '2 matches');
  assert.equal((await run('^b', 'gm')).outputs.headline.text, '1 match');
  assert.equal((await run('a.', 'gy')).outputs.headline.text, '1 match');
  assert.equal((await run('[\\w--a]', 'gv')).outputs.headline.text, '2 matches');
  const spaced = await run('a # note\n  A', 'gx');
  assert.equal(spaced.outputs.headline.text, '1 match');
  assert.match(spaced.warnings[0] ?? '', /no flag `x`/);
  for (const [pattern, flags, field, says] of /** @type {const} */ ([
    ['a', 'q', 'flags', /no flag `q`/],
    ['a', 'gg', 'flags', /`g` twice/],
    ['a', 'uv', 'flags', /both `u` and `v`/],
    ['(a', 'g', 'pattern', /Character 1: .*unterminated group/],
    ['a)', 'g', 'pattern', /^Character 2: /],
    ['a[b', 'g', 'pattern', /Character 2: .*unterminated character class/],
    ['a**', 'g', 'pattern', /Character 2: .*nothing to repeat/],
  ])) {
    const { refusal } = await run(pattern, flags);
    assert.equal(refusal?.field, field, pattern);
    assert.match(refusal?.sentence ?? '', says);
  }
});

test('the reason of every engine is whole', () => {
  const Own = RegExp;
  try {
    for (const [told, wanted] of [
      ['Invalid regular expression: /(a/: Unterminated group', 'unterminated group'],
      ['Invalid regular expression: missing )', 'missing )'],
      ['unterminated parenthetical', 'unterminated parenthetical'],
    ]) {
      globalThis.RegExp = /** @type {any} */ (
        class extends Own {
          /** @param {string | RegExp} source @param {string} [flags] */
          constructor(source, flags) {
            if (source === '(a') throw new SyntaxError(told);
            super(source, flags);
          }
        }
      );
      assert.throws(() => compile('(a', 'g'), {
        message: `is not a pattern of JavaScript: ${wanted}`,
      });
    }
  } finally {
    globalThis.RegExp = Own;
  }
});

test('it is said where the service reads the pattern otherwise', async () => {
  for (const [pattern, flags, text, part] of /** @type {const} */ ([
    ['\\Aab', 'g', 'ab', '\\A'],
    ['ab\\z', 'g', 'ab', '\\z'],
    ['\\h+', 'g', 'ab', '\\h'],
    ['[[:alpha:]]', 'g', 'ab', '[[:alpha:]'],
    ['\\w', 'g', 'é', '\\w'],
    ['straße', 'gi', 'STRASSE', 'the flag i'],
    ['(a?)*', 'g', 'a', '(a?)'],
    ['(?:(a)|b)*', 'g', 'ab', '(?:(a)|b)'],
    ['(a)?\\1', 'g', 'a', 'the text of a group again'],
    ['a.', 'g', 'a\r', '.'],
  ])) {
    const { outputs, refusal } = await runTool(regex, { pattern, flags, text });
    const parts = outputs.service?.rows.map((/** @type {string[]} */ [one]) => one);
    assert.ok(parts?.includes(part), `${pattern}: ${parts} ${refusal?.sentence}`);
  }
  for (const pattern of ['(?x)a b', '(?>a)', 'a++', '(?P<n>a)', '(?#note)a', '(?i)a', '(?(1)a)'])
    assert.match(
      (await runTool(regex, { pattern })).refusal?.sentence ?? '',
      /the service \(REST, MCP\) reads it/,
      pattern,
    );
  for (const pattern of ['(?<a>\\d+)-[a-z]', 'a+?', '(?=b)', '\\p{L}'])
    assert.equal(
      (await runTool(regex, { pattern, text: 'ab', flags: 'gu' })).outputs.service,
      null,
      pattern,
    );
  const call = await regex.call?.({
    pattern: 'a',
    text: 'b',
    flags: 'gvy',
    replacement: '',
    list: '',
  });
  assert.deepEqual(call, { pattern: 'a', text: 'b', replacement: '', flags: 'g' });
});

test('a long text is searched whole, and marked in its field', async () => {
  const text = 'ab '.repeat(400_000);
  const { outputs, warnings } = await runTool(regex, { pattern: 'b', text });
  assert.equal(outputs.headline.text, '400,000 matches');
  assert.equal(outputs.matches.rows.length, 1000);
  assert.match(warnings.join(), /first 1,000 matches/);
  assert.equal(outputs.marks.data.text.length, 256 * 1024);
  const log = 'a1 '.repeat(80_000);
  const every = await runTool(regex, { pattern: '.', text: log });
  assert.equal(every.outputs.marks.data.text.length, log.length, 'each match of 240 KB is marked');
});

test('a group has one color in the pattern, the text, its words and its column', async () => {
  const marks = async (/** @type {string} */ pattern, text = '', flags = 'g') => {
    const { outputs } = await runTool(regex, { pattern, text, flags });
    const of = (/** @type {string} */ field, /** @type {string} */ whole) =>
      outputs.marks.data[field].map(
        (/** @type {[number, number, string]} */ [start, end, name]) =>
          `${whole.slice(start, end)} ${name}`,
      );
    return [of('pattern', pattern), of('text', text)];
  };
  assert.deepEqual(await marks('(a(b)c)(?:d)(?<e>e)?', 'abcd abcde'), [
    ['(a tone-1', '(b) tone-2', 'c) tone-1', '(?<e>e) tone-3'],
    [
      ...['a tone-1', 'b tone-2', 'c tone-1', 'd match-0'],
      ...['a tone-1', 'b tone-2', 'c tone-1', 'd match-1', 'e tone-3'],
    ],
  ]);
  assert.deepEqual(await marks('[(](\\()', '(('), [['(\\() tone-1'], ['( match-0', '( tone-1']]);
  assert.deepEqual((await marks('(a) # (not\n(b)', '', 'x'))[0], ['(a) tone-1', '(b) tone-2']);
  assert.deepEqual(await marks('a(?=(b+))', 'abb'), [['(b+) tone-1'], ['a match-0', 'bb tone-1']]);
  const seven = await marks('(a)(b)(c)(d)(e)(f)(g)', 'abcdefg');
  assert.equal(seven[1]?.at(-1), 'g tone-1');
  const { outputs } = await runTool(regex, { pattern: 'x(a)(?:(b))', text: 'xab' });
  assert.deepEqual(outputs.matches.columnTones.slice(3), ['tone-1', 'tone-2']);
  assert.deepEqual(
    outputs.explained.rows.map((/** @type {string[]} */ [part], /** @type {number} */ at) => [
      part?.trim(),
      outputs.explained.tones[at],
    ]),
    [
      ['x', undefined],
      ['(…)', 'tone-1'],
      ['a', undefined],
      ['(?:…)', undefined],
      ['(…)', 'tone-2'],
      ['b', undefined],
    ],
  );
});

test('references of other languages in a replacement are told, and left as they are', async () => {
  for (const [replacement, replaced, told] of /** @type {[string, string, RegExp?][]} */ ([
    ['\\U$1', '\\Uab', /`\\U` in the replacement is literal text: the case of letters/],
    ['\\1', '\\1', /`\\1` in the replacement is literal text; write `\$1` instead/],
    ['\\g<one>', '\\g<one>', /write `\$<one>` instead/],
    ['$one', '$one', /write `\$<one>` instead/],
    ['$0', '$0', /`\$0` in the replacement names no group.*`\$&` is the whole match/],
    ['$7', '$7', /`\$7` in the replacement names no group/],
    ['$<two>', '', /`\$<two>` in the replacement names no group/],
    ["$`|$'|$&|$$|$12|$<one>|C:\\Users|\\n|$x", '<|>|ab|$|ab2|ab|C:\\Users|\\n|$x'],
  ])) {
    const { outputs, warnings } = await runTool(regex, {
      pattern: '(?<one>\\w+)',
      text: '<ab>',
      replacement,
    });
    assert.equal(outputs.replaced.text, `<${replaced}>`, replacement);
    assert.match(warnings.join(), told ?? /^$/, replacement);
  }
});

test('cases say which lines match as they must', async () => {
  const { outputs } = await runTool(regex, {
    pattern: 'b+',
    flags: 'gi',
    cases: 'abc\nxyz\n!ABBA\n!y\n\n',
  });
  assert.equal(outputs.headline.text, '2 of 4 cases hold');
  assert.equal(outputs.headline.tone, 'bad');
  assert.deepEqual(
    outputs.judged.rows.map((/** @type {string[]} */ row) => row[3]),
    ['Yes', 'No', 'No', 'Yes'],
  );
});

test('code of each language has the pattern quoted, with the flags that it knows', async () => {
  const pattern = String.raw`it's "\d+"#~`;
  const { outputs } = await runTool(regex, { pattern, flags: 'gim', text: 'x' });
  const code = Object.fromEntries(outputs.code.rows);
  assert.equal(code.Rust, String.raw`Regex::new(r##"(?im)it's "\d+"#~"##)?.find_iter(text)`);
  assert.equal(code.Python, String.raw`re.finditer('it\'s "\\d+"#~', text, re.I | re.M)`);
  assert.equal(
    code.Go,
    String.raw`regexp.MustCompile("(?im)it's \"\\d+\"#~").FindAllString(text, -1)`,
  );
  const found = new Function('text', `return [...${code.JavaScript}].length`)(
    'it\'s "7"#~ IT\'S "8"#~',
  );
  assert.equal(found, 2);
});

test('what PCRE, Python and Go read otherwise is named, and nothing else', async () => {
  const same = undefined;
  for (const [pattern, flags, text, wanted] of /** @type {const} */ ([
    ['a(b|c)+[^$.]{2,3}\\bx', 'g', 'abc', []],
    ['\\d+', 'g', '12', []],
    ['\\d+', 'g', '１２', [['\\d', 'of ASCII, unless with UCP', 'of all scripts', same]]],
    ['^a$', 'm', 'a\nb', []],
    ['\\\\A', '', '', []],
    ['[\\]$]', '', '', []],
    ['a(?=b)', '', '', [['(?=', same, same, 'no look-ahead']]],
    [
      '(?<=a|bc)d',
      '',
      '',
      [
        ['(?<=', same, same, 'no look-behind'],
        ['(?<=a|bc)', same, 'refused unless all ways are of one length', same],
      ],
    ],
    ['a{1,1000}', '', '', []],
    ['a{1,1001}', '', '', [['{1,1001}', same, same, 'more than 1000 times is refused']]],
  ]))
    assert.deepEqual(dialects(pattern, flags, text), wanted, pattern);
  /** Of one engine: the reading of the first part that has it. @param {string} pattern @param {number} engine @param {string} [flags] @param {string} [text] */
  const reading = (pattern, engine, flags = '', text = '') =>
    dialects(pattern, flags, text).flatMap((one) => one[engine] ?? [])[0];
  for (const [pattern, engine, wanted] of /** @type {const} */ ([
    ['(?<year>\\d)', 2, /\(\?P<name>…\)/],
    ['(?<year>\\d)', 3, /since Go 1\.22/],
    ['(?<=a+)b', 1, /^refused/],
    ['(?<=a?)b', 1, /before 10\.43/],
    ['(?<=a?)b', 2, /^refused/],
    ['(a)|b\\1', 1, /no match/],
    ['a$', 1, /before a line feed at the end; \\z/],
    ['a$', 2, /\\Z/],
    ['a\\h', 1, /white space/],
    ['a\\h', 3, /not known/],
    ['\\p{L}', 2, /no Unicode classes/],
    ['[[:alpha:]]', 3, /POSIX/],
    ['(?:(?<a>x)|(?<a>y))', 1, /\(\?J\)|only/],
  ]))
    assert.match(String(reading(pattern, engine)), wanted, pattern);
  assert.match(String(reading('.', 1, '', 'a\r')), /line feed/);
  assert.match(String(reading('[a--b]', 3, 'v')), /no sets/);
  const { refusal } = await runTool(regex, { pattern: '(?>a)', text: 'a' });
  assert.match(
    String(refusal?.hint),
    /the service \(REST, MCP\) reads it, by the call below, and so do PCRE and Python since 3\.11\.$/,
  );
});

test('a class of Unicode switches its flag on, and says so', async () => {
  const { outputs, warnings } = await runTool(regex, { pattern: '\\p{Lu}+', text: 'abÉC' });
  assert.equal(outputs.headline.text, '1 match');
  assert.ok(warnings.some((one) => one.startsWith('The flag `u` was added')));
  for (const [pattern, flags] of /** @type {const} */ ([
    ['\\p{Lu}', 'gu'],
    ['\\\\p{Lu}', 'g'],
    ['p{2}', 'g'],
    ['\\p{Lu}\\-', 'g'],
  ])) {
    const other = await runTool(regex, { pattern, flags, text: 'abÉC' });
    assert.ok(!other.warnings.some((one) => one.startsWith('The flag `u`')), pattern);
  }
});

test('the slashes of a literal are matched, and a press away from its pattern and flags', async () => {
  const { outputs } = await runTool(regex, { pattern: '/foo/gi', text: 'Foo foo' });
  assert.equal(outputs.headline.text, 'No match');
  const { values } = outputs.took.back;
  assert.deepEqual(values, { pattern: 'foo', flags: 'gi' });
  const meant = await runTool(regex, { text: 'Foo foo', ...values });
  assert.equal(meant.outputs.headline.text, '2 matches');
  const path = await runTool(regex, { pattern: '/usr/', text: 'in /usr/bin' });
  assert.equal(path.outputs.took, undefined);
});
