//! curl commands as requests. Source: the manual page of curl 8.15 (options, combination of URLs
//! and data).
import { PLAIN, SHOWING, VALUED } from '../../data/curl-options.js';
import { Refusal } from '../../kit/tool.js';
import { address, proxyOf } from './address.js';
import { fileOr, formField, joined, shown, urlEncoded } from './data.js';
import { optionsOf } from './words.js';

/** @import { Option } from './words.js' */
/** @import { Command } from '../../lib/shell-words.js' */
/** @typedef {{ text: string } | { file: string, lines: boolean }} Piece text, or the content of a file */
/** `file`: the value is the name of a file, whose content is uploaded, or with `inline` the value. @typedef {{ name: string, value: string, file: boolean, inline: boolean, type: string, filename: string }} FormField */
/** @typedef {{ user: string, password: string, scheme: 'Basic' | 'Digest' | 'NTLM' | 'Negotiate' }} Login as typed, variables too */
/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} url
 * @property {[name: string, value: string][]} headers as sent, without those that curl adds
 * @property {string[]} removed headers that curl is told not to send, in lower case
 * @property {Piece[] | undefined} body
 * @property {FormField[] | undefined} form
 * @property {string | undefined} upload
 * @property {boolean} insecure
 * @property {boolean} follow
 * @property {number | undefined} redirects
 * @property {number | undefined} timeout seconds
 * @property {number | undefined} connectTimeout
 * @property {string} proxy
 * @property {string} http version: '', '1.0', '1.1', '2', '3'
 * @property {boolean} compressed
 * @property {Login | undefined} login
 * @property {string | undefined} cert file of the client's certificate
 * @property {string | undefined} key
 * @property {string | undefined} cacert
 * @property {Option[]} others options that this model lacks, with their values
 */

/** @param {string} header */
function splitHeader(header) {
  const at = header.search(/[:;]/);
  const name = (at < 0 ? header : header.slice(0, at)).trim();
  const value = at < 0 ? '' : header.slice(at + 1).trim();
  return {
    name,
    value,
    isRemoval: at >= 0 && header[at] === ':' && value === '',
    isEmpty: header[at] === ';' && value === '',
  };
}

const MOST = 1000;
const SCHEMES = /** @type {const} */ (['Digest', 'NTLM', 'Negotiate']);
const MODELLED = new Set(
  'request user-agent referer user range oauth2-bearer max-redirs max-time connect-timeout proxy proxy-user preproxy socks4 socks4a socks5 socks5-hostname cert key cacert data get globoff head insecure location location-trusted compressed http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only digest ntlm negotiate'.split(
    ' ',
  ),
);

class Builder {
  /** @param {Command['input']} input @param {(sentence: string) => void} warn */
  constructor(input, warn) {
    this.input = input;
    this.warn = warn;
    /** @type {string[]} */
    this.urls = [];
    /** @type {string[]} */
    this.uploads = [];
    /** @type {[string, string][]} */
    this.headers = [];
    /** @type {string[]} */
    this.removed = [];
    /** @type {Piece[][]} */
    this.data = [];
    /** @type {Piece[][]} */
    this.query = [];
    /** @type {FormField[]} */
    this.form = [];
    /** @type {string[]} */
    this.cookies = [];
    /** @type {Option[]} */
    this.others = [];
    /** @type {Record<string, string>} */
    this.single = {};
    /** @type {Set<string>} */
    this.flags = new Set();
    this.json = false;
  }

  /** Standard input, if the command redirects it. @param {string} name */
  fileName = (name) => (name === '-' && this.input?.kind === 'file' ? this.input.text : name);

  /** @param {string} value @returns {Piece[]} */
  dataPieces(value) {
    if (value === '@-' && this.input?.kind === 'text') return [{ text: this.input.text }];
    return fileOr(value, this.fileName);
  }

  /** @param {Option} option */
  add({ name, value }) {
    const binary = () =>
      this.dataPieces(value).map((piece) => ('file' in piece ? { ...piece, lines: false } : piece));
    /** @type {Record<string, () => unknown>} */
    const actions = {
      url: () => this.urls.push(value),
      'upload-file': () => this.uploads.push(value),
      header: () => this.addHeader(value),
      data: () => this.data.push(this.dataPieces(value)),
      'data-ascii': () => this.data.push(this.dataPieces(value)),
      'data-binary': () => this.data.push(binary()),
      'data-raw': () => this.data.push([{ text: value }]),
      'data-urlencode': () => this.data.push(urlEncoded(value, this.fileName)),
      json: () => {
        this.json = true;
        this.data.push(binary());
      },
      'url-query': () =>
        this.query.push(
          value.startsWith('+') ? [{ text: value.slice(1) }] : urlEncoded(value, this.fileName),
        ),
      form: () => this.form.push(formField(value, false)),
      'form-string': () => this.form.push(formField(value, true)),
      cert: () => {
        // A colon ends the name of the file, except after the letter of a drive.
        const [, file = value, phrase] = /^((?:[A-Za-z]:[\\/])?[^:]+):(.+)$/.exec(value) ?? [];
        this.single.cert = file;
        if (phrase !== undefined) this.others.push({ name: 'pass', value: phrase });
      },
      cookie: () =>
        value.includes('=') ? this.cookies.push(value) : this.others.push({ name, value }),
    };
    const action = actions[name];
    if (action) action();
    else if (SHOWING.has(name)) return;
    else if (name.startsWith('no-') && !PLAIN.has(name)) this.flags.delete(name.slice(3));
    else if (!MODELLED.has(name)) this.others.push({ name, value });
    else if (VALUED.has(name)) this.single[name] = value;
    else this.flags.add(name);
  }

  /** @param {string} text */
  addHeader(text) {
    if (text.startsWith('@')) return this.others.push({ name: 'header', value: text });
    const { name, value, isRemoval, isEmpty } = splitHeader(text);
    if (isRemoval) return this.removed.push(name.toLowerCase());
    if (/[\r\n]/.test(value))
      this.warn(`The header "${name}" has a line break, which was replaced by a space.`);
    return this.headers.push([name, isEmpty ? '' : value.replace(/[\r\n]+/g, ' ')]);
  }

  /** @param {string} name */
  has(name) {
    return (
      this.removed.includes(name) || this.headers.some(([known]) => known.toLowerCase() === name)
    );
  }

  /** Who logs in, unless a header does. @param {URL | undefined} url @returns {Login | undefined} */
  login(url) {
    const fromUrl = url?.username
      ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
      : undefined;
    const { user: typed = fromUrl, 'oauth2-bearer': bearer } = this.single;
    const isSigned = this.others.some(({ name }) => name === 'aws-sigv4');
    if (typed === undefined || bearer !== undefined || isSigned || this.has('authorization'))
      return undefined;
    const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(typed) ?? [];
    if (!typed.includes(':')) this.warn(`curl asks for the password of "${user}": put it in.`);
    const scheme = SCHEMES.find((one) => this.flags.has(one.toLowerCase())) ?? 'Basic';
    return { user, password, scheme };
  }

  /** Headers implied by options; an explicit header of the same name wins. */
  impliedHeaders() {
    const { 'user-agent': agent, referer, range, 'oauth2-bearer': bearer } = this.single;
    /** @type {[string, string | false | undefined][]} */
    const implied = [
      ['User-Agent', agent],
      ['Referer', referer?.replace(/;auto$/, '')],
      ['Range', range && `bytes=${/^\d+$/.test(range) ? `${range}-` : range}`],
      ['Authorization', bearer !== undefined && `Bearer ${bearer}`],
      ['Cookie', this.cookies.length > 0 && this.cookies.join('; ')],
      [
        'Content-Type',
        this.json
          ? 'application/json'
          : this.data.length > 0 && !this.flags.has('get') && 'application/x-www-form-urlencoded',
      ],
      ['Accept', this.json && 'application/json'],
    ];
    if (agent === '') this.removed.push('user-agent');
    return implied.flatMap(([name, value]) =>
      value && !this.has(name.toLowerCase())
        ? [/** @type {[string, string]} */ ([name, value])]
        : [],
    );
  }

  /** @returns {Request[]} */
  requests() {
    const { single, flags } = this;
    if (this.urls.length > MOST)
      throw new Refusal(`has ${this.urls.length} addresses; ${MOST} at most are read`);
    const body = joined(this.data, this.json ? '' : '&');
    return this.urls.map((typed, index) => {
      const upload = this.uploads[index];
      const query = joined([...this.query, ...(flags.has('get') && body ? [body] : [])], '&');
      const { url, parsed } = address(
        typed,
        query && shown(query),
        upload,
        this.warn,
        flags.has('globoff'),
      );
      const sends = body !== undefined && !flags.has('get');
      if (sends && this.form.length)
        this.warn('Data and a form cannot be sent together; the form was left out.');
      const implied = this.impliedHeaders();
      const standard = flags.has('head')
        ? 'HEAD'
        : upload !== undefined
          ? 'PUT'
          : sends || this.form.length
            ? 'POST'
            : 'GET';
      return {
        method: single.request ?? standard,
        url,
        headers: [...this.headers, ...implied],
        removed: this.removed,
        body: sends ? body : undefined,
        form: !sends && this.form.length ? this.form : undefined,
        upload: sends ? undefined : upload && this.fileName(upload),
        insecure: flags.has('insecure'),
        follow: flags.has('location') || flags.has('location-trusted'),
        redirects: numeric(single['max-redirs']),
        timeout: numeric(single['max-time']),
        connectTimeout: numeric(single['connect-timeout']),
        proxy: proxyOf(single),
        http: versionOf(flags),
        compressed: flags.has('compressed'),
        login: this.login(parsed),
        cert: single.cert,
        key: single.key,
        cacert: single.cacert,
        others: this.others,
      };
    });
  }
}

/** @param {string | undefined} text */
const numeric = (text) =>
  text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);

/** @param {Set<string>} flags */
function versionOf(flags) {
  const version = [
    'http3',
    'http3-only',
    'http2',
    'http2-prior-knowledge',
    'http1.1',
    'http1.0',
  ].find((name) => flags.has(name));
  return version ? (/\d(\.\d)?/.exec(version)?.[0] ?? '') : '';
}

/**
 * All requests of a command, in order.
 * @param {Command} command
 * @param {(sentence: string) => void} warn
 */
export function requestsOf({ words, input }, warn) {
  const options = optionsOf(words.slice(1), warn);
  let builder = new Builder(input, warn);
  const builders = [builder];
  for (const option of options) {
    if (option.name === 'next') {
      builder = new Builder(input, warn);
      builders.push(builder);
    } else builder.add(option);
  }
  return builders.flatMap((one) => one.requests());
}
