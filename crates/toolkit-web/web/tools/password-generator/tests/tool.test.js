//! Password generator: fair draws, exact entropy, every set present, the word list, refusals.
import assert from 'node:assert/strict';
import { createHash, randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { chooser } from '../../../lib/random.js';
import words from '../../../libraries/eff-large-wordlist.js';
import { fixedContext, runTool, suite } from '../../../tests/run.mjs';
import { bitsOf, countWithEach, drawCharacters, guessTime } from '../passwords.js';
import tool from '../tool.js';

const random = (/** @type {number} */ count) => randomFillSync(new Uint8Array(count));
/** A context with real randomness. */
const chance = () => ({ ...fixedContext(), random });

describe('password generator', () => {
  for (const below of [10, 94, 7776])
    test(`a million draws below ${below} are even (χ²)`, () => {
      const choose = chooser(random);
      const seen = new Array(below).fill(0);
      for (let draw = 0; draw < 1_000_000; draw++) seen[choose(below)]++;
      const mean = 1_000_000 / below;
      const chi = seen.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
      const freedom = below - 1;
      assert.ok(Math.abs(chi - freedom) < 7 * Math.sqrt(2 * freedom), `χ² ${chi} at ${freedom}`);
    });

  test('values that would favour small numbers are rejected', () => {
    const bytes = Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 13]);
    assert.equal(chooser(() => bytes)(10), 3);
  });

  test('the word list equals that of EFF', (t) => {
    assert.equal(words.length, 7776);
    assert.equal(new Set(words).size, 7776);
    const wanted = suite(t, 'eff_large_wordlist_digest');
    if (!wanted) return;
    const digest = createHash('sha256').update(words.join('\n')).digest('hex');
    const joined = wanted.find((/** @type {any} */ { id }) => id === 'eff-joined');
    assert.equal(digest, joined.expect.sha256);
  });

  test('the number of passwords with each set is exact', () => {
    const sets = [['a', 'b'], ['b', 'c'], ['1']];
    const all = ['a', 'b', 'c', '1'];
    for (const length of [1, 2, 3, 4, 5]) {
      let count = 0n;
      for (let number = 0; number < 4 ** length; number++) {
        const drawn = Array.from(
          { length },
          (_, at) => all[Math.floor(number / 4 ** at) % 4] ?? '',
        );
        if (sets.every((set) => drawn.some((one) => set.includes(one)))) count++;
      }
      assert.equal(countWithEach(sets, length), count, `length ${length}`);
    }
    assert.equal(bitsOf(2n ** 200n), 200);
    assert.ok(Math.abs(bitsOf(94n ** 256n) - 256 * Math.log2(94)) < 1e-9);
  });

  test('every set occurs at every length, and look-alikes do not', async () => {
    for (const length of [4, 5, 20, 256])
      for (const distinct of [true, false]) {
        const { outputs } = await runTool(tool, { length, distinct, count: 50 }, chance());
        assert.equal(outputs.passwords.items.length, 50);
        for (const password of outputs.passwords.items) {
          assert.equal([...password].length, length);
          for (const set of [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]) assert.match(password, set);
          if (distinct) assert.doesNotMatch(password, /[Il1|O0]/);
        }
      }
  });

  test('conditional draws stay uniform', () => {
    const seen = new Map();
    const choose = chooser(random);
    for (let draw = 0; draw < 60_000; draw++) {
      const drawn = drawCharacters([['a', 'b'], ['1']], 2, true, choose);
      seen.set(drawn, (seen.get(drawn) ?? 0) + 1);
    }
    assert.deepEqual([...seen.keys()].toSorted(), ['1a', '1b', 'a1', 'b1']);
    for (const count of seen.values()) assert.ok(Math.abs(count - 15_000) < 900, String(count));
  });

  test('passphrases: words from the list, capitals, digit, entropy', async () => {
    const { outputs } = await runTool(
      tool,
      { kind: 'passphrase', words: 5, separator: ' ', capitals: true, digit: true, count: 20 },
      chance(),
    );
    for (const phrase of outputs.passwords.items) {
      assert.equal(phrase.split(' ').length, 5);
      assert.match(phrase, /^[A-Z]/);
      assert.equal(phrase.match(/\d/g)?.length, 1);
      for (const word of phrase.split(' '))
        assert.ok(words.includes(word.replace(/\d/, '').toLowerCase()), word);
    }
    assert.equal(
      outputs.strength.data.bits,
      Number((5 * Math.log2(7776) + Math.log2(50)).toFixed(1)),
    );
    assert.equal((await runTool(tool, { kind: 'passphrase', separator: '' })).warnings.length, 1);
  });

  test('custom symbols, also beyond ASCII; times', async () => {
    const { outputs } = await runTool(
      tool,
      { own: '😀é', lower: false, upper: false, digits: false, length: 8 },
      chance(),
    );
    assert.match(outputs.passwords.items[0], /^[😀é]{8}$/u);
    const without = await runTool(tool, { without: 'aeiouAEIOU0123456789', count: 100 }, chance());
    for (const one of without.outputs.passwords.items) assert.doesNotMatch(one, /[aeiou\d]/i);
    const left = [21, 21, 28];
    const sets = left.map((size, at) => Array.from({ length: size }, (_, one) => `${at} ${one}`));
    assert.equal(
      without.outputs.strength.data.bits,
      Number(bitsOf(countWithEach(sets, 20)).toFixed(1)),
    );
    assert.equal(guessTime(34.2), 'less than a second');
    assert.match(guessTime(85), / years$/);
    assert.equal(guessTime(128), 'longer than the age of the universe');
  });

  test('at the limits', async () => {
    for (const [values, count] of /** @type {const} */ ([
      [{ count: 100 }, 100],
      [{ length: 256, own: '!'.repeat(200) }, 1],
      [{ kind: 'passphrase', words: 3, separator: '-'.repeat(10) }, 1],
      [{ kind: 'passphrase', words: 20 }, 1],
      [{ kind: 'pin', pin: 3 }, 1],
      [{ kind: 'pin', pin: 32 }, 1],
    ])) {
      const { outputs, refusal } = await runTool(tool, values, chance());
      assert.equal(refusal, undefined);
      assert.equal(new Set(outputs.passwords.items).size, count);
    }
  });

  for (const [values, field] of /** @type {const} */ ([
    [{ lower: false, upper: false, digits: false, symbols: false }, 'lower'],
    [{ lower: false, upper: false, digits: false, own: '' }, 'lower'],
    [{ lower: false, upper: false, symbols: false, without: '0123456789' }, 'lower'],
    [{ without: 'x'.repeat(201) }, 'without'],
    [{ own: '!'.repeat(201) }, 'own'],
    [{ length: 3 }, 'length'],
    [{ length: 257 }, 'length'],
    [{ count: 0 }, 'count'],
    [{ count: 101 }, 'count'],
    [{ kind: 'passphrase', words: 2 }, 'words'],
    [{ kind: 'passphrase', words: 21 }, 'words'],
    [{ kind: 'passphrase', separator: '-'.repeat(11) }, 'separator'],
    [{ kind: 'pin', pin: 2 }, 'pin'],
    [{ kind: 'pin', pin: 33 }, 'pin'],
  ]))
    test(`refuses ${JSON.stringify(values)}`, async () => {
      assert.equal((await runTool(tool, values)).refusal?.field, field);
    });
});
