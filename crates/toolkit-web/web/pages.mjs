// Build of the pages' own modules and style sheets, minified: what a page loads together is one module.
//
//     node pages.mjs FOLDER
//
// writes FOLDER/pages/ from the files beside this script, and FOLDER/manifest.txt: a line for each module,
// with the modules that it imports at the start. esbuild and the libraries have been put into FOLDER by
// libraries.mjs.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaredBy } from './kit/search.js';

const SOURCE = dirname(fileURLToPath(import.meta.url));
const OUT = resolve(process.argv[2] ?? fail('usage: node pages.mjs FOLDER'));
const PAGES = join(OUT, 'pages');
/**
 * The kit: what a page loads together is one module, with the name of the group. What is in none is loaded
 * later, and split off.
 */
const GROUPS = {
  page: ['kit/page', 'kit/el', 'kit/lazy', 'kit/policy', 'kit/star', 'kit/store', 'kit/words'],
  'tool-page': [
    'kit/tool-page',
    'kit/control',
    'kit/controls',
    'kit/files-control',
    'kit/form',
    'kit/keep',
    'kit/rows-control',
    'kit/toolbar',
    'kit/copy-redacted',
  ],
  calls: ['kit/calls'],
  home: ['kit/home'],
  tool: ['kit/tool'],
  worker: ['kit/worker', 'kit/values'],
  // Of a page that is given a file, and its worker.
  decode: ['kit/decode', 'lib/utf8'],
  detector: ['kit/detector', 'kit/tokens', 'lib/detect/detect'],
  // After the first touch or run.
  offline: ['kit/offline'],
  output: ['kit/output', 'kit/draw', 'kit/save', 'kit/tabs', 'kit/worker-client'],
  preview: ['kit/preview'],
  send: ['kit/send', 'kit/detector-client', 'kit/handoff', 'kit/highlight'],
};
const { libraries } = JSON.parse(readFileSync(join(SOURCE, 'libraries.json'), 'utf8'));
const { default: esbuild } = await import(
  createRequire(join(OUT, 'package.json')).resolve('esbuild')
);

rmSync(PAGES, { recursive: true, force: true });
mkdirSync(PAGES, { recursive: true });
const tools = readdirSync(join(SOURCE, 'tools')).map((slug) => `tools/${slug}`);
const declared = Object.fromEntries(
  await Promise.all(
    tools.map(async (tool) => [
      tool.slice('tools/'.length),
      declaredBy((await import(`./${tool}/tool.js`)).default),
    ]),
  ),
);
const styles = [
  ...readdirSync(join(SOURCE, 'style'))
    .filter((name) => name.endsWith('.css'))
    .map((name) => `style/${name}`),
  ...tools.map((tool) => `${tool}/style.css`).filter(isSource),
];
const built = await Promise.all([
  bundle('kit', GROUPS, ofGroups()),
  ...tools.map((tool) =>
    bundle(
      tool,
      { tool: GROUPS.tool },
      entries([`${tool}/tool`, `${tool}/view`].filter((path) => isSource(`${path}.js`))),
    ),
  ),
]);
await Promise.all([
  // Not a module: it runs before the first paint.
  minify('kit/theme.js'),
  // With the parts that they import: a page loads two of them.
  esbuild.build({
    absWorkingDir: SOURCE,
    bundle: true,
    charset: 'utf8',
    entryPoints: styles,
    logLevel: 'error',
    minify: true,
    outbase: SOURCE,
    outdir: PAGES,
    target: 'es2023',
  }),
]);
writeFileSync(join(OUT, 'manifest.txt'), built.flat().sort().join(''));

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function isSource(path) {
  return existsSync(join(SOURCE, path));
}

function ofGroups() {
  return Object.fromEntries(Object.keys(GROUPS).map((name) => [`kit/${name}`, `group:${name}`]));
}

function entries(paths) {
  return Object.fromEntries(paths.map((path) => [path, `./${path}.js`]));
}

/** Builds modules of a folder into the same folder of the output. */
async function bundle(folder, groups, entryPoints) {
  const { metafile } = await esbuild.build({
    absWorkingDir: SOURCE,
    bundle: true,
    charset: 'utf8',
    chunkNames: `${folder}/[name]-[hash]`,
    entryPoints,
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    minify: true,
    outdir: PAGES,
    platform: 'browser',
    plugins: [apart(groups, '../'.repeat(folder.split('/').length))],
    splitting: true,
    target: 'es2023',
  });
  return Object.entries(metafile.outputs).map(([output, { imports }]) => {
    const paths = imports
      .filter(({ kind, path }) => kind === 'import-statement' && !path.includes('libraries/'))
      .map(({ path, external }) => (external ? path.replace(/^(?:\.\.?\/)+/, '') : below(path)));
    return `${[below(output), ...new Set(paths)].join(' ')}\n`;
  });
}

/** The path of an output, which esbuild gives from the folder of the sources, below that of the pages. */
function below(path) {
  return relative(PAGES, join(SOURCE, path)).replaceAll('\\', '/');
}

/** Leaves apart the libraries, each at an address of its own, and what is in another group; `root` leads to the folder of all. */
function apart(groups, root) {
  const file = (path) => join(SOURCE, `${path}.js`);
  const groupOf = new Map(
    Object.entries(groups).flatMap(([name, paths]) => paths.map((path) => [file(path), name])),
  );
  return {
    name: 'apart',
    setup(build) {
      build.onResolve({ filter: /(^|\/)libraries\// }, ({ path }) => {
        const file = path.slice(path.lastIndexOf('libraries/'));
        const digest = libraries[file.slice('libraries/'.length, -'.js'.length)].sha256;
        return { path: `${root}../${digest.slice(0, 12)}/${file}`, external: true };
      });
      build.onResolve({ filter: /\/catalog\.js$/ }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /\/kit\/declared\.js$/ }, () => ({
        contents: `export const DECLARED = ${JSON.stringify(declared)};`,
      }));
      build.onResolve({ filter: /^group:/ }, ({ path }) => ({
        path: path.slice('group:'.length),
        namespace: 'group',
      }));
      build.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
        contents: groups[path].map((module) => `export * from './${module}.js';`).join('\n'),
        resolveDir: SOURCE,
      }));
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, importer, namespace }) => {
        const group = groupOf.get(join(resolveDir, path));
        const own = namespace === 'group' ? importer : groupOf.get(importer);
        if (group === undefined || group === own) return undefined;
        return { path: `${root}kit/${group}.js`, external: true };
      });
    },
  };
}

async function minify(path) {
  const { code } = await esbuild.transform(readFileSync(join(SOURCE, path), 'utf8'), {
    charset: 'utf8',
    minify: true,
    target: 'es2023',
  });
  mkdirSync(join(PAGES, dirname(path)), { recursive: true });
  writeFileSync(join(PAGES, path), code);
}
