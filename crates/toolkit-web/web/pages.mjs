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
/** Modules of the kit that pages, tools and tests name; what they share, and what is loaded later, is split off. */
const KIT = ['calls', 'home', 'page', 'preview', 'run', 'server', 'tool', 'worker'];
const { libraries } = JSON.parse(readFileSync(join(SOURCE, 'libraries.json'), 'utf8'));
const { default: esbuild } = await import(
  createRequire(join(OUT, 'package.json')).resolve('esbuild')
);

rmSync(PAGES, { recursive: true, force: true });
mkdirSync(PAGES, { recursive: true });
const slugs = names('tools');
// A tool that asks the server has a view alone, its layout, which shares the modules of the kit.
const layouts = names('views').filter((slug) => !slugs.includes(slug));
await Promise.all([
  bundle('kit/', [...KIT.map((name) => `kit/${name}`), ...layouts.map((slug) => `views/${slug}`)]),
  ...slugs.map((slug) =>
    bundle(
      `tools/${slug}-`,
      ['tools', 'views']
        .map((folder) => `${folder}/${slug}`)
        .filter((path) => isSource(`${path}.js`)),
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
  return existsSync(join(SOURCE, path));
}

/** The files of a folder, without the extension. */
function names(folder, extension = '.js') {
  const files = readdirSync(join(SOURCE, folder));
  return files
    .filter((file) => file.endsWith(extension))
    .map((file) => file.slice(0, -extension.length));
}

/** Every module of the output is one folder deep, and so one step away from the others. */
async function bundle(name, entries) {
  await esbuild.build({
    absWorkingDir: SOURCE,
    bundle: true,
    charset: 'utf8',
    chunkNames: `${name}[name]-[hash]`,
    entryPoints: Object.fromEntries(entries.map((path) => [path, `./${path}.js`])),
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
    minify: true,
    outdir: PAGES,
    platform: 'browser',
    plugins: [apart(name)],
    splitting: true,
    target: 'es2023',
  });
}

/** Leaves apart the kit, which all tools share, and the libraries, each at an address of its own. */
function apart(name) {
  return {
    name: 'apart',
    setup(build) {
      build.onResolve({ filter: /(^|\/)libraries\// }, ({ path }) => {
        const file = path.slice(path.lastIndexOf('libraries/'));
        const digest = libraries[file.slice('libraries/'.length, -'.js'.length)].sha256;
        return { path: `../../${digest.slice(0, 12)}/${file}`, external: true };
      });
      build.onResolve({ filter: /\/catalog\.js$/ }, ({ path }) => ({ path, external: true }));
      if (name.startsWith('kit')) return;
      build.onResolve({ filter: /\/kit\/tool\.js$/ }, () => ({
        path: '../kit/tool.js',
        external: true,
      }));
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
