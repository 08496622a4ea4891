//! Requests as commands: PowerShell, HTTPie, wget, curl itself.
import { joinedHeaders, wholeFile } from './code-scripts.js';
import { bodyText, explicitHeaders, fileNameOf, strippedFile } from './http-text.js';
import { powershell, shell } from './literals.js';

/** @import { Emitter } from './code.js' */

/** @type {Emitter} */
export const powershellCode = {
  name: 'PowerShell 7',
  file: 'request.ps1',
  can: ['follow', 'redirects', 'timeout', 'insecure', 'proxy', 'http', 'compressed'],
  code(request) {
    const { form } = request;
    const headers = explicitHeaders(request).filter(
      ([name]) => !form || name.toLowerCase() !== 'content-type',
    );
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    const others = joinedHeaders(headers.filter(([name]) => name.toLowerCase() !== 'content-type'));
    const lines = [
      `Uri = ${powershell(request.url)}`,
      `${/^(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS|TRACE|MERGE)$/.test(request.method) ? 'Method' : 'CustomMethod'} = ${powershell(request.method)}`,
    ];
    if (others.size)
      lines.push(
        `Headers = @{\n${[...others].map(([name, value]) => `        ${powershell(name)} = ${powershell(value)}\n`).join('')}    }`,
      );
    if (type) lines.push(`ContentType = ${powershell(type)}`);
    const file = wholeFile(request);
    const text = bodyText(request);
    if (form)
      lines.push(
        `Form = @{\n${form.map((field) => `        ${powershell(field.name)} = ${field.file ? `${field.inline ? 'Get-Content -Raw' : 'Get-Item'} -LiteralPath ${powershell(field.value)}` : powershell(field.value)}\n`).join('')}    }`,
      );
    else if (file !== undefined) lines.push(`InFile = ${powershell(file)}`);
    else if (text !== undefined)
      lines.push(`Body = [Text.Encoding]::UTF8.GetBytes(${powershell(text)})`);
    if (!request.follow) lines.push('MaximumRedirection = 0');
    else if (request.redirects !== undefined)
      lines.push(`MaximumRedirection = ${request.redirects}`);
    if (request.timeout !== undefined) lines.push(`TimeoutSec = ${Math.ceil(request.timeout)}`);
    if (request.insecure) lines.push('SkipCertificateCheck = $true');
    if (request.proxy) lines.push(`Proxy = ${powershell(request.proxy)}`);
    if (request.http)
      lines.push(
        `HttpVersion = ${powershell(request.http.includes('.') ? request.http : `${request.http}.0`)}`,
      );
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

/** @type {Emitter} */
export const httpieCode = {
  name: 'HTTPie',
  file: 'request.sh',
  can: ['follow', 'redirects', 'timeout', 'insecure', 'proxy', 'compressed'],
  code(request) {
    const { form } = request;
    const options = ['--ignore-stdin'];
    if (request.follow) options.push('--follow');
    if (request.redirects !== undefined) options.push(`--max-redirects=${request.redirects}`);
    if (request.timeout !== undefined) options.push(`--timeout=${request.timeout}`);
    if (request.insecure) options.push('--verify=no');
    if (request.proxy)
      options.push(shell(`--proxy=http:${request.proxy}`), shell(`--proxy=https:${request.proxy}`));
    const text = bodyText(request);
    const file = wholeFile(request);
    if (form) options.push('--multipart');
    else if (file === undefined && text !== undefined) options.push(shell(`--raw=${text}`));
    const headers = (form ? request.headers : explicitHeaders(request)).map(([name, value]) =>
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

/** @type {Emitter} */
export const wgetCode = {
  name: 'wget',
  file: 'request.sh',
  can: ['follow', 'redirects', 'timeout', 'connectTimeout', 'insecure', 'proxy', 'compressed'],
  code(request) {
    const words = [
      'wget',
      shell(`--method=${request.method}`),
      ...explicitHeaders(request).map(([name, value]) => shell(`--header=${name}: ${value}`)),
    ];
    const file = wholeFile(request);
    const text = bodyText(request);
    if (file !== undefined) words.push(shell(`--body-file=${file}`));
    else if (text !== undefined) words.push(shell(`--body-data=${text}`));
    words.push(`--max-redirect=${request.follow ? (request.redirects ?? 50) : 0}`);
    if (request.timeout !== undefined) words.push(`--timeout=${request.timeout}`);
    if (request.connectTimeout !== undefined)
      words.push(`--connect-timeout=${request.connectTimeout}`);
    if (request.insecure) words.push('--no-check-certificate');
    if (request.proxy)
      words.push(
        '-e use_proxy=yes',
        `-e ${shell(`http_proxy=${request.proxy}`)}`,
        `-e ${shell(`https_proxy=${request.proxy}`)}`,
      );
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

/** The same command with normalised quoting and order of options. @type {Emitter} */
export const curlCode = {
  name: 'curl, tidied',
  file: 'request.sh',
  can: [
    'follow',
    'redirects',
    'timeout',
    'connectTimeout',
    'insecure',
    'proxy',
    'http',
    'compressed',
    'noFollow',
  ],
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
    const file = wholeFile(request);
    const text = request.form ? undefined : bodyText(request);
    if (request.upload !== undefined) words.push(`--upload-file ${shell(request.upload)}`);
    else if (file !== undefined)
      words.push(`${strippedFile(request) ? '--data' : '--data-binary'} ${shell(`@${file}`)}`);
    else if (text !== undefined) words.push(`--data-raw ${shell(text)}`);
    if (request.follow) words.push('--location');
    if (request.redirects !== undefined) words.push(`--max-redirs ${request.redirects}`);
    if (request.timeout !== undefined) words.push(`--max-time ${request.timeout}`);
    if (request.connectTimeout !== undefined)
      words.push(`--connect-timeout ${request.connectTimeout}`);
    if (request.insecure) words.push('--insecure');
    if (request.proxy) words.push(`--proxy ${shell(request.proxy)}`);
    if (request.http) words.push(`--http${request.http}`);
    if (request.compressed) words.push('--compressed');
    return folded(words);
  },
};
