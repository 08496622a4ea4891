//! URLs split into parts, and assembled. Standard: WHATWG URL; hosts in Unicode by UTS #46.

import { line, list, pairs, refuse, table, text, toggle, tool, view } from '../../kit/tool.js';
import { changesOf, decoded } from './parts.js';

export default tool({
  fields: {
    url: text('URL', { lines: 3, max: 256 * 1024 }),
    base: line('Base URL', { help: 'Enter the base of a relative URL.', code: true }),
    clean: toggle('Remove tracking parameters'),
    plain: toggle('Show the password'),
  },
  labels: {
    address: 'URL',
    segments: 'Path segments',
    edit: 'Edit the query',
    changes: 'What parsing changed',
    removed: 'Tracking parameters removed',
    defanged: 'Defanged, for reports',
  },
  folded: ['edit'],
  async run({ url: input, base, clean, plain }) {
    if (input.empty) return {};
    const readable = await import('./readable.js');
    const { hasHierarchy, masked, parse, partsOf, withoutTracking } = readable;
    if (input.string.length > 64 * 1024)
      refuse('url', `must have at most 65536 characters, not ${input.string.length}`);
    const typed = readable.refanged(input.string);
    const url = parse(typed, base);
    const changes = changesOf(typed, url);
    if (typed !== input.string) changes.unshift('The URL was defanged, and was restored.');
    const removed = clean ? withoutTracking(url) : [];
    const segments = hasHierarchy(url) ? url.pathname.slice(1).split('/') : [];
    const query = [...url.searchParams];
    const address = plain ? url.href : masked(url);
    return {
      address,
      parts: pairs(partsOf(url, plain)),
      segments:
        segments.length > 1
          ? table(
              ['Segment', 'Decoded'],
              segments.map((raw) => [raw, decoded(raw)]),
            )
          : undefined,
      query: query.length ? table(['Name', 'Value'], query, { file: 'query.csv' }) : undefined,
      edit: view({ href: url.href, query }),
      changes: changes.length ? list(changes) : undefined,
      removed: removed.length ? list(removed) : undefined,
      defanged: readable.defanged(address, url.hostname),
    };
  },
  examples: [
    {
      title: 'All parts',
      values: { url: 'HTTPS://anna:s3cret@Bücher.example:443/a%20b/../c?q=1&q=2#top' },
      outputs: { address: 'https://anna:********@xn--bcher-kva.example/c?q=1&q=2#top' },
    },
    {
      title: 'Without tracking',
      values: { url: 'https://example.com/?id=7&utm_source=news&fbclid=x', clean: true },
    },
    {
      title: 'A defanged address',
      values: { url: 'hxxps://malware[.]example[.]com/a?b=1.2' },
    },
    {
      title: 'A relative address',
      values: { url: '../b?x', base: 'https://example.com/a/c' },
    },
  ],
});
