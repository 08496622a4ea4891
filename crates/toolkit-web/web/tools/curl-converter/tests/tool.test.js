//! cURL Converter: the 108 commands of curlconverter, quoting of three shells, code that parses and runs, bad input.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { took } from '../../../kit/tool.js';
import { shellCommands } from '../../../lib/shell-words.js';
import { inLinearTime, runTool, seeded, suite } from '../../../tests/run.mjs';
import { LANGUAGES } from '../code.js';
import { requestsOf } from '../command.js';
import { shown } from '../data.js';
import { bodyText, httpText } from '../http-text.js';
import tool from '../tool.js';

/** @typedef {import('../command.js').Request} Request */

/** @param {string} command @param {'sh' | 'cmd' | 'powershell'} [shell] @returns {Request[]} */
const parse = (command, shell = 'sh') =>
  shellCommands(command, shell, () => {})
    .filter(({ words }) => words[0]?.text === 'curl')
    .flatMap((one) => requestsOf(one, () => {}));
/** @param {string} command @param {'sh' | 'cmd' | 'powershell'} [shell] @returns {Request} */
const first = (command, shell) => /** @type {Request} */ (parse(command, shell)[0]);

/** A raw request as sets of lines, with its header in one order and case. @param {string} text */
function comparable(text) {
  const [head = '', ...body] = text.replaceAll('\r\n', '\n').split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const headers = lines
    .map((line) => line.replace(/^([^:]*):\s*/, (_, name) => `${name.toLowerCase()}: `).trimEnd())
    .sort();
  return {
    start: start.replace(/ \?/, ' /?').replaceAll('%20', ' '),
    headers,
    body: body.join('\n\n').trimEnd(),
  };
}

test('the 108 commands of curlconverter give the same requests', async (t) => {
  const cases = suite(t, 'curl_commands');
  if (!cases) return;
  assert.equal(cases.length, 108);
  const counts = { http: 0, json: 0, parsed: 0, accepted: 0 };
  for (const { id, input, expect } of cases) {
    const { outputs, refusal } = await runTool(tool, { command: input, language: 'http' });
    assert.equal(refusal, undefined, `${id}: ${refusal?.sentence}`);
    const request = first(input.replace(/^echo.*?\| /, ''));
    assert.ok(request, id);
    if (expect === 'accept') counts.accepted += 1;
    if (expect.http && id !== 'curl-upload_file') {
      const wanted = comparable(expect.http.replace(/^Content-Length: <.*\n/m, ''));
      assert.deepEqual(comparable(httpText(request, 'curl/8.2.1')), wanted, id);
      assert.equal(comparable(outputs.code.text).body, wanted.body, id);
      counts.http += 1;
    }
    if (expect.json) {
      const plain = (/** @type {string} */ url) => url.replace(/\/$/, '');
      assert.equal(plain(request.url), plain(expect.json.raw_url ?? expect.json.url), id);
      assert.equal(request.method.toLowerCase(), expect.json.method, id);
      for (const [name, value] of Object.entries(expect.json.headers ?? {}))
        assert.equal(
          request.headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1],
          value,
          `${id} ${name}`,
        );
      if (typeof expect.json.data === 'string')
        assert.equal(shown(request.body ?? []), expect.json.data, id);
      else if (expect.json.data && request.body)
        assert.deepEqual(
          Object.fromEntries(new URLSearchParams(shown(request.body))),
          expect.json.data,
          id,
        );
      else if (expect.json.data)
        assert.deepEqual(
          Object.fromEntries(
            (request.form ?? [])
              .filter(({ file }) => !file)
              .map(({ name, value }) => [name, value]),
          ),
          expect.json.data,
          id,
        );
      for (const [name, file] of Object.entries(expect.json.files ?? {}))
        assert.equal(request.form?.find((field) => field.name === name)?.value, file, id);
      counts.json += 1;
    }
    if (expect.parsed) {
      const [{ urls, headers }] = expect.parsed;
      assert.equal(request.url.replace(/\/$/, ''), urls[0].url.replace(/\/$/, ''), id);
      assert.equal(request.method, urls[0].method, id);
      for (const [name, value] of headers.headers)
        if (value !== null)
          assert.equal(
            request.headers.find(
              ([known]) => known.toLowerCase() === String(name).toLowerCase(),
            )?.[1],
            value,
            `${id} ${name}`,
          );
      counts.parsed += 1;
    }
  }
  t.diagnostic(JSON.stringify(counts));
  assert.deepEqual(counts, { http: 63, json: 15, parsed: 7, accepted: 35 });
});

for (const [command, words] of /** @type {[string, string[]][]} */ ([
  [`curl 'a b' "c\\"d" e\\ f`, ['curl', 'a b', 'c"d', 'e f']],
  [`curl $'a\\'b\\n\\x41\\u00e9\\101'`, ['curl', "a'b\nAéA"]],
  ['curl a\\\n  b', ['curl', 'a', 'b']],
  [`curl "a\\\nb" 'c\\\nd'`, ['curl', 'ab', 'c\\\nd']],
  ['curl a # b', ['curl', 'a']],
  ['curl a#b', ['curl', 'a#b']],
  [`curl ''"" x''y`, ['curl', '', 'xy']],
  ['curl $"a"', ['curl', 'a']],
])) {
  test(`sh reads ${JSON.stringify(command)}`, () => {
    assert.deepEqual(
      shellCommands(command, 'sh', () => {})[0]?.words.map(({ text }) => text),
      words,
    );
  });
}

test('words as the shell itself splits them', (t) => {
  if (spawnSync('sh', ['-c', ':']).error) return t.skip('sh is not installed');
  const next = seeded(13);
  const pieces = ['a', ' ', '"', "'", '\\', '"x"', "'y'", '\\"', '=', '{', '#', '\t'];
  let compared = 0;
  for (let round = 0; round < 400; round++) {
    const command = `curl ${Array.from({ length: next(8) }, () => pieces[next(pieces.length)]).join('')}`;
    if (command.endsWith('\\')) continue;
    const { status, stdout } = spawnSync(
      'sh',
      ['-c', `curl() { printf '%s\\0' curl "$@"; }\n${command}`],
      { encoding: 'utf8' },
    );
    if (status !== 0)
      assert.throws(() => shellCommands(command, 'sh', () => {}), /not closed/, command);
    else {
      const words = shellCommands(command, 'sh', () => {})[0]?.words.map(({ text }) => text);
      assert.deepEqual(words, stdout.split('\0').slice(0, -1), command);
      compared += 1;
    }
  }
  assert.ok(compared > 100);
});

test('cmd and PowerShell', () => {
  const body = (/** @type {string} */ command, /** @type {'cmd' | 'powershell'} */ shell) =>
    shown(first(command, shell)?.body ?? []);
  assert.equal(
    body('curl ^"http://a/^" ^\r\n  --data-raw ^"^{^\\^"a^\\^":1^}^"', 'cmd'),
    '{"a":1}',
  );
  assert.equal(body('curl http://a -d "{\\"a\\": 1}"', 'cmd'), '{"a": 1}');
  assert.equal(body('curl http://a -d "say ""hi"""', 'cmd'), 'say "hi"');
  assert.equal(body("curl http://a `\n  -d 'it''s'", 'powershell'), "it's");
  assert.equal(body('curl http://a -d "a`"b`n"', 'powershell'), 'a"b\n');
});

test('combinations of options', () => {
  const header = (/** @type {string} */ command, /** @type {string} */ name) =>
    first(command).headers.find(([known]) => known === name)?.[1];
  assert.equal(first('curl -sSLXPUT http://a').method, 'PUT');
  assert.equal(first('curl -I http://a').method, 'HEAD');
  assert.equal(first('curl -d@f http://a').body?.length, 1);
  assert.equal(
    first('curl http://a/?x -G -d a=b --data-urlencode "q=ü &"').url,
    'http://a/?x&a=b&q=%C3%BC+%26',
  );
  const login = (/** @type {string} */ command) => {
    const { user, password, scheme } = first(command).login ?? {};
    return `${scheme} ${user}:${password}`;
  };
  assert.equal(login('curl -u a http://a'), 'Basic a:');
  assert.equal(login('curl -u a:b:c http://u:p@a/'), 'Basic a:b:c');
  assert.equal(login('curl http://u:%C3%BC@a/'), 'Basic u:ü');
  assert.equal(login('curl --digest -u a:b http://a'), 'Digest a:b');
  assert.equal(first('curl --aws-sigv4 aws:amz -u a:b http://a').login, undefined);
  assert.equal(first('curl -u a:b -H "Authorization: x" http://a').login, undefined);
  assert.equal(header('curl --oauth2-bearer t -u a:b http://a', 'Authorization'), 'Bearer t');
  assert.equal(first('curl http://u:p@a/x').url, 'http://a/x');
  assert.equal(header('curl -b a=1 -b b=2 http://a', 'Cookie'), 'a=1; b=2');
  assert.equal(header('curl -e http://r\\;auto http://a', 'Referer'), 'http://r');
  assert.equal(
    header('curl -d x -H "Content-Type: text/plain" http://a', 'Content-Type'),
    'text/plain',
  );
  assert.deepEqual(first('curl -H "Accept:" http://a').removed, ['accept']);
  assert.equal(first('curl --http2 http://a').http, '2');
  assert.equal(first('curl -x p:1 -U u:p http://a').proxy, 'http://u:p@p:1');
  assert.equal(first('curl --socks5 p:1 http://a').proxy, 'socks5://p:1');
  assert.deepEqual(
    [
      first('curl -m 2.5 --connect-timeout 1 http://a').timeout,
      first('curl --connect-timeout 1 http://a').connectTimeout,
    ],
    [2.5, 1],
  );
  assert.equal(parse('curl http://a http://b --next -d x http://c').length, 3);
  assert.equal(bodyText(first('curl http://a -d @- <<E\nline\nE\n')), 'line\n');
  assert.equal(first('curl -k http://a').insecure, true);
  assert.equal(first('curl --location --no-location http://a').follow, false);
});

/** Texts that would break out of an unescaped literal. */
const HOSTILE = [
  '"',
  "'",
  '\\',
  '\\"',
  "\\'",
  '`',
  '$x',
  `$${'{x}'}`,
  '$(x)',
  '#{x}',
  '\\(x)',
  '"+x+"',
  "'+x+'",
  '\n',
  '\r',
  '\t',
  '\u2028',
  '\u007f',
  '\u0001',
  '*/',
  '<?php ?>',
  '</script>',
  '%s',
  '{0}',
  '😀',
  'ü',
  "'@",
  '\u2019',
  '";x;"',
  ' ',
];
const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {string} text @param {keyof typeof LANGUAGES} language */
async function codeFor(text, language) {
  const header = text.replace(/[\r\n]/g, '');
  const command = `curl http://h.example/ -H ${quoted(`X-Test: ${header}`)} --data-raw ${quoted(text)}`;
  const { outputs, refusal } = await runTool(tool, { command, language });
  assert.equal(refusal, undefined, String(refusal?.sentence));
  return outputs.code.text;
}

test('hostile texts stay texts: JavaScript', async () => {
  for (const text of HOSTILE) {
    const code = await codeFor(text, 'fetch');
    /** @type {any} */
    let seen;
    const fetch = async (/** @type {string} */ url, /** @type {any} */ options) => {
      seen = { url, ...options };
      return { status: 200, text: async () => '' };
    };
    await runInNewContext(`(async () => {${code}})()`, { fetch, console: { log() {} } });
    assert.equal(seen.body, text);
    const header = text.replace(/[\r\n]/g, '').trim();
    if (header) assert.deepEqual(Object.entries(seen.headers)[0], ['X-Test', header]);
  }
});

test('hostile texts stay texts: Python', async (t) => {
  const codes = [];
  for (const text of HOSTILE)
    for (const language of /** @type {const} */ (['requests', 'httpx']))
      codes.push([language, await codeFor(text, language), text]);
  const program = `
import ast, json, sys
for language, code, text in json.load(sys.stdin):
    tree = ast.parse(code)
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert text in texts, (language, text, code)
print("ok")`;
  const { error, stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(codes),
    encoding: 'utf8',
  });
  if (error) return t.skip('python3 is not installed');
  assert.equal(stdout.trim(), 'ok', stderr);
});

test('hostile texts stay texts: commands for a shell', async (t) => {
  if (spawnSync('sh', ['-c', ':']).error) return t.skip('sh is not installed');
  for (const text of HOSTILE) {
    for (const [language, program, argument] of /** @type {const} */ ([
      ['wget', 'wget', '--body-data='],
      ['httpie', 'http', '--raw='],
      ['curl', 'curl', ''],
    ])) {
      const code = await codeFor(text, language);
      const { stdout, status } = spawnSync(
        'sh',
        ['-c', `${program}() { printf '%s\\0' "$@"; }\n${code}`],
        { encoding: 'utf8' },
      );
      assert.equal(status, 0, code);
      assert.ok(
        stdout.split('\0').includes(argument + text),
        `${language}: ${JSON.stringify(text)}`,
      );
    }
  }
});

test('hostile texts stay texts: Rust parses', async (t) => {
  const code = (await Promise.all(HOSTILE.map((text) => codeFor(text, 'rust'))))
    .map((one, index) => one.replace('fn main', `fn main${index}`))
    .join('\n');
  const { error, status, stderr } = spawnSync(
    'rustfmt',
    ['--edition', '2021', '--emit', 'stdout'],
    { input: code, encoding: 'utf8' },
  );
  if (error) return t.skip('rustfmt is not installed');
  assert.equal(status, 0, stderr);
});

test('hostile texts stay texts: literals of the other languages are closed and escaped', async () => {
  for (const text of HOSTILE) {
    const kotlin = await codeFor(text, 'kotlin');
    assert.doesNotMatch(kotlin.replaceAll('\\\\', '').replaceAll('\\$', ''), /\$\{?x/, kotlin);
    const php = await codeFor(text, 'php');
    assert.ok(php.includes(`'${text.replace(/[\\']/g, '\\$&')}'`));
    const swift = await codeFor(text, 'swift');
    assert.doesNotMatch(swift.replaceAll('\\\\', ''), /\\\(/);
    const power = await codeFor(text, 'powershell');
    assert.ok(power.includes(`'${text.replace(/['\u2019]/g, '$&$&')}'`));
    for (const language of /** @type {const} */ (['go', 'java', 'csharp']))
      assert.ok(
        (await codeFor(text, language)).includes(
          JSON.stringify(text).replace('\u007f', '\\u007f').replace('\u2028', '\\u2028'),
        ),
        language,
      );
  }
});

test('every language expresses every kind of request, deterministically', async () => {
  const commands = [
    'curl http://a',
    'curl -I http://a',
    'curl -d a=1 http://a',
    'curl -F a=1 -F b=@f.png http://a',
    'curl -T f http://a/',
    'curl -d @f http://a',
    'curl -kL -m 1 --connect-timeout 2 -x p:1 --http2 --compressed --max-redirs 3 http://a',
    "curl -X PATCH -H 'X: 1' http://a",
  ];
  for (const language of /** @type {(keyof typeof LANGUAGES)[]} */ (Object.keys(LANGUAGES))) {
    for (const command of commands) {
      const once = await runTool(tool, { command, language });
      assert.equal(once.refusal, undefined, `${language} ${command}`);
      assert.ok(once.outputs.code.text.length > 20);
      assert.doesNotMatch(once.outputs.code.text, /undefined|\[object/, `${language} ${command}`);
      assert.deepEqual((await runTool(tool, { command, language })).outputs, once.outputs);
    }
  }
});

test('the tidied command makes the same request', async (t) => {
  const cases = suite(t, 'curl_commands');
  if (!cases) return;
  for (const { id, input } of cases) {
    const request = first(input.replace(/^echo.*?\| /, ''));
    if (/@|<|\[/.test(bodyText(request) ?? '') || request.form) continue;
    const again = first(LANGUAGES.curl.code(request));
    const view = (/** @type {Request} */ one) => ({
      ...one,
      body: one.body && shown(one.body),
      headers: one.headers.toSorted(),
      others: [],
      upload: undefined,
    });
    if (request.upload === undefined && !request.headers.some(([, value]) => value === ''))
      assert.deepEqual(view(again), view(request), id);
  }
});

test('a hyphen apart from its option is put to it, and told', async () => {
  const { outputs, warnings } = await runTool(tool, {
    command: "curl - X PUT - H 'A: b' -- data c https://a.test/x -T -",
    language: 'http',
  });
  assert.match(outputs.code.text, /^PUT \/x HTTP/);
  assert.match(outputs.code.text, /^A: b$/m);
  assert.deepEqual(warnings.slice(0, 3), [
    '"- X" was read as "-X".',
    '"- H" was read as "-H".',
    '"-- data" was read as "--data".',
  ]);
});

test('secrets are masked in the summary, warnings say what is left out', async () => {
  const { outputs } = await runTool(tool, { command: 'curl -u a:canary -b s=canary http://a' });
  assert.doesNotMatch(JSON.stringify(outputs.summary), /canary/);
  const warned = async (
    /** @type {string} */ command,
    language = /** @type {keyof typeof LANGUAGES} */ ('fetch'),
  ) => String((await runTool(tool, { command, language })).warnings);
  assert.match(await warned('curl -k -x p:1 http://a'), /leaves out -k, --proxy/);
  assert.match(await warned('curl --frobnicate -& http://a'), /--frobnicate is not known/);
  assert.match(await warned('curl -H "A: $TOKEN" http://a/$(id)'), /\$TOKEN, \$\(id\)/);
  assert.match(await warned('curl --cert c http://a'), /--cert/);
  assert.match(await warned('curl http://a/[1-3]'), /pattern/);
  assert.match(await warned('curl -F f=@x.png http://a', 'go'), /x\.png must be put in/);
  const two = await runTool(tool, { command: 'curl http://a http://b', request: 2 });
  assert.deepEqual(two.outputs.took, took('Request 2 of 2', { field: 'request' }));
  assert.match(two.outputs.code.text, /http:\/\/b/);
  assert.equal(await warned('curl -sSiv http://a'), '');
  assert.match(
    await warned('curl -sSo out -w %{http_code} -D h -O --resolve a:1:b http://a'),
    /fetch\) leaves out --output, --write-out, --dump-header, --remote-name, --resolve\.$/,
  );
  assert.match(
    await warned('curl --ntlm -u a:b http://a', 'go'),
    /leaves out the NTLM login of "a"/,
  );
  assert.match(await warned('curl --aws-sigv4 x -u a:b http://a'), /leaves out --aws-sigv4/);
});

test('the type of a form is left to the language that builds the form', async () => {
  const command = `curl -H 'Content-Type: multipart/form-data' -F a=b https://a.test/`;
  for (const language of /** @type {const} */ (['fetch', 'php', 'powershell', 'httpie'])) {
    const { outputs } = await runTool(tool, { command, language });
    assert.doesNotMatch(outputs.code.text, /multipart\/form-data/, language);
  }
});

test('a login is a pair of values in every language, never ready Base64', async () => {
  const ready = Buffer.from('$USER:p"ü').toString('base64');
  for (const language of /** @type {(keyof typeof LANGUAGES)[]} */ (Object.keys(LANGUAGES))) {
    const command = `curl -u '$USER:p"ü' https://a.test/`;
    const { outputs, warnings } = await runTool(tool, { command, language });
    assert.match(outputs.code.text, /USER/, language);
    assert.doesNotMatch(outputs.code.text, new RegExp(ready), language);
    const isWire = ['http', 'har'].includes(language);
    assert.equal(/Base64/.test(warnings.join()), isWire, language);
  }
  const code = async (/** @type {string} */ options, /** @type {'requests'} */ language) =>
    (await runTool(tool, { command: `curl ${options} https://a.test/`, language })).outputs.code
      .text;
  assert.match(await code('--digest -u a:b', 'requests'), /auth=HTTPDigestAuth\("a", "b"\)/);
  const tls = '--cert a.pem --key b.pem --cacert ca.pem --resolve a:1:b';
  assert.match(await code(tls, 'requests'), /cert=\("a\.pem", "b\.pem"\),\s+verify="ca\.pem"/);
  assert.match(
    await code(tls, /** @type {any} */ ('curl')),
    /--cacert ca\.pem \\\n {2}--resolve a:1:b/,
  );
});

test('commands are read as cmd.exe, word processors and prompts leave them', async () => {
  const bodyOf = async (/** @type {string} */ command) => {
    const { outputs, refusal, warnings } = await runTool(tool, { command, language: 'har' });
    assert.equal(refusal, undefined, String(refusal?.sentence));
    const { request } = JSON.parse(outputs.code.text).log.entries[0];
    return { ...request, text: request.postData?.text, warnings: warnings.join() };
  };
  const body = '{"a":"b c","n":[1]}';
  const doubled = await bodyOf(`curl "http://a/" -d "${body.replaceAll('"', '""')}"`);
  assert.equal(doubled.text, body);
  const old = body.replaceAll(/[^\w\s":,]/g, '^$&').replaceAll('"', '^\\^"');
  assert.equal((await bodyOf(`curl "http://a/?x=%^20y" ^\r\n -d "${old}"`)).text, body);
  assert.equal((await bodyOf(`curl ^"http://a/^" ^\n -d ^"${old}^"`)).text, body);
  const typed = await bodyOf('curl –X PUT —data “x” —header ‘A: “b”’ http://a/');
  assert.deepEqual([typed.method, typed.text], ['PUT', 'x']);
  assert.ok(typed.headers.some((/** @type {any} */ { value }) => value === '"b"'));
  assert.match(typed.warnings, /Typographic quotes \(“”\) and dashes/);
  const kept = await bodyOf("curl -d 'it’s “so” – x' http://a/");
  assert.deepEqual([kept.text, kept.warnings], ['it’s “so” – x', '']);
  const broken = await bodyOf('curl http://a/ \\\n\n  -X PUT\n  -d x');
  assert.deepEqual([broken.method, broken.text], ['PUT', 'x']);
  assert.match(broken.warnings, /A line break ends the command/);
  for (const prompt of ['$ ', '> ', 'PS C:\\> ', 'C:\\Users\\me>', 'me@host:~# ', '```bash\n'])
    assert.equal((await bodyOf(`${prompt}curl http://a/`)).url, 'http://a/');
});

test('bytes of ANSI-C quoting are UTF-8 text', async () => {
  const text = async (/** @type {string} */ quoted) => {
    const { outputs, warnings } = await runTool(tool, {
      command: `curl http://a -d $'${quoted}'`,
      language: 'http',
    });
    return [outputs.code.text.split('\r\n\r\n')[1].trim(), warnings.join()];
  };
  assert.deepEqual(await text('\\xc3\\xa9\\303\\251\\u00e9\\ud83d\\ude00\\U1F600\\x41'), [
    'ééé😀😀A',
    '',
  ]);
  const [latin, warning] = await text('a\\xe9b');
  assert.equal(latin, 'aéb');
  assert.match(warning ?? '', /are not UTF-8 text/);
});

for (const [command, offence, offset] of /** @type {[string, RegExp, number?][]} */ ([
  ['wget http://a', /no curl command/, 0],
  ['curl', /no address/],
  ['curl -L -k', /no address/],
  ["curl 'http://a", /opening ' that is not closed/, 5],
  ['curl "http://a', /opening " that is not closed/, 5],
  ["curl $'a", /not closed/, 6],
  ['curl http://a -d `x', /opening ` that is not closed/, 17],
  ['curl http://a -H', /option -H without its value/, 14],
  ['curl http://a --data', /option --data without its value/, 14],
  ['curl http://a -F abc', /form field "abc" without "="/],
  ['echo curl', /no curl command/],
])) {
  test(`refuses ${command}`, async () => {
    const { refusal } = await runTool(tool, { command });
    assert.equal(refusal?.field, 'command', String(refusal?.sentence));
    assert.match(refusal?.sentence ?? '', offence);
    if (offset !== undefined) assert.equal(refusal?.offset, offset);
  });
}

test('hostile commands of a mebibyte take a time that grows with it', async () => {
  for (const part of ['{a,', '[', '-H a:b ', '(', "$'", '`']) {
    const command = `curl http://a ${part.repeat((1 << 20) / part.length - 8)}`;
    await inLinearTime(() => runTool(tool, { command }), part);
  }
  assert.match(
    (await runTool(tool, { command: `curl ${'a '.repeat(1001)}` })).refusal?.sentence ?? '',
    /1001 addresses; 1000/,
  );
  assert.equal((await runTool(tool, { command: `curl ${'a '.repeat(1000)}` })).refusal, undefined);
});

test('limits: 1 MiB of command, and one byte more; requests by number', async () => {
  const command = `curl http://a -d ${'x'.repeat((1 << 20) - 17)}`;
  assert.equal((await runTool(tool, { command })).refusal, undefined);
  assert.equal((await runTool(tool, { command: `${command}x` })).refusal?.field, 'command');
  assert.match(
    (await runTool(tool, { command: 'curl http://a http://b', request: 2 })).outputs.code.text,
    /http:\/\/b/,
  );
  assert.match(
    (await runTool(tool, { command: 'curl http://a', request: 2 })).refusal?.sentence ?? '',
    /^Request must be 1: the command makes no more/,
  );
});

/** @param {string} command @param {string} language */
async function codeOf(command, language) {
  const { outputs, warnings, refusal } = await runTool(tool, {
    command,
    language: /** @type {any} */ (language),
  });
  assert.equal(refusal, undefined, refusal?.sentence ?? '');
  return { code: outputs.code.text, warnings };
}

test('-F name=<file is the content of the file, not an upload', async () => {
  const command = "curl http://h.example/ -F 'g=<f.txt'";
  for (const [language, wanted] of /** @type {[string, RegExp][]} */ ([
    ['fetch', /form\.append\("g", await readFile\("f\.txt", "utf8"\)\);/],
    ['axios', /form\.append\("g", await readFile\("f\.txt", "utf8"\)\);/],
    ['requests', /\("g", \(None, open\("f\.txt", "rb"\)\)\)/],
    ['httpx', /\("g", \(None, open\("f\.txt", "rb"\)\)\)/],
    ['php', /'g' => file_get_contents\('f\.txt'\)/],
    ['powershell', /'g' = Get-Content -Raw -LiteralPath 'f\.txt'/],
    ['httpie', /g=@f\.txt/],
    ['curl', /--form 'g=<f\.txt'/],
    ['http', /name="g"\r\n\r\n@f\.txt/],
  ]))
    assert.match((await codeOf(command, language)).code, wanted, language);
});

test('repeated headers are kept, or the code says that it joins them', async () => {
  const command = "curl http://h.example/ -H 'X: 1' -H 'X: 2'";
  assert.match((await codeOf(command, 'httpx')).code, /\("X", "1"\),\s+\("X", "2"\),/);
  for (const language of ['requests', 'axios', 'powershell']) {
    const { code, warnings } = await codeOf(command, language);
    assert.match(code, /X.*1, 2/, language);
    assert.match(warnings.join(), /sends repeated headers as one, joined by commas/, language);
  }
  assert.deepEqual((await codeOf(command, 'curl')).warnings, []);
});

test('the tidied command keeps what -T, -g and -d @file mean', async () => {
  const tidied = async (/** @type {string} */ command) => (await codeOf(command, 'curl')).code;
  assert.match(await tidied('curl -T f.txt http://h.example/a'), /--upload-file f\.txt/);
  assert.match(await tidied("curl -g 'http://h.example/a[1]'"), /--globoff/);
  assert.match(await tidied('curl -d @f.txt http://h.example/'), /--data @f\.txt/);
  assert.match(
    await tidied('curl --data-binary @f.txt http://h.example/'),
    /--data-binary @f\.txt/,
  );
  const { warnings } = await codeOf('curl -d @f.txt http://h.example/', 'fetch');
  assert.match(warnings.join(), /curl leaves out the line breaks of f\.txt; this code sends them/);
});

test('what an echo server was sent by curl: spaces of --data-urlencode, -g, the type of a field', async () => {
  const body = first("curl http://a --data-urlencode 'q=a b&c'").body;
  assert.deepEqual(body, [{ text: 'q=a+b%26c' }]);
  const globs = await runTool(tool, { command: "curl -g 'http://a/[1-3]'", language: 'curl' });
  assert.deepEqual(globs.warnings, []);
  const command = "curl http://a -F 'a=x;type=text/html'";
  const same = await runTool(tool, { command, language: 'curl' });
  assert.match(same.outputs.code.text, /--form 'a="x";type=text\/html'/);
  const less = await runTool(tool, { command, language: 'fetch' });
  assert.match(String(less.warnings), /leaves out the type of form fields/);
});
