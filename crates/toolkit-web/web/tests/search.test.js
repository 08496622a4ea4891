//! Search: what comes first for what people type. `node --test tests/search.test.js`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { searchOf } from '../kit/search.js';
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

const find = searchOf(/** @type {import('../kit/search.js').Entry[]} */ (catalog()));
/** @param {number} among @param {[string, ...string[]]} search */
const isFound = (among, [query, ...wanted]) =>
  find(query)
    .slice(0, among)
    .some(({ slug }) => wanted.includes(slug));

test('the tool that was meant comes first for every query of the list', () => {
  const missed = SEARCHES.filter((search) => !isFound(1, search));
  const shown = missed.map(([query, ...wanted]) => {
    const first = find(query).slice(0, 3);
    return `${query}: ${first.map(({ slug }) => slug).join(', ')}, not ${wanted.join(' or ')}`;
  });
  assert.deepEqual(shown, []);
});

test('words that no tool has find nothing, and nothing typed finds nothing', () => {
  for (const query of ['xyzzy', 'qqqqqq', '%%%', '', '  '])
    assert.deepEqual(find(query), [], query);
});

test('letters that begin another word do not count as a typing error of it', () => {
  for (const { slug } of find('cont')) assert.equal(slug, 'contrast-checker');
});
