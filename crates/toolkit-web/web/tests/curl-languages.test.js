//! cURL Converter: what it writes is read by the programs of the languages, with every kind of request
//! and with hostile texts. A program that is not installed is named as skipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LANGUAGES } from '../lib/code.js';
import tool from '../tools/curl-converter.js';
import { runTool } from './run.mjs';

const HOSTILE = `"'\\ \\" $x \${x} $(x) #{x} \\(x) "+x+" '+x+' \t */ <?php ?> </script> %s {0} 😀 ü \u2028 \u2019 \u007f '@ ";x;"`;
const quoted = `'${HOSTILE.replaceAll("'", "'\\''")}'`;
const COMMANDS = [
  'curl http://h.example/',
  'curl -I http://h.example/',
  'curl -d a=1 http://h.example/',
  'curl -F a=1 -F "b=@f.png;type=image/png" http://h.example/',
  'curl -T f http://h.example/',
  'curl -d @f http://h.example/',
  'curl -kL -m 1.5 --connect-timeout 2 -x http://p:1 --http2 --compressed --max-redirs 3 http://h.example/',
  "curl -X PATCH -H 'Content-Type: text/plain' -H 'X: 1' -H 'X: 2' -H 'Host: b' --json '{}' http://h.example/",
  `curl http://h.example/ -A ${quoted} -H ${`'X-Test: ${HOSTILE.replaceAll("'", "'\\''")}'`} --data-raw ${quoted}`,
  `curl http://h.example/ --data-raw 'a\nb\rc\u0001\b\f'`,
  `curl http://h.example/ -F ${`'${HOSTILE.replaceAll(/['="\\;@<]/g, '')}=x'`} --form-string ${`'n=${HOSTILE.replaceAll("'", "'\\''")}'`}`,
];

/** The codes for all commands. @param {keyof typeof LANGUAGES} language */
async function codes(language) {
  const found = [];
  for (const command of COMMANDS) {
    const { outputs, refusal } = await runTool(tool, { command, language });
    assert.equal(refusal, undefined, `${command}: ${refusal?.sentence}`);
    found.push(outputs.code.text);
  }
  return found;
}

/**
 * Checks each code by a program that gets the path of a file.
 * @param {import('node:test').TestContext} t @param {string[]} program
 * @param {keyof typeof LANGUAGES} language @param {boolean} [together] one call with all files
 */
async function check(t, program, language, together = false) {
  const [name = '', ...options] = program;
  if (spawnSync(name, ['--version']).error) return t.skip(`${name} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), 'curl-'));
  try {
    const files = (await codes(language)).map((code, at) => {
      const own = join(folder, String(at));
      mkdirSync(own);
      const file = join(own, LANGUAGES[language].file);
      writeFileSync(file, language === 'java' ? `package p${at};\n${code}` : `${code}\n`);
      return file;
    });
    for (const group of together ? [files] : files.map((file) => [file])) {
      const { status, stderr, stdout } = spawnSync(name, [...options, ...group], {
        encoding: 'utf8',
        cwd: folder,
      });
      assert.equal(status, 0, `${group}: ${stderr}${stdout}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PYTHON =
  'import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name, encoding="utf-8").read())';

test('Node parses fetch', (t) => check(t, ['node', '--check'], 'fetch'));
test('Node parses axios', (t) => check(t, ['node', '--check'], 'axios'));
test('Python parses requests', (t) => check(t, ['python3', '-c', PYTHON], 'requests', true));
test('Python parses httpx', (t) => check(t, ['python3', '-c', PYTHON], 'httpx', true));
test('javac compiles Java', (t) =>
  check(t, ['javac', '-encoding', 'UTF-8', '-d', '.'], 'java', true));
test('rustfmt parses Rust', (t) =>
  check(
    t,
    [
      'rustfmt',
      '--edition',
      '2021',
      '--check',
      '--quiet',
      '--config',
      'disable_all_formatting=true',
    ],
    'rust',
  ));
test('gofmt parses Go', (t) => check(t, ['gofmt', '-l', '-e'], 'go', true));
test('PHP parses PHP', (t) => check(t, ['php', '-l'], 'php'));
test('Ruby parses Ruby', (t) => check(t, ['ruby', '-c'], 'ruby'));
test('the shell parses HTTPie, wget and curl', async (t) => {
  for (const language of /** @type {const} */ (['httpie', 'wget', 'curl']))
    await check(t, ['bash', '-n'], language);
});
test('HAR is JSON', async () => {
  for (const code of await codes('har')) assert.equal(JSON.parse(code).log.version, '1.2');
});
