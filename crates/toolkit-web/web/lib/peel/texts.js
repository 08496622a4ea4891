//! What a text is, for `peel`: tokens, PEM, documents, URLs, encodings, times, and what is embedded in other text.

import { attempt } from '../../kit/tool.js';
import { guess } from '../detect/detect.js';
import { isPem, readPem } from '../keys/pem.js';
import { base64Bytes, bytesOf, readable } from './bytes.js';
import { embedded } from './embedded.js';
import { certificate, expiry, moment } from './said.js';
import { parsed, walk } from './values.js';

/** @import { Layer, Part, Search } from './peel.js' */
/** @typedef {{ text: string, search: Search, as?: Part['as'], is: (kind: string, least: number) => boolean }} Look */
/** @typedef {(look: Look) => Layer | undefined | Promise<Layer | undefined>} Opener */

const LONGEST = 1 << 20;
/** A longer text is no single value. */
const VALUE = 1 << 16;
const YAML_MAX = 256 << 10;
const KEY = /PRIVATE KEY/;
/** Of JSON Lines in which nothing is encoded. */
const LINES_SHOWN = 10;

/** @param {string} part */
function jsonIn(part) {
  const bytes = base64Bytes(part);
  const text = bytes && readable(bytes);
  const value = text === undefined ? undefined : parsed(text);
  return value && typeof value === 'object' ? { text: text ?? '', value } : undefined;
}

/** @type {Opener} */
function token({ text, search }) {
  const [, bare = ''] =
    /^(?:(?:authorization:\s*)?bearer\s+)?([\w-]+\.[\w-]*\.[\w-]*)$/i.exec(text) ?? [];
  const [first = '', second = ''] = bare.split('.');
  const header = bare ? jsonIn(first) : undefined;
  if (!header || !('alg' in header.value || 'typ' in header.value)) return undefined;
  const payload = jsonIn(second);
  const claims = payload?.value ?? {};
  const who = typeof claims.sub === 'string' && claims.sub ? ` of ${claims.sub.slice(0, 60)}` : '';
  return {
    said: `Token (${String(header.value.alg).slice(0, 20)})${who}: ${expiry(claims, search.now)}`,
    parts: [
      { label: 'header', content: header.text },
      ...(payload ? [{ label: 'payload', content: payload.text }] : []),
    ],
    isKept: true,
    isValue: true,
  };
}

/** @type {Opener} */
function pem({ text, search }) {
  if (!isPem(text)) return undefined;
  const blocks = attempt(() => readPem(text, 100));
  if (!blocks) return undefined;
  const [block] = blocks;
  const isOne = blocks.length === 1 && /^-----BEGIN [^-]+-----[^-]*-----END [^-]+-----$/.test(text);
  if (!isOne || !block)
    return {
      said: `${blocks.length} ${blocks.length === 1 ? 'block' : 'blocks'} of PEM`,
      parts: [...text.matchAll(/-----BEGIN ([^-]+)-----[^-]*-----END \1-----/g)].map(
        ([content, label = '']) => ({ label: label.toLowerCase(), content }),
      ),
      isKept: true,
    };
  if (KEY.test(block.label)) return { said: 'Private key: keep it secret', isValue: true };
  const decoded = certificate(block.bytes, search.now);
  if (decoded) return { ...decoded, opens: [['certificate-decoder', { text }]] };
  return { said: `PEM, ${block.label.toLowerCase()}`, isValue: true };
}

/** @type {Opener} */
function json({ text }) {
  if (!/^[[{"]/.test(text)) return undefined;
  const value = parsed(text);
  if (typeof value === 'string' && value !== '')
    return { said: 'Text in JSON', parts: [{ label: '', content: value }], isKept: true };
  if (value && typeof value === 'object') return walk(value, 'JSON');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || typeof parsed(lines[0] ?? '') !== 'object') return undefined;
  const count = `${lines.length.toLocaleString('en')} lines`;
  return {
    said: `JSON Lines, ${count}${lines.length > LINES_SHOWN ? `, the first ${LINES_SHOWN} of which are:` : ''}`,
    parts: lines.map((content, at) => ({
      label: `line ${at + 1}`,
      content,
      isLine: at < LINES_SHOWN,
    })),
    isValue: true,
  };
}

/** @type {Opener} */
function dataUrl({ text }) {
  const [, type = '', body = ''] = /^data:([^,]{0,200}),(.*)$/s.exec(text) ?? [];
  if (!body) return undefined;
  const content = /;base64$/i.test(type) ? base64Bytes(unescaped(body)) : unescaped(body);
  if (content === undefined) return undefined;
  return {
    said: `Data URL${type && ` of ${type}`}`,
    parts: [{ label: '', content }],
    isKept: true,
  };
}

/** @param {string} text */
const unescaped = (text) => attempt(() => decodeURIComponent(text)) ?? text;

/** Parameters; SAML's are Base64 (SAML 2.0 Bindings §3.4.4.1), whose + may have become a space. @param {URLSearchParams} all @param {string} before @returns {Part[]} */
const parameters = (all, before) =>
  [...all].map(([name, content]) =>
    /^SAML(?:Request|Response)$/i.test(name)
      ? { label: before + name, content: content.replaceAll(' ', '+'), as: 'deflate' }
      : { label: before + name, content },
  );

/** @type {Opener} */
function url({ text }) {
  if (!/^[a-z][\w+.-]*:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { searchParams, hash, username, host } = new URL(text);
  const fragment = /[=]/.test(hash) ? parameters(new URLSearchParams(hash.slice(1)), '#') : [];
  const user = username ? [{ label: 'user', content: unescaped(username) }] : [];
  return {
    said: `URL of ${host}`,
    parts: [...user, ...parameters(searchParams, '?'), ...fragment],
  };
}

/** @type {Opener} */
function query({ text }) {
  if (!/^\??[\w.~%[\]-]+=[^\s=&]+={0,2}(?:&[\w.~%[\]-]+=[^\s&]*)*$/.test(text)) return undefined;
  if (!text.includes('&') && !/^\??SAML/.test(text)) return undefined;
  const parts = parameters(new URLSearchParams(text.replace(/^\?/, '')), '');
  return {
    said: `Query of ${parts.length === 1 ? '1 parameter' : `${parts.length} parameters`}`,
    parts,
  };
}

/** Long contents and values of attributes, with the names before them. @type {Opener} */
function xml({ text }) {
  const [, root] =
    /^(?:<\?[^>]*\?>|<!--(?:[^-]|-(?!->))*-->|\s)*<([\w:.-]+)[\s/>]/.exec(text) ?? [];
  if (!root || !/>\s*$/.test(text)) return undefined;
  const elements = text.matchAll(
    /<([\w:.-]+)(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?([^<]{16,})|\s([\w:.-]+)="([^"<]{24,})"/g,
  );
  const parts = [...elements].map(([, element, content = '', attribute, value = '']) => ({
    label: element ?? attribute ?? '',
    content: content.replaceAll(']]>', '').trim() || value,
  }));
  return { said: `XML, ${root}`, parts, isValue: root.includes('saml') };
}

/** @type {Opener} */
function percent({ text }) {
  if (/\s/.test(text) || !/%[\da-f]{2}/i.test(text) || /%(?![\da-f]{2})/i.test(text))
    return undefined;
  const content = unescaped(text.replaceAll('+', ' '));
  if (content === text) return undefined;
  return { said: 'Percent-encoded', parts: [{ label: '', content }], isKept: true };
}

/** @type {Opener} */
function hex({ text, is }) {
  const digits = text.replaceAll(/\\x|0x|[\s:,-]/gi, '');
  if (!is('hex', 0.85) || is('digest', 0.5) || !/^(?:[\da-f]{2})+$/i.test(digits)) return undefined;
  const content = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { said: `Hexadecimal, ${bytesOf(content.length)}`, parts: [{ label: '', content }] };
}

/** @type {Opener} */
function base64({ text, is, as }) {
  const dense = text.replaceAll(/\s+/g, '').replace(/^Basic(?=[\w+/]{8})/, '');
  if (dense.length < (as ? 2 : 8) || !/^[\w+/-]+={0,2}$/.test(dense)) return undefined;
  const bytes = base64Bytes(dense);
  if (!bytes) return undefined;
  const isText = readable(bytes) !== undefined && is('base64', 0.69);
  const isPacked = is('base64', 0.5) || /^(?:H4sI|eJ|iVBOR|\/9j\/|JVBER|MII)/.test(dense);
  if (!as && !isText && !isPacked) return undefined;
  const content = { label: '', content: bytes, ...(as === 'deflate' && { as }) };
  return { said: `Base64, ${bytesOf(bytes.length)}`, parts: [content], isKept: true };
}

/** @type {Opener} */
async function yaml({ text, is }) {
  if (!is('yaml', 0.9) || !text.includes('\n') || text.length > YAML_MAX) return undefined;
  try {
    const { parseYaml } = await import('../yaml/read.js');
    const { plain } = await import('../json/json.js');
    const values = parseYaml(text).values.map((value) => plain(value));
    return walk(values.length === 1 ? values[0] : values, 'YAML');
  } catch {
    return undefined;
  }
}

/** Times and identifiers that hold one. @type {Opener} */
function time({ text, is, search }) {
  const said = (/** @type {string} */ what, /** @type {number} */ ms) => ({
    said: `${what}${moment(ms, search.now)}`,
    isValue: true,
  });
  if (is('epoch', 0.9) && /^\d+$/.test(text)) {
    const digits = text.length;
    const by = digits <= 11 ? 1000 : digits <= 14 ? 1 : digits <= 17 ? 1e-3 : 1e-6;
    return said('', Number(text) * by);
  }
  const uuid = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.exec(text);
  if (uuid) return said('UUID of ', Number.parseInt(`${uuid[1]}${uuid[2]}`, 16));
  if (!is('dateTime', 0.9) || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/.test(text))
    return undefined;
  const ms = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(ms) ? undefined : said('', ms);
}

/** @type {Opener} */
const others = ({ text }) => embedded(text);

/** The first that knows the text counts. @type {readonly Opener[]} */
const OPENERS = [
  token,
  json,
  dataUrl,
  url,
  pem,
  xml,
  query,
  time,
  hex,
  base64,
  percent,
  yaml,
  others,
];

/** @param {string} content @param {Search} search @param {Part['as']} as */
export async function openText(content, search, as) {
  const text = content.trim();
  if (text === '' || text.length > LONGEST) return undefined;
  const guesses = text.length > VALUE && !text.includes('\n') ? [] : guess(text);
  const is = (/** @type {string} */ kind, /** @type {number} */ least) =>
    guesses.some(([one, certainty]) => one === kind && certainty >= least);
  for (const opener of OPENERS) {
    const layer = await opener({ text, search, is, ...(as && { as }) });
    if (layer) return layer;
  }
  return undefined;
}
