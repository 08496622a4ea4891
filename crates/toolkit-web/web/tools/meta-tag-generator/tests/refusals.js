//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { title: 'Toolkit', canonical: 'https://www.example.org/' },
  shows: /<title>Toolkit<\/title>/,
  bad: [
    bad('title', '', /^Title is empty\. Every page needs a title\.$/),
    bad('canonical', '/about', /^Page URL is relative: "\/about"\. Write the whole address/),
    bad('image', 'file:///card.png', /has the scheme file:\. Only http and https are accepted\.$/),
    bad(
      'published',
      { type: 'Article', published: 'yesterday' },
      /^Published is "yesterday"\. Write it as 2026-11-22 or 2026-11-22T18:30:00\+01:00\.$/,
    ),
    bad('head', '<p>no tags</p>', /has no tag that this page knows\.$/, 'Fill in the form'),
  ],
};
