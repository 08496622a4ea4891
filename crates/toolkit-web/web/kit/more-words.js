//! Wording of home, search, links, server tools, offline use, and of controls that only some tools have.

const time = new Intl.NumberFormat('en', { style: 'unit', unit: 'second', unitDisplay: 'long' });

export const moreWords = {
  automatic: 'Automatic',
  yes: 'Yes',
  no: 'No',
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
  filterHint: 'Search, or paste or drop anything',
  favourites: 'Favorites',
  recent: 'Recently used',
  calls: 'Call it from a program',
  curl: 'Call with curl',
  signature: 'Signature',
  notChecked: 'Not checked.',
  serverSlow: 'The server did not answer in 30 seconds. Press Run to try again.',
  halfPair: 'contains half of a surrogate pair, which no text may.',
  notText: 'is not UTF-8 text.',
  /** @param {number} most */
  tooLarge: (most) =>
    `is too large: the server takes at most ${most < 1 << 20 ? `${most >> 10} KiB` : `${most >> 20} MiB`}.`,
  /** @param {string} [help] */
  atMost: (help = '') => `${help} At most 1 MiB, or a file of it.`.trim(),
  /** @param {number} [least] @param {number} [most] */
  notNumber: (least, most) => `must be a whole number from ${least} to ${most}.`,
  /** @param {number} status */
  strange: (status) =>
    `The answer (status ${status}) is not one of this service. Press Run to try again.`,
  /** @param {number} seconds */
  unreachable: (seconds) =>
    `The server cannot be reached. What you entered is kept; it is tried again in ${time.format(seconds)}.`,
  /** @param {number} seconds */
  unavailable: (seconds) =>
    `The server is not available at the moment. What you entered is kept; it is tried again in ${time.format(seconds)}.`,
  /** @param {number} seconds */
  busy: (seconds) => `Too many calls: the next one is made in ${time.format(seconds)}.`,
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
  /** @param {string} kind */
  looksLike: (kind) => `This looks like ${kind}`,
  sends: 'Sends it to this server.',
  /** @param {string} name */
  openIn: (name) => `Open in ${name}`,
  openInAny: 'Open in',
  useAsInput: 'Use as input',
  sendOn: 'Send on',
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
