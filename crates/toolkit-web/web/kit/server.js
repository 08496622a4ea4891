//! Page of a server tool: a form made from its fields, and calls over REST.

import { addressOf, bodyOf, callsOf } from './calls.js';
import { prepare } from './controls.js';
import { prose } from './el.js';
import { Refusal } from './tool.js';
import { show } from './tool-page.js';
import { label, words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Answer, Responder } from './tool-page.js' */
/** @import { ServerField, ServerTool } from './calls.js' */

const PAUSE = 600;
const LIVE_BYTES = 16 * 1024;
const SLOW = 30_000;
const LONGEST_WAIT = 60;
/** What the service takes unless it is set otherwise. */
const MOST_BYTES = 1 << 20;
/** The tools with a layout of their own, in their view.js. */
const LAYOUTS = ['cidr-calculator', 'cron-explainer', 'data-converter', 'regex-tester'];

/** The field of the kit that shows a field of the server. @param {ServerField} field @returns {T.Field} */
function fieldOf({
  name,
  label: given,
  help,
  required,
  default: standard,
  look,
  kind,
  choices = [],
  minimum,
  maximum,
}) {
  const common = { label: given ?? label(name), ...(help && { help }) };
  const optional = !required && (standard === null || standard === undefined);
  const automatic = optional ? [['', words.automatic]] : [];
  const keyed = (/** @type {any[][]} */ entries) => ({
    ...common,
    kind: 'choice',
    choices: Object.fromEntries(
      [...automatic, ...entries].map(([key, text = key]) => [String(key), String(text)]),
    ),
    value: optional ? '' : String(standard ?? entries[0]?.[0]),
  });
  if (kind === 'enum') return keyed(choices);
  if (kind === 'boolean' && optional)
    return keyed([
      [true, words.yes],
      [false, words.no],
    ]);
  if (kind === 'boolean') return { ...common, kind: 'toggle', value: standard === true };
  if (kind === 'integer')
    return { ...common, kind: 'number', min: minimum, max: maximum, value: standard ?? null };
  return {
    ...common,
    ...(look === 'text' && { accepts: 'file', help: words.atMost(help) }),
    kind: look ?? 'line',
    code: true,
    value: standard === null || standard === undefined ? '' : String(standard),
  };
}

/** Reason why a value cannot be sent as entered. @param {ServerField} field @param {any} value */
function unfit({ kind, minimum, maximum }, value) {
  if (typeof value !== 'string') return '';
  if (!value.isWellFormed()) return words.halfPairSent;
  return kind === 'integer' ? words.notNumber(minimum, maximum) : '';
}

/** The answer of the service, unless a proxy sent another. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a body runs by itself; undefined when a required field is empty. @param {ServerField[]} fields @param {Record<string, any>} body @param {T.Fields} shown */
function runs(fields, body, shown) {
  if (!fields.every(({ name, required }) => !required || body[name] !== '')) return undefined;
  const isSecret = fields.some(({ name, look }) => look === 'secret' && body[name]);
  const files = Object.entries(body).filter(([, one]) => one instanceof File);
  // It is refused, and not sent.
  if (files.some(([name, { size }]) => size > mostOf(shown[name]))) return true;
  return !isSecret && files.length === 0 && JSON.stringify(body).length <= LIVE_BYTES;
}

/** @param {T.Field | undefined} field */
const mostOf = (field) => field?.max ?? MOST_BYTES;

/**
 * Calls the server. The same input is sent once, unless the button asks again.
 * @implements {Responder}
 */
class Service {
  /** @type {AbortController | undefined} */
  #call;
  /** The workers of tools that answer in the browser, by slug. @type {Map<string, Responder>} */
  #runners = new Map();
  /** @type {{ text: string, answer: Promise<Answer | undefined> } | undefined} */
  #sent;
  #tries = 0;
  /** @param {ServerTool} tool @param {T.Fields} fields @param {T.Layout} layout */
  constructor(tool, fields, layout) {
    this.tool = tool;
    this.fields = fields;
    this.layout = layout;
    this.url = addressOf(tool);
  }
  cancel() {
    this.#call?.abort();
    this.#sent = undefined;
    this.#tries = 0;
  }
  /** @type {Responder['answer']} */
  async answer(raw, { quiet, action }) {
    const { answers, actions = [], outputs } = this.layout;
    const ask = async (/** @type {Record<string, any>} */ raw) => {
      const found = await this.#send(raw, quiet);
      if (!found?.outputs) return found;
      const warnings = [...(found.warnings ?? [])];
      const warn = (/** @type {string} */ one) => warnings.unshift(one);
      const drawn = outputs
        ? await outputs(found.outputs.result, raw, warn)
        : (await import('./answers.js')).outputsOf(found.outputs);
      return { outputs: drawn, warnings };
    };
    try {
      if (action !== undefined) return { outputs: await actions[action]?.run(raw) };
      return await (answers ? answers(raw, ask, (slug, raw) => this.#run(slug, raw)) : ask(raw));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { sentence } = await import('./values.js');
      return this.#refusal(sentence(error, this.fields), error.field);
    }
  }
  /** A tool of the browser, in its worker. @param {string} slug @param {Record<string, any>} raw */
  async #run(slug, raw) {
    const { Runner } = await import('./runner.js');
    const runner = this.#runners.get(slug) ?? new Runner(slug, /** @type {any} */ ({}));
    this.#runners.set(slug, runner);
    return runner.answer(raw, { wait: () => {} });
  }
  /** @param {Record<string, any>} raw @param {boolean | undefined} quiet @returns {Promise<Answer | undefined>} the answer of the service as its outputs */
  async #send(raw, quiet) {
    const body = bodyOf(this.tool.fields, raw);
    for (const [name, value] of Object.entries(body))
      if (value instanceof File) {
        const most = mostOf(this.fields[name]);
        if (value.size > most)
          return this.#refusal(this.#about(name, words.tooLargeToSend(most)), name);
        const { decode } = await import('./decode.js');
        const decoded = decode(new Uint8Array(await value.arrayBuffer()), value.type);
        if (!decoded) return this.#refusal(this.#about(name, words.notText), name);
        body[name] = decoded.text;
      }
    for (const field of this.tool.fields) {
      const offence = unfit(field, body[field.name]);
      if (offence) return this.#refusal(this.#about(field.name, offence), field.name);
    }
    const text = JSON.stringify(body);
    if (new Blob([text]).size > MOST_BYTES) {
      const lengths = Object.entries(body).map(([name, value]) => [name, String(value).length]);
      const [[longest = ''] = []] = lengths.sort(([, one = 0], [, other = 0]) => +other - +one);
      return this.#refusal(
        this.#about(String(longest), words.tooLargeToSend(MOST_BYTES)),
        String(longest),
      );
    }
    if (quiet && this.#sent?.text === text) return this.#sent.answer;
    this.#call?.abort();
    this.#call = new AbortController();
    const sent = { text, answer: this.#ask(text, this.#call) };
    this.#sent = sent;
    const answer = await sent.answer;
    if (answer?.obstacle && this.#sent === sent) this.#sent = undefined;
    return answer;
  }
  /** @param {string} text @param {AbortController} call @returns {Promise<Answer | undefined>} */
  async #ask(text, call) {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: text,
        signal: AbortSignal.any([call.signal, AbortSignal.timeout(SLOW)]),
      });
      return await this.#read(response);
    } catch (error) {
      if (call.signal.aborted) return undefined;
      if (/** @type {any} */ (error)?.name === 'TimeoutError')
        return { obstacle: words.serverSlow };
      return this.#again(words.unreachable);
    }
  }
  /** @param {Response} response @returns {Promise<Answer>} */
  async #read(response) {
    const { status, headers } = response;
    const wait = Number(headers.get('Retry-After')) || undefined;
    if (status === 429) return { ...this.#again(words.busy, wait), busy: wait !== undefined };
    if (status >= 502 && status <= 504) return this.#again(words.unavailable, wait);
    const answer = parsed(await response.text());
    this.#tries = 0;
    if (answer?.[response.ok ? 'result' : 'detail'] === undefined)
      return { obstacle: words.strange(status) };
    if (response.ok) return { outputs: answer, warnings: answer.warnings ?? [] };
    const detail = String(answer.detail);
    const field = [...detail.matchAll(/`([a-z_]+)`/g)]
      .map(([, name]) => name ?? '')
      .find((name) => Object.hasOwn(this.fields, name));
    const named = detail.replace(
      /^`([a-z_]+)`/,
      (whole, name) => this.fields[name]?.label ?? whole,
    );
    return this.#refusal(named, field);
  }
  /** @param {string} name @param {string} offence */
  #about(name, offence) {
    return `${this.fields[name]?.label} ${offence}`;
  }
  /** @param {string} sentence @param {string} [field] @returns {Answer} */
  #refusal(sentence, field) {
    return { refusal: { field, sentence, shown: prose(sentence) } };
  }
  /** An obstacle that may be gone later. @param {(seconds: number) => string} sentence @param {number} [retry] @returns {Answer} */
  #again(sentence, retry = Math.min(LONGEST_WAIT, 3 * 2 ** this.#tries)) {
    this.#tries++;
    return { obstacle: sentence(retry), retry };
  }
}

/** Draws the tool in its place. @param {HTMLElement} main @param {HTMLElement} place */
export async function start(main, place) {
  /** @type {ServerTool} */
  const tool = JSON.parse(document.getElementById('tool')?.textContent ?? '{}');
  const { slug } = tool;
  const module = `../tools/${slug}/view.js`;
  /** @type {T.Layout} */
  const layout = LAYOUTS.includes(slug) ? (await import(module)).layout : {};
  const declared = Object.fromEntries(tool.fields.map((field) => [field.name, fieldOf(field)]));
  const fields = layout.fields?.(declared) ?? declared;
  await prepare(fields);
  const { node, entered } = callsOf(tool, layout.call);
  const served = {
    ...tool,
    ...layout,
    fields,
    examples: [...tool.examples, ...(layout.examples ?? [])],
    pause: PAUSE,
    live: true,
    runs: (/** @type {Record<string, any>} */ raw) =>
      runs(tool.fields, bodyOf(tool.fields, raw), fields),
    entered: (/** @type {Record<string, any>} */ raw) => {
      entered(raw);
      layout.entered?.(raw);
    },
    responder: async () => new Service(tool, fields, layout),
  };
  await show(main, place, served, node);
}
