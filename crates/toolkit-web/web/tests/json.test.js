import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Refusal } from '../kit/tool.js';
import {
  JsonNumber,
  MAX_DEPTH,
  parseJson,
  parseJsonLines,
  plain,
  writeJson,
} from '../lib/json/json.js';
import { characterOffset, lineColumn, quoteLine } from '../lib/positions.js';
import { seeded, suites } from './run.mjs';

/** @param {string} text */
function defect(text) {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof Refusal) return `${error.message} (${error.position.at})`;
    throw error;
  }
  return 'accepted';
}

test('JSONTestSuite: all documents', (t) => {
  const path = `${suites}/json_parsing.json`;
  if (!existsSync(path))
    return t.skip('needs the public suite json_parsing.json: set TOOLKIT_SUITES');
  const cases = JSON.parse(readFileSync(path, 'utf8')).filter(
    (/** @type {any} */ one) => one.input !== undefined,
  );
  for (const { id, input, expect } of cases) {
    if (expect !== 'accept' && expect !== 'reject') continue;
    assert.equal(defect(input) === 'accepted', expect === 'accept', id);
  }
  assert.ok(cases.length >= 300);
});

test('nothing is lost: digits, order of names, duplicates, __proto__', () => {
  const text = '{"b":1.0,"1":[12345678901234567890,1E400,-0],"__proto__":{"a":null}}';
  assert.equal(writeJson(parseJson(text), { indent: 0 }), text);
  /** @type {string[]} */
  const repeated = [];
  parseJson('{"a":1,"a":2}', { onDuplicate: (name, offset) => repeated.push(`${name} ${offset}`) });
  assert.deepEqual(repeated, ['a 7']);
  assert.deepEqual(parseJson('[1.50]'), [new JsonNumber('1.50')]);
  assert.deepEqual(plain(parseJson('{"a":[1.50,9007199254740993]}')), {
    a: [1.5, 9007199254740992],
  });
});

test('errors are named, with their positions', () => {
  const defects = {
    '[1,]': 'has a comma after the last item (2)',
    '{a:1}': 'has a name without double quotes (1)',
    "['a']": 'has a text in single quotes; JSON takes double quotes only (1)',
    '[1 2]': 'has "2" where "," or "]" belongs (3)',
    '"a\tb"': 'has the control character U+0009 in a text; write it as \\u0009 (2)',
    '[NaN]': 'has NaN or Infinity, which JSON cannot express (1)',
    '[01]': 'has a number with a leading zero (1)',
    '[1.]': 'has a number without digits after the point (1)',
    '"abc': 'ends inside a text: the closing quote is missing (4)',
    '{"a"': 'ends too early: ":" is missing (4)',
    '"\\q"': 'has the unknown escape "\\q" (1)',
    '[1] x': 'goes on with "x" after the end of the document (4)',
    '// x': 'has a comment; JSON has none (0)',
    '[True]': 'has a word of Python; JSON writes true, false and null (1)',
  };
  for (const [text, message] of Object.entries(defects)) assert.equal(defect(text), message, text);
});

test('depth: the limit is accepted, one more is not', () => {
  const nested = (/** @type {number} */ depth) => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(defect(nested(MAX_DEPTH)), 'accepted');
  assert.equal(defect(nested(MAX_DEPTH + 1)), 'nests deeper than 512 levels (512)');
  assert.match(defect('['.repeat(1_000_000)), /nests deeper/);
});

test('ranges hold the position of each value', () => {
  let range;
  parseJson(' {"a": [1, "x"]} ', {
    onValue: (found) => {
      range = found;
    },
  });
  const list = {
    start: 7,
    end: 15,
    items: [
      { start: 8, end: 9 },
      { start: 11, end: 14 },
    ],
  };
  assert.deepEqual(range, { start: 1, end: 16, members: new Map([['a', list]]) });
});

test('lines are separate documents', () => {
  assert.deepEqual(parseJsonLines('1\n\n[2]\r\n'), [1, [2]]);
  assert.throws(() => parseJsonLines('1\n[2,]\n'), { position: { at: 4 } });
});

test('random values are written as by JSON.stringify', () => {
  const next = seeded(3);
  /** @param {number} depth @returns {any} */
  const random = (depth) => {
    const kind = next(depth > 3 ? 5 : 7);
    if (kind < 2) return next(100000) / (next(2) ? 1 : 7);
    if (kind < 3) return [null, true, false][next(3)];
    if (kind < 5) return String.fromCharCode(...Array.from({ length: next(6) }, () => next(0x250)));
    const items = Array.from({ length: next(4) }, () => random(depth + 1));
    return kind === 5 ? items : Object.fromEntries(items.map((item, i) => [`k${i}"\n`, item]));
  };
  for (let round = 0; round < 300; round += 1) {
    const value = random(0);
    const text = JSON.stringify(value, null, 2);
    assert.deepEqual(plain(parseJson(text)), value);
    assert.equal(writeJson(value), text.replaceAll(/\[\s+\]/g, '[]'));
  }
});

test('positions count characters, lines and columns', () => {
  assert.equal(characterOffset('🎉a', 2), 1);
  assert.deepEqual(lineColumn('a\r\nb\rc🎉d\n', 8), { line: 3, column: 3 });
  assert.deepEqual(lineColumn('a\n', 2), { line: 2, column: 1 });
  assert.deepEqual(lineColumn('', 0), { line: 1, column: 1 });
  assert.equal(quoteLine(`a\n  ${'x'.repeat(200)}`, 2, 100), `…${'x'.repeat(80)}…`);
});
