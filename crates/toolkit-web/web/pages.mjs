// Build of the pages' own modules and style sheets, minified: what a page loads together is one module.
//
//     node pages.mjs FOLDER
//
// writes FOLDER/pages/ from the files beside this script; esbuild and the libraries have been put into
// FOLDER by libraries.mjs.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = dirname(fileURLToPath(import.meta.url));
const OUT = resolve(process.argv[2] ?? fail('usage: node pages.mjs FOLDER'));
const PAGES = join(OUT, 'pages');
/**
 * The kit: what a page loads together is one module, with the name of the group. What is in none is loaded
 * later, and split off.
 */
const GROUPS = {
  page: ['kit/page', 'kit/el', 'kit/policy', 'kit/store', 'kit/words'],
  'tool-page': [
    'kit/tool-page',
    'kit/control',
    'kit/controls',
    'kit/files-control',
    'kit/form',
    'kit/rows-control',
  ],
  run: ['kit/run'],
  server: ['kit/server'],
  calls: ['kit/calls'],
  home: ['kit/home'],
  tool: ['kit/tool'],
  worker: ['kit/worker', 'kit/values'],
  // After the first touch or run.
  output: ['kit/output', 'kit/draw', 'kit/runner', 'kit/save'],
  preview: ['kit/preview'],
  send: ['kit/send', 'kit/hand', 'kit/highlight', 'lib/detect/detect'],
};
const { libraries } = JSON.parse(readFileSync(join(SOURCE, 'libraries.json'), 'utf8'));
const { default: esbuild } = await import(
  createRequire(join(OUT, 'package.json')).resolve('esbuild')
);

rmSync(PAGES, { recursive: true, force: true });
mkdirSync(PAGES, { recursive: true });
const slugs = names('tools');
// A tool that asks the server has a view alone, its layout; what it loads later is kept for offline use with the kit.
const layouts = names('views').filter((slug) => !slugs.includes(slug));
await Promise.all([
  bundle('kit/', GROUPS, { ...ofGroups(), ...entries(layouts.map((slug) => `views/${slug}`)) }),
  ...slugs.map((slug) =>
    bundle(
      `tools/${slug}-`,
      { tool: GROUPS.tool },
      entries([`tools/${slug}`, `views/${slug}`].filter(isSource)),
    ),
  ),
  // Not a module: it runs before the first paint.
  minify('kit/theme.js'),
  ...names('style', '.css').map((name) => minify(`style/${name}.css`)),
]);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function isSource(path) {
  return existsSync(join(SOURCE, `${path}.js`));
}

function ofGroups() {
  return Object.fromEntries(Object.keys(GROUPS).map((name) => [`kit/${name}`, `group:${name}`]));
}

function entries(paths) {
  return Object.fromEntries(paths.map((path) => [path, `./${path}.js`]));
}

/** The files of a folder, without the extension. */
function names(folder, extension = '.js') {
  const files = readdirSync(join(SOURCE, folder));
  return files
    .filter((file) => file.endsWith(extension))
    .map((file) => file.slice(0, -extension.length));
}

/** Every module of the output is one folder deep, and so one step away from the others. */
async function bundle(name, groups, entryPoints) {
  await esbuild.build({
    absWorkingDir: SOURCE,
    bundle: true,
    charset: 'utf8',
    chunkNames: `${name}[name]-[hash]`,
    entryPoints,
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
    minify: true,
    outdir: PAGES,
    platform: 'browser',
    plugins: [apart(groups)],
    splitting: true,
    target: 'es2023',
  });
}

/** Leaves apart the libraries, each at an address of its own, and what is in another group. */
function apart(groups) {
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
        return { path: `../../${digest.slice(0, 12)}/${file}`, external: true };
      });
      build.onResolve({ filter: /\/catalog\.js$/ }, ({ path }) => ({ path, external: true }));
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
        return { path: `../kit/${group}.js`, external: true };
      });
    },
  };
}

async function minify(path) {
  const { code } = await esbuild.transform(readFileSync(join(SOURCE, path), 'utf8'), {
    charset: 'utf8',
    loader: path.endsWith('.css') ? 'css' : 'js',
    minify: true,
    target: 'es2023',
  });
  mkdirSync(join(PAGES, dirname(path)), { recursive: true });
  writeFileSync(join(PAGES, path), code);
}
