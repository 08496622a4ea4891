//! What a text can be, and the tools that take it, best first, with the values that fill their forms.

/** @typedef {{ slug: string, fill: (text: string) => Record<string, any> }} Target */
/** @typedef {{ name: string, targets: Target[] }} Kind */

/** @param {string} slug @param {string} field @param {Record<string, any>} [others] @returns {Target} */
const to = (slug, field, others) => ({ slug, fill: (text) => ({ ...others, [field]: text }) });

/** @param {string} text */
const regexParts = (text) => {
  const [, pattern = text, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  return { pattern, flags: flags.replace(/[^gimsux]/g, '') };
};
/** A token in one line: a terminal or a mail may have broken it. @param {string} slug @param {Record<string, any>} [others] @returns {Target} */
const token = (slug, others) => ({
  slug,
  fill: (text) => ({ ...others, token: text.replace(/(?<=[\w.-]{8})\s*\n\s*/g, '') }),
});
const privateKey = to('rsa-key-generator', 'private', { mode: 'check' });
const publicKey = to('rsa-key-generator', 'public', { mode: 'check' });
const certificate = to('certificate-decoder', 'text');
const epoch = to('timestamp-converter', 'value');

/** @type {Record<string, Kind>} */
export const KINDS = {
  jwt: {
    name: 'a JSON Web Token',
    targets: [token('jwt-decoder'), token('jwt-encoder', { mode: 'verify' })],
  },
  jwe: {
    name: 'an encrypted token',
    targets: [to('jwt-decoder', 'token'), to('aes-encryptor', 'text', { mode: 'decrypt' })],
  },
  encrypted: {
    name: 'a text encrypted with a passphrase',
    targets: [to('aes-encryptor', 'text', { mode: 'decrypt' }), to('jwt-decoder', 'token')],
  },
  salted: {
    name: 'a text encrypted by openssl or CryptoJS',
    targets: [
      to('aes-encryptor', 'text', { mode: 'decrypt' }),
      to('base64-encoder', 'text', { mode: 'decode' }),
    ],
  },
  certificate: { name: 'a certificate', targets: [certificate] },
  privateKey: { name: 'a private key', targets: [privateKey, to('jwt-encoder', 'key')] },
  publicKey: { name: 'a public key', targets: [publicKey, to('jwt-encoder', 'key')] },
  json: {
    name: 'JSON',
    targets: [
      to('json-formatter', 'text'),
      to('jsonpath-tester', 'text'),
      to('data-converter', 'text', { from_format: 'json', to_format: 'yaml' }),
      to('json-typescript-converter', 'text'),
      to('toml-converter', 'text', { from: 'json', to: 'toml' }),
    ],
  },
  records: {
    name: 'a list of JSON objects',
    targets: [
      to('json-formatter', 'text'),
      to('csv-converter', 'text', { from: 'json', to: 'csv' }),
      to('jsonpath-tester', 'text'),
      to('data-converter', 'text', { from_format: 'json', to_format: 'yaml' }),
      to('json-typescript-converter', 'text'),
    ],
  },
  jsonLines: {
    name: 'JSON lines',
    targets: [
      to('json-formatter', 'text'),
      to('csv-converter', 'text', { from: 'json', to: 'csv' }),
      to('json-typescript-converter', 'text', { samples: 'lines' }),
    ],
  },
  yaml: {
    name: 'YAML',
    targets: [
      to('data-converter', 'text', { from_format: 'yaml', to_format: 'json' }),
      to('toml-converter', 'text', { from: 'yaml', to: 'toml' }),
    ],
  },
  toml: {
    name: 'TOML',
    targets: [to('toml-converter', 'text', { from: 'toml', to: 'json' })],
  },
  xml: {
    name: 'XML',
    targets: [to('data-converter', 'text', { from_format: 'xml', to_format: 'json' })],
  },
  svg: {
    name: 'SVG',
    targets: [
      to('svg-optimizer', 'text'),
      to('data-converter', 'text', { from_format: 'xml', to_format: 'xml' }),
    ],
  },
  html: {
    name: 'HTML',
    targets: [
      to('html-formatter', 'text'),
      to('html-entity-encoder', 'text'),
      to('meta-tag-generator', 'head'),
    ],
  },
  css: { name: 'CSS', targets: [to('css-formatter', 'text')] },
  gradient: {
    name: 'a gradient',
    targets: [to('gradient-generator', 'css'), to('css-formatter', 'text')],
  },
  javascript: { name: 'JavaScript', targets: [to('javascript-formatter', 'text')] },
  sql: { name: 'SQL', targets: [to('sql-formatter', 'text')] },
  csv: { name: 'a table', targets: [to('csv-converter', 'text', { from: 'csv', to: 'objects' })] },
  markdown: { name: 'Markdown', targets: [to('markdown-previewer', 'markdown')] },
  url: {
    name: 'a URL',
    targets: [
      to('url-parser', 'url'),
      to('url-encoder', 'text', { mode: 'encode' }),
      to('qr-code-generator', 'link', { kind: 'link' }),
    ],
  },
  percent: { name: 'percent-encoded', targets: [to('url-encoder', 'text', { mode: 'decode' })] },
  query: {
    name: 'a query string',
    targets: [
      to('url-encoder', 'text', { mode: 'decode', scope: 'form' }),
      { slug: 'url-parser', fill: (text) => ({ url: `?${text.replace(/^\?/, '')}` }) },
    ],
  },
  dataImage: {
    name: 'an image as data URL',
    targets: [
      to('image-base64-encoder', 'text', { mode: 'decode' }),
      to('base64-encoder', 'text', { mode: 'decode' }),
    ],
  },
  image: {
    name: 'an image in Base64',
    targets: [to('image-base64-encoder', 'text', { mode: 'decode' })],
  },
  dataUrl: {
    name: 'a data URL',
    targets: [
      to('base64-encoder', 'text', { mode: 'decode' }),
      to('image-base64-encoder', 'text', { mode: 'decode' }),
    ],
  },
  base64: { name: 'Base64', targets: [to('base64-encoder', 'text', { mode: 'decode' })] },
  hex: { name: 'hexadecimal', targets: [to('hex-encoder', 'text', { mode: 'decode' })] },
  digest: {
    name: 'a digest',
    targets: [to('hash-generator', 'compare'), to('hex-encoder', 'text', { mode: 'decode' })],
  },
  base32: {
    name: 'Base32',
    targets: [to('base32-encoder', 'text', { mode: 'decode' }), to('totp-generator', 'secret')],
  },
  otpSecret: {
    name: 'a secret for one-time codes',
    targets: [to('totp-generator', 'secret'), to('base32-encoder', 'text', { mode: 'decode' })],
  },
  binary: { name: 'binary digits', targets: [to('binary-encoder', 'text', { mode: 'decode' })] },
  entities: {
    name: 'text with HTML entities',
    targets: [to('html-entity-encoder', 'text', { mode: 'decode' })],
  },
  punycode: {
    name: 'a domain in Punycode',
    targets: [to('punycode-encoder', 'text', { mode: 'decode' })],
  },
  domain: {
    name: 'an international domain',
    targets: [to('punycode-encoder', 'text', { mode: 'encode' })],
  },
  otpauth: { name: 'a link for one-time codes', targets: [to('totp-generator', 'secret')] },
  bcrypt: {
    name: 'a bcrypt hash',
    targets: [to('bcrypt-generator', 'hash', { mode: 'verify' })],
  },
  uuid: { name: 'a UUID', targets: [to('uuid-generator', 'inspect')] },
  ulid: { name: 'a ULID', targets: [to('ulid-generator', 'inspect')] },
  epoch: { name: 'a Unix time', targets: [epoch] },
  dateTime: {
    name: 'a date and time',
    targets: [epoch, to('timezone-converter', 'moment')],
  },
  date: { name: 'a date', targets: [epoch, to('date-calculator', 'start')] },
  duration: { name: 'a duration', targets: [to('duration-converter', 'durations')] },
  zone: { name: 'a time zone', targets: [to('timezone-converter', 'home')] },
  cron: { name: 'a cron expression', targets: [to('cron-explainer', 'expression')] },
  cidr: { name: 'a block of addresses', targets: [to('cidr-calculator', 'cidr')] },
  ip: { name: 'an IP address', targets: [to('ip-converter', 'address')] },
  color: {
    name: 'a color',
    targets: [
      to('color-converter', 'color'),
      to('color-picker', 'color'),
      to('contrast-checker', 'text'),
    ],
  },
  curl: { name: 'a curl command', targets: [to('curl-converter', 'command')] },
  userAgent: { name: 'a user agent', targets: [to('user-agent-parser', 'agents')] },
  status: { name: 'an HTTP status', targets: [to('http-status-finder', 'query')] },
  jsonpath: { name: 'a JSONPath', targets: [to('jsonpath-tester', 'expression')] },
  regex: {
    name: 'a regular expression',
    targets: [{ slug: 'regex-tester', fill: regexParts }],
  },
  identifier: { name: 'a name', targets: [to('case-converter', 'text')] },
  lines: {
    name: 'lines',
    targets: [to('line-sorter', 'text'), to('word-counter', 'text'), to('case-converter', 'text')],
  },
  prose: {
    name: 'text',
    targets: [
      to('word-counter', 'text'),
      to('slug-generator', 'text'),
      to('case-converter', 'text'),
    ],
  },
};
