//! cURL Converter: the generated code is parsed by the programs of each language, or by its
//! grammar, with every kind of request and with hostile texts. Programs that are not installed are
//! reported as skipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { require, runTool } from '../../../tests/run.mjs';
import { LANGUAGES } from '../code.js';
import tool from '../tool.js';

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
 * Checks each code with a program that receives the path of a file.
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
test('the shell parses HTTPie, wget and curl', async (t) => {
  for (const language of /** @type {const} */ (['httpie', 'wget', 'curl']))
    await check(t, ['bash', '-n'], language);
});
test('HAR is JSON', async () => {
  for (const code of await codes('har')) assert.equal(JSON.parse(code).log.version, '1.2');
});

const GRAMMARS = /** @type {const} */ ({
  csharp: 'tree-sitter-wasms/out/tree-sitter-c_sharp.wasm',
  go: 'tree-sitter-wasms/out/tree-sitter-go.wasm',
  kotlin: 'tree-sitter-wasms/out/tree-sitter-kotlin.wasm',
  php: 'tree-sitter-wasms/out/tree-sitter-php.wasm',
  powershell: 'tree-sitter-powershell/tree-sitter-powershell.wasm',
  ruby: 'tree-sitter-wasms/out/tree-sitter-ruby.wasm',
  swift: 'tree-sitter-wasms/out/tree-sitter-swift.wasm',
});
/** Node kinds that a literal contains depending on its text. */
const IN_LITERALS = /escape|_content$|fragment|line_str_text|character/;
/** Headers whose texts differ only in their characters. @param {string} text */
const commandOf = (text) =>
  `curl http://h.example/ -A ${quote(text)} -H ${quote(`X-Test: ${text}`)} --data-raw ${quote(text)}`;
/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

for (const [name, grammar] of Object.entries(GRAMMARS)) {
  const language = /** @type {keyof typeof GRAMMARS} */ (name);
  test(`a grammar of ${LANGUAGES[language].name} reads the code, and hostile texts stay literals`, async () => {
    const { Language, Parser } = require(require.resolve('web-tree-sitter'));
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(await Language.load(readFileSync(require.resolve(grammar))));
    const root = (/** @type {string} */ code) => parser.parse(code).rootNode;
    /** The kinds of nodes, down to the literals. @param {any} node @returns {string[]} */
    const shape = (node) =>
      node.namedChildren.flatMap((/** @type {any} */ child) =>
        IN_LITERALS.test(child.type) ? [] : [child.type, ...shape(child)],
      );

    const all = await codes(language);
    for (const code of all) assert.equal(root(code).hasError, false, code);
    // The grammar is strict enough to be useful: it rejects the code without its last quotation
    // mark.
    const [code = ''] = all;
    const at = Math.max(code.lastIndexOf('"'), code.lastIndexOf("'"));
    assert.equal(root(code.slice(0, at) + code.slice(at + 1)).hasError, true);

    const codeOf = async (/** @type {string} */ text) =>
      (await runTool(tool, { command: commandOf(text), language })).outputs.code.text;
    const wanted = shape(root(await codeOf('plain')));
    for (const text of HOSTILE.split(' ')) {
      const code = await codeOf(`a${text}z`);
      assert.deepEqual(shape(root(code)), wanted, code);
    }
  });
}
