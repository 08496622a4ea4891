//! Names that every JavaScript object has: whoever writes one into a tool gets an answer or a refusal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool } from './run.mjs';
import { loadFile, SLUGS } from './tools.mjs';

const NAMES = ['constructor', '__proto__', 'toString'];
/** @type {((name: string) => string)[]} */
const TEXTS = [
  (name) => name,
  (name) => `${name}(1 2 3)`,
  (name) => `hsl(1${name} 10% 10%)`,
  (name) => `1 ${name}`,
  (name) => `1${name}`,
  (name) => `{"${name}": {"${name}": 1}}`,
  (name) => `<${name} ${name}="1">a</${name}>`,
  (name) => `${name}: 1`,
  (name) => `${name} = 1`,
  (name) => `&${name};`,
  (name) => `\\${name}`,
  (name) => `$.${name}`,
  (name) => `curl --${name} https://example.org/?${name}=1`,
  (name) => `-----BEGIN ${name}-----\nAAAA\n-----END ${name}-----`,
  (name) => `Mon, 01 Jan 2024 10:00:00 ${name}`,
  (name) =>
    `${['{"alg":"x"}', `{"${name}":1}`].map((part) => Buffer.from(part).toString('base64url')).join('.')}.YQ`,
];
/** Keys and digests take seconds, and read no names. */
const SLOW = ['bcrypt-generator', 'rsa-key-generator'];

for (const slug of SLUGS.filter((one) => !SLOW.includes(one)))
  test(`${slug} takes the names of every object`, async () => {
    const tool = await loadFile(slug);
    const [example] = tool.examples;
    const fields = Object.keys(tool.fields).filter((name) =>
      ['text', 'line', 'color', 'zone'].includes(tool.fields[name].kind),
    );
    for (const field of fields)
      for (const text of TEXTS)
        for (const name of NAMES) {
          const raw = { ...example.values, [field]: text(name) };
          const { refusal, outputs } = await runTool(tool, raw).catch((error) => {
            throw new Error(`${field}: ${text(name)}: ${error.stack}`);
          });
          const said = JSON.stringify([refusal, outputs], (_, value) =>
            typeof value === 'bigint' ? String(value) : value,
          );
          assert.ok(
            !/native code|\[object Object\]/.test(said),
            `${field}: ${text(name)}: ${said}`,
          );
        }
  });
