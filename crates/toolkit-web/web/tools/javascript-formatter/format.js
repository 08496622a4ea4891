//! JavaScript by prettier and terser: the form's options, and errors as refusals.

import { refuse } from '../../kit/tool.js';
import { tabs } from '../../lib/indents.js';
import { lineColumn, quoteLine } from '../../lib/positions.js';
import { formatOrRefuse } from '../../lib/prettier.js';

export const LANGUAGES = {
  js: 'JavaScript',
  jsx: 'JavaScript with JSX',
  ts: 'TypeScript',
  tsx: 'TypeScript with JSX',
};

/** @typedef {{ warn: (sentence: string) => void }} Warner */

/** @param {string} source @param {any} values @param {Warner} context */
export function formatScript(source, values, context) {
  return values.mode === 'minify'
    ? minifyScript(source, values, context)
    : prettify(source, values);
}

/** @param {string} source @param {any} values */
async function prettify(source, values) {
  const [babel, estree] = await Promise.all([
    import('../../libraries/prettier-babel.js'),
    import('../../libraries/prettier-estree.js'),
  ]);
  const { language, indent } = values;
  if (language.startsWith('js')) await checkStrictly(source, language);
  const options = {
    parser: language.startsWith('ts') ? 'babel-ts' : 'babel',
    filepath: `script.${language}`,
    plugins: [babel, estree],
    ...tabs(indent),
    printWidth: values.width,
    semi: values.semicolons,
    singleQuote: values.quotes === 'single',
    jsxSingleQuote: values.quotes === 'single',
    trailingComma: values.trailing_commas,
    arrowParens: values.arrow_brackets,
    bracketSpacing: values.bracket_spacing,
    quoteProps: values.property_quotes,
    embeddedLanguageFormatting: 'off',
  };
  return formatOrRefuse(source, options, LANGUAGES[/** @type {'js'} */ (language)]);
}

/** Proposals and types that only the formatter's tolerant parser accepts. */
const BEYOND =
  /@flow\b|^[ \t]*(?:export\s+(?:default\s+)?)?@[A-Za-z(]|\baccessor\s|\bimport\s+(?:defer|source)\s/m;

/** Refuses the errors that the formatter accepts. @param {string} source @param {string} language */
async function checkStrictly(source, language) {
  if (BEYOND.test(source)) return;
  const { parsers } = await import('../../libraries/prettier-acorn.js');
  try {
    parsers.acorn.parse(source, /** @type {any} */ ({ filepath: `script.${language}` }));
  } catch (error) {
    const { loc, message } = /** @type {any} */ (error);
    if (!loc) throw error;
    refuseAt(
      source,
      language,
      message.replace(/ \([0-9]+:[0-9]+\)$/, ''),
      loc.start.line,
      loc.start.column,
    );
  }
}

/** Whether a variable that is never used again holds what `?.` read. @param {string} source */
const readsForEffect = (source) =>
  [...source.matchAll(/\b(?:const|let|var)\s+([\w$]+)\s*=[^;=\n]*\?\./g)].some(
    ([, name = '']) =>
      source.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length === 2,
  );

/** @param {string} source @param {any} values @param {Warner} context */
async function minifyScript(source, values, context) {
  const { language, compress, mangle, module, drop_console, keep_licenses } = values;
  const plain = language === 'js' ? source : await withoutTypes(source, language, context);
  const { minify } = await import('../../libraries/terser.js');
  // Reading a property may run a getter, or make a browser lay out the page. Terser treats each `?.` as pure,
  // whatever `pure_getters` says.
  const effects = {
    ...{ drop_console, defaults: compress, pure_getters: false },
    ...(plain.includes('?.') && { side_effects: false }),
    ...(readsForEffect(plain) && { unused: false }),
  };
  const run = (/** @type {boolean} */ isModule) =>
    minify(plain, {
      compress: compress || drop_console ? effects : false,
      mangle,
      module: isModule,
      format: { comments: keep_licenses ? /^!|@license|@preserve|@lic|@cc_on/i : false },
    });
  try {
    const { code = '' } = await run(module).catch(async (error) => {
      // Only modules have `await` at their top level.
      if (module || !/\b(?:await|import|export)\b/.test(plain)) throw error;
      const formatted = await run(true).catch(() => undefined);
      if (!formatted) throw error;
      context.warn('Read as a module, because scripts have no top-level await.');
      return formatted;
    });
    if (code === '') context.warn('The result is empty, because the script has no effect.');
    return code;
  } catch (error) {
    const { message, line, col } = /** @type {any} */ (error);
    if (line === undefined) throw error;
    const at = plain.split('\n')[line - 1]?.charAt(col);
    if (at === '@')
      return refuse('text', 'has decorators, which the minifier does not support', {
        ...{ line, column: col + 1 },
        hint: 'Compile them first, with TypeScript or Babel.',
      });
    return refuseAt(plain, language, message, line, col + 1);
  }
}

/** JavaScript without types and JSX. @param {string} source @param {string} language @param {Warner} context */
async function withoutTypes(source, language, { warn }) {
  const { transform } = await import('../../libraries/sucrase.js');
  const transforms =
    language === 'ts' ? ['typescript'] : language === 'jsx' ? ['jsx'] : ['typescript', 'jsx'];
  try {
    const { code } = transform(source, {
      transforms: /** @type {any} */ (transforms),
      jsxRuntime: 'automatic',
      production: true,
      disableESTransforms: true,
    });
    if (/from "react\/jsx-runtime"/.test(code) && !source.includes('react/jsx-runtime')) {
      warn('JSX was compiled to react/jsx-runtime calls.');
    }
    return code;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const place = / \(([0-9]+):([0-9]+)\)$/.exec(message);
    const [, line = '1', column = '1'] = place ?? [];
    const offence = message.slice(0, place?.index).replace(/^Error transforming [^:]*: /, '');
    return refuseAt(source, language, offence, Number(line), Number(column));
  }
}

/** @param {string} source @param {string} language @param {string} message @param {number} line @param {number} column */
function refuseAt(source, language, message, line, column) {
  const plain = message
    // Terser names the kind of each token: "Unexpected token: punc (;)", "expected punc «)»".
    .replace(/token:? eof [(«]undefined[)»]/, 'end')
    .replace(/:? \w+ [(«](.*?)[)»](?=,|$)/g, ' "$1"')
    .replace(/\.$/, '');
  const offence = plain.charAt(0).toLowerCase() + plain.slice(1);
  const last = lineColumn(source, source.length);
  const place = line > last.line ? last : { line, column };
  return refuse('text', `is not ${LANGUAGES[/** @type {'js'} */ (language)]}: ${offence}`, {
    ...place,
    hint: `The line is: ${quoteLine(source, place.line, place.column)}`,
  });
}
