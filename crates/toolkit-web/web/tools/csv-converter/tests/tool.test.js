import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDelimiter, isFormula, parseCsv, writeCsv } from '../../../lib/csv.js';
import { parse } from '../../../libraries/yaml.js';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import csv from '../tool.js';

/** @param {any} values */
const output = async (values) => (await runTool(csv, values)).outputs.output?.text;

test('csv-spectrum: every document has its rows', async (t) => {
  const cases = suite(t, 'csv_spectrum');
  if (!cases) return;
  for (const { id, input, expect } of cases) {
    const text = await output({ text: input, nested: false });
    assert.deepEqual(JSON.parse(text), expect, id);
  }
  assert.equal(cases.length, 12);
});

test('RFC 4180 section 2: rows, quotes and line ends', () => {
  const rows = (/** @type {string} */ text) => parseCsv(text, ',').rows;
  assert.deepEqual(rows('aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n'), [
    ['aaa', 'bbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(rows('aaa,bbb'), [['aaa', 'bbb']]);
  assert.deepEqual(rows('"aaa","b\r\nbb","ccc"\r\nzzz,yyy,xxx'), [
    ['aaa', 'b\r\nbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(rows('"aaa","b""bb","ccc"'), [['aaa', 'b"bb', 'ccc']]);
  assert.deepEqual(
    rows('a, b\ra,\n'),
    [
      ['a', ' b'],
      ['a', ''],
    ],
    'spaces belong to fields, CR ends a line',
  );
  assert.deepEqual(rows('""\n""\n'), [[''], ['']]);
});

test('the delimiter is found, even with another one in quotes', () => {
  assert.equal(findDelimiter('a;b\n1,5;2,5\n'), ';');
  assert.equal(findDelimiter('a\tb\n"1,2,3"\t4\n'), '\t');
  assert.equal(findDelimiter('a|b|c\n1|2|3'), '|');
  assert.equal(findDelimiter('"a;b;c;d",e\n'), ',');
  assert.equal(findDelimiter('one column\n'), ',');
});

test('types are off by default, and texts that look like numbers remain', async () => {
  const text = 'a,b,c,d,e,f\n007,1.50,9007199254740993,true,,1e400\n';
  assert.match(await output({ text, indent: 0 }), /"a":"007","b":"1.50"/);
  assert.equal(
    await output({ text, indent: 0, types: true }),
    '[{"a":"007","b":1.50,"c":"9007199254740993","d":true,"e":null,"f":"1e400"}]\n',
  );
});

test('duplicate names are renamed with a warning', async () => {
  const { outputs, warnings } = await runTool(csv, { text: 'a,a,a_2\n1,2,3\n', indent: 0 });
  assert.equal(outputs.output.text, '[{"a":"1","a_3":"2","a_2":"3"}]\n');
  assert.deepEqual(warnings, ['Column 2 repeats the name "a"; it became "a_3".']);
});

test('many duplicate names, and many warnings', async () => {
  const text = `${'a,'.repeat(999)}a\n${'1,'.repeat(999)}1\n`;
  const { outputs, warnings } = await runTool(csv, { text });
  assert.equal(new Set(outputs.table.columns).size, 1000);
  assert.equal(outputs.table.columns[999], 'a_1000');
  assert.equal(warnings.length, 21);
  assert.equal(warnings[20], '979 more columns repeat a name.');
});

test('a path through the value of another column stays a plain name: nothing is lost', async () => {
  const run = async (/** @type {string} */ text) => {
    const { outputs, warnings } = await runTool(csv, { text, indent: 0 });
    return [outputs.output.text, ...warnings].join('');
  };
  const stays = 'The name "a.b" stays whole: another column has a value there already.';
  assert.equal(await run('a.b,a\n1,2\n'), `[{"a.b":"1","a":"2"}]\n${stays}`);
  assert.equal(await run('a,a.b\n1,2\n'), `[{"a":"1","a.b":"2"}]\n${stays}`);
  assert.equal(
    await run('a,a.b,a\\.b,a.c.d\n1,2,3,4\n'),
    '[{"a":"1","a.b":"2","a\\\\.b":"3","a.c.d":"4"}]\n"a.b" and 2 more names stay whole: another column has a value there already.',
  );
  assert.equal(await run('a.b,a.c\n1,2\n'), '[{"a":{"b":"1","c":"2"}}]\n');
});

test('no field is lost, whatever the names (seeded)', async () => {
  const next = seeded(13);
  for (let round = 0; round < 300; round += 1) {
    const names = new Set(
      Array.from({ length: 1 + next(6) }, () =>
        Array.from({ length: 1 + next(3) }, () => ['a', 'b', '0', 'a\\.b'][next(4)]).join('.'),
      ),
    );
    const fields = Array.from(names, (_, i) => `field${i}`);
    const { outputs } = await runTool(csv, { text: `${[...names].join()}\n${fields.join()}\n` });
    for (const field of fields)
      assert.ok(outputs.output.text.includes(`"${field}"`), [...names].join());
  }
});

test('the line that tells Excel the delimiter', async () => {
  const { outputs, warnings } = await runTool(csv, {
    text: 'sep=|\r\na|b,c\r\n1|2\r\n',
    indent: 0,
  });
  assert.equal(outputs.output.text, '[{"a":"1","b,c":"2"}]\n');
  assert.deepEqual(warnings, ['The first line says that "|" divides the fields; it was left out.']);
  const ragged = await runTool(csv, { text: 'sep=;\na;b\n1;2;3\n' });
  assert.match(ragged.warnings[1] ?? '', /^Line 3 has more fields/);
  assert.equal(
    await output({ text: 'sep=;\n1\n', delimiter: 'comma', indent: 0 }),
    '[{"sep=;":"1"}]\n',
  );
});

test('rows with fewer fields than the first are filled, with a warning', async () => {
  const { outputs, warnings } = await runTool(csv, { text: 'a,b,c\n1\n2,3,4\n', indent: 0 });
  assert.equal(outputs.output.text, '[{"a":"1","b":"","c":""},{"a":"2","b":"3","c":"4"}]\n');
  assert.deepEqual(warnings, [
    'Line 2 has fewer fields than the first row; empty ones were added.',
  ]);
  const { warnings: two } = await runTool(csv, { text: 'a,b\n1\n2\n' });
  assert.match(two[0] ?? '', /^2 rows, the first at line 2, have fewer fields/);
});

test('formulas are escaped, numbers are unchanged', async () => {
  for (const field of ['=1+1', '+cmd', '-2+3', '@sum', '\tx', '\rx'])
    assert.ok(isFormula(field), field);
  for (const field of ['-5', '+1.5', '1e5', '-1,5', 'a=b', '']) assert.ok(!isFormula(field), field);
  const values = { text: 'a,b\n=1+1,-5\n', to: /** @type {const} */ ('csv') };
  assert.equal(await output({ ...values, guard: true }), "a,b\n'=1+1,-5\n");
  const { warnings } = await runTool(csv, values);
  assert.deepEqual(warnings, [
    'Spreadsheets would compute 1 field as a formula; the guard prevents that.',
  ]);
});

test('output: quotes, line ends, byte order mark, header', async () => {
  const base = { text: 'a,b\n1,x y\n', to: /** @type {const} */ ('csv') };
  assert.equal(
    await output({ ...base, quotes: 'all', line_end: 'crlf' }),
    '"a","b"\r\n"1","x y"\r\n',
  );
  assert.equal(await output({ ...base, bom: true, out_header: false }), '\uFEFF1,x y\n');
  assert.equal(await output({ ...base, out_delimiter: 'tab' }), 'a\tb\n1\tx y\n');
});

test('Markdown cells keep pipes and line ends', async () => {
  const text = 'a,b\n"x|y","l1\nl2"\n';
  assert.equal(
    await output({ text, to: 'markdown' }),
    '| a    | b        |\n| ---- | -------- |\n| x\\|y | l1<br>l2 |\n',
  );
});

test('JSON lines, lists of lists and one object are accepted', async () => {
  const run = (/** @type {string} */ text) => output({ text, from: 'json', to: 'csv' });
  assert.equal(await run('{"a":1}\n{"b":2}\n'), 'a,b\n1,\n,2\n');
  assert.equal(await run('[["x","y"],[1.0]]'), 'x,y\n1.0,\n');
  assert.equal(await run('{"2":"b","1":"a"}'), '2,1\nb,a\n', 'names keep their order');
  assert.equal(await run('[{"a":12345678901234567890}]'), 'a\n12345678901234567890\n');
});

test('one bad line of JSON lines is left out, and told', async () => {
  const { outputs, warnings } = await runTool(csv, {
    text: '{"a":1}\n{"a":}\n{"a":2,"a":3}\n',
    from: 'json',
    to: 'csv',
  });
  assert.equal(outputs.output.text, 'a\n1\n3\n');
  assert.deepEqual(warnings, [
    'The name "a" occurs again at line 3, column 8; the last value counts.',
    'Line 2 was left out: it has "}" where a value belongs.',
  ]);
});

test('rows that are longer than the first keep their fields, and are told', async () => {
  const { outputs, warnings } = await runTool(csv, {
    text: 'a,b\n"x\ny",2,3\n4\n',
    indent: 0,
  });
  assert.equal(
    outputs.output.text,
    '[{"a":"x\\ny","b":"2","column_3":"3"},{"a":"4","b":"","column_3":""}]\n',
  );
  assert.deepEqual(warnings, [
    'Line 4 has fewer fields than the first row; empty ones were added.',
    'Line 2 has more fields than the first row: check the delimiter and the quotes.',
  ]);
});

test('a rare delimiter is found where it divides all lines alike', async () => {
  const { outputs, warnings } = await runTool(csv, {
    text: 'CODE}AREA\n600}S. Peo\n601}N. Pike\n',
    indent: 0,
  });
  assert.equal(
    outputs.output.text,
    '[{"CODE":"600","AREA":"S. Peo"},{"CODE":"601","AREA":"N. Pike"}]\n',
  );
  assert.deepEqual(warnings, ['The fields seem to be divided by "}".']);
  for (const text of ['a b\n~1\n~2\n', 'f() {\n}\n', 'x^2\n']) {
    const { outputs, warnings } = await runTool(csv, { text, to: 'arrays', header: false });
    assert.equal(outputs.table.columns.length, 1, text);
    assert.deepEqual(warnings, [], text);
  }
});

const refusals = [
  { text: 'a,b\n1,"open\n', line: 2, column: 3, offence: 'has a quote that is never closed' },
  {
    text: 'a\n"x"y\n',
    line: 2,
    column: 4,
    offence: 'has text after a closing quote; a quote in a field is written twice',
  },
  { text: '5', from: 'json', offence: 'is not a list of objects' },
  { text: '[{"a":1}, 2]', from: 'json', offence: 'has an entry that is not an object: number 2' },
  {
    text: '[{"a":1},]',
    from: 'json',
    line: 1,
    column: 9,
    offence: 'has a comma after the last item',
  },
  {
    text: '{"a":1,}\n{"a":}\n',
    from: 'json',
    line: 1,
    column: 7,
    offence: 'has a comma after the last item',
  },
];
for (const { text, from, offence, ...place } of refusals) {
  test(`refuses ${JSON.stringify(text)}`, async () => {
    const { refusal } = await runTool(csv, { text, from: /** @type {any} */ (from ?? 'csv') });
    assert.equal(refusal?.offence, offence);
    for (const [key, value] of Object.entries(place))
      assert.equal(/** @type {any} */ (refusal)[key], value, key);
  });
}

test('limits: 16,384 columns, 20 million fields, a Markdown table of many rows', async () => {
  const columns = (/** @type {number} */ count) =>
    `${','.repeat(count - 1)}\n${','.repeat(count - 1)}`;
  assert.equal((await runTool(csv, { text: columns(16_384) })).refusal, undefined);
  assert.match(
    (await runTool(csv, { text: columns(16_385) })).refusal?.sentence ?? '',
    /has 16385 columns. At most 16384 columns/,
  );
  const sparse = Array.from({ length: 5000 }, (_, i) => `{"k${i}":1}`).join('\n');
  assert.match(
    (await runTool(csv, { text: sparse, from: 'json' })).refusal?.sentence ?? '',
    /a table of 5000 columns and 5000 rows/,
  );
  const text = `a\n${'1\n'.repeat(200_000)}`;
  assert.equal((await output({ text, to: 'markdown' })).length, 200_002 * 8);
});

test('the size limit: 10 MiB is accepted, one more is not', async () => {
  const text = `a\n${'x'.repeat((10 << 20) - 2)}`;
  assert.equal((await runTool(csv, { text, to: 'csv' })).refusal, undefined);
  assert.match((await runTool(csv, { text: `${text}x` })).refusal?.sentence ?? '', /10 MiB/);
});

test('random tables survive CSV, and nested records survive a round trip', async () => {
  const next = seeded(7);
  const alphabet = ['a', '"', ',', ';', '\n', '\r\n', ' ', 'é', '🎉', '|', '\t', '='];
  for (let round = 0; round < 300; round += 1) {
    const width = 1 + next(4);
    const field = () =>
      Array.from({ length: next(5) }, () => alphabet[next(alphabet.length)]).join('');
    const rows = Array.from({ length: 1 + next(5) }, () => Array.from({ length: width }, field));
    const delimiter = /** @type {string} */ ([',', ';', '\t', '|'][next(4)]);
    const written = writeCsv(rows, {
      delimiter,
      quoteAll: next(2) === 1,
      lineEnd: next(2) ? '\n' : '\r\n',
    });
    assert.deepEqual(parseCsv(written, delimiter).rows, rows);
  }
  const text = '[{"a":{"b":["1","2"],"c.d":"x"},"e":"y"}]';
  const flat = await output({ text, from: 'json', to: 'csv' });
  assert.equal(await output({ text: flat, indent: 0 }), `${text}\n`);
});

test('SQL and HTML, with chosen columns', async () => {
  const text = `id,name,"a ""b"""\n007,O'Neil <x>,1.5\n2,,true\n`;
  assert.equal(
    await output({ text, to: 'sql', types: true, table_name: 'my"t' }),
    `INSERT INTO "my""t" ("id", "name", "a ""b""") VALUES\n  ('007', 'O''Neil <x>', 1.5),\n  (2, NULL, TRUE);\n`,
  );
  assert.equal(
    await output({ text, to: 'sql', columns: '2' }),
    `INSERT INTO "data" ("name") VALUES\n  ('O''Neil <x>'),\n  ('');\n`,
  );
  assert.equal(
    await output({ text, to: 'html', columns: 'name, id' }),
    "<table>\n  <thead>\n    <tr><th>name</th><th>id</th></tr>\n  </thead>\n  <tbody>\n    <tr><td>O'Neil &lt;x&gt;</td><td>007</td></tr>\n    <tr><td></td><td>2</td></tr>\n  </tbody>\n</table>\n",
  );
  assert.equal(
    await output({ text, to: 'arrays', columns: 'id', indent: 0 }),
    '[["id"],["007"],["2"]]\n',
  );
  const { refusal } = await runTool(csv, { text, columns: 'id, nme' });
  assert.match(refusal?.sentence ?? '', /^Columns .*"nme".*id, name/);
});

test('YAML is read by a YAML library as the same records', async () => {
  const cells = [
    'plain',
    'a b',
    'no',
    'Null',
    '007',
    '1e3',
    '- x',
    'a: b',
    '#x',
    'ü',
    '',
    ' s',
    'x ',
    '"q"',
    'a\\b',
    '😀',
    '@a',
    '%',
    'é-1',
    '1.5',
    'true',
    'two\nlines',
    'y',
    '~',
    '[a]',
    '日本',
  ];
  const next = seeded(6);
  const quoted = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
  for (let round = 0; round < 200; round += 1) {
    const rows = Array.from({ length: 3 }, () =>
      Array.from({ length: 4 }, () => cells[next(cells.length)] ?? ''),
    );
    const text = [['id', 'place.city', 'place.x y', 'no'], ...rows]
      .map((row) => row.map(quoted).join(','))
      .join('\n');
    const values = { text, types: round % 2 === 0 };
    const yaml = await output({ ...values, to: 'yaml' });
    assert.deepEqual(parse(yaml), JSON.parse(await output(values)), yaml);
  }
  assert.equal(await output({ text: 'a,b\n', to: 'yaml' }), '[]\n');
});

test('lines above the header, and what surrounds the rows of an API, are left out and named', async () => {
  const rows = 'name,age,city\nAda,36,London\nGrace,45,New York\n';
  const report = await runTool(csv, { text: `Report\nMade in May\n\n${rows}`, indent: 0 });
  assert.deepEqual(report.warnings, ['2 lines above the header were left out: "Report".']);
  assert.equal(
    report.outputs.output.text,
    (await runTool(csv, { text: rows, indent: 0 })).outputs.output.text,
  );
  // As banks and shops export them.
  const semicolons = 'id;name;amount\n1;Anna;1.234,50\n2;Bert;99,00\n';
  for (const [preface, warning] of [
    [
      'Orders of November\nCreated;27.11.2026\n\n',
      '2 lines above the header were left out: "Orders of November".',
    ],
    ['Account;DE12\nFrom;01.11.2026\n\n', '2 lines above the header were left out: "Account".'],
  ]) {
    const exported = await runTool(csv, { text: preface + semicolons, indent: 0 });
    assert.deepEqual(exported.warnings, [warning]);
    assert.deepEqual(JSON.parse(exported.outputs.output.text)[0], {
      ...{ id: '1', name: 'Anna', amount: '1.234,50' },
    });
  }
  const short = await runTool(csv, { text: 'a\n1,2\n3,4\n' });
  assert.ok(!short.warnings.some((one) => one.includes('above')), String(short.warnings));
  const answer = { text: '{"data": [{"a": 1}, {"a": 2}], "total": 2}', from: 'json', to: 'csv' };
  const api = await runTool(csv, /** @type {any} */ (answer));
  assert.equal(api.outputs.output.text, 'a\n1\n2\n');
  assert.deepEqual(api.warnings, ['The rows are the list `data`; total left out.']);
  const deep = { from: 'json', to: 'csv', text: '{"results": {"next": 2, "items": [{"a": 1}]}}' };
  const inner = await runTool(csv, /** @type {any} */ (deep));
  assert.equal(inner.outputs.output.text, 'a\n1\n');
  assert.deepEqual(inner.warnings, ['The rows are the list `results.items`; next left out.']);
});

test('lines that Excel filled up are left out above the header, and JSON is read as JSON', async () => {
  const rows = 'name,age,city,note\nAda,36,London,\nGrace,45,New York,x\n';
  const wanted = (await runTool(csv, { text: rows, indent: 0 })).outputs.output.text;
  for (const above of ['Sales report,,,\n', 'Sales report,,,\n,,,\n', 'From,May,,\n,,,\n']) {
    const { outputs, warnings } = await runTool(csv, { text: above + rows, indent: 0 });
    assert.equal(outputs.output.text, wanted, above);
    assert.match(String(warnings), /above the header w.* left out: "(?:Sales report|From)"/);
  }
  const plain = await runTool(csv, { text: 'a,,\n1,,\n2,,\n5,6,7\n', indent: 0 });
  assert.ok(!plain.warnings.some((one) => one.includes('above')), String(plain.warnings));
  for (const text of ['{"data": [{"a": 1}]}', '[{"a": 1}]', '{"a": 1}', '{"a": 1}\n{"a": 1}']) {
    const { outputs, warnings } = await runTool(csv, { text, to: 'csv' });
    assert.match(outputs.output.text, /^a\n1\n/, text);
    assert.equal(warnings[0], 'The text is JSON, and was read so.');
  }
  assert.equal(await output({ text: '[a],b\n1,2\n', to: 'csv' }), '[a],b\n1,2\n');
});
