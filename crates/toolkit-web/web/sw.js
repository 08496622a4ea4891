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

/** What one page hands to another: kept here alone, until it is taken or for a minute. */
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

addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.data?.kind === 'hand') hand(event.data, port);
  if (event.data?.kind === 'take') take(event.data, port);
  if (event.data?.kind === 'keep')
    event.waitUntil(keep(event.data.paths.filter(isOurs)).catch(() => {}));
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

/** Pages: network first, so that nobody is stuck on an old release. Kept without the query, which is not ours. */
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

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith(`${BASE}/assets/`)) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && isOurs(pathname)) event.respondWith(page(request));
});
