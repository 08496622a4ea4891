//! One contract with two places: what the service's examples give over REST, the pages of the same
//! tools give in the browser. Only time, chance and wording differ.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { runTool } from './run.mjs';
import { loadFile, SLUGS } from './tools.mjs';

const { paths } = JSON.parse(
  readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
);

/** How an answer of the service stands on the page, where it is not the text or list `result`. @type {Record<string, (outputs: Record<string, any>, result: any) => void>} */
const SHOWN = {};
for (const slug of ['uuid', 'ulid', 'nanoid'])
  SHOWN[`${slug}-generator`] = ({ result }, wanted) => {
    // Chance: as many, of the same length and the same version.
    const form = (/** @type {string} */ id) => [id.length, slug === 'uuid' && id.charAt(14)];
    assert.deepEqual(result.items.map(form), wanted.map(form));
  };

/** Each member of the answer stands among the rows, whatever its label. @param {Record<string, any>} outputs @param {any} result */
SHOWN['timestamp-converter'] = ({ result }, { detected, ...wanted }) => {
  const cells = result.pairs.map((/** @type {any[]} */ [, cell]) => String(cell));
  for (const [name, value] of Object.entries(wanted))
    assert.ok(cells.includes(String(value)), `${name}: ${value} is not in ${cells.join(', ')}`);
};

SHOWN['jwt-decoder'] = ({ headline, result, header, payload }, wanted) => {
  assert.deepEqual(JSON.parse(header.text), wanted.header);
  assert.deepEqual(JSON.parse(payload.text), wanted.payload);
  const found = Object.fromEntries(result.pairs);
  const verdicts = { expired: /^Expired /, no_expiry: /^Does not expire/ };
  assert.match(headline.text, verdicts[/** @type {keyof typeof verdicts} */ (wanted.status)]);
  const names = { Issued: 'issued_at', 'Not before': 'not_before', Expires: 'expires_at' };
  for (const [name, member] of Object.entries(names))
    assert.equal(found[name] ?? null, wanted[member], name);
  assert.equal(found.Algorithm, wanted.algorithm);
  assert.match(found.Kind, new RegExp(wanted.token_type, 'i'));
};

/** The values of a body as the form has them: choices by their words. @param {Record<string, any>} fields @param {Record<string, any>} body */
const entered = (fields, body) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      ['number', 'toggle'].includes(fields[name]?.kind) ? value : String(value),
    ]),
  );

let count = 0;
for (const [path, { post }] of Object.entries(paths)) {
  const slug = path.match(/\/tools\/([a-z0-9-]+)\/run$/)?.[1] ?? '';
  if (!SLUGS.includes(slug)) continue;
  count++;
  describe(slug, async () => {
    const tool = await loadFile(slug);
    const { examples, schema } = post.requestBody.content['application/json'];
    const answers = post.responses[200].content['application/json'].examples;

    test('has every field of the service, with its choices', () => {
      for (const [name, { enum: choices = [], anyOf = [] }] of Object.entries(schema.properties)) {
        assert.ok(tool.fields[name], name);
        const all = [...choices, ...anyOf.flatMap((/** @type {any} */ one) => one.enum ?? [])];
        for (const choice of all) assert.ok(Object.hasOwn(tool.fields[name].choices, choice));
      }
    });

    for (const [key, { summary, value }] of Object.entries(examples))
      test(`example: ${summary}`, async () => {
        const { result, warnings = [] } = answers[key].value;
        const found = await runTool(tool, entered(tool.fields, value));
        assert.equal(found.refusal, undefined, String(found.refusal?.sentence));
        const show =
          SHOWN[slug] ?? (({ result }, wanted) => assert.equal(result.text ?? result, wanted));
        show(found.outputs, result);
        // A warning of the service is one of the page; the page may say more.
        assert.ok(found.warnings.length >= warnings.length, found.warnings.join(' '));
      });
  });
}

test('nine tools of the service answer on their pages', () => assert.equal(count, 9));
