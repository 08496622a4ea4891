//! Requests as programs in JavaScript, Python, PHP and Ruby.
import { bodyText, explicitHeaders, fileNameOf } from './http-text.js';
import { json, single } from './literals.js';

/** @import { Request } from './command.js' */
/** @import { Emitter } from './code.js' */

/** The file of a body that consists of one file. @param {Request} request */
export function wholeFile({ body, upload }) {
  const [only] = body ?? [];
  if (body?.length === 1 && only && 'file' in only) return only.file;
  return upload;
}

/** @param {[string, string][]} headers @param {string} indent */
const jsHeaders = (headers, indent) =>
  `[\n${headers.map(([name, value]) => `${indent}  [${json(name)}, ${json(value)}],\n`).join('')}${indent}]`;

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
  const file = wholeFile(request);
  const needsFile = file !== undefined || request.form?.some((field) => field.file);
  const head = needsFile ? ["import { readFile } from 'node:fs/promises';", ''] : [];
  if (request.form) return { head: [...head, ...jsForm(request), ''], value: 'form' };
  if (file !== undefined) return { head, value: `await readFile(${json(file)})` };
  const text = bodyText(request);
  return { head, value: text === undefined ? undefined : json(text) };
}

/** @param {Request} request */
const ownHeaders = ({ headers, form }) =>
  form ? headers.filter(([name]) => name.toLowerCase() !== 'content-type') : headers;

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
  can: ['follow', 'timeout', 'compressed'],
  code(request) {
    const { head, value } = jsBody(request);
    const headers = ownHeaders(request);
    const options = [`  method: ${json(request.method)},`];
    if (headers.length) options.push(`  headers: ${jsHeaders(headers, '  ')},`);
    if (value !== undefined) options.push(`  body: ${value},`);
    if (!request.follow) options.push("  redirect: 'manual',");
    if (request.timeout !== undefined)
      options.push(`  signal: AbortSignal.timeout(${Math.round(request.timeout * 1000)}),`);
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
  can: ['follow', 'timeout', 'redirects', 'compressed'],
  code(request) {
    const { head, value } = jsBody(request);
    const headers = joinedHeaders(ownHeaders(request));
    const options = [`  method: ${json(request.method)},`, `  url: ${json(request.url)},`];
    if (headers.size)
      options.push(
        `  headers: {\n${[...headers].map(([name, text]) => `    ${json(name)}: ${json(text)},\n`).join('')}  },`,
      );
    if (value !== undefined) options.push(`  data: ${value},`);
    if (!request.follow) options.push('  maxRedirects: 0,');
    else if (request.redirects !== undefined) options.push(`  maxRedirects: ${request.redirects},`);
    if (request.timeout !== undefined)
      options.push(`  timeout: ${Math.round(request.timeout * 1000)},`);
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
  const headers = ownHeaders(request);
  const pairs = isHttpx ? headers : [...joinedHeaders(headers)];
  const [open, close] = isHttpx ? '[]' : '{}';
  const lines = [`    ${json(request.method)},`, `    ${json(request.url)},`];
  if (pairs.length)
    lines.push(
      `    headers=${open}\n${pairs.map(([name, value]) => (isHttpx ? `        (${json(name)}, ${json(value)}),\n` : `        ${json(name)}: ${json(value)},\n`)).join('')}    ${close},`,
    );
  if (request.form) lines.push(`    files=[\n${request.form.map(pythonField).join('')}    ],`);
  const file = wholeFile(request);
  const text = request.form ? undefined : bodyText(request);
  if (text !== undefined)
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

/** @type {Emitter} */
export const requestsCode = {
  name: 'Python (requests)',
  file: 'request.py',
  can: ['follow', 'timeout', 'connectTimeout', 'insecure', 'proxy', 'compressed'],
  code(request) {
    const lines = pythonArguments(request, 'allow_redirects');
    if (request.insecure) lines.push('    verify=False,');
    if (request.proxy)
      lines.push(`    proxies={"http": ${json(request.proxy)}, "https": ${json(request.proxy)}},`);
    return [
      'import requests',
      '',
      'response = requests.request(',
      ...lines,
      ')',
      'print(response.status_code, response.text)',
    ].join('\n');
  },
};

/** @type {Emitter} */
export const httpxCode = {
  name: 'Python (httpx)',
  file: 'request.py',
  can: ['follow', 'timeout', 'connectTimeout', 'insecure', 'proxy', 'http', 'compressed'],
  code(request) {
    const client = [];
    if (request.insecure) client.push('verify=False');
    if (request.proxy) client.push(`proxy=${json(request.proxy)}`);
    if (request.http === '2') client.push('http2=True');
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

/** @type {Emitter} */
export const phpCode = {
  name: 'PHP (cURL)',
  file: 'request.php',
  can: [
    'follow',
    'redirects',
    'timeout',
    'connectTimeout',
    'insecure',
    'proxy',
    'http',
    'compressed',
  ],
  code(request) {
    const headers = ownHeaders(request).map(
      ([name, value]) => `        ${single(value === '' ? `${name};` : `${name}: ${value}`)},\n`,
    );
    /** @type {[string, string | false | undefined][]} */
    const options = [
      ['CUSTOMREQUEST', single(request.method)],
      ['RETURNTRANSFER', 'true'],
      ['NOBODY', request.method === 'HEAD' && 'true'],
      ['HTTPHEADER', headers.length > 0 && `[\n${headers.join('')}    ]`],
      ['POSTFIELDS', phpBody(request)],
      ['FOLLOWLOCATION', request.follow && 'true'],
      ['MAXREDIRS', request.redirects?.toString()],
      ['TIMEOUT_MS', request.timeout !== undefined && String(Math.round(request.timeout * 1000))],
      [
        'CONNECTTIMEOUT_MS',
        request.connectTimeout !== undefined && String(Math.round(request.connectTimeout * 1000)),
      ],
      ['SSL_VERIFYPEER', request.insecure && 'false'],
      ['SSL_VERIFYHOST', request.insecure && '0'],
      ['PROXY', request.proxy && single(request.proxy)],
      ['HTTP_VERSION', request.http && `CURL_HTTP_VERSION_${request.http.replace('.', '_')}`],
      ['ENCODING', request.compressed && "''"],
    ];
    const lines = options.flatMap(([name, value]) =>
      value ? [`    CURLOPT_${name} => ${value},`] : [],
    );
    return [
      '<?php',
      `$curl = curl_init(${single(request.url)});`,
      'curl_setopt_array($curl, [',
      ...lines,
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
  const file = wholeFile(request);
  const text = bodyText(request);
  return file === undefined
    ? text !== undefined && single(text)
    : `file_get_contents(${single(file)})`;
}

/** @type {Emitter} */
export const rubyCode = {
  name: 'Ruby (net/http)',
  file: 'request.rb',
  can: ['timeout', 'connectTimeout', 'insecure', 'compressed', 'noFollow'],
  code(request) {
    const file = wholeFile(request);
    const text = bodyText(request);
    const options = ["use_ssl: uri.scheme == 'https'"];
    if (request.insecure) options.push('verify_mode: OpenSSL::SSL::VERIFY_NONE');
    if (request.timeout !== undefined) options.push(`read_timeout: ${request.timeout}`);
    if (request.connectTimeout !== undefined)
      options.push(`open_timeout: ${request.connectTimeout}`);
    const lines = explicitHeaders(request).map(
      ([name, value]) => `request.add_field(${single(name)}, ${single(value)})`,
    );
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
