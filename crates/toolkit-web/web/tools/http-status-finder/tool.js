//! HTTP status codes by number or words. Standard: RFC 9110 §15 and IANA's HTTP Status Code Registry.

import { CLASSES, HEURISTIC, REGISTERED, UNREGISTERED } from '../../data/http-status.js';
import { choice, headline, line, pairs, refuse, table, toggle, tool } from '../../kit/tool.js';

/** @import { Status } from '../../data/http-status.js' */

const ALL = [...REGISTERED, ...UNREGISTERED].sort((a, b) => a.code - b.code);

/** @param {number} code */
const classOf = (code) => CLASSES[/** @type {1 | 2 | 3 | 4 | 5} */ (Math.floor(code / 100))];

/** @param {Status} status */
function cacheOf({ code }) {
  if (code < 200) return 'No: it is not the final response.';
  if (code === 206) return 'Yes, by caches that can join ranges; also without explicit freshness.';
  if (code === 304) return 'It freshens the stored response instead of being one.';
  if (HEURISTIC.has(code)) return 'Yes, also without explicit freshness (RFC 9110 §15.1).';
  return 'Only when the response allows it, with Cache-Control or Expires.';
}

/** @param {Status} status */
function details(status) {
  const { name, body } = classOf(status.code);
  return pairs([
    ['Class', name],
    ['Registered', status.user ? `No: used by ${status.user}` : 'Yes, with IANA'],
    ['Meaning', status.meaning],
    ['Common causes', status.causes],
    ['Body', status.body ?? body],
    ['Cacheable', cacheOf(status)],
    ['Reference', status.reference],
  ]);
}

/** @param {Status} status */
const one = (status) => ({
  headline: headline(`${status.code} ${status.name}`),
  status: details(status),
});

/** @param {number} code */
function unassigned(code) {
  const { name } = classOf(code);
  return {
    headline: headline(`${code} Unassigned`),
    status: pairs([
      ['Class', name],
      ['Registered', 'No: IANA has not assigned it'],
      ['Meaning', `Clients treat it as ${Math.floor(code / 100)}00 (RFC 9110 §15).`],
    ]),
  };
}

/** @param {Status[]} listed */
const overview = (listed) =>
  table(
    ['Code', 'Name', 'Registered', 'Meaning'],
    listed.map(({ code, name, user, meaning }) => [
      code,
      name,
      user ? `no (${user})` : 'yes',
      meaning,
    ]),
    { file: 'http-status.csv' },
  );

/** Names of earlier standards and of nginx. @type {Record<number, string>} */
const OTHER_NAMES = {
  203: 'Partial Information',
  302: 'Moved Temporarily',
  408: 'Request Time-out',
  413: 'Payload Too Large, Request Entity Too Large',
  414: 'Request-URI Too Long, Request-URI Too Large',
  416: 'Requested Range Not Satisfiable',
  418: "I'm a teapot",
  422: 'Unprocessable Entity',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
  505: 'HTTP Version not supported',
};

/** @param {Status} status @param {string[]} words */
function matches({ code, name, meaning, causes, reference }, words) {
  const text =
    `${code} ${name} ${OTHER_NAMES[code] ?? ''} ${meaning} ${causes} ${reference}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** @param {string} query a number @param {Status[]} listed */
function byNumber(query, listed) {
  const code = Number(query);
  if (/^[1-5]\d?$/.test(query)) {
    return { list: overview(listed.filter((status) => String(status.code).startsWith(query))) };
  }
  if (!Number.isInteger(code) || code < 100 || code > 599) {
    refuse('query', `"${query}" is not a status code`, {
      hint: 'Status codes go from 100 to 599.',
    });
  }
  const statuses = ALL.filter((status) => status.code === code);
  return statuses[0] ? one(statuses[0]) : unassigned(code);
}

export default tool({
  fields: {
    query: line('Code or words', {
      help: 'Enter a code such as `404`, its beginning, a class such as `4xx`, or words such as `too large`. Leave empty for all.',
      max: 200,
    }),
    class: choice('Class', {
      all: 'All classes',
      '1xx': '1xx informational',
      '2xx': '2xx successful',
      '3xx': '3xx redirection',
      '4xx': '4xx client error',
      '5xx': '5xx server error',
    }),
    unregistered: toggle('Include unregistered codes', { value: true }),
  },
  start: true,
  labels: { list: 'Status codes' },
  run({ query, class: wanted, unregistered }, context) {
    const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const named = /^([1-5])xx$/.exec(words[0] ?? '')?.[1];
    const first = named ?? (wanted === 'all' ? '' : wanted.charAt(0));
    const listed = (unregistered ? ALL : REGISTERED).filter(({ code }) =>
      String(code).startsWith(first),
    );
    const [word] = words;
    if (words.length === 1 && word !== undefined && /^[+-]?[\d.]+$/.test(word)) {
      return byNumber(word.replace(/^\+/, ''), listed);
    }
    // A status line, or a code with a name that some program gives it.
    const [code] = named ? [] : (/(?<![\w.])[1-5]\d\d(?![\w.])/.exec(query) ?? []);
    if (code) return byNumber(code, listed);
    const matching = listed.filter((status) => matches(status, named ? words.slice(1) : words));
    if (matching.length === 0) context.warn('No status code has all of these words.');
    const [only] = matching;
    if (matching.length === 1 && only) return one(only);
    return { list: matching.length ? overview(matching) : undefined };
  },
  examples: [
    {
      title: 'A code',
      values: { query: '404' },
    },
    {
      title: 'Words',
      values: { query: 'too large', unregistered: false },
    },
    { title: 'An unregistered code', values: { query: '499' } },
  ],
});
