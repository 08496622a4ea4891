//! "Use from code": the REST call for the current form, as a curl command.

import { copy, copyButton, el } from './el.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

const own = {
  calls: 'Use from code',
  curl: 'Call with curl',
};

/**
 * @typedef {{ name: string, kind: 'string' | 'boolean' | 'integer' | 'enum', choices?: any[],
 *   required?: boolean, default?: any, secret?: boolean }} ServerField
 * @typedef {{ slug: string, fields: ServerField[] }} ServerTool
 */

/** The address of a run. @param {ServerTool} tool */
const addressOf = ({ slug }) =>
  new URL(`${document.documentElement.dataset.api}/tools/${slug}/run`, location.href).href;

/**
 * The body of the call, without empty optional fields and without choices that only the page has.
 * @param {ServerField[]} fields @param {Record<string, any>} raw
 */
export function bodyOf(fields, raw) {
  /** @type {Record<string, any>} */
  const body = {};
  for (const { name, kind, choices, required, default: standard } of fields) {
    const value = raw[name];
    if (value === undefined) continue;
    if ((value === '' || value === null) && (!required || kind !== 'string')) continue;
    if (String(value) === String(standard) && !required) continue;
    const chosen = kind === 'boolean' ? [true, false] : choices;
    const offered = chosen?.find((choice) => String(choice) === String(value));
    if (!chosen) body[name] = value;
    else if (offered !== undefined) body[name] = offered;
  }
  return body;
}

/** A body as shown in the call to copy. @param {ServerField[]} fields @param {Record<string, any>} body */
function shownBody(fields, body) {
  const isHidden = (/** @type {string} */ name) =>
    body[name] && fields.some((field) => field.name === name && field.secret);
  const entries = Object.entries(body).map(([name, value]) => {
    if (isHidden(name) || value instanceof File) return [name, '…'];
    const isLong = typeof value === 'string' && value.length > 2000;
    return [name, isLong ? `${value.slice(0, 2000)}…` : value];
  });
  return Object.fromEntries(entries);
}

/** A word of a POSIX shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** @param {string} url @param {Record<string, any>} body */
const curlOf = (url, body) =>
  `curl -s ${quoted(url)} \\\n    -H 'Content-Type: application/json' \\\n    -d ${quoted(JSON.stringify(body))}`;

/**
 * The section with the call to copy, and the function that updates it with the form.
 * @param {ServerTool} tool @param {T.Tool['call']} [call] maps options that only the page has
 */
export function callsOf(tool, call = (raw) => raw) {
  const url = addressOf(tool);
  const code = el('code', {});
  const act = (/** @type {HTMLElement} */ from) => copy(code.textContent ?? '', from, code);
  const node = el(
    'section',
    { class: 'calls', 'aria-labelledby': 'calls' },
    el('h2', { id: 'calls' }, own.calls),
    el(
      'div',
      { class: 'code' },
      el('pre', { tabindex: 0, 'aria-label': own.curl }, code),
      copyButton(words.copy, act, { class: 'icon copy' }),
    ),
    // The link to the documentation, on the heading's line.
    document.querySelector('.elsewhere'),
  );
  const entered = async (/** @type {Record<string, any>} */ raw) => {
    const called = await call(raw);
    node.hidden = called === undefined;
    if (called) code.textContent = curlOf(url, shownBody(tool.fields, bodyOf(tool.fields, called)));
  };
  return { node, entered };
}
