//! File inputs: a picker, and the list of chosen files.

import { changed } from './control.js';
import { button, el } from './el.js';
import { part } from './lazy.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Common, Control } from './control.js' */

/** @param {File} file */
async function startOf(file) {
  const bytes = new Uint8Array(await file.slice(0, 160).arrayBuffer());
  const decode = await part(words.parts.encodings, () => import('./decode.js'));
  return new TextDecoder(decode?.utf16Of(bytes)?.[0]).decode(bytes);
}

/** Files as a list with buttons that remove them. @param {readonly File[]} files @param {(at: number) => void} remove */
export const attachments = (files, remove) =>
  el(
    'ul',
    { class: 'attachments' },
    files.map((file, at) => {
      const name = file.name || words.pasted;
      const beginning = el('code', { class: 'beginning' });
      if (/^$|text|json|xml|script/.test(file.type))
        startOf(file).then((text) => beginning.append(text));
      const remover = button(words.remove, () => remove(at), {
        class: 'small',
        'aria-label': words.removeOne(name),
      });
      return el('li', {}, el('span', {}, words.attached(name, file.size)), remover, beginning);
    }),
  );

/** The encoding menu of a file. The choice is stored in the file's type. @param {Record<string, string>} encodings @param {File} file @param {(file: File) => void} put */
export function encodingChoice(encodings, file, put) {
  const [type = ''] = file.type.split(';');
  const options = Object.entries(encodings).map(([value, name]) => el('option', { value }, name));
  const select = el(
    'select',
    {
      oninput: () => {
        const charset = select.value && `${type || 'text/plain'};charset=${select.value}`;
        put(new File([file], file.name, { type: charset || type }));
      },
    },
    el('option', { value: '' }, words.automatic),
    ...options,
  );
  return el('label', { class: 'encoding' }, words.encoding, ' ', select);
}

/** A file input. It is cleared after each choice, so that the same file can be chosen again. @param {T.Field} field @param {(files: File[]) => boolean} accept @param {Common} [attributes] */
export function picker({ types, kind }, accept, attributes) {
  const input = el('input', {
    type: 'file',
    accept: types,
    multiple: kind === 'files',
    ...attributes,
    oninput: (/** @type {Event} */ event) => event.stopPropagation(),
    onchange: () => {
      accept([...(input.files ?? [])]);
      input.value = '';
    },
  });
  return input;
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
export function filesControl(field, common) {
  /** @type {File[]} */
  let chosen = [];
  const node = el('div', { class: 'files-control' });
  const put = (/** @type {File[]} */ files) => {
    chosen = files;
    const old = node.querySelector('.attachments');
    const list = attachments(files, (at) => {
      put(chosen.filter((_, index) => index !== at));
      changed(node);
      input.focus();
    });
    list.hidden = files.length === 0;
    if (old) old.replaceWith(list);
    else node.append(list);
  };
  const accept = (/** @type {File[]} */ files) => {
    if (files.length === 0) return false;
    put(field.kind === 'files' ? [...chosen, ...files] : files.slice(0, 1));
    changed(node);
    return true;
  };
  const input = picker(field, accept, common);
  node.append(input, el('p', { class: 'help' }, words.dropHere));
  return {
    node,
    target: input,
    accept,
    read: () => (field.kind === 'files' ? chosen : (chosen[0] ?? null)),
    write: (value) =>
      put(
        [value ?? []]
          .flat()
          .map((/** @type {any} */ one) =>
            one instanceof File ? one : new File([one.bytes], one.name, { type: one.type }),
          ),
      ),
  };
}
