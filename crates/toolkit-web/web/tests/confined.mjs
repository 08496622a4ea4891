//! Attempts to escape from the page of a browser tool, and to run text as code.
import assert from 'node:assert/strict';

/** @typedef {import('playwright-core').Page} Page */

/**
 * The attempts that were not refused, in the page and in the tool's worker, if any. The functions
 * run in the browser, where this module does not exist.
 */
async function escapesOfPage() {
  /** @type {string[]} */
  const refused = [];
  const note = (/** @type {SecurityPolicyViolationEvent} */ { blockedURI }) =>
    refused.push(blockedURI);
  addEventListener('securitypolicyviolation', note);
  const add = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) =>
    document.head.append(Object.assign(document.createElement(tag), attributes));
  /** @type {Record<string, (url: string) => unknown>} */
  const attempts = {
    fetch: (url) => fetch(url).catch(() => {}),
    request: (url) => {
      const request = new XMLHttpRequest();
      request.open('GET', url);
      request.send();
    },
    beacon: (url) => navigator.sendBeacon(url, 'x'),
    socket: (url) => new WebSocket(url.replace('http', 'ws')),
    events: (url) => new EventSource(url),
    image: (src) => Object.assign(new Image(), { src }),
    sound: (src) => Object.assign(new Audio(), { src }),
    form: (action) => {
      const form = Object.assign(document.createElement('form'), { action });
      document.body.append(form);
      form.submit();
      form.remove();
    },
    frame: (src) => add('iframe', { src }),
    style: (href) =>
      add('link', { rel: 'stylesheet', href: href.replace(location.host, 'x.test') }),
  };
  for (const [name, attempt] of Object.entries(attempts))
    attempt(`${location.origin}/escape/${name}`);
  const left = () =>
    Object.keys(attempts).filter((name) => !refused.some((url) => url.includes(`/escape/${name}`)));
  for (let turn = 0; turn < 1000 && left().length > 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  removeEventListener('securitypolicyviolation', note);
  return left();
}

async function escapesOfWorker() {
  /** @type {string[]} */
  const refused = [];
  addEventListener('securitypolicyviolation', (event) =>
    refused.push(/** @type {SecurityPolicyViolationEvent} */ (event).blockedURI),
  );
  /** @type {Record<string, (url: string) => unknown>} */
  const attempts = {
    fetch: (url) => fetch(url).catch(() => {}),
    request: (url) => {
      const request = new XMLHttpRequest();
      request.open('GET', url);
      request.send();
    },
    socket: (url) => new WebSocket(url.replace('http', 'ws')),
    events: (url) => new EventSource(url),
    import: (url) => import(url.replace(location.host, 'x.test')).catch(() => {}),
  };
  for (const [name, attempt] of Object.entries(attempts))
    attempt(`${location.origin}/escape/${name}`);
  const left = () =>
    Object.keys(attempts).filter((name) => !refused.some((url) => url.includes(`/escape/${name}`)));
  for (let turn = 0; turn < 1000 && left().length > 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return left();
}

/** The ways of compiling text to code that did not throw. */
const textAsCode = () =>
  new Promise((resolve) => {
    const isPage = 'document' in globalThis;
    const element = (/** @type {string} */ tag) => /** @type {any} */ (document.createElement(tag));
    /** @type {Record<string, () => unknown>} */
    const ways = {
      eval: () => Reflect.get(globalThis, 'eval')('1'),
      Function: () => Reflect.construct(Reflect.get(globalThis, 'Function'), ['return 1']),
      setTimeout: () => Reflect.get(globalThis, 'setTimeout')('1'),
      Worker: () => new Worker(`${location.origin}/escape/worker`),
      ...(isPage && {
        innerHTML: () => Object.assign(element('p'), { innerHTML: '<b>x</b>' }),
        outerHTML: () => Object.assign(document.body.firstElementChild ?? {}, { outerHTML: '' }),
        insertAdjacentHTML: () => element('p').insertAdjacentHTML('beforeend', '<b>x</b>'),
        write: () => document.write('<b>x</b>'),
        src: () => Object.assign(element('script'), { src: '/escape/script' }),
        text: () => Object.assign(element('script'), { text: '1' }),
        srcdoc: () => Object.assign(element('iframe'), { srcdoc: '<b>x</b>' }),
        parseFromString: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
      }),
    };
    // Deferred, since code that DevTools evaluates is exempt from the policy while it runs.
    setTimeout(() => {
      const allowed = Object.entries(ways).filter(([, act]) => {
        try {
          act();
          return true;
        } catch {
          return false;
        }
      });
      resolve(allowed.map(([name]) => name));
    });
  });

/** Asserts that all attempts fail, and that none gets a response. @param {Page} page */
export async function isConfined(page) {
  const before = page.url();
  /** @type {string[]} */
  const answered = [];
  page.on('response', (response) => {
    if (response.url().includes('/escape/')) answered.push(response.url());
  });
  assert.deepEqual(await page.evaluate(escapesOfPage), [], 'requests of the page');
  assert.deepEqual(await page.evaluate(textAsCode), [], 'text as code in the page');
  for (const worker of page.workers()) {
    assert.deepEqual(await worker.evaluate(escapesOfWorker), [], 'requests of the worker');
    assert.deepEqual(await worker.evaluate(textAsCode), [], 'text as code in the worker');
  }
  assert.deepEqual(answered, []);
  assert.equal(page.url(), before);
}
