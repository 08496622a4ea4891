//! Outputs of examples, by title.
import { list, pairs, table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'All parts': {
    parts: pairs([
      ['Scheme', 'https'],
      ['User', 'anna'],
      ['Password', '••••••••'],
      ['Host', 'xn--bcher-kva.example'],
      ['Host in Unicode', 'bücher.example'],
      ['Port', '443 (default)'],
      ['Origin', 'https://xn--bcher-kva.example'],
      ['Path', '/c'],
      ['Query', '?q=1&q=2'],
      ['Fragment', '#top'],
    ]),
    query: table(
      ['Name', 'Value'],
      [
        ['q', '1'],
        ['q', '2'],
      ],
      { file: 'query.csv' },
    ),
    changes: list([
      'The scheme was written in small letters: https.',
      'The host was written in ASCII (Punycode): xn--bcher-kva.example.',
      'The port 443 was dropped: it is the default of https.',
      'The segments "." and ".." were resolved.',
    ]),
  },
  'Without tracking': {
    address: 'https://example.com/?id=7',
    removed: list(['utm_source=news', 'fbclid=x']),
  },
  'A defanged address': {
    address: 'https://malware.example.com/a?b=1.2',
    defanged: 'hxxps://malware[.]example[.]com/a?b=1.2',
    changes: list(['The URL was defanged, and was restored.']),
  },
  'A relative address': {
    address: 'https://example.com/b?x',
  },
};
