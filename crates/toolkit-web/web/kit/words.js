//! Wording of the pages: whole sentences, so that they can be translated. What one part says that few pages load is
//! there: redact.js, peel.js.

export const numbers = new Intl.NumberFormat('en');

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
  answer: 'Answer',
  examples: 'Examples',
  more: 'Options',
  wrap: 'Wrap lines',
  /** @param {string} label */
  clear: (label) => `Clear ${label}`,
  item: 'this item',
  preview: 'Preview',
  input: 'Input',
  chooseFile: 'Choose a file',
  /** @param {string} label */
  chooseFor: (label) => `Choose a file: ${label}`,
  empty: 'The result appears here.',
  emptyLike: 'The result appears here, for example:',
  /** @param {string} verb */
  onButton: (verb) => `Press ${verb} or Ctrl+Enter.`,
  running: 'Running…',
  done: 'The result is ready.',
  old: 'This is the result of the previous input.',
  cancelled: 'The run was cancelled.',
  insecure: 'This tool needs a secure connection: open this page over HTTPS, or as localhost.',
  failed: 'Something went wrong. It is a bug in this tool, not in your input.',
  partMissing:
    'Part of this tool could not be loaded: there is no connection, or the service was built without it.',
  notBuilt:
    'This tool needs a library that is not in this build of the service: it was made without Node.',
  notLoaded: 'The tool could not be loaded. Reload the page.',
  /** @param {string} name */
  lacks: (name) => `${name} could not be loaded. Check the connection and reload the page.`,
  parts: {
    search: 'Search',
    wire: 'The report on requests',
    encodings: 'What tells encodings apart',
    rail: 'The list of tools',
    offline: 'Use without a connection',
    colorField: 'The color field',
    kinds: 'What tells texts apart',
    lines: 'Line numbers',
    results: 'What runs the tool and shows its result',
    view: 'The view of the result',
    folds: 'What folds the result',
    sendOn: 'What sends a result on to other tools',
    redact: 'What takes secrets out of texts',
    link: 'Links that hold the input',
    handOver: 'What takes the text over from the other page',
    suggestions: 'What suggests tools',
    peel: 'What looks inside of texts',
    preview: 'The preview',
  },
  tooLarge: 'The input is larger than this browser can hold in one piece.',
  dropHere: 'Files can be dropped or pasted here too.',
  sandbox: 'Shown without scripts, remote images and its own styles.',
  pasteHere: 'The text is on the clipboard: paste it here.',
  keepsNot: 'The storage of this browser is full or forbidden: the input is not kept.',
  handLost: 'The text did not arrive; paste it here.',
  halfPair: 'Half of a surrogate pair is not text; nothing was pasted.',
  /** @param {string} answer @param {readonly string[]} warnings */
  told: (answer, warnings) => {
    const whole = /[.!?…]$/.test(answer) ? answer : `${answer}.`;
    if (warnings.length === 0) return whole;
    const count = warnings.length === 1 ? 'Warning' : `${warnings.length} warnings`;
    return `${whole} ${count}: ${warnings.join(' ')}`;
  },
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
  copyOne: (label) => `Copy ${inner(label)}`,
  /** @param {string} label */
  downloadOne: (label) => `Download ${inner(label)}`,
  /** @param {string} label @param {number} length @param {number} most */
  tooLong: (label, length, most) =>
    `${label} would have ${numbers.format(length)} characters; nothing was pasted. At most ${numbers.format(most)} are accepted.`,

  // Home, search, links, offline use, and controls that only some tools have.
  automatic: 'Automatic',
  encoding: 'Encoding',
  tools: 'Tools',
  allTools: 'All tools',
  /** Names of categories that are not their word. @type {Record<string, string>} */
  categories: { datetime: 'Date and time' },
  /** @param {string} name */
  favouriteOf: (name) => `Favorite: ${name}`,
  search: 'Search tools',
  searchKeys: 'Arrow keys choose, Enter opens, Escape closes.',
  nothingFound: 'No tool matches.',
  filter: 'Find a tool',
  filterHint: 'Paste anything, or search',
  favourites: 'Favorites',
  recent: 'Recently used',
  calls: 'Use from code',
  curl: 'Call with curl',
  /** @param {string[]} labels */
  leftOut: (labels) =>
    `The link leaves out what is secret, a file or too long: ${labels.join(', ')}.`,
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
  colorField: 'Color field',
  plane: 'Saturation and brightness',
  /** @param {number} saturation @param {number} brightness */
  planeAt: (saturation, brightness) => `saturation ${saturation} %, brightness ${brightness} %`,
  hue: 'Hue',
  alpha: 'Opacity',
  dropper: 'Pick from the screen',
  /** @param {string} hex */
  dropped: (hex) => `${hex} was picked from the screen.`,
  notDropped: 'Nothing was picked: the eye dropper was cancelled.',
  /** @param {string} message */
  dropperFailed: (message) => `The browser did not open its eye dropper: ${message}`,
  /** @param {boolean} isSecure */
  noDropper: (isSecure) =>
    isSecure
      ? 'This browser has no eye dropper for the screen; Chrome and Edge have one.'
      : 'The eye dropper for the screen needs HTTPS or localhost.',
  /** @param {number} row */
  removeRow: (row) => `Remove row ${row}`,
  /** @param {string} label @param {number} row */
  cell: (label, row) => `${label}, row ${row}`,
  keepFailed: 'Not everything could be kept: the server cannot be reached, or the storage is full.',
  kept: 'All tools work offline now.',
  /** @param {number} done @param {number} total */
  keeping: (done, total) => `${done} of ${total} files are kept.`,
  /** @param {string} value */
  use: (value) => `Use ${value}`,
  /** @param {string} kind */
  looksLike: (kind) => `This looks like ${kind}`,
  /** @param {string} name */
  openIn: (name) => `Open in ${name}`,
  openInAny: 'Open in',
  useAsInput: 'Use as input',
  /** @param {number} count */
  suggested: (count) => (count === 1 ? '1 tool is suggested.' : `${count} tools are suggested.`),
  /** @param {number} count */
  found: (count) => (count === 1 ? '1 tool found.' : `${count} tools found.`),
  /** @param {string} name @param {number} place */
  moved: (name, place) => `${name} is now at place ${place}.`,
  /** @param {string} name */
  moveBack: (name) => `Move ${name} one place up`,
  /** @param {string} name */
  moveOn: (name) => `Move ${name} one place down`,
};
