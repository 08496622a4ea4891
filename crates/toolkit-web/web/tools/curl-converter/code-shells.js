//! Requests as commands: PowerShell, HTTPie, wget, curl itself.

import { VALUED } from '../../data/curl-options.js';
import { powershell, shell } from '../../lib/literals.js';
import { joinedHeaders } from './code-scripts.js';
import { bodyOf, explicitHeaders, fileNameOf, strippedFile } from './http-text.js';
import { fullVersion, hops, pairOf, written } from './options.js';

/** @import { Emitter } from './code.js' */
/** @import { Options } from './options.js' */

/** @type {Options} */
const powershellOptions = {
  timeout: (seconds) => `TimeoutSec = ${Math.ceil(seconds)}`,
  insecure: () => 'SkipCertificateCheck = $true',
  proxy: (url) => `Proxy = ${powershell(url)}`,
  http: (version) => `HttpVersion = ${powershell(fullVersion(version))}`,
};

/** @type {Emitter} */
export const powershellCode = {
  name: 'PowerShell 7',
  file: 'request.ps1',
  can: ['follow', 'redirects', 'login', ...Object.keys(powershellOptions)],
  code(request) {
    const { form } = request;
    const isType = (/** @type {[string, string]} */ [name]) =>
      name.toLowerCase() === 'content-type';
    const type = request.headers.find(isType)?.[1];
    const others = joinedHeaders(request.headers.filter((header) => !isType(header)));
    const lines = [
      `Uri = ${powershell(request.url)}`,
      `${/^(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS|TRACE|MERGE)$/.test(request.method) ? 'Method' : 'CustomMethod'} = ${powershell(request.method)}`,
    ];
    const pairs = [...others].map(([name, value]) => `${powershell(name)} = ${powershell(value)}`);
    if (request.login)
      pairs.push(
        `'Authorization' = 'Basic ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes(${powershell(pairOf(request.login))}))`,
      );
    if (pairs.length)
      lines.push(`Headers = @{\n${pairs.map((pair) => `        ${pair}\n`).join('')}    }`);
    if (type) lines.push(`ContentType = ${powershell(type)}`);
    const { file, text } = bodyOf(request);
    if (form)
      lines.push(
        `Form = @{\n${form.map((field) => `        ${powershell(field.name)} = ${field.file ? `${field.inline ? 'Get-Content -Raw' : 'Get-Item'} -LiteralPath ${powershell(field.value)}` : powershell(field.value)}\n`).join('')}    }`,
      );
    else if (file !== undefined) lines.push(`InFile = ${powershell(file)}`);
    else if (text !== undefined)
      lines.push(`Body = [Text.Encoding]::UTF8.GetBytes(${powershell(text)})`);
    const most = hops(request);
    if (most !== undefined) lines.push(`MaximumRedirection = ${most}`);
    lines.push(...written(powershellOptions, request));
    lines.push('SkipHttpErrorCheck = $true', 'SkipHeaderValidation = $true');
    return [
      '$request = @{',
      ...lines.map((line) => `    ${line}`),
      '}',
      'Invoke-WebRequest @request',
    ].join('\n');
  },
};

/** @param {string[]} words */
const folded = (words) => words.join(' \\\n  ');

/** @type {Options} */
const httpieOptions = {
  redirects: (most) => `--max-redirects=${most}`,
  timeout: (seconds) => `--timeout=${seconds}`,
  insecure: () => '--verify=no',
  proxy: (url) => [shell(`--proxy=http:${url}`), shell(`--proxy=https:${url}`)],
  login: (login) => [
    ...(login.scheme === 'Digest' ? ['--auth-type=digest'] : []),
    shell(`--auth=${pairOf(login)}`),
  ],
  cert: (file) => shell(`--cert=${file}`),
  key: (file) => shell(`--cert-key=${file}`),
  cacert: (file) => shell(`--verify=${file}`),
};

/** @type {Emitter} */
export const httpieCode = {
  name: 'HTTPie',
  file: 'request.sh',
  can: ['follow', ...Object.keys(httpieOptions)],
  schemes: ['Digest'],
  code(request) {
    const { form } = request;
    const options = ['--ignore-stdin'];
    if (request.follow) options.push('--follow');
    options.push(...written(httpieOptions, request));
    const { file, text } = bodyOf(request);
    if (form) options.push('--multipart');
    else if (file === undefined && text !== undefined) options.push(shell(`--raw=${text}`));
    const headers = request.headers.map(([name, value]) =>
      shell(value === '' ? `${name};` : `${name}:${value}`),
    );
    const escapeName = (/** @type {string} */ name) => name.replace(/[\\:=@;]/g, '\\$&');
    const fields = (form ?? []).map((field) =>
      shell(
        `${escapeName(field.name)}${field.inline ? '=@' : field.file ? '@' : '='}${field.value}${field.file && !field.inline && field.type ? `;type=${field.type}` : ''}`,
      ),
    );
    const whole = file === undefined ? [] : [shell(`@${file}`)];
    return folded([
      'http',
      ...options,
      shell(request.method),
      shell(request.url),
      ...headers,
      ...fields,
      ...whole,
    ]);
  },
};

/** @type {Options} */
const wgetOptions = {
  timeout: (seconds) => `--timeout=${seconds}`,
  connectTimeout: (seconds) => `--connect-timeout=${seconds}`,
  insecure: () => '--no-check-certificate',
  proxy: (url) => [
    '-e use_proxy=yes',
    `-e ${shell(`http_proxy=${url}`)}`,
    `-e ${shell(`https_proxy=${url}`)}`,
  ],
  login: ({ user, password, scheme }) => [
    shell(`--user=${user}`),
    shell(`--password=${password}`),
    ...(scheme === 'Basic' ? ['--auth-no-challenge'] : []),
  ],
  cert: (file) => shell(`--certificate=${file}`),
  key: (file) => shell(`--private-key=${file}`),
  cacert: (file) => shell(`--ca-certificate=${file}`),
};

/** @type {Emitter} */
export const wgetCode = {
  name: 'wget',
  file: 'request.sh',
  can: ['follow', 'redirects', ...Object.keys(wgetOptions)],
  schemes: ['Digest', 'NTLM'],
  code(request) {
    const words = [
      'wget',
      shell(`--method=${request.method}`),
      ...explicitHeaders(request).map(([name, value]) => shell(`--header=${name}: ${value}`)),
    ];
    const { file, text } = bodyOf(request);
    if (file !== undefined) words.push(shell(`--body-file=${file}`));
    else if (text !== undefined) words.push(shell(`--body-data=${text}`));
    words.push(`--max-redirect=${hops(request) ?? 50}`, ...written(wgetOptions, request));
    if (request.compressed) words.push('--compression=auto');
    return folded([...words, '--output-document=-', shell(request.url)]);
  },
};

/** The value of a --form option. @param {import('./command.js').FormField} field */
function formPart(field) {
  const { name, value, file, inline, type } = field;
  const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`;
  const content = inline ? `<${value}` : file ? `@${value}` : quoted;
  const filename = file && !inline ? `;filename="${fileNameOf(field)}"` : '';
  return `${name}=${content}${type ? `;type=${type}` : ''}${filename}`;
}

/** @type {Options} */
const curlOptions = {
  redirects: (most) => `--max-redirs ${most}`,
  timeout: (seconds) => `--max-time ${seconds}`,
  connectTimeout: (seconds) => `--connect-timeout ${seconds}`,
  insecure: () => '--insecure',
  proxy: (url) => `--proxy ${shell(url)}`,
  http: (version) => `--http${version}`,
  login: (login) => [
    ...(login.scheme === 'Basic' ? [] : [`--${login.scheme.toLowerCase()}`]),
    `--user ${shell(pairOf(login))}`,
  ],
  cert: (file) => `--cert ${shell(file)}`,
  key: (file) => `--key ${shell(file)}`,
  cacert: (file) => `--cacert ${shell(file)}`,
};

/** The same command with normalised quoting and order of options. @type {Emitter} */
export const curlCode = {
  name: 'curl, tidied',
  file: 'request.sh',
  can: ['follow', ...Object.keys(curlOptions)],
  schemes: ['Digest', 'NTLM', 'Negotiate'],
  code(request) {
    const words = ['curl', `--request ${shell(request.method)}`, `--url ${shell(request.url)}`];
    if (request.method === 'HEAD') words.push('--head');
    // These are patterns of several addresses otherwise.
    if (/[[\]{}]/.test(request.url)) words.push('--globoff');
    for (const [name, value] of request.headers)
      words.push(`--header ${shell(value === '' ? `${name};` : `${name}: ${value}`)}`);
    for (const name of request.removed) words.push(`--header ${shell(`${name}:`)}`);
    for (const field of request.form ?? [])
      words.push(
        field.file || field.type
          ? `--form ${shell(formPart(field))}`
          : `--form-string ${shell(`${field.name}=${field.value}`)}`,
      );
    const { file, text } = bodyOf(request);
    if (request.upload !== undefined) words.push(`--upload-file ${shell(request.upload)}`);
    else if (file !== undefined)
      words.push(`${strippedFile(request) ? '--data' : '--data-binary'} ${shell(`@${file}`)}`);
    else if (!request.form && text !== undefined) words.push(`--data-raw ${shell(text)}`);
    if (request.follow) words.push('--location');
    words.push(...written(curlOptions, request));
    if (request.compressed) words.push('--compressed');
    for (const { name, value } of request.others)
      words.push(`--${name}${VALUED.has(name) ? ` ${shell(value)}` : ''}`);
    return folded(words);
  },
};
