//! One contract in two places: the page of a tool answers as the service does, over REST. They differ
//! in time, chance and wording alone. `node tests/parity.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { useServer } from './fixtures.mjs';
import { fixedContext, runTool, seeded } from './run.mjs';
import { loadFile } from './tools.mjs';

const server = useServer();
const COUNT = 400;

/** The answer of the service: its result with warnings, or why it refused. @param {string} slug @param {Record<string, any>} body @returns {Promise<{ result?: any, warnings: string[], detail?: string }>} */
async function called(slug, body) {
  const response = await fetch(`${server.origin}/toolkit/api/tools/${slug}/run`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok([200, 422].includes(response.status), `${response.status} to ${JSON.stringify(body)}`);
  return { warnings: [], .../** @type {any} */ (await response.json()) };
}

/** Whether both refuse, and if not, the number of warnings. @param {string} about @param {Awaited<ReturnType<typeof called>>} wanted @param {Awaited<ReturnType<typeof runTool>>} found */
function agree(about, wanted, found) {
  const sentences = `${about}\nservice: ${wanted.detail ?? 'accepted'}\npage: ${found.refusal?.sentence ?? 'accepted'}`;
  assert.equal(found.refusal === undefined, wanted.detail === undefined, sentences);
  assert.equal(
    found.warnings.length,
    wanted.detail === undefined ? wanted.warnings.length : found.warnings.length,
    `${about}\nservice: ${wanted.warnings.join(' ')}\npage: ${found.warnings.join(' ')}`,
  );
  return wanted.detail === undefined;
}

/** The values of `1-5` or `1, 3`. @param {string} text */
function listed(text) {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (first === undefined) return text.split(', ').map(Number);
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
}

/** @param {Record<string, any>} outputs @param {any} result */
function cronShown(outputs, { description, next_runs, next_runs_local = next_runs, fields }) {
  assert.equal(`${outputs.headline.text}.`, description);
  for (const [column, runs] of [
    [0, next_runs_local],
    [Math.max(0, outputs.runs?.columns.indexOf('UTC')), next_runs],
  ])
    assert.deepEqual(
      (outputs.runs?.rows ?? []).map((/** @type {string[]} */ row) => row[column]?.slice(4)),
      runs.map((/** @type {string} */ run) => run.slice(0, 16).replace('T', ' ')),
    );
  assert.deepEqual(
    outputs.fields.rows.map((/** @type {any[]} */ [, raw, values]) => ({
      raw,
      values: listed(values),
    })),
    Object.values(fields),
  );
}

/** @param {Record<string, any>} outputs @param {any} result */
function cidrShown(outputs, result) {
  const facts = Object.fromEntries(outputs.result.pairs);
  const plain = (/** @type {string} */ number) => number.replaceAll(',', '');
  const [, cidr, total = ''] = /^(\S+): (\S+) /.exec(outputs.headline.text) ?? [];
  assert.deepEqual(
    {
      cidr,
      total_addresses: plain(total),
      network: facts.Network,
      broadcast: facts.Broadcast,
      first_host: facts['First host'],
      last_host: facts['Last host'],
      usable_hosts: plain(facts.Hosts),
      netmask: facts.Netmask,
      wildcard_mask: facts['Wildcard mask'],
      scope: facts.Scope.replace(' ', '_'),
      reverse_dns: facts['Reverse DNS'],
    },
    Object.fromEntries(
      Object.entries(result)
        .filter(([name]) => !/^(?:version|address|prefix_length|is_private)$/.test(name))
        .map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
    ),
  );
}

const { paths } = JSON.parse(
  readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
);
/** How an answer of the service stands on the page, where it is not the text or list `result`. @type {Record<string, (outputs: Record<string, any>, result: any) => void>} */
const SHOWN = {};
for (const slug of ['uuid', 'ulid', 'nanoid'])
  SHOWN[`${slug}-generator`] = ({ result }, wanted) => {
    // Chance: as many, of the same length and the same version.
    const form = (/** @type {string} */ id) => [id.length, slug === 'uuid' && id.charAt(14)];
    assert.deepEqual(result.items.map(form), wanted.map(form));
  };

/** Each member of the answer stands among the rows, whatever its label. @param {Record<string, any>} outputs @param {any} result */
SHOWN['timestamp-converter'] = ({ headline, result }, { detected, ...wanted }) => {
  const [relative] = headline.below.split(' · ');
  if (detected === 'now') return assert.equal(relative, 'now');
  // A zone is a part of a label, and its time has a space in place of the `T`.
  const cells = [relative, ...result.pairs.map((/** @type {any[]} */ [, cell]) => String(cell))];
  const { zone, local, ...others } = wanted;
  if (zone) assert.equal(Object.fromEntries(result.pairs)[`In ${zone}`], local.replace('T', ' '));
  for (const [name, value] of Object.entries(others))
    assert.ok(cells.includes(String(value)), `${name}: ${value} is not in ${cells.join(', ')}`);
};

SHOWN['jwt-decoder'] = ({ headline, result, header, payload }, wanted) => {
  assert.deepEqual(JSON.parse(header.text), wanted.header);
  assert.deepEqual(JSON.parse(payload.text), wanted.payload);
  const found = Object.fromEntries(result.pairs);
  const verdicts = { expired: /^Expired /, no_expiry: /^Does not expire/ };
  assert.match(headline.text, verdicts[/** @type {keyof typeof verdicts} */ (wanted.status)]);
  const names = { Issued: 'issued_at', 'Not before': 'not_before', Expires: 'expires_at' };
  for (const [name, member] of Object.entries(names))
    assert.equal(found[name] ?? null, wanted[member], name);
  assert.equal(found.Algorithm, wanted.algorithm);
  assert.match(found.Kind, new RegExp(wanted.token_type, 'i'));
};

SHOWN['cron-explainer'] = cronShown;
SHOWN['cidr-calculator'] = cidrShown;

/** The matches and their groups; the service tells more places. @param {Record<string, any>} outputs @param {any} result */
SHOWN['regex-tester'] = ({ matches, replaced }, wanted) => {
  const rows = wanted.matches.map((/** @type {any} */ { text, start, end, groups }) => [
    ...[text, start, end],
    ...groups.map((/** @type {any} */ group) => group.text),
  ]);
  assert.deepEqual(matches?.rows ?? [], rows);
  assert.equal(replaced?.text ?? null, wanted.replaced);
};

/** The values of a body as the form has them: choices by their words. @param {Record<string, any>} fields @param {Record<string, any>} body */
const entered = (fields, body) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      ['number', 'toggle'].includes(fields[name]?.kind) ? value : String(value),
    ]),
  );

for (const [path, { post }] of Object.entries(paths)) {
  const slug = path.match(/\/tools\/([a-z0-9-]+)\/run$/)?.[1] ?? '';
  if (!slug) continue;
  describe(slug, () => {
    const { examples, schema } = post.requestBody.content['application/json'];

    test('has every field of the service, with its choices', async () => {
      const tool = await loadFile(slug);
      for (const [name, { enum: choices = [], anyOf = [] }] of Object.entries(schema.properties)) {
        assert.ok(tool.fields[name], name);
        const all = [...choices, ...anyOf.flatMap((/** @type {any} */ one) => one.enum ?? [])];
        for (const choice of all) assert.ok(Object.hasOwn(tool.fields[name].choices, choice));
      }
    });

    for (const { summary, value } of Object.values(examples))
      test(`example: ${summary}`, async () => {
        const tool = await loadFile(slug);
        const { result, warnings } = await called(slug, value);
        // The service shows three runs of a schedule unless asked for more, and the page five.
        const given = slug === 'cron-explainer' ? { count: 3, ...value } : value;
        const now = { ...fixedContext(), now: () => new Date() };
        const found = await runTool(tool, entered(tool.fields, given), now);
        assert.equal(found.refusal, undefined, String(found.refusal?.sentence));
        const show =
          SHOWN[slug] ?? (({ result }, wanted) => assert.equal(result.text ?? result, wanted));
        show(found.outputs, result);
        // A warning of the service is one of the page; the page may say more.
        assert.ok(found.warnings.length >= warnings.length, found.warnings.join(' '));
      });
  });
}

/** Choices by chance, the same in every run. @param {number} seed */
function chance(seed) {
  const below = seeded(seed);
  /** @template T @param {readonly T[]} all @returns {T} */
  const one = (all) => /** @type {T} */ (all[below(all.length)]);
  /** @param {number} least @param {number} most */
  const from = (least, most) => least + below(most - least + 1);
  /** @template T @param {number} most @param {() => T} make */
  const some = (most, make) => Array.from({ length: from(1, most) }, make);
  return { below, one, from, some };
}

/** Values with what surrounds them, and formats of other programs, by the tool's input. @type {Record<string, [main: string, ...inputs: (string | Record<string, any>)[]]>} */
const PASTED = {
  'timestamp-converter': [
    'value',
    ...['now GMT', 'now +02:00', '1700000000 UTC', 'Asia/Tokyo', '2024-01-15T10:30:00Z to UTC'],
    ...['2024-01-15 10:30 PM', '2024/12/25 10:00:00', '`2024-12-25`', '133444736000000000'],
    ...['2024-01-15 10:30 p.m.', '2024-01-15 10:30:00.5 PM', 'now Cuba', '2024-07-15 10:30 Eire'],
    ...[
      '```\n1700000000\n```',
      '1,700,000,000',
      '1 700 000 000',
      'Fri, 24 Jul 2020 19:28:51 +0000 UTC',
    ],
  ],
  'cron-explainer': [
    'expression',
    ...['0 8, 20 * * *', '*/ 5 * * * *', 'H/15 * * * *', '0 9–17 * * *', '`0 9 * * *`'],
    ...['```\n0 9 * * *\n```', 'CRON_TZ=Europe/Paris 0 12 * * 5', '0 9 * * * [Asia/Tokyo]'],
    'CRON_TZ=Europe/Berlin */10 2 25-31 3 */7',
    ...['0 9 * * *\ntimezone: Asia/Tokyo', '‚0 9 * * *‘', '\ufeff0 9 * * *', '0 9p * * *'],
  ],
  'cidr-calculator': [
    'cidr',
    ...[
      '[2001:db8::1]/64',
      '`10.0.0.0/8`',
      '"10.0.0.0/8",',
      '```\n10.0.0.0/8\n```',
      '[10.0.0.0/8]',
      '10.0.0.0\\8',
      '10/8',
      '10.0.0.0 /8',
    ],
  ],
  'hash-generator': [
    'key',
    ...['hex:00ff', 'base64:AP8=', 'whsec_AP8=', 'hex:x', '00112233445566778899aabbccddeeff'],
  ],
  'regex-tester': ['pattern', ...['(a|b)c', '/a/g', '(?<n>a)\\k<n>']],
  'url-encoder': [
    'text',
    ...[
      { text: 'a%20b', scope: 'uri' },
      { text: '%41', mode: 'decode' },
    ],
  ],
  'jwt-decoder': [
    'token',
    ...['eyJhbGciOiJub25lIn0.e30.a.b.c', 'v4.public.eyJhIjoxfQ', '`eyJhbGciOiJub25lIn0.e30.`'],
    'eyJhbGciOiJub25lIn0.\ne30.',
  ],
  'base64-encoder': [
    'text',
    ...[
      { text: 'VwByAGkAdABlAC0ASABvAHMAdAA=', mode: 'decode' },
      { text: '48656c6c6f20576f726c6421', mode: 'decode' },
      { text: 'sha512-AP8=', mode: 'decode' },
      { text: 'Basic YTpi', mode: 'decode' },
      { text: '-----BEGIN X-----\nAP8=\n-----END X-----\n', mode: 'decode' },
      { text: 'SGVsbG8=\u200b', mode: 'decode' },
      { text: '=?UTF-8?B?R3LDvMOfZQ==?=', mode: 'decode' },
    ],
  ],
  'json-formatter': ['text', ...['callback({"a": 1});', '```json\n{"a": 1}\n```', '[1, NaN, }']],
  'data-converter': [
    'text',
    ...[
      { text: '<use xlink:href="#a"/>', from_format: 'xml' },
      { text: '<a>&#xD83D;&#xDE00;</a>', from_format: 'xml' },
      { text: '{"a": 1}', from_format: 'xml' },
      { text: 'a:\n\u00a0\u00a0b: 1\n', from_format: 'yaml', to_format: 'json' },
      { text: '{"cells": [1, {"a b": 2}]}', from_format: 'json', to_format: 'xml' },
    ],
  ],
};
for (const [slug, [main, ...inputs]] of Object.entries(PASTED))
  test(`${slug}: what is pasted is read alike`, async () => {
    const tool = await loadFile(slug);
    for (const input of inputs) {
      const given = typeof input === 'string' ? { [main]: input } : input;
      const others = {
        'hash-generator': { text: 'a', algorithm: 'sha256' },
        'regex-tester': { text: 'a' },
        'cron-explainer': { count: 3 },
      };
      const body = { ...others[/** @type {keyof typeof others} */ (slug)], ...given };
      const wanted = await called(slug, body);
      const found = await runTool(tool, entered(tool.fields, body), {
        ...fixedContext(),
        now: () => new Date(),
      });
      const about = `${JSON.stringify(body)}\nservice: ${wanted.detail ?? wanted.warnings}\npage: ${found.refusal?.sentence ?? found.warnings}`;
      assert.equal(found.refusal === undefined, wanted.detail === undefined, about);
      if (wanted.detail) continue;
      // The page may say more.
      assert.ok(found.warnings.length >= wanted.warnings.length, about);
      const show = SHOWN[slug] ?? (({ result }, text) => assert.equal(result.text ?? result, text));
      show(found.outputs, wanted.result);
    }
  });

describe('cron-explainer', () => {
  const { below, one, from, some } = chance(1);
  const bounds = /** @type {const} */ ([
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [0, 7],
  ]);
  const names = [
    'JAN Feb mar APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
    'SUN Mon tue WED THU FRI SAT'.split(' '),
  ];
  /** @param {number} at */
  const value = (at) => {
    const [least, most] = bounds[at] ?? [0, 7];
    if (at > 2 && below(3) === 0) return one(names[at - 3] ?? []);
    return below(40) === 0 ? String(one([60, 99, 0, 32, 13, 8])) : String(from(least, most));
  };
  /** @param {number} at */
  const span = (at) => {
    const kind = below(4);
    if (kind === 0) return '*';
    const first = value(at);
    if (kind === 1) return first;
    const last = value(at);
    return Number(first) > Number(last) && below(6) > 0 ? `${last}-${first}` : `${first}-${last}`;
  };
  /** @param {number} at */
  const field = (at) => {
    if (below(3) > 0) return '*';
    const items = some(below(3) === 0 ? 3 : 1, () => {
      const text = span(at);
      const isSingle = !/[*-]/.test(text);
      return below(4) === 0 && (!isSingle || below(8) === 0) ? `${text}/${from(0, 20)}` : text;
    });
    return items.join(',');
  };
  const junk = [
    '?',
    '**',
    '5L',
    '1#2',
    'LW',
    '15W',
    'H',
    '~',
    'x',
    '-1',
    '1-',
    '/5',
    '*/',
    ',',
    'MON-FRII',
  ];
  const around = [
    ...[
      '',
      '',
      '',
      '',
      ' root /usr/bin/x',
      ' monit reload',
      ' # nightly',
      ' 2030',
      ' MON',
      ' Monday',
    ],
    ...[' *', ' MON,TUES', ' 1-5x', ' UTC', ' **', ' sunset', ' Europe/Berlin'],
  ];
  const make = () => {
    if (below(20) === 0)
      return one(['@daily', '@Weekly', '@reboot', '@never', '', ' ', '@hourly x']);
    const fields = bounds.map((_, at) => (below(40) === 0 ? one(junk) : field(at)));
    if (below(20) === 0) fields.pop();
    const zone = one(['', '', '', '', 'CRON_TZ=America/New_York ', 'TZ=Australia/Lord_Howe ']);
    const text = zone + fields.join(one([' ', ' ', '  ', '\t'])) + one(around);
    return below(15) > 0 ? text : one([`'${text}'`, `"${text}"`, `- cron: '${text}'`, ` ${text} `]);
  };

  test(`${COUNT} expressions mean the same`, async () => {
    const tool = await loadFile('cron-explainer');
    let accepted = 0;
    for (let round = 0; round < COUNT; round++) {
      const expression = make();
      const start = `${from(1990, 2090)}-0${from(1, 9)}-${from(10, 28)}T${from(10, 23)}:${from(10, 59)}:00Z`;
      const body = { expression, from: start, count: from(1, 5) };
      const wanted = await called('cron-explainer', body);
      const found = await runTool(tool, body);
      if (expression.trim() === '') assert.ok(wanted.detail);
      else if (agree(JSON.stringify(expression), wanted, found)) {
        cronShown(found.outputs, wanted.result);
        accepted++;
      }
    }
    assert.ok(accepted > COUNT / 3 && accepted < COUNT - 40, `${accepted} were accepted`);
  });
});

describe('cidr-calculator', () => {
  const { below, one, from, some } = chance(2);
  const group = () => one(['0', '0', from(0, 0xffff).toString(16), one(['db8', 'FE80', 'ffff'])]);
  const v4 = () =>
    one([
      () => Array.from({ length: 4 }, () => from(0, below(30) === 0 ? 300 : 255)).join('.'),
      () =>
        `${one(['10', '127', '172.16', '192.168', '100.64', '169.254', '198.18', '224.0', '192.0'])}.${from(0, 255)}.${from(0, 255)}.${from(0, 255)}`
          .split('.')
          .slice(0, 4)
          .join('.'),
    ])();
  const v6 = () =>
    one([
      () => Array.from({ length: 8 }, group).join(':'),
      () => `${some(4, group).join(':')}::${below(2) ? some(3, group).join(':') : ''}`,
      () => `::${below(2) ? some(6, group).join(':') : ''}`,
      () => `::ffff:${v4()}`,
      () =>
        `${one(['fe80', 'fd00', '2001:db8', 'ff02', '64:ff9b', '2002', '::1'])}${below(9) ? '::' : ':'}`,
    ])();
  const mask = (/** @type {number} */ length) =>
    [24, 16, 8, 0].map((shift) => ((0xffffffff * 2 ** (32 - length)) / 2 ** shift) & 255).join('.');
  const make = () => {
    const isFour = below(2) === 0;
    const length = from(0, isFour ? 32 : 128);
    const suffix = one([
      ...Array(20).fill(`/${length}`),
      ...[`/${length + 1}`, '', `/0${length}`, '/', '/x', isFour ? `/${mask(length)}` : '/64'],
      ...[
        '/255.0.255.0',
        '/0.0.0.255',
        ' /24',
        ' 255.255.255.0',
        '%eth0/64',
        '/24/8',
        ` - ${v4()}`,
      ],
    ]);
    const text = (isFour ? v4() : v6()) + suffix;
    return below(25) === 0
      ? one([` ${text}`, `${text}\n`, `0${text}`, `${text},`, text.replace('.', '')])
      : text;
  };

  test(`${COUNT} blocks have the same facts`, async () => {
    const tool = await loadFile('cidr-calculator');
    let accepted = 0;
    for (let round = 0; round < COUNT; round++) {
      const cidr = make();
      const wanted = await called('cidr-calculator', { cidr });
      const found = await runTool(tool, { cidr });
      // The page turns a range into blocks.
      if (found.outputs.blocks) assert.match(wanted.detail ?? '', /range/, cidr);
      else if (agree(JSON.stringify(cidr), wanted, found)) {
        cidrShown(found.outputs, wanted.result);
        accepted++;
      }
    }
    assert.ok(accepted > COUNT / 2 && accepted < COUNT - 40, `${accepted} were accepted`);
  });
});

describe('data-converter', () => {
  const { below, one, from, some } = chance(3);
  const words = [
    ...[
      'a',
      'name',
      'Ada Lovelace',
      'no',
      'yes',
      'on',
      'null',
      '~',
      'true',
      '12',
      '0x1F',
      '007',
      '1e3',
    ],
    ...[
      '1.50',
      '.5',
      '-1',
      '2001-12-14',
      '12:30',
      '',
      ' ',
      ' a',
      'a ',
      'a: b',
      'a #b',
      '#c',
      '- x',
      '-x',
    ],
    ...[
      '?',
      '[x]',
      '{y}',
      '&amp',
      '*star',
      '!tag',
      '|',
      '>',
      "it's",
      '"q"',
      'back\\slash',
      '%',
      '@at',
      '`',
    ],
    ...[
      'two\nlines',
      'two\nlines\n',
      '\nfirst',
      'tab\there',
      'ends\n\n',
      '  in\nout',
      'é',
      '😀',
      'x\u00a0y',
    ],
    ...[
      '\u2028',
      '\u0085',
      '\u007f',
      'a,b',
      'key?',
      'a:b',
      'http://x/?a=b&c',
      '<b>',
      ']]>',
      '---',
      '...',
    ],
    ...[
      'x'.repeat(90),
      'a:',
      ':a',
      '=',
      '<<',
      '.inf',
      '1_000',
      '0o17',
      '+12',
      '- ',
      'a\r\nb',
      'null ',
      '\u0001',
    ],
  ];
  const names = ['a', 'b', 'c', 'name', 'id', 'x-y', 'long_name', '_', 'ä', 'ns.x', 'list', 'item'];
  const strange = [
    '1',
    'no',
    'a b',
    '@x',
    '#text',
    '',
    'true',
    'x:y',
    '$ref',
    '@a',
    'null',
    'a: b',
    '-',
  ];
  const numbers = ['0', '-1', '1.50', '1e400', '-0', '12345678901234567890', '1E-7', '3.0', '42'];
  /** JSON as it may be written. @param {number} depth @returns {string} */
  const json = (depth) => {
    const kind = depth > 3 ? below(5) : below(9);
    if (kind < 2) return JSON.stringify(one(words));
    if (kind === 2) return one(numbers);
    if (kind < 5) return one(['true', 'false', 'null', '"x"', '"plain text"']);
    const gap = one(['', ' ', '\n ']);
    if (kind < 7)
      return `[${Array.from({ length: below(4) }, () => gap + json(depth + 1)).join(',')}${gap}]`;
    const keys = [
      ...new Set(Array.from({ length: below(4) }, () => one(below(9) ? names : strange))),
    ];
    return `{${keys.map((key) => `${gap}${JSON.stringify(key)}:${gap && ' '}${json(depth + 1)}`).join(',')}${gap}}`;
  };
  const plain = words.filter((word) => /^[\w.+-][\w .:+-]*$/.test(word) && !/: |:$/.test(word));
  /** @param {boolean} isFlow */
  const scalar = (isFlow) =>
    one([
      () => one(plain).trim() || 'x',
      () => one(numbers),
      () => JSON.stringify(one(words.filter((word) => !/[\u007f-\u009f\u2028]/.test(word)))),
      () => `'${one(words.filter((word) => !/[^ -~]/.test(word))).replaceAll("'", "''")}'`,
      () =>
        isFlow
          ? 'x'
          : one(['', '~', '!!str 12', '!!int "3"', '!!float 3', '!x y', '+12', '0o17', '.5', '1.']),
    ])();
  /** @param {number} depth @returns {string} */
  const flow = (depth) => {
    const kind = depth > 2 ? 0 : below(4);
    if (kind < 2) return scalar(true);
    if (kind === 2)
      return `[${Array.from({ length: below(3) }, () => flow(depth + 1)).join(', ')}]`;
    return `{${[...new Set(some(2, () => one(names)))].map((key) => `${key}: ${flow(depth + 1)}`).join(', ')}}`;
  };
  /** Block style, whose first line follows an indicator. @param {number} depth @param {string} pad @returns {string} */
  const block = (depth, pad) => {
    const kind = depth > 3 ? below(3) : below(8);
    if (kind < 2) return ` ${scalar(false)}`;
    if (kind === 2) return ` ${flow(1)}`;
    if (kind === 3)
      return ` ${one(['|', '|-', '|+', '>', '>-'])}\n${pad}text\n${pad}${one(['more', '  in', 'a # b'])}`;
    if (kind < 6) return `\n${some(3, () => `${pad}-${block(depth + 1, `${pad}  `)}`).join('\n')}`;
    const keys = [
      ...new Set(some(3, () => one(below(9) ? names : ['1', 'no', '"q r"', 'null', '? x']))),
    ];
    return `\n${keys.map((key) => `${pad}${key}:${block(depth + 1, `${pad}${one([' ', '  '])}`)}`).join('\n')}`;
  };
  const yaml = () => {
    const text = block(0, '').trimStart();
    const kind = below(12);
    if (kind === 0) return `--- ${scalar(false)}\n---${block(1, '')}\n`;
    if (kind === 1) return `a: &x${block(1, '  ')}\nb: *x\n`;
    if (kind === 2) return `base: &x {a: 1, b: 2}\nuse:\n  a: 3\n  <<: *x\n  c: 4\n`;
    if (kind === 3) return `${text}\n# a comment\n`;
    return `${text}${one(['\n', ''])}`;
  };
  /** @param {number} depth @returns {string} */
  const element = (depth) => {
    const name = one(names.filter((name) => name !== 'ns.x'));
    const attributes = [
      ...new Set(
        Array.from({ length: below(3) }, () => one(['id', 'b', 'xml:lang', 'x', 'xml:space'])),
      ),
    ]
      .map(
        (key) =>
          `${one([' ', '  ', '\n '])}${key}${one(['=', ' = '])}${one(['"1"', '\'a "b"\'', '"&lt;&#10;x"', '"two\nlines"', '""'])}`,
      )
      .map((text) => (text.includes('xml:space') ? ' xml:space="preserve"' : text))
      .join('');
    if (depth > 3 || below(5) === 0) return `<${name}${attributes}${one(['/', ' /'])}>`;
    const white = () => one(['', '', '\n  ', ' ']);
    const parts = Array.from({ length: below(4) }, () =>
      one([
        () => element(depth + 1),
        () => element(depth + 1),
        () => one(['text', 'a &amp; b', '&#65;', ' x ', '1', 'é😀', '&#32;']),
        () => one(['<!-- note -->', '<?pi x?>', '<![CDATA[<raw> & ]]>', '<![CDATA[]]>', ' ']),
      ])(),
    );
    return `<${name}${attributes}>${parts.map((part) => white() + part).join('')}${white()}</${name}${one(['', ' '])}>`;
  };
  const xml = () => {
    const head = one([
      '',
      '',
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      '<!-- top -->\n',
      '<!DOCTYPE a>\n',
    ]);
    const tail = one(['', '', '\n', '<?end?>']);
    return head + element(0) + tail;
  };
  const makers = { json: () => json(0), yaml, xml };
  /** A slip in a text. @param {string} text */
  const slipped = (text) => {
    const at = below(text.length + 1);
    return (
      text.slice(0, at) + one(['', '"', '<', '}', ',', ':', '&', ']']) + text.slice(at + below(2))
    );
  };

  for (const isSlip of [false, true])
    test(`${COUNT} ${isSlip ? 'texts with a slip are read or refused alike' : 'texts become the same'}`, async () => {
      const tool = await loadFile('data-converter');
      const formats = /** @type {const} */ (['json', 'yaml', 'xml']);
      let accepted = 0;
      for (let round = 0; round < COUNT; round++) {
        const from_format = isSlip ? one(/** @type {const} */ (['json', 'xml'])) : one(formats);
        const text = isSlip ? slipped(makers[from_format]()) : makers[from_format]();
        // The parser of the page knows two values of `xml:space`, as the standard does.
        if (text.trim() === '' || /xml:space="(?!preserve")/.test(text)) continue;
        const body = {
          text,
          from_format,
          to_format: one(formats),
          action: one(['pretty', 'minify']),
          indent: from(1, 8),
        };
        const wanted = await called('data-converter', body);
        const found = await runTool(tool, body);
        const about = `${JSON.stringify(body)}\n${text}`;
        if (!agree(about, wanted, found)) continue;
        assert.equal(found.outputs.result.text, wanted.result, about);
        accepted++;
      }
      assert.ok(isSlip || accepted > COUNT / 2, `${accepted} were accepted`);
    });
});
