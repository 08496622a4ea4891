//! Search: what comes first for what people type. `node --test tests/search.test.js`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { declaredBy, searchOf } from '../kit/search.js';
import { loadFile, SLUGS } from './tools.mjs';
import { EVERYDAY, LATER } from './vectors/everyday-searches.js';
import { SEARCHES } from './vectors/searches.js';

/** The entries of catalog.toml, each of whose values is JSON too. */
function catalog() {
  const text = readFileSync(new URL('../../../../catalog.toml', import.meta.url), 'utf8');
  return text
    .split('[[tools]]')
    .slice(1)
    .map((entry) =>
      Object.fromEntries(
        [...entry.matchAll(/^(\w+) = (.+)$/gm)].map(([, name, value]) => [
          name,
          JSON.parse(value ?? ''),
        ]),
      ),
    );
}

/** As the build puts it into the pages. */
const declared = Object.fromEntries(
  await Promise.all(SLUGS.map(async (slug) => [slug, declaredBy(await loadFile(slug))])),
);
const find = searchOf(/** @type {import('../kit/search.js').Entry[]} */ (catalog()), declared);
/** @param {number} among @param {[string, ...string[]]} search */
const isFound = (among, [query, ...wanted]) =>
  find(query)
    .slice(0, among)
    .some(({ slug }) => wanted.includes(slug));

/** Queries for which another tool comes first. @param {[string, ...string[]][]} searches */
const missed = (searches) =>
  searches
    .filter((search) => !isFound(1, search))
    .map(([query, ...wanted]) => {
      const first = find(query).slice(0, 3);
      return `${query}: ${first.map(({ slug }) => slug).join(', ')}, not ${wanted.join(' or ')}`;
    });

test('the tool that was meant comes first for every query of the list', () =>
  assert.deepEqual(missed(SEARCHES), []));

test('it comes first for 57 of 60 queries in everyday words', () => {
  for (const list of [EVERYDAY, LATER]) {
    const wrong = missed(list);
    assert.ok(wrong.length <= 3, wrong.join('\n'));
  }
});

test('labels, choices and examples of the forms are found', () => {
  for (const [query = '', wanted] of [
    ['accents', 'case-converter'],
    ['stretch', 'image-converter'],
    ['unsecured', 'jwt-decoder'],
  ])
    assert.equal(find(query)[0]?.slug, wanted, query);
});

test('a typing error never outranks a word', () => {
  for (const [query = '', wanted] of [
    ['crop', 'image-converter'],
    ['crop the words', 'word-counter'],
    ['ration of colors', 'color-converter'],
  ]) {
    const all = find(query).map(({ slug }) => slug);
    assert.ok(
      !all.includes('cron-explainer') || all.indexOf(wanted ?? '') < all.indexOf('cron-explainer'),
      query,
    );
  }
});

test('words that no tool has find nothing, and nothing typed finds nothing', () => {
  for (const query of ['xyzzy', 'qqqqqq', '%%%', '', '  '])
    assert.deepEqual(find(query), [], query);
});

test('letters that begin another word do not count as a typing error of it', () => {
  const slugs = find('cont').map(({ slug }) => slug);
  assert.equal(slugs[0], 'contrast-checker');
  assert.ok(!slugs.includes('cron-explainer') && !slugs.includes('word-counter'), String(slugs));
});
