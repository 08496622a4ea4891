//! Resolves `libraries/NAME.js` to the built modules: in TOOLKIT_WEB_BUILT, otherwise in
//! `target/web` of the repository or of CARGO_TARGET_DIR. Usage: `node --import
//! ./tests/libraries.mjs --test tests/*.test.js tools/*/tests/*.test.js`.
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { CARGO_TARGET_DIR, TOOLKIT_WEB_BUILT } = process.env;
const target = CARGO_TARGET_DIR ?? join(import.meta.dirname, '../../../../target');
const built = `${pathToFileURL(TOOLKIT_WEB_BUILT ?? join(target, 'web')).href}/`;

const hooks = `
  export async function resolve(specifier, context, next) {
    const library = /(?:^|\\/)(libraries\\/[\\w-]+\\.js)$/.exec(specifier);
    return next(library ? new URL(library[1], ${JSON.stringify(built)}).href : specifier, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
