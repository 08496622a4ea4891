//! HTML tokenizer: tags, comments and text, split as by browsers. Standard: WHATWG HTML §13.2.5.

/** An unclosed tag, comment or element. `offset` counts UTF-16 units from 0. */
export class HtmlError extends Error {
  /** @param {string} message @param {number} offset */
  constructor(message, offset) {
    super(message);
    this.name = 'HtmlError';
    this.offset = offset;
  }
}

/**
 * A piece of the document. `raw` is its source; tags have a name and attributes as written;
 * `isForeign` is true inside SVG or MathML.
 * @typedef {object} Token
 * @property {'text' | 'raw' | 'start' | 'end' | 'comment' | 'doctype' | 'other'} kind
 * @property {string} raw
 * @property {number} at
 * @property {string} name
 * @property {string[]} attributes
 * @property {boolean} isClosed `<br/>`
 * @property {boolean} isForeign
 */

const RAW = new Set([
  'script',
  'style',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'textarea',
  'title',
  'plaintext',
]);
const FOREIGN = new Set(['svg', 'math']);
const ATTRIBUTE =
  /[ \t\r\n\f/]*([^ \t\r\n\f/>=][^ \t\r\n\f/>=]*|=[^ \t\r\n\f/>=]*)(?:[ \t\r\n\f]*=[ \t\r\n\f]*("[^"]*"|'[^']*'|[^ \t\r\n\f>"'][^ \t\r\n\f>]*|(?=>)))?/y;

/** Tokens whose concatenated sources are the input. @param {string} source @returns {Token[]} */
export function tokenizeHtml(source) {
  const tokenizer = new Tokenizer(source);
  while (tokenizer.at < source.length) tokenizer.next();
  return tokenizer.tokens;
}

class Tokenizer {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
    this.at = 0;
    this.foreign = 0;
    /** @type {Token[]} */
    this.tokens = [];
  }

  /** @param {Token['kind']} kind @param {number} end @param {Partial<Token>} [more] */
  push(kind, end, more = {}) {
    const raw = this.source.slice(this.at, end);
    const isForeign = this.foreign > 0;
    this.tokens.push({
      kind,
      raw,
      at: this.at,
      name: '',
      attributes: [],
      isClosed: false,
      isForeign,
      ...more,
    });
    this.at = end;
  }

  next() {
    const { source, at } = this;
    if (source[at] !== '<') return this.text(at);
    const rest = source.slice(at, at + 10);
    if (/^<[a-z]/i.test(rest)) return this.tag('start', at + 1);
    if (/^<\/[a-z]/i.test(rest)) return this.tag('end', at + 2);
    if (rest.startsWith('<!--')) return this.comment();
    if (/^<!doctype/i.test(rest)) return this.upTo('>', 'doctype', 'a DOCTYPE');
    if (rest.startsWith('<![CDATA[') && this.foreign > 0)
      return this.upTo(']]>', 'raw', 'a CDATA section');
    if (/^<[!?/]/.test(rest)) return this.upTo('>', 'other', 'a comment');
    return this.text(at + 1);
  }

  /** @param {number} from */
  text(from) {
    const end = this.source.slice(from).search(/<[a-z!?/]/i);
    this.push('text', end < 0 ? this.source.length : from + end);
  }

  /** @param {string} end @param {Token['kind']} kind @param {string} what */
  upTo(end, kind, what) {
    const found = this.source.indexOf(end, this.at);
    if (found < 0) throw new HtmlError(`has ${what} that is never closed`, this.at);
    this.push(kind, found + end.length);
  }

  comment() {
    const short = /^<!--(?:-?>)/.exec(this.source.slice(this.at, this.at + 6));
    if (short) return this.push('comment', this.at + short[0].length);
    const end = /--!?>/g;
    end.lastIndex = this.at + 4;
    const found = end.exec(this.source);
    if (!found) throw new HtmlError('has a comment that is never closed', this.at);
    return this.push('comment', found.index + found[0].length);
  }

  /** @param {'start' | 'end'} kind @param {number} from */
  tag(kind, from) {
    const { source } = this;
    const name = (/^[^ \t\r\n\f/>]*/.exec(source.slice(from, from + 200))?.[0] ?? '').toLowerCase();
    const attributes = [];
    let at = from + name.length;
    for (;;) {
      ATTRIBUTE.lastIndex = at;
      const found = ATTRIBUTE.exec(source);
      if (!found || found[0].trim() === '') break;
      attributes.push(found[2] === undefined ? (found[1] ?? '') : `${found[1]}=${found[2]}`);
      at = ATTRIBUTE.lastIndex;
    }
    const end = /^[ \t\r\n\f/]*>/.exec(source.slice(at, at + 1000))?.[0];
    if (end === undefined)
      throw new HtmlError(
        `has the tag <${kind === 'end' ? '/' : ''}${name} without its ">"`,
        this.at,
      );
    const isClosed = end.endsWith('/>');
    this.push(kind, at + end.length, { name, attributes, isClosed });
    this.nest(kind, name, isClosed);
  }

  /** @param {'start' | 'end'} kind @param {string} name @param {boolean} isClosed */
  nest(kind, name, isClosed) {
    if (FOREIGN.has(name)) {
      if (kind === 'start' && !isClosed) this.foreign += 1;
      else if (kind === 'end') this.foreign = Math.max(0, this.foreign - 1);
    } else if (kind === 'start' && RAW.has(name) && this.foreign === 0) this.rawText(name);
  }

  /** @param {string} name */
  rawText(name) {
    const end =
      name === 'plaintext'
        ? -1
        : name === 'script'
          ? scriptEnd(this.source, this.at)
          : this.endTag(name);
    const stop = end < 0 ? this.source.length : end;
    if (stop > this.at) this.push('raw', stop, { name });
  }

  /** @param {string} name */
  endTag(name) {
    const pattern = new RegExp(`</${name}(?=[ \\t\\r\\n\\f/>])`, 'ig');
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.index ?? -1;
  }
}

/** End tag of a script; one after `<!--` and `<script` does not count. @param {string} source @param {number} from */
function scriptEnd(source, from) {
  const pattern = /<!--|-->|<(\/?)script(?=[ \t\r\n\f/>])/gi;
  pattern.lastIndex = from;
  let state = 'data';
  for (let found = pattern.exec(source); found; found = pattern.exec(source)) {
    const [text, slash] = found;
    if (text === '<!--') {
      if (state === 'data') state = 'escaped';
      // The two hyphens of `<!-->` also end the comment.
      pattern.lastIndex -= 2;
    } else if (text === '-->') state = 'data';
    else if (slash) {
      if (state !== 'double') return found.index;
      state = 'escaped';
    } else if (state === 'escaped') state = 'double';
  }
  return -1;
}
