//! Service worker: caches home and shell when installed, tools and documentation when visited, and
//! all tools on request.
//! The server replaces the four placeholders with its values.

const VERSION = /*VERSION*/ '';
const BASE = /*BASE*/ '';
const FILES = /*FILES*/ [];
const PAGES = /*PAGES*/ [];

const CACHE = `toolkit-${VERSION}`;
const SHELL = FILES.filter((path) => /\/(kit|style)\/|\/catalog\.js$/.test(path));
const HOME = `${BASE}/`;
const OFFLINE = `${BASE}/offline`;

async function keep(paths, told = () => {}) {
  const cache = await caches.open(CACHE);
  let done = 0;
  const waiting = [...paths];
  const one = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      if (!(await cache.match(path))) await cache.add(path);
      told(++done, paths.length);
    }
  };
  await Promise.all(Array.from({ length: 6 }, one));
}

/** Pages and assets, not answers of the interface. */
const isOurs = (path) =>
  path === HOME || /^\/(tools|docs|assets)(\/|$)/.test(path.slice(BASE.length));

/** A page with the modules that its tool loads when they are needed. @param {string} path */
function withModules(path) {
  const [, folder] = /^(\/tools\/[^/]+)$/.exec(path.slice(BASE.length)) ?? [];
  return folder ? [path, ...FILES.filter((file) => file.includes(`${folder}/`))] : [path];
}

/** Stores pages with everything they and the shell can load, including modules' imports such as libraries. */
async function keepWhole(paths) {
  const cache = await caches.open(CACHE);
  const seen = new Set();
  for (let next = [...paths, ...SHELL]; next.length > 0; ) {
    await keep(next);
    for (const path of next) seen.add(path);
    const found = await Promise.all(
      next
        .filter((path) => path.endsWith('.js'))
        .map(async (path) => {
          const text = (await (await cache.match(path))?.text()) ?? '';
          const names = text.matchAll(/["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g);
          return [...names].map(([, name]) => new URL(name, location.origin + path).pathname);
        }),
    );
    next = [...new Set(found.flat())].filter((path) => FILES.includes(path) && !seen.has(path));
  }
}

async function forget(besides) {
  const names = await caches.keys();
  const ours = names.filter((name) => name.startsWith('toolkit-') && name !== besides);
  await Promise.all(ours.map((name) => caches.delete(name)));
}

addEventListener('install', (event) => {
  event.waitUntil(keep([HOME, OFFLINE, ...SHELL]).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  event.waitUntil(forget(CACHE).then(() => clients.claim()));
});

/** Data handed from one page to another, kept here until taken or for a minute. */
let handed;
const HANDED_MS = 60_000;

function hand({ slug, values }, port) {
  const mine = { slug, values };
  handed = mine;
  setTimeout(() => {
    if (handed === mine) handed = undefined;
  }, HANDED_MS);
  port.postMessage({ done: true });
}

function take({ slug }, port) {
  port.postMessage({ values: handed?.slug === slug ? handed.values : undefined });
  handed = undefined;
}

/** Whether the page's network is cut off. Stored in a cache, since a worker may end at any time. */
let isCut;
const WIRE = 'wire-of-toolkit';

async function knowsCut() {
  isCut ??= await caches.has(WIRE);
  return isCut;
}

/** Cuts the wire, once everything is kept, or releases it. */
async function cut(on, port) {
  try {
    if (on) {
      await keep([...PAGES, ...FILES], (done, total) => port.postMessage({ done, total }));
      await caches.open(WIRE);
    } else await caches.delete(WIRE);
    isCut = on;
    port.postMessage({ isCut });
  } catch {
    port.postMessage({ failed: true });
  }
}

/** Answers only from the cache. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  const response =
    request.method === 'GET' && ((await cache.match(request)) ?? (await cache.match(pathname)));
  if (response) return response;
  return (request.mode === 'navigate' && (await cache.match(OFFLINE))) || Response.error();
}

addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.data?.kind === 'hand') hand(event.data, port);
  if (event.data?.kind === 'take') take(event.data, port);
  if (event.data?.kind === 'keep')
    event.waitUntil(
      keepWhole(event.data.paths.filter(isOurs).flatMap(withModules)).catch(() => {}),
    );
  if (event.data?.kind === 'cut') event.waitUntil(cut(event.data.on, port));
  if (event.data?.kind === 'is-cut') knowsCut().then((isCut) => port.postMessage({ isCut }));
  if (event.data?.kind !== 'keep-all') return;
  const told = (done, total) => port.postMessage({ done, total });
  event.waitUntil(keep([...PAGES, ...FILES], told).catch(() => port.postMessage({ failed: true })));
});

/** Assets: cache first, since a changed asset has a new address. */
async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && !/no-store/.test(response.headers.get('Cache-Control') ?? ''))
    await cache.put(request, response.clone());
  return response;
}

/** Pages: network first, so that no old release sticks. Stored without the query, which is private. */
async function page(request) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await cache.put(pathname, response.clone());
    return response;
  } catch {
    return (await cache.match(pathname)) ?? (await cache.match(OFFLINE)) ?? Response.error();
  }
}

/** The answer to a request. Undefined: as if there were no worker. */
function respond(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return undefined;
  if (pathname.startsWith(`${BASE}/assets/`)) return asset(request);
  return request.mode === 'navigate' && isOurs(pathname) ? page(request) : undefined;
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (isCut === false) {
    const answered = respond(request);
    if (answered) event.respondWith(answered);
    return;
  }
  event.respondWith(
    knowsCut().then((isCut) => (isCut ? kept(request) : (respond(request) ?? fetch(request)))),
  );
});
