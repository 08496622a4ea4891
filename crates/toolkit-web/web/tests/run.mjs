//! Test harness for tools: a fixed context, one run, and the public suites.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Refusal } from '../kit/tool.js';
import { makeContext, readValues, sentence } from '../kit/values.js';

/** @import * as T from '../kit/types.d.ts' */

const { CARGO_TARGET_DIR, TOOLKIT_WEB_BUILT } = process.env;
const target = CARGO_TARGET_DIR ?? join(import.meta.dirname, '../../../../target');
/** Loads a package that only tests use. */
export const require = createRequire(
  join(TOOLKIT_WEB_BUILT ?? join(target, 'web'), 'package.json'),
);

/** The context of all tests: 2023-11-14T22:13:20Z, and random bytes that count up from 0. */
export function fixedContext() {
  /** @type {string[]} */
  const warnings = [];
  let next = 0;
  /** @type {number | undefined} */
  let seconds;
  const context = makeContext({
    warn: (sentence) => {
      warnings.push(sentence);
    },
    now: () => new Date(1_700_000_000_000),
    random: (count) => Uint8Array.from({ length: count }, () => next++ & 255),
    progress: () => {},
    again: (value) => {
      seconds = value;
    },
  });
  return { ...context, warnings, next: () => seconds };
}

/**
 * @typedef {{ field: string, offence: string, sentence: string } & T.Position} Refused
 * @typedef {{ outputs: Record<string, any>, warnings: string[], refusal: Refused | undefined, again: number | undefined }} Result
 */

/** @param {unknown} error @param {T.Fields} fields @returns {Refused} */
function refused(error, fields) {
  if (!(error instanceof Refusal)) throw error;
  const { field = '', message: offence, position } = error;
  if (!Object.hasOwn(fields, field))
    throw new Error(`the refusal names "${field}", which is not a field`);
  return { field, offence, ...position, sentence: sentence(error, fields) };
}

/**
 * Runs a tool once. Text may be a string, a Uint8Array or a file; omitted values have their
 * defaults.
 * @template {T.Fields} F
 * @param {T.Tool<F>} tool @param {T.RawValues<NoInfer<F>>} [raw] @param {ReturnType<typeof fixedContext>} [context]
 * @returns {Promise<Result>}
 */
export async function runTool(tool, raw = {}, context = fixedContext()) {
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(tool.fields, name)) throw new Error(`"${name}" is not a field`);
  }
  try {
    const values = await readValues(tool.fields, raw, context);
    const outputs = structuredClone(await tool.run(values, context));
    return { outputs, warnings: context.warnings, refusal: undefined, again: context.next() };
  } catch (error) {
    const refusal = refused(error, tool.fields);
    return { outputs: {}, warnings: context.warnings, refusal, again: undefined };
  }
}

/**
 * Presses an action button of the tool; returns the values that it would put into the form.
 * @template {T.Fields} F
 * @param {T.Tool<F>} tool @param {string} title @param {T.RawValues<NoInfer<F>>} [raw]
 * @returns {Promise<{ values: Record<string, any>, warnings: string[], refusal: Refused | undefined }>}
 */
export async function runAction(tool, title, raw = {}) {
  const context = fixedContext();
  const action = tool.actions?.find((one) => one.title === title);
  if (!action) throw new Error(`"${title}" is not an action`);
  try {
    const values = await action.run(await readValues(tool.fields, raw, context), context);
    return { values, warnings: context.warnings, refusal: undefined };
  } catch (error) {
    return { values: {}, warnings: context.warnings, refusal: refused(error, tool.fields) };
  }
}

/** The folder of the public suites, or undefined. */
export const suites = process.env.TOOLKIT_SUITES;

/**
 * Reads `$TOOLKIT_SUITES/web/<name>` (as JSON unless the name has another extension). If it is
 * missing, marks the test as skipped with the reason and returns undefined.
 * @param {import('node:test').TestContext} test @param {string} name
 * @returns {any}
 */
export function suite(test, name) {
  const file = /\.[a-z0-9]+$/i.test(name) ? name : `${name}.json`;
  const path = suites && join(suites, 'web', file);
  if (!path || !existsSync(path)) {
    test.skip(`needs the public suite web/${file}: set TOOLKIT_SUITES`);
    return undefined;
  }
  const content = readFileSync(path, 'utf8');
  return file.endsWith('.json') ? JSON.parse(content) : content;
}

/** Random numbers from 0 up to `below`, the same in every run, for property tests. @param {number} [seed] */
export function seeded(seed = 1) {
  let state = seed >>> 0;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Over ten times what the longest of these tests takes. It finds what never ends, not a loss of speed. */
const LINEAR_SECONDS = 40;

/**
 * Fails if something takes far longer than in proportion to its length. Counts CPU time, which other load on the
 * machine changes little. measure.mjs tells how fast it is.
 * @template T @param {() => T} work @param {string} [about]
 */
export async function inLinearTime(work, about) {
  const before = process.cpuUsage();
  const result = await work();
  const seconds = process.cpuUsage(before).user / 1e6;
  assert.ok(seconds < LINEAR_SECONDS, `${about ?? ''} ${seconds} s`);
  return result;
}
