//! The style sheets: sizes and colours are tokens, and every rule is in a layer.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const WEB = join(import.meta.dirname, '..');
const TOKENS = ['tokens', 'color-tokens', 'result-tokens'].map((name) => `style/parts/${name}.css`);
const SHEETS = ['style', 'tools'].flatMap((folder) =>
  readdirSync(join(WEB, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => join(folder, name)),
);
/** Properties whose lengths are those of the scales. */
const SCALED =
  /^(?:font|font-size|(?:row-|column-)?gap|(?:padding|margin)(?:-[\w-]+)?|border-radius)$/;
/** Nothing, the browser's own, a share, of the letter's size, one pixel to hide with. */
const FREE = /^-?(?:0|1px|[\d.]+(?:em|ch|%|vh|vw))$/;
const LENGTH = /(?<![\w-])-?\d*\.?\d+(?:px|rem|em|ch|vh|vw|%)?(?![\w-])/g;
const COLOR =
  /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab|lab|lch|hwb|light-dark|color)\(|\b(?:red|green|blue|black|white|gr[ae]y|yellow|lime|cyan)\b/i;

/** Names and values of all declarations. @param {string} sheet @returns {[string, string][]} */
const declarations = (sheet) =>
  [
    ...sheet
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g),
  ].map(([, name = '', value = '']) => [name, value]);

for (const path of SHEETS.filter((path) => !TOKENS.includes(path)))
  test(`${path} has no size or colour of its own`, () => {
    const own = declarations(readFileSync(join(WEB, path), 'utf8')).flatMap(([name, value]) => {
      const plain = value.replace(
        /var\([^()]*\)|calc\((?:[^()]|\([^()]*\))*\)|max\((?:[^()]|\([^()]*\))*\)/g,
        '',
      );
      const lengths = SCALED.test(name)
        ? (plain.replace(/\/[\d.]+/, '').match(LENGTH) ?? []).filter(
            (one) => !FREE.test(one) && !/^\d{3}$/.test(one),
          )
        : [];
      return lengths.length > 0 || COLOR.test(plain) ? [`${name}: ${value}`] : [];
    });
    assert.deepEqual(own, []);
  });

test('every rule is in a layer', () => {
  for (const path of SHEETS) {
    const sheet = readFileSync(join(WEB, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const outside = [];
    let depth = 0;
    let rule = '';
    for (const character of sheet) {
      if (character === '{' && depth++ === 0) outside.push(rule.split(';').at(-1)?.trim());
      if (character === '}') depth--;
      rule = depth > 0 || character === '}' ? '' : rule + character;
    }
    // Highlights are named once, whatever the layer.
    const loose = outside.filter(
      (one) => !/^@layer|^::highlight|^@media \(forced-colors/.test(one ?? ''),
    );
    assert.deepEqual(loose, [], path);
  }
});

test('every token that is used exists', () => {
  const tokens = TOKENS.map((path) => readFileSync(join(WEB, path), 'utf8')).join('');
  /** Set by the pages' scripts. */
  const set = /^--(?:below|rows|left|color|gradient|bar|at|share|s|v|hue|solid|width|ratio)$/;
  for (const path of SHEETS)
    for (const [, name = ''] of readFileSync(join(WEB, path), 'utf8').matchAll(/var\((--[\w-]+)/g))
      assert.ok(set.test(name) || tokens.includes(`${name}:`), `${path}: ${name}`);
});
