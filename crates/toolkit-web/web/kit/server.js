//! Page of a server tool: a form made from its fields, and calls over REST.

import { addressOf, bodyOf, callsOf } from './calls.js';
import { prepare } from './controls.js';
import { prose } from './el.js';
import { moreWords } from './more-words.js';
import { show } from './tool-page.js';
import { label } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Answer, Responder } from './tool-page.js' */
/** @import { ServerField, ServerTool } from './calls.js' */

const PAUSE = 600;
const LIVE_BYTES = 16 * 1024;
const SLOW = 30_000;
const LONGEST_WAIT = 60;
/** What the service takes unless it is set otherwise. */
const MOST_BYTES = 1 << 20;

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
  const automatic = optional ? [['', moreWords.automatic]] : [];
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
      [true, moreWords.yes],
      [false, moreWords.no],
    ]);
  if (kind === 'boolean') return { ...common, kind: 'toggle', value: standard === true };
  if (kind === 'integer')
    return { ...common, kind: 'number', min: minimum, max: maximum, value: standard ?? null };
  return {
    ...common,
    ...(look === 'text' && { accepts: 'file', help: moreWords.atMost(help) }),
    kind: look ?? 'line',
    code: true,
    value: standard === null || standard === undefined ? '' : String(standard),
  };
}

/** Reason why a value cannot be sent as entered. @param {ServerField} field @param {any} value */
function unfit({ kind, minimum, maximum }, value) {
  if (typeof value !== 'string') return '';
  if (!value.isWellFormed()) return moreWords.halfPair;
  return kind === 'integer' ? moreWords.notNumber(minimum, maximum) : '';
}

/** The answer of the service, unless a proxy sent another. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a body runs by itself; undefined when a required field is empty. @param {ServerField[]} fields @param {Record<string, any>} body */
function runs(fields, body) {
  if (!fields.every(({ name, required }) => !required || body[name] !== '')) return undefined;
  const isSecret = fields.some(({ name, look }) => look === 'secret' && body[name]);
  const hasFile = Object.values(body).some((one) => one instanceof File);
  return !isSecret && !hasFile && JSON.stringify(body).length <= LIVE_BYTES;
}

/**
 * Calls the server. The same input is sent once, unless the button asks again.
 * @implements {Responder}
 */
class Service {
  /** @type {AbortController | undefined} */
  #call;
  /** @type {{ text: string, answer: Promise<Answer | undefined> } | undefined} */
  #sent;
  #tries = 0;
  /** @param {ServerTool} tool @param {T.Fields} fields @param {string} url */
  constructor(tool, fields, url) {
    this.tool = tool;
    this.fields = fields;
    this.url = url;
  }
  cancel() {
    this.#call?.abort();
    this.#sent = undefined;
    this.#tries = 0;
  }
  /** @type {Responder['answer']} */
  async answer(raw, { quiet }) {
    const body = bodyOf(this.tool.fields, raw);
    for (const [name, value] of Object.entries(body))
      if (value instanceof File) {
        if (value.size > MOST_BYTES)
          return this.#refusal(this.#about(name, moreWords.tooLarge), name);
        const { utf8 } = await import('./values.js');
        const text = utf8(new Uint8Array(await value.arrayBuffer()));
        if (text === undefined) return this.#refusal(this.#about(name, moreWords.notText), name);
        body[name] = text;
      }
    for (const field of this.tool.fields) {
      const offence = unfit(field, body[field.name]);
      if (offence) return this.#refusal(this.#about(field.name, offence), field.name);
    }
    const text = JSON.stringify(body);
    if (new Blob([text]).size > MOST_BYTES) {
      const lengths = Object.entries(body).map(([name, value]) => [name, String(value).length]);
      const [[longest = ''] = []] = lengths.sort(([, one = 0], [, other = 0]) => +other - +one);
      return this.#refusal(this.#about(String(longest), moreWords.tooLarge), String(longest));
    }
    if (quiet && this.#sent?.text === text) return this.#sent.answer;
    this.#call?.abort();
    this.#call = new AbortController();
    const sent = { text, answer: this.#ask(text, body, this.#call) };
    this.#sent = sent;
    const answer = await sent.answer;
    if (answer?.obstacle && this.#sent === sent) this.#sent = undefined;
    return answer;
  }
  /** @param {string} text @param {Record<string, any>} body @param {AbortController} call @returns {Promise<Answer | undefined>} */
  async #ask(text, body, call) {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: text,
        signal: AbortSignal.any([call.signal, AbortSignal.timeout(SLOW)]),
      });
      return await this.#read(response, body);
    } catch (error) {
      if (call.signal.aborted) return undefined;
      if (/** @type {any} */ (error)?.name === 'TimeoutError')
        return { obstacle: moreWords.serverSlow };
      return this.#again(moreWords.unreachable);
    }
  }
  /** @param {Response} response @param {Record<string, any>} body @returns {Promise<Answer>} */
  async #read(response, body) {
    const { status, headers } = response;
    const wait = Number(headers.get('Retry-After')) || undefined;
    if (status === 429) return { ...this.#again(moreWords.busy, wait), busy: wait !== undefined };
    if (status >= 502 && status <= 504) return this.#again(moreWords.unavailable, wait);
    const answer = parsed(await response.text());
    this.#tries = 0;
    if (answer?.[response.ok ? 'result' : 'detail'] === undefined)
      return { obstacle: moreWords.strange(status) };
    if (response.ok) {
      const { outputsOf } = await import('./answers.js');
      return { outputs: outputsOf(answer, body), warnings: answer.warnings ?? [] };
    }
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
  const fields = Object.fromEntries(tool.fields.map((field) => [field.name, fieldOf(field)]));
  await prepare(fields);
  const { node, entered } = callsOf(tool);
  const served = {
    ...tool,
    fields,
    labels: Object.hasOwn(fields, 'pattern') ? { result: moreWords.summary } : undefined,
    pause: PAUSE,
    live: true,
    runs: (/** @type {Record<string, any>} */ raw) => runs(tool.fields, bodyOf(tool.fields, raw)),
    entered,
    responder: async () => new Service(tool, fields, addressOf(tool)),
  };
  await show(main, place, served, node);
}
