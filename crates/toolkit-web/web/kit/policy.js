//! Trusted Types policy `toolkit`. It allows only the workers among our assets, and sw.js.

const { assets = '', base = '' } = document.documentElement.dataset;

/** @param {string} path */
function own(path) {
  const { href, origin } = new URL(path, location.href);
  const allowed = [`${assets}/kit/worker.js`, `${assets}/kit/detector.js`, `${base}/sw.js`].map(
    (one) => new URL(one, location.href).href,
  );
  if (origin !== location.origin || !allowed.includes(href))
    throw new TypeError(`${path} is not a script of this site`);
  return href;
}

const rules = { createScriptURL: own };
/** @type {{ createScriptURL(path: string): any }} */
const policy =
  /** @type {any} */ (globalThis).trustedTypes?.createPolicy('toolkit', rules) ?? rules;

/** @param {string} slug */
export const toolWorker = (slug) =>
  new Worker(policy.createScriptURL(`${assets}/kit/worker.js`), { type: 'module', name: slug });

/** The detector worker. */
export const detectorWorker = () =>
  new Worker(policy.createScriptURL(`${assets}/kit/detector.js`), { type: 'module' });

/** Registers the service worker, if supported. */
export const registerOffline = () =>
  navigator.serviceWorker?.register(policy.createScriptURL(`${base}/sw.js`), { scope: `${base}/` });
