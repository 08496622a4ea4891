//! Kinds of text, and the tools for each, best first, with the values that fill their forms.

import { rowsOf } from '../../data/rows.js';

/** @typedef {{ slug: string, fill: (text: string) => Record<string, any> }} Target */
/** @typedef {{ name: string, targets: Target[] }} Kind */

/** Fields that need the text in another form. @type {Record<string, (text: string) => Record<string, string>>} */
const FORMS = {
  // Joins lines, because terminals and mail programs wrap tokens.
  token: (text) => ({ token: text.replace(/(?<=[\w.-]{8})\s*\n\s*/g, '') }),
  'pattern+flags': (text) => {
    const [, pattern = text, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
    return { pattern, flags: flags.replace(/[^gimsux]/g, '') };
  },
  // The place of a question.
  '?zones': (text) => ({
    zones: (text.split(/\sin\s(?:the\s)?/i).at(-1) ?? '').replaceAll('?', ''),
  }),
  '?url': (text) => ({ url: `?${text.replace(/^\?/, '')}` }),
};

/** Kind, name, and tools. Each tool has the field for the text, and values of other fields. */
const TABLE = `
jwt | a JSON Web Token | jwt-decoder token, jwt-encoder token mode=verify
token | text with a JSON Web Token | jwt-decoder token
jwe | an encrypted token | jwt-decoder token, aes-encryptor text mode=decrypt
encrypted | a text encrypted with a passphrase | aes-encryptor text mode=decrypt, jwt-decoder token
salted | a text encrypted by openssl or CryptoJS | aes-encryptor text mode=decrypt, base64-encoder text mode=decode
certificate | a certificate | certificate-decoder text
privateKey | a private key | rsa-key-generator private mode=check, jwt-encoder key
publicKey | a public key | rsa-key-generator public mode=check, jwt-encoder key
json | JSON | json-formatter text, jsonpath-tester text, data-converter text from_format=json to_format=yaml, json-typescript-converter text, toml-converter text from=json to=toml
records | a list of JSON objects | json-formatter text, csv-converter text from=json to=csv, jsonpath-tester text, data-converter text from_format=json to_format=yaml, json-typescript-converter text
jsonLines | JSON lines | json-formatter text, csv-converter text from=json to=csv, json-typescript-converter text samples=lines
yaml | YAML | data-converter text from_format=yaml to_format=json, toml-converter text from=yaml to=toml
toml | TOML | toml-converter text from=toml to=json
env | a .env file | data-converter text from_format=env to_format=json, line-sorter text
xml | XML | data-converter text from_format=xml to_format=json
svg | SVG | svg-optimizer text, data-converter text from_format=xml to_format=xml
html | HTML | html-formatter text, html-entity-encoder text, meta-tag-generator head
css | CSS | css-formatter text
gradient | a gradient | gradient-generator css, css-formatter text
javascript | JavaScript | javascript-formatter text
sql | SQL | sql-formatter text
csv | a table | csv-converter text from=csv to=objects
markdown | Markdown | markdown-previewer markdown
url | a URL | url-parser url, url-encoder text mode=encode, qr-code-generator link kind=link
percent | percent-encoded | url-encoder text mode=decode
query | a query string | url-encoder text mode=decode scope=form, url-parser ?url
dataImage | an image as data URL | image-base64-encoder text mode=decode, base64-encoder text mode=decode
image | an image in Base64 | image-base64-encoder text mode=decode
dataUrl | a data URL | base64-encoder text mode=decode, image-base64-encoder text mode=decode
base64 | Base64 | base64-encoder text mode=decode
hex | hexadecimal | hex-encoder text mode=decode
digest | a digest | hash-generator compare, hex-encoder text mode=decode
base32 | Base32 | base32-encoder text mode=decode, totp-generator secret
otpSecret | a secret for one-time codes | totp-generator secret, base32-encoder text mode=decode
binary | binary digits | binary-encoder text mode=decode
entities | text with HTML entities | html-entity-encoder text mode=decode
punycode | a domain in Punycode | punycode-encoder text mode=domains
domain | an international domain | punycode-encoder text mode=domains
otpauth | a link for one-time codes | totp-generator secret
bcrypt | a bcrypt hash | bcrypt-generator hash mode=verify
uuid | a UUID | uuid-generator inspect
ulid | a ULID | ulid-generator inspect
epoch | a Unix time | timestamp-converter value
dateTime | a date and time | timestamp-converter value, timezone-converter moment
date | a date | timestamp-converter value, date-calculator start
duration | a duration | duration-converter durations
clock | a time of day | timezone-converter moment, timestamp-converter value
timeIn | a question for the time | timezone-converter ?zones
zone | a time zone | timezone-converter home
cron | a cron expression | cron-explainer expression
cidr | a block of addresses | cidr-calculator cidr
ip | an IP address | ip-converter address
color | a color | color-converter color, color-picker color, contrast-checker text
curl | a curl command | curl-converter command
userAgent | a user agent | user-agent-parser agents
status | an HTTP status | http-status-finder query
jsonpath | a JSONPath | jsonpath-tester expression
regex | a regular expression | regex-tester pattern+flags
identifier | a name | case-converter text
lines | lines | line-sorter text, word-counter text, case-converter text
prose | text | word-counter text, slug-generator text, case-converter text
any | text | text-diff-checker left, hash-generator text, base64-encoder text mode=encode, word-counter text
`;

/** Parses one tool of the table. @param {string} written @returns {Target} */
function target(written) {
  const [slug = '', field = '', ...others] = written.split(' ');
  const values = Object.fromEntries(others.map((one) => one.split('=')));
  const form = FORMS[field] ?? ((text) => ({ [field]: text }));
  return { slug, fill: (text) => ({ ...values, ...form(text) }) };
}

/** @type {Record<string, Kind>} */
export const KINDS = Object.fromEntries(
  rowsOf(TABLE, ' | ').map(([kind = '', name = '', tools = '']) => [
    kind,
    { name, targets: tools.split(', ').map(target) },
  ]),
);
