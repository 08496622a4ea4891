//! Broken YAML is refused on the pages as the service refuses it: the same line, cause and cure.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inLinearTime, runTool } from './run.mjs';
import { loadFile } from './tools.mjs';

const VECTORS = new URL('../../../toolkit-core/tests/vectors/yaml.json', import.meta.url);
const { refused } = JSON.parse(readFileSync(VECTORS, 'utf8'));
/** What the library of the pages takes. */
const TAKEN = /surrogate pair|cannot stand here|byte order mark|`%` is a directive/;
/** Where the library stops at another place than the service's reader. */
const ELSEWHERE = [
  'a quote that is not indented, after a bracket that is overlooked',
  '6.9: an anchor right before a bracket',
];

test('the line, the cause and the cure are those of the service', async () => {
  const tool = await loadFile('data-converter');
  let count = 0;
  for (const { about, yaml, says } of refused) {
    const [, line, rest = ''] = /^line (\d+), column \d+: the input (.*)$/s.exec(says) ?? [];
    if (!rest.startsWith('is not valid YAML') || TAKEN.test(rest) || ELSEWHERE.includes(about))
      continue;
    const { refusal } = await runTool(tool, { text: yaml, from_format: 'yaml', to_format: 'json' });
    const [, found, sentence] =
      /^Line (\d+), column \d+: Text (.*)$/s.exec(refusal?.sentence ?? '') ?? [];
    assert.deepEqual([found, sentence], [line, rest], `${about}: ${JSON.stringify(yaml)}`);
    count++;
  }
  assert.ok(count > 40, `${count} are compared`);
});

test('no sentence is a library’s, whatever is broken', async () => {
  const tool = await loadFile('data-converter');
  const own = /library|implicit|flow|node end|scalar value|indicator|token/i;
  const parts = ['a: ', '- ', '[', '}', '"', '&a ', '!t ', '|', '\n  ', '%', ', ', '\t', 'x'];
  for (const one of parts)
    for (const two of parts)
      for (const three of parts) {
        const text = `k: v\n${one}${two}${three}`;
        const { refusal } = await runTool(tool, { text, from_format: 'yaml', to_format: 'json' });
        const sentence = refusal?.sentence.replace(/The line is: .*/s, '') ?? '';
        assert.doesNotMatch(sentence, own, JSON.stringify(text));
      }
});

test('the cause in a long line is found in a time that grows with its length', async () => {
  const tool = await loadFile('data-converter');
  for (const part of ['1, ', '[1], ', "'a', ", 'a b: c ', '{', '"'])
    for (const begin of ['a: [', 'a: ', '- {']) {
      const text = begin + part.repeat(100_000 / part.length);
      const values = { text, from_format: 'yaml', to_format: 'json' };
      await inLinearTime(() => runTool(tool, values), `${begin}${part}`);
    }
});
