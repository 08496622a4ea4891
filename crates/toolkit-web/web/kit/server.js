//! Page of a server tool: a form made from its fields, calls over REST, the same call for curl and MCP.

import { prepare } from './controls.js';
import { button, copy, el, prose } from './el.js';
import { examplesOf, Form } from './form.js';
import { moreWords } from './more-words.js';
import { Result } from './output.js';
import { get, keepOptions } from './store.js';
import { label, words } from './words.js';

/** @import * as T from './types.d.ts' */

/**
 * @typedef {{ name: string, label?: string, help?: string, required?: boolean, default?: any,
 *   look?: 'line' | 'text' | 'secret', kind: 'string' | 'boolean' | 'integer' | 'enum',
 *   choices?: any[][], minimum?: number, maximum?: number }} ServerField
 * @typedef {{ slug: string, fields: ServerField[],
 *   examples: { title: string, values: Record<string, any> }[] }} ServerTool
 */

const PAUSE = 600;
const LIVE_BYTES = 16 * 1024;
const SLOW = 30_000;
const LONGEST_WAIT = 60;

/** The field of the kit that shows a field of the server. @param {ServerField} field @returns {T.Field} */
export function fieldOf({
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
    kind: look ?? 'line',
    code: true,
    value: standard === null || standard === undefined ? '' : String(standard),
  };
}

/** The body of the call: empty optional fields are left out. @param {ServerField[]} fields @param {Record<string, any>} raw */
export function bodyOf(fields, raw) {
  /** @type {Record<string, any>} */
  const body = {};
  for (const { name, kind, choices = [], required, default: standard } of fields) {
    const value = raw[name];
    if ((value === '' || value === null) && (!required || kind !== 'string')) continue;
    if (String(value) === String(standard) && !required) continue;
    const chosen = kind === 'boolean' ? [true, false] : kind === 'enum' ? choices.flat() : [];
    body[name] = chosen.find((choice) => String(choice) === String(value)) ?? value;
  }
  return body;
}

/** Reason why a value cannot be sent as entered. @param {ServerField} field @param {any} value */
function unfit({ kind, minimum, maximum }, value) {
  if (typeof value !== 'string') return '';
  if (!value.isWellFormed()) return moreWords.halfPair;
  return kind === 'integer' ? moreWords.notNumber(minimum, maximum) : '';
}

/** A word of a POSIX shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** @param {string} url @param {Record<string, any>} body */
export const curlOf = (url, body) =>
  `curl -s ${quoted(url)} \\\n    -H 'Content-Type: application/json' \\\n    -d ${quoted(JSON.stringify(body))}`;

/** The answer of the service, unless a proxy sent another. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class Page {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** @type {AbortController | undefined} */
  #call;
  #sent = '';
  /** @type {'running' | 'done' | 'refused'} how far the last call came */
  #settled = 'done';
  #tries = 0;
  #runs = 0;
  /** When the server accepts calls again, in milliseconds since 1970. */
  #free = 0;
  /** @param {HTMLElement} main @param {ServerTool} tool */
  constructor(main, tool) {
    this.tool = tool;
    this.fields = Object.fromEntries(tool.fields.map((field) => [field.name, fieldOf(field)]));
    this.secrets = tool.fields.some(({ look }) => look === 'secret');
    this.url = new URL(
      `${document.documentElement.dataset.api}/tools/${tool.slug}/run`,
      location.href,
    ).href;
    /** @type {Record<string, string>} */
    const labels = tool.fields.some(({ name }) => name === 'pattern')
      ? { result: moreWords.summary }
      : {};
    this.form = new Form(this.fields, { changed: () => this.#changed(), run: () => this.run() });
    this.result = new Result(main, this.form.result, tool.slug, labels);
    this.form.buttons.append(
      button(words.reset, () => this.#reset()),
      button(words.copyLink, (event) =>
        this.#link(/** @type {HTMLElement} */ (event.currentTarget)),
      ),
    );
    this.curl = el('code', {});
    this.calls = this.#calls();
  }
  #calls() {
    const code = this.curl;
    const box = el(
      'div',
      { class: 'code' },
      el('pre', { tabindex: 0, 'aria-label': moreWords.curl }, code),
      button(
        words.copy,
        (event) =>
          copy(code.textContent ?? '', /** @type {HTMLElement} */ (event.currentTarget), code),
        { class: 'copy' },
      ),
    );
    return el(
      'section',
      { class: 'calls', 'aria-labelledby': 'calls' },
      el('h2', { id: 'calls' }, moreWords.calls),
      box,
    );
  }
  #body() {
    return bodyOf(this.tool.fields, this.form.raw());
  }
  #show() {
    const body = this.#body();
    for (const { name, look } of this.tool.fields)
      if (look === 'secret' && body[name]) body[name] = '…';
    for (const [name, value] of Object.entries(body)) {
      if (value instanceof File) body[name] = '…';
      else if (typeof value === 'string' && value.length > 2000)
        body[name] = `${value.slice(0, 2000)}…`;
    }
    this.curl.textContent = curlOf(this.url, body);
  }
  #changed() {
    clearTimeout(this.#pause);
    if (this.#settled === 'running') this.#end();
    this.result.state('running');
    this.#pause = setTimeout(() => {
      keepOptions(this.tool.slug, this.form.options());
      this.#show();
      if (!this.#live()) return;
      const wait = this.#free - Date.now();
      if (wait <= 0) return this.run(true);
      this.result.state('refused');
      this.#pause = setTimeout(() => this.run(true), wait);
    }, PAUSE);
  }
  /** Whether the input runs by itself; otherwise updates what is shown. */
  #live() {
    const body = this.#body();
    const filled = this.tool.fields.every(({ name, required }) => !required || body[name] !== '');
    const secret = this.tool.fields.some(({ name, look }) => look === 'secret' && body[name]);
    const texts = Object.values(body);
    const small =
      !texts.some((one) => one instanceof File) && JSON.stringify(body).length <= LIVE_BYTES;
    if (filled && !secret && small) return true;
    if (filled) this.result.wait();
    else this.#clear();
    this.#end();
    return false;
  }
  /** Aborts the current call; the same input may be sent again. */
  #end() {
    this.#runs++;
    this.#call?.abort();
    this.#sent = '';
    this.#tries = 0;
  }
  #clear() {
    this.form.refuse();
    this.result.clear();
  }
  #reset() {
    this.form.fill({});
    this.#end();
    this.#clear();
  }
  /** @param {boolean} [quiet] the same input is not sent twice by itself */
  async run(quiet = false) {
    clearTimeout(this.#pause);
    const body = this.#body();
    const turn = ++this.#runs;
    for (const [name, value] of Object.entries(body))
      if (value instanceof File) body[name] = await value.text();
    if (turn !== this.#runs) return;
    this.#show();
    for (const field of this.tool.fields) {
      const offence = unfit(field, body[field.name]);
      if (offence) return this.#refuse(field.name, `${this.fields[field.name]?.label} ${offence}`);
    }
    const text = JSON.stringify(body);
    if (quiet && text === this.#sent) return this.result.state(this.#settled);
    this.#call?.abort();
    const call = new AbortController();
    this.#call = call;
    this.#sent = text;
    this.#settled = 'running';
    this.result.state('running');
    const slow = setTimeout(
      () =>
        this.result.say(
          words.running,
          button(words.cancel, () => this.#cancel(call), { class: 'small' }),
        ),
      400,
    );
    try {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(SLOW)]);
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: text,
        signal,
      });
      await this.#answer(response, body);
    } catch (error) {
      if (call.signal.aborted) return;
      if (/** @type {any} */ (error)?.name === 'TimeoutError') this.#fail(moreWords.serverSlow);
      else this.#again(moreWords.unreachable);
    } finally {
      clearTimeout(slow);
    }
  }
  /** @param {AbortController} call */
  #cancel(call) {
    call.abort();
    this.#sent = '';
    this.result.say(words.cancelled);
    this.result.state('ready');
  }
  /** @param {Response} response @param {Record<string, any>} body */
  async #answer(response, body) {
    const { status, headers } = response;
    const wait = Number(headers.get('Retry-After')) || undefined;
    if (status === 429) {
      this.#again(moreWords.busy, wait);
      this.#free = Date.now() + 1000 * (wait ?? 0);
      return;
    }
    if (status >= 502 && status <= 504) return this.#again(moreWords.unavailable, wait);
    const answer = parsed(await response.text());
    this.#tries = 0;
    if (answer?.[response.ok ? 'result' : 'detail'] === undefined)
      return this.#fail(moreWords.strange(status));
    if (response.ok) {
      this.form.refuse();
      this.#settled = 'done';
      const { outputsOf } = await import('./answers.js');
      return this.result.show(outputsOf(answer, body), answer.warnings ?? []);
    }
    this.#settled = 'refused';
    const detail = String(answer.detail);
    const field = [...detail.matchAll(/`([a-z_]+)`/g)]
      .map(([, name]) => name ?? '')
      .find((name) => this.form.has(name));
    const sentence = detail.replace(
      /^`([a-z_]+)`/,
      (whole, name) => this.fields[name]?.label ?? whole,
    );
    this.#refuse(field, sentence);
    if (!field) this.result.say(' ', ...prose(detail));
  }
  /** @param {string | undefined} field @param {string} sentence */
  #refuse(field, sentence) {
    this.form.refuse(field, ...prose(sentence));
    this.result.refused(sentence);
  }
  /** @param {string} sentence */
  #fail(sentence) {
    this.#sent = '';
    this.form.refuse();
    this.result.refused(sentence);
    this.result.say(sentence);
  }
  /** Shows the obstacle and retries by itself. @param {(seconds: number) => string} sentence @param {number} [seconds] */
  #again(sentence, seconds = Math.min(LONGEST_WAIT, 3 * 2 ** this.#tries)) {
    this.#tries++;
    this.#fail(sentence(seconds));
    this.#pause = setTimeout(() => this.run(), seconds * 1000);
  }
  /** @param {HTMLElement} from */
  async #link(from) {
    const { copyLink } = await import('./link.js');
    const link = { fields: this.fields, secrets: false };
    await copyLink(link, this.form.raw(), from, (sentence) => this.result.say(sentence));
  }
  async start() {
    this.form.restore(get('options')[this.tool.slug] ?? {});
    addEventListener('online', () => {
      if (this.#tries > 0) this.run();
    });
    const ran = location.hash.length > 1 && (await this.#open());
    if (!ran) this.result.state('ready');
    this.#show();
  }
  /** Fills the form from the link; returns whether it ran. */
  async #open() {
    const { valuesOf } = await import('./link.js');
    const { values, unknown } = valuesOf({ fields: this.fields }, location.hash);
    this.form.reset();
    this.form.set(values);
    const runs = Object.keys(values).length > 0 && this.#live();
    if (runs) await this.run();
    if (unknown.length > 0) this.result.say(words.badLink(unknown.join(', ')));
    return runs;
  }
}

/** Draws the tool in its place. @param {HTMLElement} main @param {HTMLElement} place */
export async function start(main, place) {
  /** @type {ServerTool} */
  const tool = JSON.parse(document.getElementById('tool')?.textContent ?? '{}');
  await prepare(Object.fromEntries(tool.fields.map((field) => [field.name, fieldOf(field)])));
  const page = new Page(main, tool);
  page.form.work.append(examplesOf(tool.examples, page.form, () => page.run()));
  place.replaceChildren(page.form.work, page.calls);
  await page.start();
}
