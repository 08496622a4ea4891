//! Network, date and time: good and bad input.
import { bad } from './row.js';

/** @type {Record<string, import('./row.js').Row>} */
export const NETWORK = {
  'url-parser': {
    good: { url: 'https://www.example.org/a?b=1' },
    shows: /Hostwww\.example\.org/,
    bad: [
      bad(
        'url',
        'www.example.org/a',
        /^URL has no scheme, at character 0\. Did you mean https:\/\/www/,
      ),
      bad('url', 'https://www.example.org:99999/', /has the port 99999; ports end at 65535, at/),
      bad(
        'url',
        'https://256.1.1.1/',
        /should be an IPv4 address: it has 256, but an octet is 255/,
      ),
      bad(
        'base',
        { url: '../b', base: 'c/d' },
        /^Base URL has no scheme, .* Did you mean https:\/\/c/,
      ),
    ],
  },
  'user-agent-parser': {
    good: { agents: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
    shows: /BrowserFirefox/,
    bad: [
      bad(
        'agents',
        'a'.repeat(4097),
        /must have at most 4096 characters a line, not 4097, at line 1\.$/,
      ),
      bad(
        'agents',
        'curl/8.0\n'.repeat(1001),
        /^User agent strings must be at most 1000 lines, not/,
      ),
      bad(
        'hints',
        'Accept: text/html',
        /must be header fields such as Sec-CH-UA-Platform, or one JSON/,
      ),
      bad(
        'hints',
        '{"brands": [',
        /must be valid JSON where they begin with "\{"\. It looks like \{/,
      ),
    ],
  },
  'ip-converter': {
    good: { address: '192.0.2.33' },
    shows: /Decimal3221226017/,
    bad: [
      bad(
        'address',
        '192.0.2.256',
        /^IP address has 256, but an octet is 255 at most, at character 8/,
      ),
      bad('address', '192.0.2.1/24', /has a prefix length, .* Accepted is an address alone\.$/),
      bad(
        'address',
        '2001:db8:1',
        /has 3 groups; IPv6 has eight, or "::" for those that are zero\.$/,
      ),
      bad(
        'address',
        'www.example.org',
        /"www", which is not a number, .* is written as 192\.0\.2\.1/,
      ),
      bad(
        'prefix',
        '64:ff9b::',
        /^NAT64 prefix needs a prefix length after "\/": 32, 40, 48, 56, 64/,
      ),
    ],
  },
  'curl-converter': {
    good: { command: 'curl https://www.example.org/' },
    shows: /fetch\("https:\/\/www\.example\.org\/"/,
    bad: [
      bad('command', 'wget https://www.example.org/', /has no curl command.* begins with curl and/),
      bad(
        'command',
        "curl 'https://www.example.org/",
        /opening ' that is not closed, at character 5/,
      ),
      bad('command', 'curl -v', /^Command has no address: give curl a URL\.$/),
      bad('request', '2', /^Request must be 1: the command makes no more\.$/),
    ],
  },
  'http-status-finder': {
    good: { query: '404' },
    shows: /NameNot Found/,
    bad: [
      bad('query', '600', /^"600" is not a status code\. Status codes go from 100 to 599\.$/),
      bad('query', '40.4', /^"40\.4" is not a status code\. Status codes go from 100 to 599\.$/),
      bad('query', 'a'.repeat(201), /^Code or words must have at most 200 characters, not 201\.$/),
    ],
  },
  'timezone-converter': {
    good: { moment: '2024-01-15 17:30', home: 'Berlin', zones: 'Asia/Tokyo' },
    shows: /2024-01-15T16:30:00Z/,
    bad: [
      bad(
        'moment',
        '15.01.2024',
        /is not a date and time\. Write 2024-03-31 02:30, 2024-03-31T02:30/,
      ),
      bad(
        'moment',
        '2024-02-30 12:00',
        /^Moment names 2024-02-30, a day that does not exist\. Write/,
      ),
      bad(
        'home',
        'Europe/Berln',
        /^"Europe\/Berln" is not a time zone\. The nearest are Europe\/Berlin/,
      ),
      bad('home', '+25:00', /is not a time zone\. Offsets are written as \+05:30, up to 23:59\.$/),
      bad('zones', 'Asia/Tokyo\nMars', /^"Mars" is not a time zone\. The nearest are /),
    ],
  },
  'date-calculator': {
    good: { start: '2024-02-26', end: '2024-03-31' },
    shows: /Days34/,
    bad: [
      bad('start', '2024-02-30', /^"2024-02-30" does not exist\. That month has 29 days\.$/),
      bad(
        'end',
        '31.03.2024',
        /^"31\.03\.2024" is not a date\. Write it as 2024-01-31, 2024-W05-3/,
      ),
      bad(
        'holidays',
        '2024-12-25\nChristmas',
        /^"Christmas" is not a date, at line 2\. Write it as/,
      ),
      bad(
        'years',
        { mode: 'Date before or after', years: '300000' },
        /^Years must not lead past the calendar\. Dates from .* are possible\.$/,
      ),
    ],
  },
  'duration-converter': {
    good: { durations: '1h 30m' },
    shows: /PT1H30M/,
    bad: [
      bad(
        'durations',
        '5 fortnights',
        /unknown unit "fortnights", at character 2\. Use y, mo, w, d, h/,
      ),
      bad('durations', '1:75:00', /has 75 minutes; 00 to 59 are possible, at character 2\.$/),
      bad('durations', '1 month', /whose length depends on the date, .* Give the reference date/),
      bad(
        'reference',
        { durations: '1 month', reference: '31.01.2024' },
        /^"31\.01\.2024" is not a date\. Write it as 2024-01-31\.$/,
      ),
    ],
  },
};
