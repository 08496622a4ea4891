//! Languages in which a request can be written.
import {
  axiosCode,
  fetchCode,
  httpxCode,
  phpCode,
  requestsCode,
  rubyCode,
} from './code-scripts.js';
import { curlCode, httpieCode, powershellCode, wgetCode } from './code-shells.js';
import { csharpCode, goCode, javaCode, kotlinCode, rustCode, swiftCode } from './code-typed.js';
import { filesOf, harText, httpText, strippedFile, wholeFile } from './http-text.js';
import { has, pairOf } from './options.js';

/** @import { Request } from './command.js' */
/**
 * @typedef {object} Emitter
 * @property {string} name
 * @property {string} file a name for the download
 * @property {string[]} can the options that the code can express, `login` by the scheme Basic alone
 * @property {readonly string[]} [schemes] further schemes of a login
 * @property {(request: Request) => string} code
 */

/** @type {Emitter} */
const http = {
  name: 'HTTP',
  file: 'request.http',
  can: ['login'],
  code: (request) => httpText(request),
};
/** @type {Emitter} */
const har = { name: 'HAR', file: 'request.har', can: ['login'], code: harText };

export const LANGUAGES = {
  fetch: fetchCode,
  axios: axiosCode,
  requests: requestsCode,
  httpx: httpxCode,
  go: goCode,
  java: javaCode,
  csharp: csharpCode,
  php: phpCode,
  ruby: rubyCode,
  rust: rustCode,
  swift: swiftCode,
  kotlin: kotlinCode,
  powershell: powershellCode,
  httpie: httpieCode,
  wget: wgetCode,
  curl: curlCode,
  http,
  har,
};

const NAMES = /** @type {const} */ ({
  insecure: '-k',
  redirects: '--max-redirs',
  timeout: '--max-time',
  connectTimeout: '--connect-timeout',
  proxy: '--proxy',
  http: 'the version of HTTP',
  follow: '-L',
  login: '--user',
  cert: '--cert',
  key: '--key',
  cacert: '--cacert',
});
/** Emitters that build forms with the language's own API, which sets their type. */
const FORMS = new Set('fetch axios requests httpx php powershell httpie curl'.split(' '));

/** Emitters whose form fields without a file have no type. */
const TYPELESS = new Set(['fetch', 'axios', 'php', 'powershell', 'httpie']);
/** Emitters for libraries that take each header once. */
const JOINING = new Set(['axios', 'requests', 'powershell']);

/** The code of a language, with nothing of the request that the language cannot express. @param {keyof typeof LANGUAGES} language @param {Request} request */
export function codeOf(language, request) {
  const { code, schemes = [] } = LANGUAGES[language];
  const { login, headers, form } = request;
  const setsType = form && language !== 'curl' && FORMS.has(language);
  return code({
    ...request,
    login: login && ['Basic', ...schemes].includes(login.scheme) ? login : undefined,
    headers: headers.filter(([name]) => !setsType || name.toLowerCase() !== 'content-type'),
  });
}

/** Sentences about what the code of a language leaves out. @param {keyof typeof LANGUAGES} language @param {Request} request */
export function leftOut(language, request) {
  const { can, name, schemes = [] } = LANGUAGES[language];
  const { login, others } = request;
  /** @type {string[]} */
  const missing = Object.entries(NAMES).flatMap(([key, label]) =>
    has(request, /** @type {'proxy'} */ (key)) && !can.includes(key) ? [label] : [],
  );
  if (login && login.scheme !== 'Basic' && !schemes.includes(login.scheme))
    missing.push(`the ${login.scheme} login of "${login.user}"`);
  if (language !== 'curl') missing.push(...new Set(others.map((one) => `--${one.name}`)));
  const sentences = missing.length
    ? [`The code for ${name} leaves out ${missing.join(', ')}.`]
    : [];
  if (['http', 'har'].includes(language) && /[$`]/.test(login ? pairOf(login) : ''))
    sentences.push('The login has variables: put in the Base64 of name, colon and password.');
  const names = request.headers.map(([header]) => header.toLowerCase());
  if (JOINING.has(language) && new Set(names).size < names.length)
    sentences.push(`The code for ${name} sends repeated headers as one, joined by commas.`);
  if (
    TYPELESS.has(language) &&
    request.form?.some(({ type, file, inline }) => type && (!file || inline))
  )
    sentences.push(`The code for ${name} leaves out the type of form fields that are no files.`);
  const stripped = strippedFile(request);
  if (stripped !== undefined && language !== 'curl')
    sentences.push(`curl leaves out the line breaks of ${stripped}; this code sends them.`);
  const native =
    (request.form !== undefined && FORMS.has(language)) ||
    (request.form === undefined &&
      wholeFile(request) !== undefined &&
      !['http', 'har'].includes(language));
  const files = filesOf(request);
  if (files.length && !native)
    sentences.push(`The content of ${files.join(', ')} must be put in where the code has "@".`);
  return sentences;
}
