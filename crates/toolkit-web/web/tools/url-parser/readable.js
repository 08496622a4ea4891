//! A readable view of a URL: parts decoded, password masked, tracking parameters removed. Standard:
//! WHATWG URL.

import { TRACKING } from '../../data/tracking-parameters.js';
import { attempt } from '../../kit/tool.js';
import { domainLabels } from '../../lib/domain.js';
import { inField } from '../../lib/positions.js';
import { toUnicode } from '../../libraries/punycode.js';
import { decoded, defaultPort, whyRefused } from './parts.js';

/** @param {string} input @param {string} base */
export function parse(input, base) {
  if (base !== '' && !URL.canParse(base)) inField('base', base, () => fail(base, false));
  const url = attempt(() => new URL(input, base || undefined));
  if (url && isHost(url)) return url;
  return inField('url', input, () => fail(input, base !== ''));
}

/** Whether the host is valid by the standard too. Some browsers keep a space as %20, and any xn-- label. @param {URL} url */
function isHost({ protocol, hostname }) {
  if (defaultPort(protocol) === undefined) return true;
  if (hostname.includes('%')) return false;
  const labels = hostname.split('.').filter((label) => label.startsWith('xn--'));
  return labels.every((label) => attempt(() => domainLabels(label)));
}

/** @param {string} input @param {boolean} hasBase @returns {never} */
function fail(input, hasBase) {
  throw whyRefused(input, hasBase);
}

/** @param {string} name */
const isTracking = (name) =>
  TRACKING.some((known) =>
    known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known,
  );

/** The pairs of a query, with `+` and percent-encoding as written. @param {string} search */
const rawPairs = (search) => search.replace(/^\?/, '').split('&').filter(Boolean);

/** @param {URL} url */
export function withoutTracking(url) {
  const named = rawPairs(url.search).map((raw) => ({
    raw,
    name: [...new URLSearchParams(raw).keys()][0] ?? '',
  }));
  const kept = named.filter(({ name }) => !isTracking(name));
  if (kept.length < named.length) url.search = kept.map(({ raw }) => raw).join('&');
  return named.filter(({ name }) => isTracking(name)).map(({ raw }) => raw);
}

/** @param {string} host */
const unicode = (host) => attempt(() => toUnicode(host)) ?? host;

/** @param {URL} url @param {boolean} plain whether the password is shown */
export function partsOf(url, plain) {
  const port = defaultPort(url.protocol);
  const shownPort = url.port || (port ? `${port} (default)` : '');
  const password = plain ? decoded(url.password) : '•'.repeat(8);
  const host = unicode(url.hostname);
  /** @type {[string, string][]} */
  const parts = [
    ['Scheme', url.protocol.slice(0, -1)],
    ['User', decoded(url.username)],
    ['Password', url.password && password],
    ['Host', url.hostname],
    ['Host in Unicode', host === url.hostname ? '' : host],
    ['Port', shownPort],
    ['Origin', url.origin === 'null' ? 'opaque' : url.origin],
    ['Path', url.pathname],
    ['Path, decoded', decoded(url.pathname) === url.pathname ? '' : decoded(url.pathname)],
    ['Query', url.search],
    ['Fragment', url.hash],
  ];
  return parts.filter(([, value]) => value !== '');
}

/** @param {URL} url */
export const hasHierarchy = (url) => url.pathname.startsWith('/');

/** A URL that cannot be opened by mistake: `hxxps://example[.]com/`. @param {string} href @param {string} host */
export function defanged(href, host) {
  const last = host.lastIndexOf(':');
  const safe = host.replace(/[.:]/g, (mark, at) => (at === last ? mark : `[${mark}]`));
  return href.replace(/^http/, 'hxxp').replace(host, safe);
}

/** Restores a defanged URL. @param {string} input */
export const refanged = (input) =>
  input.replace(/^(\s*)hxxp/i, '$1http').replace(/\[(:\/\/|[.:])\]/g, '$1');

/** @param {URL} url */
export function masked(url) {
  if (!url.password) return url.href;
  const copy = new URL(url);
  copy.password = '********';
  return copy.href;
}
