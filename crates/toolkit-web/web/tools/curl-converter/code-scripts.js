//! Requests as programs in JavaScript, Python, PHP and Ruby.

import { json, single } from '../../lib/literals.js';
import { bodyOf, explicitHeaders, fileNameOf } from './http-text.js';
import { hops, millis, pairOf, written } from './options.js';

/** @import { Request } from './command.js' */
/** @import { Emitter } from './code.js' */
/** @import { Options } from './options.js' */

/** @param {[string, string][]} headers @param {Request['login']} login */
function jsHeaders(headers, login) {
  const lines = [...joinedHeaders(headers)].map(
    ([name, value]) => `    ${json(name)}: ${json(value)},`,
  );
  if (!login) return lines;
  const pair = json(pairOf(login));
  const latin = /^[\0-\xff]*$/.test(pair)
    ? pair
    : `String.fromCharCode(...new TextEncoder().encode(${pair}))`;
  return [...lines, `    Authorization: "Basic " + btoa(${latin}),`];
}

/** @param {Request} request */
function jsForm({ form = [] }) {
  const lines = form.map((field) => {
    const { name, value, file, inline, type } = field;
    if (!file) return `form.append(${json(name)}, ${json(value)});`;
    if (inline) return `form.append(${json(name)}, await readFile(${json(value)}, "utf8"));`;
    return `form.append(${json(name)}, new Blob([await readFile(${json(value)})]${type ? `, { type: ${json(type)} }` : ''}), ${json(fileNameOf(field))});`;
  });
  return ['const form = new FormData();', ...lines];
}

/** @param {Request} request */
function jsBody(request) {
  const { file, text } = bodyOf(request);
  const needsFile = file !== undefined || request.form?.some((field) => field.file);
  const head = needsFile ? ["import { readFile } from 'node:fs/promises';", ''] : [];
  if (request.form) return { head: [...head, ...jsForm(request), ''], value: 'form' };
  if (file !== undefined) return { head, value: `await readFile(${json(file)})` };
  return { head, value: text === undefined ? undefined : json(text) };
}

/** Headers of one name as one, for libraries that take each name once. @param {[string, string][]} headers */
export function joinedHeaders(headers) {
  /** @type {Map<string, string>} */
  const joined = new Map();
  for (const [name, value] of headers) {
    const known = [...joined.keys()].find((one) => one.toLowerCase() === name.toLowerCase());
    const before = known === undefined ? '' : `${joined.get(known)}, `;
    joined.set(known ?? name, before + value);
  }
  return joined;
}

/** @type {Emitter} */
export const fetchCode = {
  name: 'JavaScript (fetch)',
  file: 'request.mjs',
  can: ['follow', 'timeout', 'login'],
  code(request) {
    const { head, value } = jsBody(request);
    const headers = jsHeaders(request.headers, request.login);
    const options = [`  method: ${json(request.method)},`];
    if (headers.length) options.push(`  headers: {\n${headers.join('\n')}\n  },`);
    if (value !== undefined) options.push(`  body: ${value},`);
    if (!request.follow) options.push("  redirect: 'manual',");
    if (request.timeout !== undefined)
      options.push(`  signal: AbortSignal.timeout(${millis(request.timeout)}),`);
    return [
      ...head,
      `const response = await fetch(${json(request.url)}, {`,
      ...options,
      '});',
      'console.log(response.status, await response.text());',
    ].join('\n');
  },
};

/** @type {Emitter} */
export const axiosCode = {
  name: 'JavaScript (axios)',
  file: 'request.mjs',
  can: ['follow', 'timeout', 'redirects', 'login'],
  code(request) {
    const { login } = request;
    const { head, value } = jsBody(request);
    const headers = joinedHeaders(request.headers);
    const options = [`  method: ${json(request.method)},`, `  url: ${json(request.url)},`];
    if (headers.size)
      options.push(
        `  headers: {\n${[...headers].map(([name, text]) => `    ${json(name)}: ${json(text)},\n`).join('')}  },`,
      );
    if (value !== undefined) options.push(`  data: ${value},`);
    if (login)
      options.push(`  auth: { username: ${json(login.user)}, password: ${json(login.password)} },`);
    const most = hops(request);
    if (most !== undefined) options.push(`  maxRedirects: ${most},`);
    if (request.timeout !== undefined) options.push(`  timeout: ${millis(request.timeout)},`);
    options.push('  validateStatus: () => true,');
    return [
      "import axios from 'axios';",
      ...head,
      '',
      'const response = await axios.request({',
      ...options,
      '});',
      'console.log(response.status, response.data);',
    ].join('\n');
  },
};

/** @param {Request} request @param {string} redirects */
function pythonArguments(request, redirects) {
  const isHttpx = redirects.startsWith('follow');
  const pairs = isHttpx ? request.headers : [...joinedHeaders(request.headers)];
  const [open, close] = isHttpx ? '[]' : '{}';
  const lines = [`    ${json(request.method)},`, `    ${json(request.url)},`];
  if (pairs.length)
    lines.push(
      `    headers=${open}\n${pairs.map(([name, value]) => (isHttpx ? `        (${json(name)}, ${json(value)}),\n` : `        ${json(name)}: ${json(value)},\n`)).join('')}    ${close},`,
    );
  if (request.form) lines.push(`    files=[\n${request.form.map(pythonField).join('')}    ],`);
  const { file, text } = bodyOf(request);
  if (!request.form && text !== undefined)
    lines.push(
      `    ${isHttpx ? 'content' : 'data'}=${file === undefined ? `${json(text)}.encode()` : `open(${json(file)}, "rb")${isHttpx ? '.read()' : ''}`},`,
    );
  if (request.timeout !== undefined || request.connectTimeout !== undefined)
    lines.push(`    timeout=${request.timeout ?? request.connectTimeout},`);
  lines.push(`    ${redirects}=${request.follow ? 'True' : 'False'},`);
  return lines;
}

/** @param {import('./command.js').FormField} field */
function pythonField(field) {
  const content = field.file ? `open(${json(field.value)}, "rb")` : json(field.value);
  const name = field.file && !field.inline ? json(fileNameOf(field)) : 'None';
  return `        (${json(field.name)}, (${name}, ${content}${field.type ? `, ${json(field.type)}` : ''})),\n`;
}

/** A login for Python, whose libraries encode other letters as Latin-1. @param {string} digest @returns {NonNullable<Options['login']>} */
const pythonLogin = (digest) => (login) => {
  const parts = [login.user, login.password].map(
    (part) => `${json(part)}${/^\p{ASCII}*$/u.test(part) ? '' : '.encode()'}`,
  );
  return `auth=${login.scheme === 'Digest' ? digest : ''}(${parts.join(', ')})`;
};
/** A client's certificate, with its key where that is a file of its own. @param {string} file @param {Request} request */
const pythonCert = (file, { key }) => `cert=${key ? `(${json(file)}, ${json(key)})` : json(file)}`;

/** @type {Options} */
const requestsOptions = {
  login: pythonLogin('HTTPDigestAuth'),
  cert: pythonCert,
  key: () => [],
  cacert: (file, { insecure }) => (insecure ? [] : `verify=${json(file)}`),
  insecure: () => 'verify=False',
  proxy: (url) => `proxies={"http": ${json(url)}, "https": ${json(url)}}`,
};

/** @type {Emitter} */
export const requestsCode = {
  name: 'Python (requests)',
  file: 'request.py',
  can: ['follow', 'timeout', 'connectTimeout', ...Object.keys(requestsOptions)],
  schemes: ['Digest'],
  code(request) {
    const lines = pythonArguments(request, 'allow_redirects');
    lines.push(...written(requestsOptions, request).map((line) => `    ${line},`));
    return [
      `import requests${request.login?.scheme === 'Digest' ? '\nfrom requests.auth import HTTPDigestAuth' : ''}`,
      '',
      'response = requests.request(',
      ...lines,
      ')',
      'print(response.status_code, response.text)',
    ].join('\n');
  },
};

/** @type {Options} */
const httpxClient = {
  login: pythonLogin('httpx.DigestAuth'),
  cert: pythonCert,
  key: () => [],
  cacert: (file, { insecure }) => (insecure ? [] : `verify=${json(file)}`),
  insecure: () => 'verify=False',
  proxy: (url) => `proxy=${json(url)}`,
  http: (version) => (version === '2' ? 'http2=True' : []),
};

/** @type {Emitter} */
export const httpxCode = {
  name: 'Python (httpx)',
  file: 'request.py',
  can: ['follow', 'timeout', 'connectTimeout', ...Object.keys(httpxClient)],
  schemes: ['Digest'],
  code(request) {
    const client = written(httpxClient, request);
    const lines = pythonArguments(request, 'follow_redirects').map((line) =>
      line.replaceAll(/^/gm, '    '),
    );
    return [
      'import httpx',
      '',
      `with httpx.Client(${client.join(', ')}) as client:`,
      '    response = client.request(',
      ...lines,
      '    )',
      '    print(response.status_code, response.text)',
    ].join('\n');
  },
};

/** @type {Options} */
const phpOptions = {
  redirects: (most) => `MAXREDIRS => ${most}`,
  timeout: (seconds) => `TIMEOUT_MS => ${millis(seconds)}`,
  connectTimeout: (seconds) => `CONNECTTIMEOUT_MS => ${millis(seconds)}`,
  insecure: () => ['SSL_VERIFYPEER => false', 'SSL_VERIFYHOST => 0'],
  proxy: (url) => `PROXY => ${single(url)}`,
  http: (version) => `HTTP_VERSION => CURL_HTTP_VERSION_${version.replace('.', '_')}`,
  login: (login) => [
    `USERPWD => ${single(pairOf(login))}`,
    ...(login.scheme === 'Basic' ? [] : [`HTTPAUTH => CURLAUTH_${login.scheme.toUpperCase()}`]),
  ],
  cert: (file) => `SSLCERT => ${single(file)}`,
  key: (file) => `SSLKEY => ${single(file)}`,
  cacert: (file) => `CAINFO => ${single(file)}`,
};
const CURL_SCHEMES = ['Digest', 'NTLM', 'Negotiate'];

/** @type {Emitter} */
export const phpCode = {
  name: 'PHP (cURL)',
  file: 'request.php',
  can: ['follow', ...Object.keys(phpOptions)],
  schemes: CURL_SCHEMES,
  code(request) {
    const headers = request.headers.map(
      ([name, value]) => `        ${single(value === '' ? `${name};` : `${name}: ${value}`)},\n`,
    );
    const body = phpBody(request);
    const options = [
      `CUSTOMREQUEST => ${single(request.method)}`,
      'RETURNTRANSFER => true',
      request.method === 'HEAD' && 'NOBODY => true',
      headers.length > 0 && `HTTPHEADER => [\n${headers.join('')}    ]`,
      body && `POSTFIELDS => ${body}`,
      request.follow && 'FOLLOWLOCATION => true',
      ...written(phpOptions, request),
      request.compressed && "ENCODING => ''",
    ];
    return [
      '<?php',
      `$curl = curl_init(${single(request.url)});`,
      'curl_setopt_array($curl, [',
      ...options.filter(Boolean).map((option) => `    CURLOPT_${option},`),
      ']);',
      '$response = curl_exec($curl);',
      'echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), " ", $response, "\\n";',
    ].join('\n');
  },
};

/** @param {import('./command.js').FormField} field */
function phpField(field) {
  const value = single(field.value);
  if (!field.file) return value;
  if (field.inline) return `file_get_contents(${value})`;
  const isNamed = field.type || field.filename;
  return `new CURLFile(${value}${isNamed ? `, ${single(field.type)}, ${single(fileNameOf(field))}` : ''})`;
}

/** @param {Request} request */
function phpBody(request) {
  if (request.form) {
    const fields = request.form.map(
      (field) => `        ${single(field.name)} => ${phpField(field)},\n`,
    );
    return `[\n${fields.join('')}    ]`;
  }
  const { file, text } = bodyOf(request);
  return file === undefined
    ? text !== undefined && single(text)
    : `file_get_contents(${single(file)})`;
}

/** @type {Options} */
const rubyOptions = {
  insecure: () => 'verify_mode: OpenSSL::SSL::VERIFY_NONE',
  timeout: (seconds) => `read_timeout: ${seconds}`,
  connectTimeout: (seconds) => `open_timeout: ${seconds}`,
};

/** @type {Emitter} */
export const rubyCode = {
  name: 'Ruby (net/http)',
  file: 'request.rb',
  can: [...Object.keys(rubyOptions), 'login'],
  code(request) {
    const { login } = request;
    const { file, text } = bodyOf(request);
    const options = ["use_ssl: uri.scheme == 'https'", ...written(rubyOptions, request)];
    const lines = explicitHeaders(request).map(
      ([name, value]) => `request.add_field(${single(name)}, ${single(value)})`,
    );
    if (login) lines.push(`request.basic_auth(${single(login.user)}, ${single(login.password)})`);
    if (text !== undefined)
      lines.push(
        `request.body = ${file === undefined ? single(text) : `File.binread(${single(file)})`}`,
      );
    return [
      "require 'net/http'",
      "require 'uri'",
      '',
      `uri = URI(${single(request.url)})`,
      `request = Net::HTTPGenericRequest.new(${single(request.method)}, ${text === undefined ? 'false' : 'true'}, ${request.method === 'HEAD' ? 'false' : 'true'}, uri)`,
      ...lines,
      `response = Net::HTTP.start(uri.hostname, uri.port, ${options.join(', ')}) { |http| http.request(request) }`,
      'puts response.code, response.body',
    ].join('\n');
  },
};
