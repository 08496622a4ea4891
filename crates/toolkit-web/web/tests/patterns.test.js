//! Every regular expression of the pages takes a time that grows with the length of the text, not with its
//! square: whatever one to three characters are repeated, whatever stands before or after them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isEndless, parse, steps } from './patterns.mjs';
import { require } from './run.mjs';

const WEB = join(import.meta.dirname, '..');
/** Up to so many steps a character are not looked at further; beyond, twice as long a text may take so many times as many. */
const [STEPS, GROWTH] = [16, 2.6];
const LENGTH = 120;
const MOST = 1_000_000;
/** Besides what a pattern names itself. */
const CHARACTERS = [...'aA0 \n"\'-.,:;<>/*=()[]{}\\#&%@_é'];

/** The regular expressions that are written in a module. @param {string} path @returns {RegExp[]} */
function written(path) {
  const acorn = /** @type {any} */ (require)('acorn');
  const found = [];
  for (const token of acorn.tokenizer(readFileSync(path, 'utf8'), {
    ecmaVersion: 'latest',
    sourceType: 'module',
  }))
    if (token.type === acorn.tokTypes.regexp)
      found.push(new RegExp(token.value.pattern, token.value.flags));
  return found;
}

const modules = ['kit', 'lib', 'tools', 'data', ''].flatMap((folder) =>
  readdirSync(join(WEB, folder), { recursive: folder !== '', encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.includes('tests/'))
    .map((name) => join(folder, name)),
);

/** Where each pattern stands. @type {Map<string, { pattern: RegExp, place: string }>} */
const patterns = new Map();
const add = (/** @type {RegExp} */ pattern, /** @type {string} */ place) =>
  patterns.has(String(pattern)) || patterns.set(String(pattern), { pattern, place });
for (const path of modules) for (const pattern of written(join(WEB, path))) add(pattern, path);

/** What modules make of parts as they are loaded. */
async function made() {
  const own = globalThis.RegExp;
  const caller = /^[^\n]*\n[^\n]*\n[^\n]*\/web\/((?:kit|lib|tools)\/[^:]*)/;
  globalThis.RegExp = new Proxy(own, {
    construct(target, args, as) {
      const pattern = Reflect.construct(target, args, as);
      const [, place] = caller.exec(new Error().stack ?? '') ?? [];
      if (place) add(pattern, place);
      return pattern;
    },
  });
  try {
    for (const path of modules.filter((one) => /^(?:lib|tools)|tokens/.test(one)))
      if (!/view\.js$/.test(path)) await import(join(WEB, path));
  } finally {
    globalThis.RegExp = own;
  }
}

/** Texts of one to three characters: one of each kind that a pattern tells apart, and no text twice that is another turned. @param {ReturnType<typeof parse>} parsed @param {string} source */
function units({ sets }, source) {
  const kinds = new Map();
  for (const one of [...source, ...CHARACTERS].filter(({ length }) => length === 1)) {
    const key = [...sets.map(({ has }) => has(one)), one === '\n', /\w/.test(one)].join();
    if (!kinds.has(key)) kinds.set(key, one);
  }
  const ones = [...kinds.values()];
  const longer = (/** @type {string[]} */ texts) => texts.flatMap((a) => ones.map((b) => a + b));
  const all = [...ones, ...longer(ones), ...(ones.length <= 9 ? longer(longer(ones)) : [])];
  const turned = (/** @type {string} */ text) =>
    [...text].map((_, at) => text.slice(at) + text.slice(0, at)).sort()[0];
  return all.filter(
    (text) => text === turned(text) && (text.length === 1 || new Set(text).size > 1),
  );
}

/** The shortest texts that lead to what is repeated without end. @param {ReturnType<typeof parse>} parsed @param {string} source */
function beginnings({ options }, source) {
  const characters = [...source.replace(/\\(?=\W)/g, ''), ...CHARACTERS];
  /** @type {Set<string>} */
  const all = new Set(['']);
  /** @param {import('./patterns.mjs').Node} node @param {string} before @returns {string} */
  const through = (node, before) => {
    if (node.kind === 'set') return characters.find(node.has) ?? '';
    if (node.kind === 'group') return branches(node.options, before);
    if (node.kind === 'look') {
      if (!node.isBehind && !node.isNot) branches(node.options, before);
      return '';
    }
    if (node.kind !== 'repeat') return '';
    if (node.most === Number.POSITIVE_INFINITY) all.add(before);
    const once = through(node.of, before);
    return once.repeat(node.least);
  };
  /** @param {import('./patterns.mjs').Node[][]} some @param {string} before */
  const branches = (some, before) => {
    const texts = some.map((nodes) =>
      nodes.reduce((text, node) => text + through(node, before + text), ''),
    );
    return texts[0] ?? '';
  };
  branches(options, '');
  return [...all].slice(0, 12);
}

/** Texts that a pattern names, and pairs of them with a letter between. @param {string} source */
function literals(source) {
  const runs = source.match(/(?:\\[^\w]|[^\\^$.*+?()[\]{}|])+(?![*+?{])/g) ?? [];
  const texts = [...new Set(runs.map((run) => run.replace(/\\(.)/gs, '$1')))].slice(0, 12);
  return texts.flatMap((a) => [a, `${a} `, ...texts.flatMap((b) => [a + b, `${a}a${b}`])]);
}

/** What makes a pattern slow, or undefined. @param {RegExp} pattern */
function slow(pattern) {
  const parsed = parse(pattern);
  const { options } = parsed;
  if (!isEndless(options)) return undefined;
  const words = literals(pattern.source);
  const before = beginnings(parsed, pattern.source);
  for (const unit of new Set([...units(parsed, pattern.source), ...words]))
    for (const start of before)
      for (const end of ['', '\0']) {
        const count = (/** @type {number} */ length) =>
          steps(options, pattern.flags, start + unit.repeat(length / unit.length) + end, MOST);
        const short = count(LENGTH);
        if (short <= STEPS * LENGTH) continue;
        const long = count(2 * LENGTH);
        if (long > GROWTH * short || long === MOST)
          return `${JSON.stringify(start)} + ${JSON.stringify(unit)}… + ${JSON.stringify(end)}: ${short}, twice as long: ${long} steps`;
      }
  return undefined;
}

await made();
for (const { pattern, place } of patterns.values())
  test(`${place}: ${pattern}`, () => assert.equal(slow(pattern), undefined));
