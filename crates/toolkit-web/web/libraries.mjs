// Build of the npm libraries: one minified ES module per entry of libraries.json.
//
//     node libraries.mjs FOLDER [--bless] [--dev]
//
// writes FOLDER/libraries/NAME.js with its types in NAME.d.ts, and FOLDER/libraries/licenses.txt, unless they
// were built from these files.
// Packages are installed below FOLDER, and nothing is written elsewhere, except with --bless, which
// updates the digests in libraries.json to those of the modules just built. --dev also installs the
// tools that check and test the pages, and writes FOLDER/tsconfig.json for the type check.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = dirname(fileURLToPath(import.meta.url));
const LIST = join(SOURCE, 'libraries.json');
const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc'];

const isBlessed = process.argv.includes('--bless');
const isDevelopment = process.argv.includes('--dev');
const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (!folder) fail('usage: node libraries.mjs FOLDER [--bless] [--dev]');
const OUT = resolve(folder);

/** Lets esbuild import YAML as data. */
const yamlFiles = {
  name: 'yaml',
  setup(build) {
    build.onLoad({ filter: /\.yaml$/ }, async ({ path }) => {
      const yaml = await import(createRequire(join(OUT, 'package.json')).resolve('yaml'));
      return { contents: JSON.stringify(yaml.parse(readFileSync(path, 'utf8'))), loader: 'json' };
    });
  },
};

install();
await build();

/** Exits with 3 when npm or the registry is unavailable, with 1 when the files are at fault. */
function fail(sentence, code = 1) {
  console.error(sentence);
  process.exit(code);
}

/** Runs `npm ci` in the output folder, unless the installed packages match the lock file. */
function install() {
  const stamp = join(OUT, 'installed');
  const wanted = digest(
    MANIFESTS.map((name) => readFileSync(join(SOURCE, name), 'utf8')).join('\0'),
  );
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  if (installed[0] === wanted && (installed[1] === 'dev' || !isDevelopment)) return;
  mkdirSync(OUT, { recursive: true });
  rmSync(stamp, { force: true });
  for (const name of MANIFESTS) copyFileSync(join(SOURCE, name), join(OUT, name));
  const scope = isDevelopment ? [] : ['--omit=dev'];
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=0',
  ];
  const npm = spawnSync('npm', ['ci', ...options, ...scope], {
    cwd: OUT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.error) fail(`npm cannot be started: ${npm.error.message}`, 3);
  if (npm.status !== 0) fail('npm ci failed; is the registry out of reach?', 3);
  writeFileSync(stamp, `${wanted} ${isDevelopment ? 'dev' : 'build'}`);
}

async function build() {
  if (isDevelopment) writeFileSync(join(OUT, 'tsconfig.json'), tsconfig());
  const list = JSON.parse(readFileSync(LIST, 'utf8'));
  const target = join(OUT, 'libraries');
  const stamp = join(target, 'stamp');
  const inputs = [
    ...MANIFESTS.map((name) => join(SOURCE, name)),
    LIST,
    fileURLToPath(import.meta.url),
  ];
  const wanted = digest(inputs.map((file) => readFileSync(file, 'utf8')).join('\0'));
  if (!isBlessed && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const { default: esbuild } = await import(
    createRequire(join(OUT, 'package.json')).resolve('esbuild')
  );
  const packages = new Set();
  const changed = [];
  for (const [name, library] of Object.entries(list.libraries)) {
    const { module, inputs } = await bundle(esbuild, name, library);
    for (const input of inputs) packages.add(packageOf(input));
    const sha256 = digest(module);
    if (library.sha256 !== sha256) changed.push(`${name}: ${sha256}`);
    library.sha256 = sha256;
    writeFileSync(join(target, `${name}.js`), module);
    writeFileSync(join(target, `${name}.d.ts`), declarations(library));
  }
  writeFileSync(join(target, 'licenses.txt'), licenses(packages, list));
  if (isBlessed) writeFileSync(LIST, format(list));
  else if (changed.length > 0)
    fail(`modules with another SHA-256 than in libraries.json:\n${changed.join('\n')}`);
  else writeFileSync(stamp, wanted);
}

async function bundle(esbuild, name, library) {
  const result = await esbuild.build({
    stdin: { contents: entry(library.exports), resolveDir: OUT, sourcefile: `${name}.js` },
    absWorkingDir: OUT,
    bundle: true,
    charset: 'utf8',
    conditions: ['worker', 'module'],
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    minify: true,
    platform: 'browser',
    plugins: [yamlFiles],
    target: 'es2023',
    write: false,
  });
  const inputs = Object.keys(result.metafile.inputs).filter((input) =>
    input.includes('node_modules/'),
  );
  return { module: result.outputFiles[0].text, inputs };
}

/** Entry module for esbuild: exports the names in the list and nothing else. */
function entry(exports) {
  const lines = Object.entries(exports).flatMap(([from, names]) => {
    const named = names.filter((name) => name !== '*');
    const lines = names.includes('*') ? [`export * from '${from}';`] : [];
    return named.length ? [...lines, `export { ${named.join(', ')} } from '${from}';`] : lines;
  });
  return lines.join('\n');
}

/** The same module for the type checker, with the paths of the packages' types; data has none. */
function declarations(library) {
  const isData = Object.keys(library.exports).some((from) => /\.(json|yaml)$/.test(from));
  return isData
    ? '/** @type {any} */\ndeclare const data: any;\nexport default data;\n'
    : `${entry(library.types ?? library.exports)}\n`;
}

/** Folder of the package that contains a file, relative to the output folder. */
function packageOf(input) {
  const end = input.lastIndexOf('node_modules/') + 'node_modules/'.length;
  const segments = input.slice(end).split('/');
  return input.slice(0, end) + segments.slice(0, segments[0].startsWith('@') ? 2 : 1).join('/');
}

/** Texts of all licenses. A package without an accepted license fails the build. */
function licenses(packages, list) {
  const sections = [...packages].sort().map((path) => {
    const manifest = JSON.parse(readFileSync(join(OUT, path, 'package.json'), 'utf8'));
    const clarified = list.clarify[manifest.name];
    const expression = clarified?.license ?? declared(manifest);
    if (!isAccepted(expression, list.licenses))
      fail(`${manifest.name}: the license ${expression} is not accepted`);
    const text = clarified?.notice ?? licenseText(path) ?? `By ${author(manifest)}.`;
    return `${manifest.name} ${manifest.version}\n${expression}\n\n${text.trim()}\n`;
  });
  return sections.join(`\n${'-'.repeat(80)}\n\n`);
}

function declared(manifest) {
  return (
    manifest.license ?? manifest.licenses?.map((license) => license.type).join(' OR ') ?? 'unknown'
  );
}

/** One alternative of an OR is enough; of an AND all count. */
function isAccepted(expression, accepted) {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((names) => names.split(' AND ').every((name) => accepted.includes(name.trim())));
}

function licenseText(path) {
  const file = readdirSync(join(OUT, path))
    .sort()
    .find((name) => /^licen[cs]e/i.test(name));
  return file && readFileSync(join(OUT, path, file), 'utf8');
}

function author({ author, name }) {
  return (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
}

/**
 * Options of the type checker: web/tsconfig.json, with the folders of the libraries and their
 * types.
 */
function tsconfig() {
  const base = join(SOURCE, 'tsconfig.json');
  const { include } = JSON.parse(readFileSync(base, 'utf8'));
  const config = {
    extends: base,
    compilerOptions: {
      rootDirs: [SOURCE, OUT],
      typeRoots: [join(OUT, 'node_modules/@types')],
      // Imported by tests, from outside the output folder.
      paths: {
        'css-tree': [join(OUT, 'node_modules/@types/css-tree')],
        'playwright-core': [join(OUT, 'node_modules/playwright-core')],
      },
    },
    include: include.map((path) => join(SOURCE, path)),
    exclude: [],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** libraries.json with one line per library. */
function format({ licenses, clarify, libraries }) {
  const names = Object.keys(libraries).sort();
  const lines = names.map(
    (name) => `    ${JSON.stringify(name)}: ${JSON.stringify(libraries[name])}`,
  );
  const indented = (value) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
  const head = `{\n  "licenses": ${indented(licenses)},\n  "clarify": ${indented(clarify)},\n`;
  return `${head}  "libraries": {\n${lines.join(',\n')}\n  }\n}\n`;
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}
