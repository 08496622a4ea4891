//! Lorem ipsum generator: exact counts from 1 to 1000, seeds, formats, limits.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fixedContext, runTool } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @typedef {import('../../../kit/types.d.ts').RawValues<typeof tool.fields>} Raw */

/** @param {Raw} values */
const textOf = async (values) => (await runTool(tool, { seed: 's', ...values })).outputs.text.text;

describe('lorem ipsum generator', () => {
  test('counts are exact from 1 to 1000', async () => {
    for (let count = 1; count <= 1000; count++) {
      const words = await textOf({ unit: 'words', count });
      assert.equal(words.split(' ').length, count);
      const bytes = await textOf({ unit: 'bytes', bytes: count });
      assert.equal(new TextEncoder().encode(bytes).length, count);
      // Short ones in the middle, which take less time.
      const short = count > 60 && count < 990 ? { sentences: 1, length: 6 } : {};
      assert.equal(
        (await textOf({ unit: 'sentences', count, ...short })).match(/\./g)?.length,
        count,
      );
      assert.equal(
        (await textOf({ unit: 'paragraphs', count, ...short })).split('\n\n').length,
        count,
      );
      assert.equal((await textOf({ unit: 'items', count, ...short })).split('\n').length, count);
    }
  });

  test('sentences and words have the requested lengths', async () => {
    for (const [length, sentences] of /** @type {const} */ ([
      [1, 1],
      [5, 20],
      [6, 2],
      [50, 3],
    ]))
      for (const classic of [true, false]) {
        const paragraphs = (await textOf({ length, sentences, classic })).split('\n\n');
        assert.equal(paragraphs.length, 3);
        for (const paragraph of paragraphs) {
          const each = paragraph.split(/(?<=\.) /);
          assert.equal(each.length, sentences);
          for (const one of each) assert.equal(one.split(' ').length, length, one);
        }
      }
    assert.match(await textOf({ length: 3 }), /^Lorem ipsum dolor\. Sit amet consectetur\. /);
  });

  test('the same seed gives the same text, another a different one', async () => {
    for (const unit of /** @type {const} */ ([
      'words',
      'sentences',
      'paragraphs',
      'items',
      'bytes',
    ])) {
      const values = { unit, classic: false };
      assert.equal(await textOf({ ...values, seed: 'x' }), await textOf({ ...values, seed: 'x' }));
      assert.notEqual(
        await textOf({ ...values, seed: 'x' }),
        await textOf({ ...values, seed: 'y' }),
      );
    }
  });

  test('without a seed each text differs, and its seed is reported', async () => {
    const bytes = () => ({
      ...fixedContext(),
      random: (/** @type {number} */ count) => crypto.getRandomValues(new Uint8Array(count)),
    });
    const first = await runTool(tool, {}, bytes());
    const second = await runTool(tool, {}, bytes());
    assert.notEqual(first.outputs.text.text, second.outputs.text.text);
    const { seed, text } = first.outputs;
    assert.deepEqual((await runTool(tool, { seed })).outputs, { text, seed: undefined });
  });

  test('the classic opening, or none', async () => {
    for (const unit of /** @type {const} */ ([
      'words',
      'sentences',
      'paragraphs',
      'items',
      'bytes',
    ])) {
      assert.match(await textOf({ unit, count: 20 }), /^Lorem ipsum dolor sit amet/);
      assert.doesNotMatch(await textOf({ unit, count: 20, classic: false }), /^Lorem ipsum/);
    }
  });

  test('HTML and Markdown', async () => {
    assert.match(await textOf({ format: 'html', count: 2 }), /^<p>[^<]+<\/p>\n<p>[^<]+<\/p>$/);
    assert.match(
      await textOf({ unit: 'items', format: 'html', count: 2 }),
      /^<ul>\n( {2}<li>[^<]+<\/li>\n){2}<\/ul>$/,
    );
    assert.match(await textOf({ unit: 'items', format: 'markdown', count: 2 }), /^- .+\n- .+$/);
  });

  for (const [values, field] of /** @type {[Raw, string][]} */ ([
    [{ count: 0 }, 'count'],
    [{ count: 1001 }, 'count'],
    [{ unit: 'bytes', bytes: 0 }, 'bytes'],
    [{ unit: 'bytes', bytes: 100_001 }, 'bytes'],
    [{ sentences: 0 }, 'sentences'],
    [{ sentences: 21 }, 'sentences'],
    [{ length: 0 }, 'length'],
    [{ length: 51 }, 'length'],
    [{ seed: 'x'.repeat(201) }, 'seed'],
  ]))
    test(`refuses ${JSON.stringify(values)}`, async () => {
      assert.equal((await runTool(tool, values)).refusal?.field, field);
    });
});
