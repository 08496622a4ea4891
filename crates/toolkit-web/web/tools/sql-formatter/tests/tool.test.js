import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded } from '../../../tests/run.mjs';
import { minifySql } from '../minify.js';
import { DIALECTS, essence, tokenizeSql } from '../tokens.js';
import sql from '../tool.js';
import { BEYOND, CORPUS, UNLISTED } from './vectors.js';

/** Accepted by every dialect. */
const COMMON = [
  'SELECT 1',
  "select a, b as c, 'it''s' from t where a = 1 and b <> 'x' or c in (1, 2, 3) order by a desc limit 10",
  'SELECT DISTINCT t.*, count(*) FROM t LEFT JOIN u ON t.id = u.id GROUP BY t.id HAVING count(*) > 1',
  'select case when a > 1 then 2 when a < 0 then -a else 0 end from t -- at the end',
  '/* first */ insert into t (a, b) values (1, 2), (3, 4); /* last */',
  'update t set a = a + 1, b = -b where a between 1 and 5 and b is not null;',
  'delete from t where exists (select 1 from u where u.id = t.id);',
  'with x as (select 1 as n), y as (select n from x) select * from y union all select 2;',
  "create table t (id int primary key, name varchar(20) not null default '--', price decimal(10, 2));",
  "select a - -1, a*b/c, 1.5e3, a || b from \"from\" where x = '/* no */' and y = '-- no';",
  'select sum(x) over (partition by y order by z rows between 1 preceding and current row) from t;\n\n\nselect 2;',
];

/** @type {Record<string, string[]>} */
const SPECIAL = {
  sql: ['select `a b` from t where c = ?', "select X'00FF', 'a\\'b'"],
  bigquery: ['select """a "b" c""", r\'\\d\', @p, `a-b.c` from `p.d.t` # comment\nwhere x = @@y'],
  clickhouse: ["select {a:UInt8}, $$x'y$$, [1, 2][1] from t final prewhere a = 1 # c\n"],
  duckdb: ["select $$a ' b$$, e'x\\'y', [1, 2], {'a': 1} from t /* a /* b */ c */ limit 1_000"],
  mariadb: ['select @a := 1, @@b, "x\\"y" # c\nfrom `t`'],
  mysql: [
    "select @'a b', x'00', 'a\\'b', a->>'$.b' from `a``b` # c\n where 1 <=> null",
    'create table count (id int);',
  ],
  plsql: [
    "select q'[it's]', nq'{x}' from dual where a := :b",
    'begin\n  x := 1;\nend;\n/\nselect &v from dual;',
  ],
  postgresql: [
    "select $1::int, e'\\'', U&'x', $tag$ it's $$ $tag$, a->>'b', x @> y, z ?| array['a'] from t /* a /* b */ c */",
    'create function f() returns int as $$ begin  return 1;  end $$ language plpgsql;',
  ],
  redshift: ["select #t.a, $1 from #t where a ~ 'x'"],
  snowflake: [
    "select $1, $name, a:b.c::int, $$it's$$ from stage // c\n qualify row_number() over (order by 1) = 1",
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Spark
  spark: ["select ${x}, R'\\n', `a b`, 1a from t tablesample (10 percent)"],
  sqlite: ['select [a b], `c`, "d", x\'00\', ?1, :n, @n, $n from t where a == 1'],
  transactsql: [
    "select [a]]b], @v, N'x' from #t\nGO\nselect top 5 * from [x y].dbo.t /* a /* b */ c */\nGO 2\nselect 1",
  ],
  trino: ["select X'00', a -> a + 1, U&'x' from t where b = ?"],
};

/** @param {any} values */
const run = async (values) => runTool(sql, values);

/** @param {string} text @param {string} dialect */
const tokens = (text, dialect) => essence(tokenizeSql(text, dialect)).map((token) => token.text);

for (const dialect of Object.keys(DIALECTS)) {
  test(`${dialect}: same tokens before and after, and formatting is idempotent`, async () => {
    const own = [...(SPECIAL[dialect] ?? []), ...(CORPUS[dialect] ?? [])];
    assert.ok(own.length >= 6, String(own.length));
    for (const text of [...COMMON, ...own]) {
      for (const options of [
        { mode: 'format' },
        { mode: 'format', keywords: 'upper', indent: 'tab', logical: 'after' },
        { mode: 'minify' },
      ]) {
        const once = await run({ text, dialect, ...options });
        assert.equal(once.refusal, undefined, `${text}: ${once.refusal?.sentence}`);
        const output = once.outputs.output.text;
        assert.deepEqual(tokens(output, dialect), tokens(text, dialect), `${text}\n${output}`);
        assert.ok(!once.warnings.some((warning) => warning.startsWith('More')), text);
        const twice = await run({ text: output, dialect, ...options });
        assert.equal(twice.outputs.output?.text, output, 'twice equals once');
      }
    }
  });
}

for (const [dialect, statements] of Object.entries(UNLISTED))
  test(`Automatic takes ${dialect}, which is not in the list`, async () => {
    for (const text of statements) {
      const { refusal, warnings } = await run({ text });
      assert.equal(refusal, undefined, `${text}: ${refusal?.sentence}`);
      assert.deepEqual(warnings, [], text);
    }
  });

test('minifying keeps strings, comments and significant spaces', () => {
  const cases = /** @type {[string, string, string][]} */ ([
    ['sql', 'select  \'a  b\' ,  "c  d"  from t', 'select \'a  b\',"c  d" from t'],
    ['sql', 'a - - 1', 'a - - 1'],
    ['sql', "'a'\n'b'", "'a'\n'b'"],
    ['mysql', 'create table count (id int)', 'create table count (id int)'],
    ['sql', 'a -- c  \n , b', 'a -- c\n,b'],
    ['transactsql', 'select 1\n  GO  \n select 2', 'select 1\nGO\nselect 2'],
    ['plsql', 'end;\n/\nselect 4 / 2', 'end;\n/\nselect 4 / 2'],
    ['postgresql', 'a @ - 1', 'a @ - 1'],
    ['sql', 'a > = b', 'a> =b'],
  ]);
  for (const [dialect, text, wanted] of cases)
    assert.equal(minifySql(tokenizeSql(text, dialect)), wanted, text);
});

test('operators of two characters are not split', async () => {
  for (const [dialect, operator] of [
    ['transactsql', '||'],
    ['duckdb', '//'],
    ['postgresql', '#>>'],
    ['postgresql', '@>'],
    ['mysql', '<=>'],
    ['spark', '>>'],
  ]) {
    const { outputs, warnings } = await run({ text: `select a ${operator} b`, dialect });
    assert.equal(outputs.output.text, `select\n  a ${operator} b\n`);
    assert.deepEqual(warnings, []);
  }
});

test('a custom delimiter of the MySQL client ends its statements', async () => {
  const text =
    'delimiter //\ncreate procedure p() begin select 1; end//\nselect 8//2\ndelimiter ;\nselect 1;';
  assert.equal(
    (await run({ text, dialect: 'mysql' })).outputs.output.text,
    'delimiter //\ncreate procedure p () begin\nselect\n  1;\n\nend\n//\nselect\n  8\n//\n2\ndelimiter ;\nselect\n  1;\n',
  );
  assert.equal(
    (await run({ text, dialect: 'mysql', mode: 'minify' })).outputs.output.text,
    'delimiter //\ncreate procedure p()begin select 1;end\n//\nselect 8\n//\n2\ndelimiter ;\nselect 1;',
  );
});

for (const [dialect, text] of Object.entries(BEYOND))
  test(`${dialect} that the formatter cannot parse is refused, and can be minified`, async () => {
    const { refusal } = await run({ text, dialect });
    assert.match(refusal?.sentence ?? '', /where it does not belong in .*The line is: /);
    assert.equal((await run({ text, dialect, mode: 'minify' })).refusal, undefined);
  });

test('options', async () => {
  const text = 'select count(a) as Total, cast(b as int) from T where x = 1 and y = 2;select 2';
  const all = {
    keywords: 'upper',
    functions: 'upper',
    types: 'upper',
    indent: 'tab',
    logical: 'after',
    width: 9,
  };
  assert.equal(
    (await run({ text, ...all })).outputs.output.text,
    'SELECT\n\tCOUNT(a) AS Total,\n\tCAST(b AS INT)\nFROM\n\tT\nWHERE\n\tx = 1 AND\n\ty = 2;\n\nSELECT\n\t2\n',
  );
});

test('placeholders of drivers and templates stay whole, and operators that look like them keep their spaces', async () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: forms that templates use
  const forms = [
    ...['?', '?1', ':1', ':name', '@name', '$1', '$name', '%s', '%d', '%(name)s', '{name}'],
    ...['{a.b}', '{name:Int32}', '{{ name }}', '{% if x %}', '${name}', '${a.b:csv}', '#{name}'],
  ];
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: forms that templates use
  for (const dialect of ['auto', ...Object.keys(DIALECTS)])
    for (const form of forms) {
      // Comments begin with the number sign there.
      if (form === '#{name}' && /mysql|mariadb|bigquery|clickh/.test(dialect)) continue;
      const text = `select a from t where b = ${form} and c in (${form},${form})`;
      const { outputs, refusal, warnings } = await run({ text, dialect });
      const told = `${dialect} ${form}: ${refusal?.sentence ?? outputs.output.text}`;
      assert.match(told, /\n {2}b = (.+)\n {2}and c in \(\1, \1\)\n$/, told);
      assert.ok(told.includes(`b = ${form}\n`), told);
      assert.deepEqual(warnings, []);
    }
  for (const [text, wanted] of [
    [
      'select a%2, b % s, x[1:2], y::int, m[i:j]',
      'a % 2,\n  b % s,\n  x[1:2],\n  y::int,\n  m[i:j]',
    ],
    [
      "select j ?'a', k @>'[]', $$ :a @b $$, '%s'",
      "j ? 'a',\n  k @> '[]',\n  $$ :a @b $$,\n  '%s'",
    ],
  ])
    assert.equal(
      (await run({ text, dialect: 'postgresql' })).outputs.output?.text,
      `select\n  ${wanted}\n`,
    );
});

const refusals = /** @type {[any, string, RegExp][]} */ ([
  [
    { text: 'select (a' },
    'text',
    /Line 1, column 10: .*ends too early in PostgreSQL\. The line is: select \(a/,
  ],
  [
    { text: "select 'x';\nselect !, a", dialect: 'sql' },
    'text',
    /Line 2, column 8: SQL has "!, a" where it does not belong in Standard SQL\. The line is: select !/,
  ],
  [{ text: "select\n 'a" }, 'text', /Line 2, column 2: .*has a ' that is never closed/],
  [
    { text: 'select "a', dialect: 'mysql' },
    'text',
    /Line 1, column 8: .*has a " that is never closed/,
  ],
  [{ text: 'select /* a' }, 'text', /Line 1, column 8: .*has a comment that is never closed/],
  [{ text: 'select /* a /* b */', dialect: 'postgresql' }, 'text', /comment that is never closed/],
  [{ text: 'do $x$ a $$', dialect: 'postgresql' }, 'text', /has a \$x\$ that is never closed/],
  [{ text: "select q'[a]", dialect: 'plsql' }, 'text', /never closed/],
  [{ text: 'select 1', width: 0 }, 'width', /from 1 to 500/],
]);
for (const [values, field, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values)}`, async () => {
    const { refusal } = await run(values);
    assert.equal(refusal?.field, field);
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test('random statements keep their tokens', async () => {
  const next = seeded(9);
  const pieces = [
    'select',
    'a',
    'b.c',
    ',',
    '(1)',
    "'x''y'",
    '"q"',
    '=',
    '<>',
    '+',
    '-',
    '*',
    'and',
    'from t',
    'where',
    '/* c */',
    '-- d\n',
    '\n',
    'case when a then b end',
    'count(*)',
    '1.5',
    ';',
    'in (1, 2)',
  ];
  for (let round = 0; round < 400; round += 1) {
    const text = Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join(' ');
    const { outputs, refusal } = await run({ text, mode: 'minify', dialect: 'sql' });
    assert.equal(refusal, undefined);
    assert.deepEqual(tokens(outputs.output?.text ?? '', 'sql'), tokens(text, 'sql'), text);
    const formatted = await run({ text, dialect: 'sql' });
    if (formatted.refusal || !formatted.outputs.output) continue;
    if (formatted.warnings.length === 0)
      assert.deepEqual(tokens(formatted.outputs.output.text, 'sql'), tokens(text, 'sql'));
  }
});

test('a dump of PostgreSQL keeps the rows of COPY, and words that only look like clauses', async () => {
  const rows = '\tit\'s "a"\n2\t\\N\n';
  const text = `COPY public.t (id, name) FROM stdin;\n${rows}\\.\n\nselect 1;\nCOPY u FROM stdin;\n\\.\n`;
  for (const [mode, dialect] of /** @type {const} */ ([
    ['format', 'postgresql'],
    ['minify', 'postgresql'],
    ['format', 'sql'],
  ])) {
    const { outputs, refusal, warnings } = await runTool(sql, { text, mode, dialect });
    assert.equal(refusal, undefined, String(refusal?.sentence));
    assert.ok(outputs.output.text.includes(`\n${rows}\\.\n`), outputs.output.text);
    assert.equal(outputs.output.text.match(/\\\./g)?.length, 2);
    assert.deepEqual(warnings, []);
  }
  const formatted = async (/** @type {string} */ text, /** @type {any} */ values = {}) =>
    (await runTool(sql, { text, dialect: 'postgresql', ...values })).outputs.output.text;
  const alias = 'SELECT set.a FROM s LEFT JOIN settings set ON set.b = s.b JOIN t set';
  assert.match(await formatted(alias), /LEFT JOIN settings set ON set\.b = s\.b/);
  assert.match(
    await formatted('update t set a = 1, b = 2'),
    /^update t\nset\n {2}a = 1,\n {2}b = 2/,
  );
  for (const dialect of [
    'sql',
    'postgresql',
    'sqlite',
    'duckdb',
    'snowflake',
    'trino',
    'bigquery',
    'spark',
  ])
    for (const keywords of ['preserve', 'upper'])
      assert.match(
        await formatted('select 1 from t where a is not distinct from b and c is distinct from d', {
          dialect,
          keywords,
        }),
        keywords === 'upper'
          ? /a IS NOT DISTINCT FROM b\n {2}AND c IS DISTINCT FROM d/
          : /a is not distinct from b\n {2}and c is distinct from d/,
        dialect,
      );
});

test('templates of dbt are kept', async () => {
  const text =
    "{% if x %} select a from {{ ref('foo') }} as foo cross join {{ ref('bar') }} {% endif %}";
  for (const dialect of /** @type {const} */ (['sql', 'bigquery', 'postgresql', 'snowflake'])) {
    const { outputs, refusal, warnings } = await runTool(sql, { text, dialect });
    assert.equal(refusal, undefined, String(refusal?.sentence));
    assert.match(outputs.output.text, /\{\{ ref\('foo'\) \}\} as foo/);
    assert.deepEqual(warnings, []);
  }
});

test('Automatic takes the first dialect that fits, says which, and changes no code', async () => {
  const cases = /** @type {[text: string, dialect: string, contains: string][]} */ ([
    ['select 1', 'PostgreSQL', 'select\n  1'],
    ['select a::int from t where id = $1', 'PostgreSQL', 'a::int'],
    ['select * from t where id = :id and a::int > 5 % 2', 'PostgreSQL', 'a::int > 5 % 2'],
    ["select E'it\\'s', B'01', X'ff', U&'x' from t", 'PostgreSQL', "E'it\\'s'"],
    ["select 1 # one\nfrom `t` where a = _utf8'x' and b = 'it\\'s'", 'MySQL', "_utf8'x'"],
    ["select 'a\\'b', 'c\\'d' from t", 'MySQL', "'a\\'b'"],
    ['DELIMITER ;;\nselect 1;;\nDELIMITER ;\n', 'MySQL', 'DELIMITER ;;\n'],
    ['select [Order Id] from dbo.[T] where x = @x', 'SQL Server (T-SQL)', '[Order Id]'],
    ['select top 5 * from t\nGO\nselect 2', 'SQL Server (T-SQL)', '\nGO\n'],
    ["select N'x' from t", 'SQL Server (T-SQL)', "N'x'"],
    ["select '@a', '[b]', 'GO' -- DELIMITER ;;\nfrom t", 'PostgreSQL', "'[b]'"],
    ["select q'[it's]' from dual", 'Oracle PL/SQL', "q'[it's]'"],
    ['begin\n  x := 1;\nend;\n/\n', 'Oracle PL/SQL', '\n/\n'],
    ['select array[1, 2] from t', 'PostgreSQL', 'array[1, 2]'],
    [
      'select regexp_extract(p, r\'a\\\'b\') from `p.d.t` where q = """x"""',
      'BigQuery',
      "r'a\\'b'",
    ],
  ]);
  for (const [text, dialect, contains] of cases) {
    const { outputs, refusal, warnings } = await run({ text });
    assert.equal(refusal, undefined, `${text}: ${refusal?.sentence}`);
    assert.deepEqual(
      outputs.took,
      { kind: 'took', text: dialect, back: { field: 'dialect' } },
      text,
    );
    assert.ok(outputs.output.text.includes(contains), outputs.output.text);
    assert.deepEqual(warnings, [], text);
  }
  assert.equal((await run({ text: 'select 1', dialect: 'mysql' })).outputs.took, undefined);
});

test('no dialect parts a prefix from its text', async () => {
  for (const dialect of Object.keys(DIALECTS))
    for (const prefix of ['E', 'e', 'B', 'x', 'N', '_utf8', '_binary'])
      for (const mode of ['format', 'minify']) {
        const { outputs } = await run({ text: `select ${prefix}'ab' from t`, dialect, mode });
        assert.ok(
          outputs.output?.text.includes(`${prefix}'ab'`),
          `${dialect} ${outputs.output?.text}`,
        );
      }
});

test('OUTPUT of SQL Server begins a clause, and OUTPUT of a parameter none', async () => {
  const formatted = async (/** @type {string} */ text, /** @type {any} */ keywords) => {
    const { outputs, warnings } = await runTool(sql, { text, dialect: 'transactsql', keywords });
    assert.deepEqual(warnings, []);
    return outputs.output.text.replaceAll(/\s+/g, (/** @type {string} */ gap) =>
      gap.includes('\n') ? '|' : ' ',
    );
  };
  const update = 'update t set x = u.y output inserted.id into @u from u window w as (order by z)';
  assert.equal(
    await formatted(update, 'preserve'),
    'update t|set|x = u.y|output|inserted.id|into|@u|from|u|window|w as (|order by|z|)|',
  );
  assert.match(await formatted(update, 'upper'), /\|OUTPUT\|inserted/);
  assert.equal(await formatted('exec p @x output', 'preserve'), 'exec p @x output|');
});

test('a stage is Snowflake, a table variable is not', async () => {
  const dialect = async (/** @type {string} */ text) => {
    const { outputs } = await runTool(sql, { text, dialect: 'auto' });
    return JSON.stringify(outputs);
  };
  const staged = await dialect('copy into t from @stage/file.json file_format = (type = json)');
  assert.match(staged, /Snowflake/);
  assert.match(staged, /@stage\/file\.json/);
  assert.doesNotMatch(await dialect('select * from @rows where a = 1'), /Snowflake/);
});
