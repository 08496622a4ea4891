//! Wording of home, search, server tools and offline use.

export const moreWords = {
  automatic: 'Automatic',
  yes: 'Yes',
  no: 'No',
  tools: 'Tools',
  search: 'Search tools',
  searchKeys: 'Arrow keys choose, Enter opens, Escape closes.',
  nothingFound: 'No tool has these words.',
  filter: 'Find a tool',
  favourites: 'Favourites',
  recent: 'Used last',
  calls: 'The same from a program',
  curl: 'Call with curl',
  mcp: 'Over MCP, this work is done by the tool',
  summary: 'Summary',
  match: 'Match',
  start: 'Start',
  end: 'End',
  groups: 'Groups',
  serverSlow: 'The server did not answer in 30 seconds. Press Run to try again.',
  /** @param {number} seconds */
  unreachable: (seconds) =>
    `The server cannot be reached. What you entered is kept; it is tried again in ${seconds} seconds.`,
  /** @param {number} seconds */
  unavailable: (seconds) =>
    `The server is not available at the moment. What you entered is kept; it is tried again in ${seconds} seconds.`,
  /** @param {number} seconds */
  busy: (seconds) =>
    seconds === 1
      ? 'Too many calls: the next one is made in 1 second.'
      : `Too many calls: the next one is made in ${seconds} seconds.`,
  keepFailed: 'Not everything could be kept: the server cannot be reached, or the storage is full.',
  kept: 'All tools work offline now.',
  /** @param {number} done @param {number} total */
  keeping: (done, total) => `${done} of ${total} files are kept.`,
  /** @param {number} count */
  found: (count) => (count === 1 ? '1 tool is found.' : `${count} tools are found.`),
  /** @param {string} name @param {number} place */
  moved: (name, place) => `${name} is now at place ${place}.`,
  /** @param {string} name */
  moveBack: (name) => `Move ${name} one place up`,
  /** @param {string} name */
  moveOn: (name) => `Move ${name} one place down`,
};
