//! Wording of the pages: whole sentences, so that they can be translated.

const numbers = new Intl.NumberFormat('en');

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1024) return `${numbers.format(bytes)} bytes`;
  const [unit, by] = bytes < 1 << 20 ? ['KiB', 1024] : ['MiB', 1 << 20];
  return `${(bytes / Number(by)).toFixed(1)} ${unit}`;
}

/** A name in code as words: `bytes_per_line` is "Bytes per line". @param {string} name */
export function label(name) {
  const words = name
    .replace(/_/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const words = {
  run: 'Run',
  reset: 'Reset',
  undo: 'Undo',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Copying is not allowed here: the text is selected, press Ctrl+C.',
  download: 'Download',
  copyLink: 'Copy link',
  favourite: 'Favorite',
  result: 'Result',
  examples: 'Examples',
  more: 'More options',
  wrap: 'Wrap lines',
  item: 'this item',
  preview: 'Preview',
  input: 'Input',
  chooseFile: 'Choose a file',
  /** @param {string} label */
  chooseFor: (label) => `Choose a file: ${label}`,
  empty: 'The result appears here.',
  onButton: 'Press Run or Ctrl+Enter.',
  running: 'Running…',
  done: 'The result is ready.',
  old: 'This is the result of the previous input.',
  cancelled: 'The run was cancelled.',
  insecure: 'This tool needs a secure connection: open this page over HTTPS, or as localhost.',
  failed: 'The tool failed on this input, which is a bug of this page.',
  notLoaded: 'The tool could not be loaded. Reload the page.',
  tooLarge: 'The input is larger than this browser can hold in one piece.',
  dropHere: 'Files can be dropped or pasted here too.',
  sandbox: 'Shown without scripts, remote images and its own styles.',
  pasteHere: 'The text is on the clipboard: paste it here.',
  halfPair: 'Half of a surrogate pair is not text; nothing was pasted.',
  /** @param {readonly string[]} all */
  warnings: (all) =>
    all.length === 1
      ? `The result is ready, with a warning: ${all[0]}`
      : `The result is ready, with ${all.length} warnings. ${all.join(' ')}`,
  /** @param {number} seconds */
  timeout: (seconds) => `The run was stopped after ${seconds} seconds. Shorter input may work.`,
  /** @param {number} done @param {number} total */
  progress: (done, total) => `${Math.floor((100 * done) / total)} %`,
  /** @param {number} shown @param {number} whole */
  cut: (shown, whole) =>
    `The first ${numbers.format(shown)} of ${numbers.format(whole)} are shown; Copy and Download take all.`,
  /** @param {string} names */
  badLink: (names) =>
    `The link holds values that this tool does not know; they were left out: ${names}.`,
  /** @param {string} name @param {number} bytes */
  attached: (name, bytes) => `${name}, ${size(bytes)}`,
  /** @param {boolean} value */
  truth: (value) => (value ? 'Yes' : 'No'),
  /** @param {string} name */
  theme: (name) => `Theme: ${name}`,
  /** @param {string} label */
  copyOne: (label) => `Copy ${label}`,
  /** @param {string} label @param {number} length @param {number} most */
  tooLong: (label, length, most) =>
    `${label} would have ${numbers.format(length)} characters; nothing was pasted. At most ${numbers.format(most)} are accepted.`,
};
