//! All tool files, or that of SLUG: they are well-formed, and every example is exact.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { label } from '../kit/words.js';
import { runTool } from './run.mjs';
import { loadFile, SLUGS, stated } from './tools.mjs';

const { SLUG } = process.env;
const KINDS = 'text line secret choice toggle number file files color date time zone rows'.split(
  ' ',
);

/** A result in the form of an example: plain text as a string. @param {any} output */
const plain = (output) => (output?.kind === 'text' ? output.text : (output ?? undefined));

for (const slug of SLUGS.filter((slug) => !SLUG || slug === SLUG)) {
  describe(slug, async () => {
    const tool = await loadFile(slug);
    const longer = (await loadFile(slug, 'tests/examples.js')) ?? {};
    const warnings = (await loadFile(slug, 'tests/examples.js', 'warnings')) ?? {};

    test('is well-formed', async () => {
      for (const [field, { kind, label, when }] of Object.entries(tool.fields)) {
        assert.ok(KINDS.includes(kind), `${field} has the kind ${kind}`);
        assert.match(label, /^\p{Lu}|^\d/u, `the label of ${field} begins with a capital letter`);
        for (const other of Object.keys(when ?? {}))
          assert.ok(tool.fields[other], `${other} is a field`);
      }
      for (const [output, heading] of Object.entries(tool.labels ?? {}))
        assert.notEqual(heading, label(output), `the heading of ${output} is its name`);
      assert.ok(tool.examples.length > 0, 'has an example');
      assert.notDeepEqual(
        await stated(slug, tool.examples[0]),
        {},
        'the first example states its outputs',
      );
      const titles = tool.examples.map((/** @type {{ title: string }} */ { title }) => title);
      for (const title of Object.keys({ ...longer, ...warnings }))
        assert.ok(titles.includes(title), title);
    });

    for (const example of tool.examples) {
      const { title, values } = example;
      test(`example: ${title}`, async () => {
        const result = await runTool(tool, values);
        assert.equal(result.refusal, undefined, String(result.refusal?.sentence));
        for (const [output, wanted] of Object.entries(await stated(slug, example)))
          assert.deepEqual(plain(result.outputs[output]), plain(wanted), output);
        assert.deepEqual(result.warnings, warnings[title] ?? []);
        const again = await runTool(tool, values);
        assert.deepEqual(again.outputs, result.outputs, 'a second run gives the same');
      });
    }

    test('accepts an empty form', async () => {
      const { refusal } = await runTool(tool, {});
      assert.equal(refusal, undefined, String(refusal?.sentence));
    });
  });
}
