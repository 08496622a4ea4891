//! Drawings that repeat themselves by reference: counted before a page shows them. That pages stay awake is tested in
//! freezes.mjs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mayRepeat, picture, tool } from '../kit/tool.js';
import { execute } from '../kit/worker.js';
import { added } from '../lib/image/svg.js';
import { loadFile } from './tools.mjs';

const rect = '<rect width="9" height="9"/>';
const svg = (/** @type {string} */ inside) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99">${inside}</svg>`;
/** Eight levels, each of which has the one below ten times. @param {(name: string, inside: string) => string} level @param {(name: string) => string} use */
const bomb = (level, use) =>
  svg(
    Array.from({ length: 8 }, (_, at) =>
      level(`a${at}`, at === 0 ? rect : use(`a${at - 1}`).repeat(10)),
    ).join('') + use('a7'),
  );
const group = (/** @type {string} */ name, /** @type {string} */ inside) =>
  `<defs><g id="${name}">${inside}</g></defs>`;
const element =
  (/** @type {string} */ kind) => (/** @type {string} */ name, /** @type {string} */ inside) =>
    `<${kind} id="${name}">${inside}</${kind}>`;

/** @type {Record<string, string>} */
const BOMBS = {
  use: bomb(group, (name) => `<use href="#${name}"/>`),
  'use by xlink': bomb(group, (name) => `<use xlink:href="#${name}"/>`),
  'use, escaped': bomb(group, (name) => `<use href="&#35;${name.replace('a', '%61')}"/>`),
  mask: bomb(element('mask'), (name) => `<rect width="9" height="9" mask="url(#${name})"/>`),
  'mask, escaped as XML': bomb(
    element('mask'),
    (name) => `<rect width="9" height="9" mask="&#117;rl(#${name})"/>`,
  ),
  'a set reference, escaped as XML': bomb(
    group,
    (name) => `<use><set attributeName="hre&#102;" to="#${name}"/></use>`,
  ),
  'clip path': bomb(
    element('clipPath'),
    (name) => `<rect width="9" height="9" style="clip-path: url('#${name}')"/>`,
  ),
  'clip path, escaped': bomb(
    element('clipPath'),
    (name) => `<rect width="9" height="9" style="clip-path: u\\72l(#${name})"/>`,
  ),
  marker: bomb(element('marker'), (name) => `<path d="M0 0L1 1" marker-start="url(#${name})"/>`),
  'marker of a group': bomb(
    (name, inside) => `<marker id="${name}"><g>${inside}</g></marker>`,
    (name) => `<g marker-start="url(#${name})"><path d="M0 0L1 1"/></g>`,
  ),
  'marker of what is used': `${bomb(
    (name, inside) => `<marker id="${name}">${inside}</marker>`,
    (name) => `<g marker-end="url(#${name})"><use href="#p"/></g>`,
  ).replace('</svg>', '')}<path id="p" d="M0 0L1 1"/></svg>`,
  'rules of a style': `${svg(
    `<style>${Array.from({ length: 8 }, (_, at) => `@media all { g .b${at}, i { mask: url(#a${at}) } }`).join('')}</style>`,
  ).replace('</svg>', '')}${bomb(
    element('mask'),
    (name) => `<rect class="c ${name.replace('a', 'b')}" width="9" height="9"/>`,
  ).replace(/^<svg[^>]*>/, '')}`,
  'a marker at each vertex': svg(
    `<marker id="m">${rect.repeat(100)}</marker><path marker-mid="url(#m)" d="${'M1 1'.repeat(5000)}"/>`,
  ),
  'a long path, often': svg(
    `<path id="p" d="${'M1 1'.repeat(25_000)}"/>${'<use href="#p"/>'.repeat(200)}`,
  ),
  noise: svg(`<filter id="f"><feTurbulence/></filter>${'<rect filter="url(#f)"/>'.repeat(200)}`),
  'a drawing in a drawing': svg(
    `<image href="data:image/svg+xml,${encodeURIComponent(svg(rect))}"/>`,
  ),
  'a style sheet in a drawing': svg(
    '<style>@import url("data:text/css,g{mask:url(%23a)}");</style>',
  ),
  'a reference in a variable': svg('<style>:root { --a: url(#a) } g { mask: var(--a) }</style>'),
  'a reference after a nested rule': svg('<style>g { i { x: y } mask: url(#a) }</style>'),
  'a reference set later': svg('<use><set attributeName="href" to="#a"/></use>'),
  entities: `<!DOCTYPE svg [<!ENTITY a "<use href='#b'/>">]>${svg('&a;')}`,
  'attributes that a declaration adds': `<!DOCTYPE svg [<!ATTLIST use href CDATA "#a">]>${svg('<use/>')}`,
  'elements in each other': svg(
    '<mask id="a"><rect mask="url(#b)"/></mask><mask id="b"><rect mask="url(#a)"/></mask>',
  ),
};

describe('too much to draw', () => {
  for (const [name, text] of Object.entries(BOMBS))
    test(name, () => assert.ok(added(text) > 10_000, String(added(text))));
});

/** @type {Record<string, string>} */
const PLAIN = {
  'many elements': svg(rect.repeat(20_000)),
  'a sprite': svg(`<symbol id="a">${rect.repeat(20)}</symbol>${'<use href="#a"/>'.repeat(100)}`),
  'a map with gradients': svg(
    `<style>.a { fill: url(#g) }</style><linearGradient id="g"><stop/></linearGradient>${'<path class="a" d="M0 0L1 1"/>'.repeat(5000)}`,
  ),
  'arrows of a chart': svg(
    `<marker id="m"><path d="M0 0L1 1"/></marker>${`<path marker-end="url(#m)" d="${'M1 1'.repeat(500)}"/>`.repeat(200)}`,
  ),
  'namespaces as entities': `<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><use href="#a"/><g id="a"/></svg>`,
  'a photo': svg(
    '<image href="data:image/png;base64,AAAA"/><style>@font-face { src: url(data:font/woff2,a) }</style>',
  ),
};

describe('drawn', () => {
  for (const [name, text] of Object.entries(PLAIN))
    test(name, () => assert.ok(added(text) <= 10_000, String(added(text))));
});

const run = (/** @type {any} */ tool, /** @type {any} */ raw) =>
  execute(tool, raw, undefined, () => {});

test('a tool shows no such picture, and says so', async () => {
  const text = BOMBS.use ?? '';
  const { outputs, warnings } = await run(await loadFile('svg-optimizer'), { text });
  assert.deepEqual([outputs.before, outputs.after], [undefined, undefined]);
  assert.ok(outputs.svg.text.includes('<use'), 'the rest of the answer is there');
  const warning =
    'The picture is not shown: its references repeat more elements than a browser can draw.';
  assert.deepEqual(warnings, [warning]);
  const other = await run(await loadFile('image-base64-encoder'), {
    mode: 'decode',
    text: `data:image/svg+xml,${encodeURIComponent(text)}`,
  });
  assert.equal(other.outputs.picture, undefined);
  assert.ok(other.warnings?.includes(warning));
});

describe('whatever tool makes it, in whatever form', () => {
  /** @type {Record<string, (text: string) => string | Uint8Array | Blob>} */
  const forms = {
    text: (text) => text,
    bytes: (text) => new TextEncoder().encode(text),
    file: (text) => new Blob([text], { type: 'image/svg+xml' }),
  };
  for (const [form, as] of Object.entries(forms))
    test(form, async () => {
      for (const [name, text] of Object.entries(BOMBS)) {
        const shown = () => ({ shown: picture(as(text), { alt: '' }) });
        const { outputs } = await run(tool({ fields: {}, run: shown, examples: [] }), {});
        assert.equal(outputs.shown, undefined, name);
      }
    });
});

for (const slug of ['contrast-checker', 'qr-code-generator', 'totp-generator'])
  test(`${slug} draws nothing that would have to be counted`, async () => {
    const tool = await loadFile(slug);
    const drawn = [];
    for (const { values } of tool?.examples ?? []) {
      const outputs = Object.values((await run(tool, values)).outputs);
      drawn.push(...outputs.filter((one) => one?.type === 'image/svg+xml'));
    }
    assert.ok(drawn.length > 0);
    for (const { data } of drawn) assert.ok(!mayRepeat(data), data);
  });
