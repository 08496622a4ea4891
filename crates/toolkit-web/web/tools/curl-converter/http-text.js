//! A request as HTTP/1.1 bytes, as multipart text and as HAR. Standards: RFC 9112, RFC 7578, HAR
//! 1.2.
import { toBase64, toUtf8 } from '../../lib/bytes.js';
import { shown } from './data.js';
import { pairOf } from './options.js';

/** @import { FormField, Request } from './command.js' */

const BOUNDARY = 'toolkit-form-boundary-7d1f';

/** RFC 7578 §4.2: quotes and line breaks of names are percent-encoded. @param {string} text */
const quoted = (text) =>
  `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

/** @param {FormField} field */
export const fileNameOf = ({ filename, value }) => filename || (value.split(/[\\/]/).at(-1) ?? '');

/** @param {FormField[]} form */
function multipartText(form) {
  const parts = form.map((field) => {
    const name = field.file && !field.inline ? `; filename=${quoted(fileNameOf(field))}` : '';
    const type = field.type || (field.file && !field.inline ? 'application/octet-stream' : '');
    const content = field.file ? `@${field.value}` : field.value;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name=${quoted(field.name)}${name}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** The body as one text; the contents of files are written `@name`. @param {Request} request */
export function bodyText({ body, form, upload }) {
  if (body) return shown(body);
  if (form) return multipartText(form);
  return upload === undefined ? undefined : `@${upload}`;
}

/** The file of a body that consists of one file. @param {Request} request */
export function wholeFile({ body, upload }) {
  const [only] = body ?? [];
  if (body?.length === 1 && only && 'file' in only) return only.file;
  return upload;
}

/** The body as languages write it: a whole file, or else the text. @param {Request} request */
export const bodyOf = (request) => ({ file: wholeFile(request), text: bodyText(request) });

/** The file of a body that curl sends without its line breaks. @param {Request} request */
export const strippedFile = ({ body = [] }) =>
  body.flatMap((piece) => ('file' in piece && piece.lines ? [piece.file] : []))[0];

/** Names of the files whose contents the body needs. @param {Request} request */
export function filesOf({ body, form, upload }) {
  const files = (body ?? []).flatMap((piece) => ('file' in piece ? [piece.file] : []));
  const parts = (form ?? []).filter(({ file }) => file).map(({ value }) => value);
  return [...files, ...parts, ...(upload === undefined ? [] : [upload])];
}

/** Headers, including the type of a multipart body. @param {Request} request @returns {[string, string][]} */
export function explicitHeaders({ headers, form }) {
  if (!form) return headers;
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return [...others, ['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`]];
}

/** @param {string} url */
function splitUrl(url) {
  const [, host = '', path = ''] = /^[^/]*\/\/([^/?#]*)([^#]*)/.exec(url) ?? [];
  return { host, path: path.startsWith('/') ? path : `/${path}` };
}

/** A login as a header, which holds no variables. @param {Request['login']} login */
function authorization(login) {
  if (!login) return false;
  const pair = pairOf(login);
  return `Basic ${/[$`]/.test(pair) ? pair : toBase64(toUtf8(pair))}`;
}

/** @param {Request} request @param {string} agent what `User-Agent` says when the command does not @returns {[string, string][]} */
function sentHeaders(request, agent) {
  const { removed, compressed } = request;
  const own = explicitHeaders(request);
  const has = (/** @type {string} */ name) =>
    removed.includes(name) || own.some(([known]) => known.toLowerCase() === name);
  const body = bodyText(request);
  /** @type {[string, string | false][]} */
  const added = [
    ['Host', !has('host') && splitUrl(request.url).host],
    ['Authorization', authorization(request.login)],
    ['User-Agent', !has('user-agent') && agent],
    ['Accept', !has('accept') && '*/*'],
    ['Accept-Encoding', compressed && !has('accept-encoding') && 'deflate, gzip'],
  ];
  const first = added.filter(([, value]) => value !== false && value !== '');
  const length =
    body !== undefined && !has('content-length')
      ? [['Content-Length', String(new TextEncoder().encode(body).length)]]
      : [];
  return /** @type {[string, string][]} */ ([...first, ...own, ...length]);
}

/** @param {Request} request @param {string} [agent] */
export function httpText(request, agent = 'curl/8.15.0') {
  const lines = sentHeaders(request, agent).map(([name, value]) =>
    value === '' ? `${name}:` : `${name}: ${value}`,
  );
  return `${request.method} ${splitUrl(request.url).path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${bodyText(request) ?? ''}`;
}

/** @param {Request} request */
export function harText(request) {
  const headers = sentHeaders(request, '').map(([name, value]) => ({ name, value }));
  const query = URL.canParse(request.url)
    ? [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value }))
    : [];
  const text = bodyText(request);
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const postData = text === undefined ? {} : { postData: { mimeType: type, text } };
  const cookies = headers
    .filter(({ name }) => name.toLowerCase() === 'cookie')
    .flatMap(({ value }) => value.split(/;\s*/))
    .filter(Boolean);
  const entry = {
    method: request.method,
    url: request.url,
    httpVersion: 'HTTP/1.1',
    cookies: cookies.map((pair) => ({
      name: pair.split('=')[0],
      value: pair.split('=').slice(1).join('='),
    })),
    headers,
    queryString: query,
    ...postData,
    headersSize: -1,
    bodySize: text === undefined ? 0 : new TextEncoder().encode(text).length,
  };
  return `${JSON.stringify({ log: { version: '1.2', creator: { name: 'Toolkit', version: '1' }, entries: [{ request: entry }] } }, null, 2)}\n`;
}
