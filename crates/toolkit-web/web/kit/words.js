//! Texts of the pages, as whole sentences, so that they can be translated. Modules that are loaded later or by few
//! pages contain their own texts.

import { size } from '../lib/size.js';

export { size };

export const numbers = new Intl.NumberFormat('en');

/** A name in code as words: `bytes_per_line` is "Bytes per line". @param {string} name */
export function label(name) {
  const words = name
    .replace(/_/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A label inside of a sentence: names and abbreviations keep their capitals. @param {string} label */
const inner = (label) =>
  /^\p{Lu}[\p{Ll} ]+$/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

export const words = {
  run: 'Run',
  /** @param {string} verb */
  runs: (verb) => `Run: ${verb}`,
  reset: 'Reset',
  undo: 'Undo',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Copying is not allowed here: the text is selected, press Ctrl+C.',
  /** @param {string} [of] */
  without: (of) => `Copy without secrets${of ? `: ${inner(of)}` : ''}`,
  copyLink: 'Copy link',
  keep: 'Keep until I close this tab',
  favourite: 'Favorite',
  result: 'Result',
  examples: 'Examples',
  more: 'Options',
  others: 'More',
  wrap: 'Wrap lines',
  /** @param {string} label */
  clear: (label) => `Clear ${label}`,
  input: 'Input',
  chooseFile: 'Choose a file',
  /** @param {string} label */
  chooseFor: (label) => `Choose a file: ${label}`,
  empty: 'The result appears here.',
  emptyLike: 'The result appears here, for example:',
  running: 'Running…',
  cancelled: 'The run was cancelled.',
  insecure: 'This tool needs a secure connection: open this page over HTTPS, or as localhost.',
  notLoaded: 'The tool could not be loaded. Reload the page.',
  /** @param {string} name */
  lacks: (name) => `${name} could not be loaded. Check the connection and reload the page.`,
  parts: {
    search: 'Search',
    wire: 'The request report',
    encodings: 'Encoding detection',
    rail: 'The list of tools',
    offline: 'Use without a connection',
    colorField: 'The color field',
    kinds: 'Text detection',
    lines: 'Line numbers',
    results: 'The result pane',
    view: 'The view of the result',
    folds: 'The outline of the result',
    sendOn: 'The list of next tools',
    redact: 'Copy without secrets',
    link: 'The link to this input',
    handOver: 'The text from the other page',
    suggestions: 'The list of suggested tools',
    preview: 'The preview',
  },
  dropHere: 'You can also drop or paste files here.',
  pasteHere: 'The text is on the clipboard: paste it here.',
  keepsNot: 'The input is not kept: the storage of this browser is full or blocked.',
  handLost: 'The text did not arrive; paste it here.',
  halfPair: 'Half of a surrogate pair is not text; nothing was pasted.',
  /** @param {string} names */
  badLink: (names) =>
    `This tool does not know these values of the link and left them out: ${names}.`,
  /** @param {string} name @param {number} bytes */
  attached: (name, bytes) => `${name}, ${size(bytes)}`,
  /** @param {string} name */
  theme: (name) => `Theme: ${name}`,
  /** @param {string} label */
  copyOne: (label) => `Copy ${inner(label)}`,
  /** @param {string} label */
  downloadOne: (label) => `Download ${inner(label)}`,
  /** @param {string} label @param {number} length @param {number} most */
  tooLong: (label, length, most) =>
    `${label} would have ${numbers.format(length)} characters; nothing was pasted. At most ${numbers.format(most)} are accepted.`,
  automatic: 'Automatic',
  encoding: 'Encoding',
  search: 'Search tools',
  nothingFound: 'No tool matches.',
  favourites: 'Favorites',
  remove: 'Remove',
  show: 'Show',
  /** @param {string} label */
  showOne: (label) => `Show ${label}`,
  pasted: 'Pasted text',
  addRow: 'Add a row',
  /** @param {string} name */
  removeOne: (name) => `Remove ${name}`,
  /** @param {string} label */
  pick: (label) => `Pick: ${label}`,
  /** @param {string} label */
  slider: (label) => `${label} slider`,
  /** @param {number} row */
  removeRow: (row) => `Remove row ${row}`,
  /** @param {string} label @param {number} row */
  cell: (label, row) => `${label}, row ${row}`,
  /** @param {string} value */
  use: (value) => `Use ${value}`,
  /** @param {string} kind */
  looksLike: (kind) => `This looks like ${kind}`,
  /** @param {number} count */
  found: (count) => (count === 1 ? '1 tool found.' : `${count} tools found.`),
};
