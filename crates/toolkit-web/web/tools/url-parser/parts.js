//! What the URL parser changed, and why it refuses a URL. Standard: WHATWG URL, §4.4 (parsing) and §3.5 (hosts).
import { attempt, Refusal } from '../../kit/tool.js';
import { parseIpv4, parseIpv6 } from '../../lib/ip.js';

const SPECIAL = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
  'ftp:': '21',
  'file:': '',
};
const FORBIDDEN = /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/;
const ENDS = /^[\0- ]+|[\0- ]+$/g;

/** @param {string} scheme */
export const defaultPort = (scheme) => SPECIAL[/** @type {'http:'} */ (scheme)];

/** @typedef {{ scheme: string, slashes: string, user: string | undefined, host: string, port: string | undefined, path: string, query: string | undefined, fragment: string | undefined }} RawParts */

/** The input without the characters that the parser strips first. @param {string} input */
const cleaned = (input) => input.replace(ENDS, '').replace(/[\t\n\r]/g, '');

/** The parts as written, or undefined without a scheme. @param {string} input @returns {RawParts | undefined} */
export function rawParts(input) {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:)(.*)$/is.exec(cleaned(input)) ?? [];
  if (scheme === '') return undefined;
  const special = defaultPort(scheme.toLowerCase()) !== undefined;
  const isFile = scheme.toLowerCase() === 'file:';
  const slashes = (isFile ? /^[/\\]{0,2}/ : special ? /^[/\\]*/ : /^(\/\/)?/).exec(rest)?.[0] ?? '';
  const hasAuthority = (special && !isFile) || slashes.length >= 2;
  const pattern = special
    ? /^([^/\\?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s
    : /^([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s;
  const tail = hasAuthority ? rest.slice(slashes.length) : `/${rest}`;
  const [, authority = '', path = '', query, fragment] = pattern.exec(tail) ?? [];
  const at = authority.lastIndexOf('@');
  const [, host = '', port] =
    /^(\[[^\]]*\]?|[^:]*)(?::(.*))?$/s.exec(authority.slice(at + 1)) ?? [];
  const shown = hasAuthority ? path : path.slice(1);
  return {
    scheme,
    slashes,
    user: at < 0 ? undefined : authority.slice(0, at),
    host,
    port,
    path: shown,
    query,
    fragment,
  };
}

/** Sentences about everything that the parser changed. @param {string} input @param {URL} url */
export function changesOf(input, url) {
  const raw = rawParts(input);
  /** @type {[boolean, string][]} */
  const general = [
    [
      input !== input.replace(ENDS, ''),
      'White space or control characters at the ends were removed.',
    ],
    [/[\t\n\r]/.test(input.replace(ENDS, '')), 'Tabs and line breaks inside were removed.'],
    [!input.isWellFormed(), 'Half of a surrogate pair became U+FFFD.'],
  ];
  const rest = raw
    ? detailed(raw, url)
    : [/** @type {[boolean, string]} */ ([true, 'The address was completed from the base.'])];
  return [...general, ...rest].filter(([applies]) => applies).map(([, sentence]) => sentence);
}

/** @param {RawParts} raw @param {URL} url @returns {[boolean, string][]} */
function detailed(raw, url) {
  const special = defaultPort(url.protocol) !== undefined;
  const file = url.protocol === 'file:';
  const credentials = url.username + (url.password ? `:${url.password}` : '');
  const slashed = raw.path.replaceAll('\\', '/');
  const dots = /(^|\/)(\.|%2e){1,2}(?=\/|$)/i.test(special ? slashed : raw.path) && raw.path !== '';
  return [
    [
      raw.scheme !== url.protocol,
      `The scheme was written in small letters: ${url.protocol.slice(0, -1)}.`,
    ],
    [special && !file && raw.slashes !== '//', 'The slashes after the scheme became two.'],
    [special && /\\/.test(raw.slashes + raw.path), 'Backslashes were read as slashes.'],
    [
      raw.user !== undefined && raw.user !== credentials,
      'The user information was percent-encoded or shortened.',
    ],
    [raw.host !== url.hostname && (special || raw.host !== ''), hostChange(raw.host, url.hostname)],
    [
      raw.port !== undefined && (raw.port === '' || raw.port !== url.port),
      portChange(raw.port, url),
    ],
    [special && raw.path === '' && url.pathname === '/', 'The empty path became "/".'],
    [dots, 'The segments "." and ".." were resolved.'],
    [
      !dots && raw.path !== '' && slashed !== url.pathname && `/${slashed}` !== url.pathname,
      'Characters of the path were percent-encoded.',
    ],
    [
      (raw.query ?? '').replace(/^\?$/, '') !== url.search,
      'Characters of the query were percent-encoded.',
    ],
    [
      (raw.fragment ?? '').replace(/^#$/, '') !== url.hash,
      'Characters of the fragment were percent-encoded.',
    ],
  ];
}

/** @param {string} written @param {string} host */
function hostChange(written, host) {
  if (written.toLowerCase() === host) return `The host was written in small letters: ${host}.`;
  if (host.startsWith('[')) return `The IPv6 address was shortened: ${host}.`;
  if (/^[\d.]+$/.test(host)) return `The host is an IPv4 address: ${written} means ${host}.`;
  if (host.includes('xn--')) return `The host was written in ASCII (Punycode): ${host}.`;
  return `The host became ${host === '' ? 'empty' : host}.`;
}

/** @param {string | undefined} written @param {URL} url */
function portChange(written, url) {
  if (written === '') return 'The colon without a port was removed.';
  if (url.port === '')
    return `The port ${written} was dropped: it is the default of ${url.protocol.slice(0, -1)}.`;
  return `The port ${written} became ${url.port}.`;
}

/** The reason why a URL cannot be parsed. @param {string} input @param {boolean} hasBase */
export function whyRefused(input, hasBase) {
  const raw = rawParts(input);
  if (!raw) return withoutScheme(input, hasBase);
  const scheme = raw.scheme.toLowerCase();
  const special = defaultPort(scheme) !== undefined;
  const at = (/** @type {string} */ part) => Math.max(0, input.indexOf(part));
  if (raw.host.startsWith('['))
    return inAddress(() => parseIpv6(raw.host), 'an IPv6 address in brackets', at(raw.host));
  if (raw.port !== undefined && !/^\d*$/.test(raw.port)) {
    return new Refusal(`has the port "${brief(raw.port)}", which is not a number`, {
      at: at(`:${raw.port}`) + 1,
      ...(raw.port.includes(',') && { hint: 'Enter one host at a time, not several with commas.' }),
    });
  }
  if (Number(raw.port ?? 0) > 65535)
    return new Refusal(`has the port ${brief(raw.port ?? '')}; ports end at 65535`, {
      at: at(`:${raw.port}`) + 1,
    });
  if (raw.host === '' && (raw.user !== undefined || raw.port !== undefined || special))
    return new Refusal('has no host', { hint: `Write one after ${scheme}//.` });
  if (special && /(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(raw.host))
    return inAddress(() => parseIpv4(raw.host, 'octal'), 'an IPv4 address', at(raw.host));
  return hostFault(raw.host, special, at(raw.host));
}

/** @param {string} host @param {boolean} special @param {number} at */
function hostFault(host, special, at) {
  const read = special ? decoded(host) : host;
  const offence = (special ? FORBIDDEN : /[\0\t\n\r #/:<>?@[\\\]^|]/).exec(read);
  if (offence) {
    const name = JSON.stringify(offence[0]);
    return new Refusal(`has ${name} in its host, where it is forbidden`, {
      at: at + Math.max(0, host.indexOf(offence[0])),
    });
  }
  return new Refusal(`has the host "${brief(host)}", which is not a valid domain`, {
    at,
    hint: 'A label may be too long, empty, or contain characters that UTS #46 does not allow.',
  });
}

/** Percent-decodes a text. Returns it unchanged if the result is not UTF-8. @param {string} text */
export const decoded = (text) => attempt(() => decodeURIComponent(text)) ?? text;

/** @param {() => unknown} read @param {string} what @param {number} at */
function inAddress(read, what, at) {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal)
      return new Refusal(`has a host that should be ${what}: it ${error.message}`, {
        at: at + (error.position.at ?? 0),
      });
    throw error;
  }
  return new Refusal(`has a host that looks like ${what} and is not one`, { at });
}

/** @param {string} input @param {boolean} hasBase */
function withoutScheme(input, hasBase) {
  const address = cleaned(input);
  const offered = `https://${address.replace(/^[/\\]+/, '')}`;
  const hint =
    !hasBase && URL.canParse(offered) && !/\s/.test(address)
      ? `Did you mean ${brief(offered)}?`
      : 'Write a scheme, such as https:, or enter a base URL.';
  return new Refusal(hasBase ? 'cannot be resolved against this base' : 'has no scheme', {
    at: 0,
    hint: hasBase ? 'The base has no hierarchy, such as mailto:.' : hint,
  });
}

/** @param {string} text */
const brief = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
