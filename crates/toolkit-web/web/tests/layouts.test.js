//! The parts of the four pages that ask the service: patterns in words, Quartz, runs in a zone,
//! blocks of addresses, formats and .env files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved } from '../kit/lines.js';
import { Refusal, tool } from '../kit/tool.js';
import { execute } from '../kit/worker.js';
import {
  around,
  blocksOf,
  contains,
  readBlock,
  readRange,
  split,
} from '../tools/cidr-calculator/blocks.js';
import { layout as cidr } from '../tools/cidr-calculator/view.js';
import { fromQuartz } from '../tools/cron-explainer/quartz.js';
import { clockOf, momentOf, ranged, shownFrom } from '../tools/cron-explainer/runs.js';
import { layout as cron } from '../tools/cron-explainer/view.js';
import { readEnv, writeEnv } from '../tools/data-converter/env.js';
import { converted, formatOf } from '../tools/data-converter/formats.js';
import { layout as data } from '../tools/data-converter/view.js';
import { explained } from '../tools/regex-tester/explain.js';
import { SYNTAX } from '../tools/regex-tester/syntax.js';
import { layout as regex } from '../tools/regex-tester/view.js';

/** @param {string} pattern @param {string} [flags] */
const words = (pattern, flags = '') =>
  explained(pattern, flags).map(
    ({ depth, source, meaning }) => `${'  '.repeat(depth)}${source} ${meaning}`,
  );

test('a pattern is explained part by part', () => {
  assert.deepEqual(words('(?<year>\\d{4})-(\\d\\d)?'), [
    '(?<year>…) Group 1, year',
    '  \\d{4} a digit, 4 times',
    '- "-"',
    '(…)? Group 2, or nothing',
    '  \\d a digit',
    '  \\d a digit',
  ]);
  for (const [pattern, flags, wanted] of /** @type {const} */ ([
    ['abc*', '', ['ab "ab"', 'c* "c", any number of times']],
    ['\\d b', '', ['\\d a digit', ' b " b"']],
    ['a (b) ', '', ['a  "a "', '(…) Group 1', '  b "b"', '  a space']],
    [
      'a+?b++',
      '',
      ['a+? "a", once or more, as few as possible', 'b++ "b", once or more, without going back'],
    ],
    ['a{2,}b{,3}', '', ['a{2,} "a", 2 times or more', 'b{,3} "b", 0 to 3 times']],
    ['[^]a-z\\d ]', '', ['[^]a-z\\d ] a character, but not ]; a to z; a digit; space']],
    ['[[:alpha:]_]', '', ['[[:alpha:]_] one of [:alpha:]; _']],
    [
      '\\p{L}\\PN\\x{1F600}\\1\\k<y>',
      '',
      [
        '\\p{L} a character of L',
        '\\PN no character of N',
        '\\x{1F600} the character U+1F600',
        '\\1 the text of group 1 again',
        '\\k<y> the text of group y again',
      ],
    ],
    ['^.$', 'ms', ['^ the start of a line', '. any character', '$ the end of a line']],
    ['a # note\n b', 'x', ['ab "ab"']],
    [
      '(?i)a|(?:b)(?=c)(?<!d)',
      '',
      [
        '(?i) From here on with the flags i',
        'a "a"',
        '| or',
        '(?:…) Together',
        '  b "b"',
        '(?=…) Followed by',
        '  c "c"',
        '(?<!…) Not preceded by',
        '  d "d"',
      ],
    ],
    ['(?(1)a|b)', '', ['(?(1)…) If this group took part: 1', '  a "a"', '  | or', '  b "b"']],
    ['\\(\\.😀', '', ['\\( "("', '\\. "."', '😀 "😀"']],
  ]))
    assert.deepEqual(words(pattern, flags), wanted, pattern);
  assert.ok(Object.keys(SYNTAX).length > 30);
});

test('an answer of the service becomes groups as columns, a list, and a warning on top', async () => {
  const match = (
    /** @type {string} */ text,
    /** @type {number} */ at,
    /** @type {(string | null)[]} */ ...groups
  ) => ({
    ...{ text, start: at, end: at + text.length, utf16_start: at, utf16_end: at + text.length },
    groups: groups.map((text, index) => ({
      index: index + 1,
      name: index === 0 ? 'a' : null,
      text,
    })),
  });
  /** @type {string[]} */
  const warnings = [];
  const raw = { pattern: '(?<a>x)|(y)', flags: 'g', text: 'xy', list: '$<a>$2$$$&$9' };
  const result = {
    matches: [match('x', 0, 'x', null), match('y', 1, null, 'y')],
    count: 1000,
    truncated: true,
    replaced: null,
  };
  const outputs = /** @type {any} */ (
    await regex.outputs?.(result, raw, (one) => warnings.push(one))
  );
  assert.deepEqual(outputs.matches.columns, ['Match', 'From', 'To', 'a', 'Group 2']);
  assert.deepEqual(outputs.matches.rows, [
    ['x', 0, 1, 'x', null],
    ['y', 1, 2, null, 'y'],
  ]);
  assert.equal(outputs.list, 'x$x$9\ny$y$9');
  assert.equal(outputs.headline.text, 'The first 1,000 matches of more');
  assert.deepEqual(warnings, ['Only the first 1,000 matches are shown: there are more.']);
  const none = { matches: [], count: 0, truncated: false, replaced: 'xy' };
  const empty = /** @type {any} */ (await regex.outputs?.(none, { ...raw, list: '' }, () => {}));
  assert.equal(empty.headline.text, 'No match');
  assert.equal(empty.matches, null);
  assert.equal(empty.replaced.text, 'xy');
});

test('marks stay where the text around them is edited', () => {
  const ranges = /** @type {const} */ ([
    [0, 2],
    [3, 5],
    [6, 8],
  ]);
  assert.deepEqual(moved(ranges, 'ab cd ef', 'ab cxd ef'), [
    [0, 2],
    [7, 9],
  ]);
  assert.deepEqual(moved(ranges, 'ab cd ef', 'ab cd ef!'), ranges);
  assert.deepEqual(moved(ranges, 'ab cd ef', ''), []);
  assert.deepEqual(
    moved(
      [
        [0, 1],
        [1, 2],
      ],
      'aa',
      'aaa',
    ),
    [
      [0, 1],
      [1, 2],
    ],
  );
});

test('six and seven fields are offered as five, with what differs', () => {
  for (const [text, five, differs] of /** @type {const} */ ([
    ['0 30 9 ? * MON-FRI', '30 9 * * MON-FRI', /Quartz/],
    ['0 0 12 ? * 2-6', '0 12 * * 1-5', /counted from 1 in Quartz/],
    ['0 0/15 * * * 1,7', '0/15 * * * 1,7', /Spring/],
    ['0 0 0 1 1 ? 2030', '0 0 1 1 *', /Its year, 2030, is lost/],
    ['*/10 * * * * *', '* * * * *', /Its seconds, `\*\/10`, are lost/],
    ['0 0 0 ? * 1/2', '0 0 * * 0/2', /counted from 1/],
  ])) {
    const found = fromQuartz(text);
    assert.equal(found?.expression, five, text);
    assert.match(found?.sentences.join(' ') ?? '', differs, text);
  }
  for (const text of ['0 0 0 L * ?', '0 0 0 ? * 6#3', '0 0 0 15W * ?', '0 0 0 ? * FRIL']) {
    const found = fromQuartz(text);
    assert.equal(found?.expression, undefined, text);
    assert.match(found?.sentences[1] ?? '', /^Five fields cannot say `/);
  }
  for (const text of [
    '30 9 * * 1',
    '@daily',
    '0 3 * * 0 root',
    '0 3 * * 0 /usr/bin/x',
    '0 3 * JUL MON',
    '',
  ])
    assert.equal(fromQuartz(text), undefined, text);
});

test('runs are moments of a zone, also where its clocks are changed', async () => {
  const berlin = clockOf('Europe/Berlin');
  const moment = (/** @type {string} */ shown) => {
    const found = momentOf(Date.parse(`${shown}Z`), berlin);
    return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
  };
  assert.equal(moment('2026-01-01T09:30'), '2026-01-01T08:30');
  assert.equal(moment('2026-07-01T09:30'), '2026-07-01T07:30');
  assert.equal(moment('2026-03-29T02:30'), undefined);
  // The first of the two.
  assert.equal(moment('2026-10-25T02:30'), '2026-10-25T00:30');
  const now = Date.parse('2026-07-01T10:00:00Z');
  for (const [from, shown] of /** @type {const} */ ([
    ['', '2026-07-01T12:00:00Z'],
    ['2026-07-01T10:00:00+00:00', '2026-07-01T12:00:00Z'],
    ['2026-07-01T10:00', '2026-07-01T10:00Z'],
    ['2026-07-01', '2026-07-01T00:00:00Z'],
    ['soon', 'soonZ'],
  ]))
    assert.equal(shownFrom(from, berlin, now), shown, from);
  assert.equal(ranged([1, 2, 3, 4, 5]), '1-5');
  assert.equal(ranged([0, 30]), '0, 30');
  assert.equal(ranged([7]), '7');
  /** @type {string[]} */
  const warnings = [];
  const field = { raw: '*', values: [1] };
  const fields = {
    minute: field,
    hour: field,
    day_of_month: field,
    month: field,
    day_of_week: field,
  };
  const result = {
    description: 'At 02:30.',
    next_runs: ['2026-03-29T02:30:00Z', '2026-03-30T02:30:00Z'],
    fields,
  };
  const outputs = /** @type {any} */ (
    await cron.outputs?.(result, { zone: 'Europe/Berlin' }, (one) => warnings.push(one))
  );
  assert.equal(outputs.headline.text, 'At 02:30');
  assert.deepEqual(outputs.runs.columns.slice(0, 2), ['Europe/Berlin', 'UTC']);
  assert.deepEqual(outputs.runs.rows[1].slice(0, 2), [
    'Mon 2026-03-30 02:30',
    'Mon 2026-03-30 00:30',
  ]);
  assert.match(warnings.join(), /^Sun 2026-03-29 02:30 does not exist in Europe\/Berlin/);
  await assert.rejects(
    async () =>
      cron.answers?.(
        { expression: '* * * * *', zone: 'Nowhere', from: '' },
        async () => ({}),
        async () => ({}),
      ),
    /time zone/,
  );
});

test('blocks: neighbors, parts, what they contain, and ranges', () => {
  const rows = (/** @type {string} */ block, /** @type {number} */ length) =>
    split(readBlock(block), length, 4);
  assert.deepEqual(around(readBlock('192.168.1.10/26')), {
    ...{ previous: '192.168.0.192/26', larger: '192.168.1.0/25', next: '192.168.1.64/26' },
  });
  assert.deepEqual(around(readBlock('0.0.0.0/0')), {
    previous: undefined,
    larger: undefined,
    next: undefined,
  });
  assert.equal(around(readBlock('255.255.255.0/24')).next, undefined);
  assert.equal(around(readBlock('2001:db8::/32')).next, '2001:db9::/32');
  assert.deepEqual(rows('10.0.0.0/30', 31).rows, [
    ['10.0.0.0/31', '10.0.0.0', '10.0.0.1'],
    ['10.0.0.2/31', '10.0.0.2', '10.0.0.3'],
  ]);
  assert.equal(rows('2001:db8::/32', 64).count, 1n << 32n);
  assert.equal(rows('2001:db8::/32', 64).rows[3]?.[0], '2001:db8:0:3::/64');
  for (const length of [25, 33]) assert.throws(() => rows('10.0.0.0/26', length), Refusal);
  const has = (/** @type {string} */ outer, /** @type {string} */ inner) =>
    contains(readBlock(outer), readBlock(inner));
  assert.equal(has('10.0.0.0/8', '10.0.1.0'), 'Yes: at 256, counted from 0.');
  assert.equal(has('10.0.0.0/8', '10.0.1.0/24'), 'Yes: all of it.');
  assert.equal(has('10.0.0.0/24', '10.0.0.0/8'), 'No: it is the larger block.');
  assert.equal(has('10.0.0.0/24', '10.0.1.0'), 'No: it lies outside.');
  assert.equal(has('10.0.0.0/24', '::1'), 'No: it is of the other IP version.');
  const range = (/** @type {string} */ text) => blocksOf(/** @type {any} */ (readRange(text)));
  assert.deepEqual(range('192.168.1.10 - 192.168.1.17'), [
    '192.168.1.10/31',
    '192.168.1.12/30',
    '192.168.1.16/31',
  ]);
  assert.deepEqual(range('0.0.0.0-255.255.255.255'), ['0.0.0.0/0']);
  assert.deepEqual(range('2001:db8::-2001:db8::3'), ['2001:db8::/126']);
  assert.equal(readRange('10.0.0.0/8'), undefined);
  for (const text of ['10.0.0.9 - 10.0.0.1', '10.0.0.1 - ::1', '10.0.0.1 - 10.0.0.999'])
    assert.throws(() => readRange(text), Refusal, text);
  for (const text of ['10.0.0.0/33', '10.0.0.0/x', 'a.b.c.d', '::/129'])
    assert.throws(() => readBlock(text), Refusal, text);
  assert.equal(cidr.call?.({ cidr: '10.0.0.1 - 10.0.0.2' }), undefined);
  assert.deepEqual(cidr.call?.({ cidr: '10.0.0.1/8' }), { cidr: '10.0.0.1/8' });
});

test('.env files are read as dotenv reads them, and written', () => {
  const text = `# settings
A=1
export B = two words # note
C="line\\nnext \\"quoted\\" # kept"
D='single $A'
E=\`tick "x"\`
F=
URL=https://example.com/?a=b
MULTI="one
two"
`;
  assert.deepEqual(readEnv(text.replaceAll('\n', '\r\n')), {
    ...{ A: '1', B: 'two words', C: 'line\nnext "quoted" # kept', D: 'single $A', E: 'tick "x"' },
    ...{ F: '', URL: 'https://example.com/?a=b', MULTI: 'one\ntwo' },
  });
  for (const [wrong, at] of /** @type {const} */ ([
    ['A=1\nno value here\n', 4],
    ['=1', 0],
    ['A: 1', 0],
  ]))
    assert.throws(
      () => readEnv(wrong),
      (error) => error instanceof Refusal && error.position.at === at,
      wrong,
    );
  const written = writeEnv('{"a":"x y","b":{"c":1,"d-e":[1,"x"]},"f":null,"g":true,"h":"q\\"\\n"}');
  assert.equal(written, 'a="x y"\nb_c=1\nb_d_e="[1,\\"x\\"]"\nf=\ng=true\nh="q\\"\\n"\n');
  assert.deepEqual(readEnv(written), {
    a: 'x y',
    b_c: '1',
    b_d_e: '[1,"x"]',
    f: '',
    g: 'true',
    h: 'q"\n',
  });
  assert.equal(
    writeEnv('{"n":12345678901234567890,"d":1.10,"l":[1e400]}'),
    'n=12345678901234567890\nd=1.10\nl="[1e400]"\n',
  );
  for (const json of ['[1]', 'null', '"a"', '{'])
    assert.throws(() => writeEnv(json), Refusal, json);
});

test('the format of a text is found, and conversions go by who can do them', async () => {
  const guesses = (/** @type {string[]} */ ...kinds) =>
    kinds.map((kind) => /** @type {[string, number]} */ ([kind, 1]));
  for (const [text, kinds, format] of /** @type {const} */ ([
    ['{"a":1}', ['json'], 'json'],
    ['[{"a":1}]', ['records'], 'json'],
    ['"a b"', [], 'json'],
    ['', [], 'json'],
    ['a: 1', ['yaml'], 'yaml'],
    ['hello', ['markdown'], 'yaml'],
    ['<a/>', ['html'], 'xml'],
    ['[a]\nb = 1', ['toml'], 'toml'],
    ['a,b\n1,2', ['csv'], 'csv'],
    ['# x\nA_B=1\nexport C="d e"\n', ['toml'], 'env'],
    ['A = 1', ['toml'], 'toml'],
  ]))
    assert.equal(formatOf(text, guesses(...kinds)), format, text);
  /** @type {string[]} */
  const steps = [];
  const by = {
    ask: async (/** @type {any} */ raw) => {
      steps.push(`service ${raw.from_format} ${raw.to_format}`);
      return { outputs: { result: '{"A":1}' }, warnings: ['one'] };
    },
    run: async (/** @type {string} */ slug, /** @type {any} */ raw) => {
      steps.push(`${slug} ${raw.from} ${raw.to}`);
      return { outputs: { output: { text: '{"A":2}' } } };
    },
  };
  for (const [from, to, wanted] of /** @type {const} */ ([
    ['yaml', 'toml', ['toml-converter yaml toml']],
    ['xml', 'toml', ['service xml json', 'toml-converter json toml']],
    ['csv', 'xml', ['csv-converter csv objects', 'service json xml']],
    ['toml', 'csv', ['toml-converter toml json', 'csv-converter json csv']],
    ['xml', 'csv', ['service xml json', 'csv-converter json csv']],
    ['csv', 'json', ['csv-converter csv objects']],
    ['env', 'json', []],
    ['json', 'env', []],
  ])) {
    steps.length = 0;
    const text = from === 'env' ? 'A=1' : '{"A":1}';
    const raw = { text, indent: 0, from_format: from, to_format: to };
    const found = await converted(raw, from, to, by);
    assert.deepEqual(steps, wanted, `${from} to ${to}`);
    if (from === 'xml') assert.deepEqual(found?.warnings, ['one']);
    if (from === 'env') assert.equal(found?.outputs, '{"A":"1"}');
    if (to === 'env') assert.equal(found?.outputs, 'A=1\n');
  }
  const broken = { text: new File([new Uint8Array([0xff])], 'x.env'), from_format: 'env' };
  await assert.rejects(async () => converted(broken, 'env', 'json', by), /UTF-8/);
  assert.deepEqual(await data.call?.({ text: 'a: 1', from_format: 'yaml', to_format: 'json' }), {
    ...{ text: 'a: 1', from_format: 'yaml', to_format: 'json' },
  });
  assert.equal(
    await data.call?.({ text: 'a=1', from_format: 'toml', to_format: 'json' }),
    undefined,
  );
});

test('the line above data-converter tells which conversions are sent', async () => {
  const formats = ['json', 'yaml', 'xml', 'toml', 'csv', 'env'];
  /** Of JSON, since what was read before is not looked at here. @type {(...pair: string[]) => Promise<boolean>} */
  const isSent = async (from, to) => {
    let sent = false;
    const ask = async () => {
      sent = true;
      return { outputs: { result: '{"A":1}' } };
    };
    const run = async () => ({ outputs: { output: { text: '{"A":1}' } } });
    const text = from === 'env' ? 'A=1' : '{"A":1}';
    await data.answers?.({ text, indent: 0, from_format: from, to_format: to }, ask, run);
    return sent;
  };
  for (const from of formats)
    for (const to of formats) {
      const pair = [from, to];
      const isLocal = pair.every((one) => ['toml', 'yaml'].includes(one)) && pair.includes('toml');
      const isServers = pair.includes('yaml') || pair.includes('xml');
      const wanted = !isLocal && (isServers || pair.every((one) => one === 'json'));
      assert.equal(await isSent(from, to), wanted, `${from} to ${to}`);
    }
});

test('a library that cannot be loaded is not called a bug of the page', async () => {
  const lacking = tool({
    fields: {},
    run: () => ({}),
    examples: [],
  });
  const { signal } = new AbortController();
  const messages = [
    'Failed to fetch dynamically imported module: http://localhost/x.js',
    'error loading dynamically imported module: http://localhost/x.js',
    'Importing a module script failed.',
  ];
  for (const message of messages) {
    const failing = { ...lacking, run: () => Promise.reject(new TypeError(message)) };
    const answer = await execute(failing, {}, undefined, () => {}, signal);
    assert.deepEqual(answer, { failure: 'partMissing' }, message);
  }
});
