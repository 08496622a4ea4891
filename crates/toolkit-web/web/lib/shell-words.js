//! Words of a command line. Standards: POSIX shell quoting (XCU §2.2), ANSI-C quoting of bash, cmd.exe (`^`, `"`),
//! PowerShell (`'`, `"`, backtick). Variables and substitutions are kept as written, with a
//! warning.
import { Refusal } from '../kit/tool.js';
import { utf8 } from './utf8.js';

/** @typedef {'sh' | 'cmd' | 'powershell'} Dialect */
/** @typedef {{ text: string, at: number }} Word */
/** @typedef {{ words: Word[], input: { kind: 'file' | 'text', text: string } | undefined }} Command */

const ESCAPES = /** @type {Record<string, string>} */ ({
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
});

/** Bytes of ANSI-C quoting: together they are the letters of UTF-8. */
const BYTE = /\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2}))/g;
const BYTES = new RegExp(`^(?:${BYTE.source}){1,10000}`);

/** The shell that a command was copied for. @param {string} text @returns {Dialect} */
export function dialectOf(text) {
  if (/\^[ \t]*\r?\n|\^"|[{,:[]""|""[:,}\]]/.test(text)) return 'cmd';
  if (/^[^`\n]*\s`[ \t]*\r?\n|^[ \t]*(curl\.exe|Invoke-WebRequest)\b/m.test(text))
    return 'powershell';
  return 'sh';
}

/** Quotes and dashes that word processors use instead of plain ones. */
const TYPOGRAPHIC = { double: '“”„‟', single: '‘’‚‛' };
const DASHED = /^-?[–—−](?=[A-Za-z])(\w*)/;

/** Line continuation characters. */
const MARKS = { sh: '\\', cmd: '^', powershell: '`' };

class Scanner {
  /** @param {string} text @param {Dialect} dialect @param {(sentence: string) => void} warn */
  constructor(text, dialect, warn) {
    this.text = text;
    this.dialect = dialect;
    this.warn = warn;
    /** Whether carets escape inside of quotes too, as Chrome wrote them until 2023. */
    this.hasCarets = /\^\\\^"/.test(text);
    this.isTypographic = false;
    this.at = 0;
    /** @type {Command[]} */
    this.commands = [];
    /** @type {Word[]} */
    this.words = [];
    /** @type {Command['input']} */
    this.input = undefined;
    /** @type {string[]} */
    this.heredocs = [];
    /** @type {Set<string>} */
    this.variables = new Set();
  }

  /** @param {number} start */
  unclosed(start) {
    return new Refusal(`has an opening ${this.text[start]} that is not closed`, { at: start });
  }

  endCommand() {
    if (this.words.length) this.commands.push({ words: this.words, input: this.input });
    this.words = [];
    this.input = undefined;
  }

  run() {
    while (this.at < this.text.length) this.step();
    this.endCommand();
    if (this.isTypographic)
      this.warn('Typographic quotes (“”) and dashes (–) were read as plain ones.');
    if (this.variables.size)
      this.warn(
        `Variables and substitutions were left as they are: ${[...this.variables].slice(0, 10).join(', ')}.`,
      );
    return this.commands;
  }

  step() {
    const character = this.text[this.at] ?? '';
    if (character === '\n') return this.newline();
    if (/\s/.test(character) || this.skipContinuation()) {
      this.at += /\s/.test(character) ? 1 : 0;
    } else if (character === '#' && this.dialect !== 'cmd') {
      while (this.at < this.text.length && this.text[this.at] !== '\n') this.at += 1;
    } else if (/[|;&()]/.test(character) && !(this.dialect === 'cmd' && character === ';')) {
      this.at += 1;
      this.endCommand();
    } else if (/^\d?[<>]/.test(this.text.slice(this.at, this.at + 2))) this.redirect();
    else this.words.push(this.word());
  }

  newline() {
    this.at += 1;
    for (const end of this.heredocs.splice(0))
      this.input = { kind: 'text', text: this.hereDocument(end) };
    this.endCommand();
  }

  /** @param {string} end */
  hereDocument(end) {
    const rest = this.text.slice(this.at);
    const close = new RegExp(`(^|\\n)${end.replace(/[^\w]/g, '\\$&')}[ \\t]*(\\n|$)`).exec(rest);
    const length = close ? close.index + (close[1] ?? '').length : rest.length;
    this.at += close ? close.index + close[0].length : rest.length;
    return rest.slice(0, length);
  }

  /** A line continuation of the dialect. */
  skipContinuation() {
    if (this.text[this.at] !== MARKS[this.dialect]) return false;
    const ending = /^.(?:[ \t]*\r?\n|$)/s.exec(this.text.slice(this.at, this.at + 200));
    if (ending) this.at += ending[0].length;
    return ending !== null;
  }

  redirect() {
    const [mark = ''] = /^\d?(<<<|<<-?|>>|<|>&?)/.exec(this.text.slice(this.at)) ?? [];
    this.at += mark.length;
    while (/[ \t]/.test(this.text[this.at] ?? '')) this.at += 1;
    if (this.at >= this.text.length) return;
    const { text } = this.word();
    if (/^\d?<<-?$/.test(mark)) this.heredocs.push(text);
    else if (mark.endsWith('<<<')) this.input = { kind: 'text', text: `${text}\n` };
    else if (mark.endsWith('<')) this.input = { kind: 'file', text };
  }

  /** @returns {Word} */
  word() {
    const { at } = this;
    let text = this.dashes();
    while (this.at < this.text.length) {
      const character = this.text[this.at] ?? '';
      if (/[\s|;&<>()]/.test(character) && !(this.dialect === 'cmd' && /[;()]/.test(character)))
        break;
      if (this.skipContinuation()) continue;
      text += this.piece(character);
    }
    return { text, at };
  }

  /** The hyphens that a typographic dash replaces in an option. Long names have two. @returns {string} */
  dashes() {
    const [dashes = '', name = ''] = DASHED.exec(this.text.slice(this.at, this.at + 40)) ?? [];
    if (dashes === '') return '';
    this.isTypographic = true;
    this.at += dashes.length - name.length;
    return /^[a-z][a-z\d]/.test(name) && !/[A-Z]/.test(name) ? '--' : '-';
  }

  /** A text between typographic quotes, or a character that only looks like one. @param {'double' | 'single'} kind */
  typographic(kind) {
    const end = new RegExp(`[${TYPOGRAPHIC[kind]}${kind === 'double' ? '"' : "'"}]`);
    const rest = this.text.slice(this.at + 1);
    const length = rest.search(end);
    this.at += 1;
    if (length < 0) return this.text[this.at - 1] ?? '';
    this.isTypographic = true;
    this.at += length + 1;
    const text = rest.slice(0, length);
    return kind === 'single' ? text.replaceAll(/[“”„‟]/g, '"') : text;
  }

  /** @param {string} character @returns {string} */
  piece(character) {
    if (TYPOGRAPHIC.double.includes(character)) return this.typographic('double');
    if (TYPOGRAPHIC.single.includes(character)) return this.typographic('single');
    if (this.dialect === 'cmd') return this.cmdPiece(character);
    if (character === '"') return this.doubleQuoted();
    if (character === "'") return this.singleQuoted();
    if (this.dialect === 'powershell') return this.powershellPiece(character);
    if (character === '$') return this.dollar();
    if (character === '`') return this.substitution('`', '`');
    this.at += 1;
    if (character !== '\\') return character;
    this.at += 1;
    return this.text[this.at - 1] ?? '';
  }

  singleQuoted() {
    const start = this.at;
    let text = '';
    for (;;) {
      const end = this.text.indexOf("'", this.at + 1);
      if (end < 0) throw this.unclosed(start);
      text += this.text.slice(this.at + 1, end);
      this.at = end + 1;
      if (this.dialect !== 'powershell' || this.text[this.at] !== "'") return text;
      text += "'";
    }
  }

  doubleQuoted() {
    const start = this.at;
    let text = '';
    this.at += 1;
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw this.unclosed(start);
      if (character === '"') {
        this.at += 1;
        if (this.dialect !== 'powershell' || this.text[this.at] !== '"') return text;
        this.at += 1;
        text += '"';
      } else text += this.insideDouble(character);
    }
  }

  /** @param {string} character @returns {string} */
  insideDouble(character) {
    const next = this.text[this.at + 1] ?? '';
    if (this.dialect === 'powershell') return this.powershellPiece(character);
    if (character === '`') return this.substitution('`', '`');
    if (character === '$' && next !== '"' && next !== "'") return this.dollar();
    this.at += 1;
    if (character !== '\\' || !/[$`"\\\n]/.test(next)) return character;
    this.at += 1;
    return next === '\n' ? '' : next;
  }

  /** @param {string} character @returns {string} */
  powershellPiece(character) {
    if (character === '$') return this.dollar();
    this.at += 1;
    if (character !== '`') return character;
    this.at += 1;
    const next = this.text[this.at - 1] ?? '';
    return { n: '\n', r: '\r', t: '\t', 0: '\0' }[next] ?? next;
  }

  /** cmd.exe and the C runtime: `^` escapes, `""` and `\"` are quotes inside quotes. @param {string} character @returns {string} */
  cmdPiece(character) {
    if (character === '^') {
      this.at += 1;
      const next = this.text[this.at] ?? '';
      if (next === '"') return this.cmdQuoted(true);
      this.at += 1;
      return next;
    }
    if (character === '"') return this.cmdQuoted(false);
    this.at += 1;
    return character;
  }

  /** @param {boolean} escaped whether the quotes themselves are written `^"` @returns {string} */
  cmdQuoted(escaped) {
    const start = this.at;
    const hasCarets = escaped || this.hasCarets;
    const quote = hasCarets ? /^(?:\^?\\\^"|\^"\^")/ : /^(?:\\"|"")/;
    let text = '';
    this.at += 1;
    for (;;) {
      const rest = this.text.slice(this.at, this.at + 4);
      if (rest === '') throw this.unclosed(start);
      const [quoted] = quote.exec(rest) ?? [];
      if (quoted !== undefined) {
        text += '"';
        this.at += quoted.length;
      } else if (rest.startsWith(escaped ? '^"' : '"')) {
        this.at += escaped ? 2 : 1;
        return text;
      } else if (hasCarets && rest.startsWith('^')) {
        const lines = /^\^\r?\n(\r?\n)?/.exec(this.text.slice(this.at));
        text += lines ? (lines[1] ? '\n' : '') : (rest[1] ?? '');
        this.at += lines ? lines[0].length : 2;
      } else {
        text += rest[0];
        this.at += 1;
      }
    }
  }

  /** `$'…'`, `$"…"`, `$NAME`, `${…}`, `$(…)`. @returns {string} */
  dollar() {
    const next = this.text[this.at + 1] ?? '';
    if (this.dialect === 'sh' && next === "'") return this.ansiC();
    if (this.dialect === 'sh' && next === '"') {
      this.at += 1;
      return this.doubleQuoted();
    }
    if (next === '(') return this.substitution('$(', ')');
    if (next === '{') return this.substitution('${', '}');
    const [name = '$'] = /^\$(\w+|[@*#?!-])?/.exec(this.text.slice(this.at)) ?? [];
    this.at += name.length;
    if (name !== '$') this.variables.add(name);
    return name;
  }

  /** @param {string} open @param {string} close */
  substitution(open, close) {
    const end = this.text.indexOf(close, this.at + open.length);
    if (end < 0) throw this.unclosed(this.at);
    const text = this.text.slice(this.at, end + close.length);
    this.at = end + close.length;
    this.variables.add(text.length > 40 ? `${text.slice(0, 40)}…` : text);
    return text;
  }

  ansiC() {
    const start = this.at + 1;
    this.at += 2;
    let text = '';
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw this.unclosed(start);
      const [bytes = ''] = BYTES.exec(this.text.slice(this.at)) ?? [];
      this.at += bytes.length || 1;
      if (bytes) text += this.bytes(bytes);
      else if (character === "'") return text;
      else text += character === '\\' ? this.ansiEscape() : character;
    }
  }

  /** The text of UTF-8 bytes. @param {string} escapes */
  bytes(escapes) {
    const bytes = Uint8Array.from(escapes.matchAll(BYTE), ([, octal = '', byte = '']) =>
      octal ? Number.parseInt(octal, 8) : Number.parseInt(byte, 16),
    );
    const text = utf8(bytes);
    if (text !== undefined) return text;
    this.warn(`The bytes ${escapes.slice(0, 40)} are not UTF-8 text; they were read as Latin-1.`);
    return String.fromCharCode(...bytes);
  }

  ansiEscape() {
    const [redirection = '', unit, point = '0'] =
      /^(?:u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8}))/.exec(this.text.slice(this.at, this.at + 9)) ??
      [];
    if (redirection) {
      this.at += redirection.length;
      const code = Number.parseInt(unit ?? point, 16);
      return code > 0x10ffff ? '' : String.fromCodePoint(code);
    }
    const character = this.text[this.at] ?? '';
    this.at += 1;
    return ESCAPES[character] ?? (/[\\'"?]/.test(character) ? character : `\\${character}`);
  }
}

/** @param {string} text @param {Dialect} dialect @param {(sentence: string) => void} warn */
export const shellCommands = (text, dialect, warn) => new Scanner(text, dialect, warn).run();
