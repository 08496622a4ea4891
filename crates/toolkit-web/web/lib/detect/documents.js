//! Detectors of documents: JSON, YAML, XML, HTML, TOML, .env, CSV, Markdown, SQL, CSS, JavaScript, prose.
import { attempt } from '../../kit/tool.js';

/** @import { Detector, Guess } from './values.js' */

/** Longer JSON texts are recognized by their start and end. */
const PARSED = 1 << 20;

/** The examined part of a YAML line. */
const LINE = 300;

/** @param {string} text @returns {any} undefined when it is not JSON */
const parsed = (text) => attempt(() => JSON.parse(text));
/** @param {string} text */
const lined = (text) => text.split(/\r?\n/).filter((line) => line.trim() !== '');
/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @type {Detector} */
export function json(text) {
  const isQuoted = text.startsWith('"') && /\\["nu]/.test(text);
  if (isQuoted && parsed(text) !== undefined) return [['json', 0.9]];
  if (!/^[[{]/.test(text)) return undefined;
  const isClosed = /[\]}]$/.test(text);
  const value = text.length <= PARSED ? parsed(text) : isClosed ? {} : undefined;
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) return [['records', 0.98]];
  if (value !== undefined) return [['json', 0.98]];
  const lines = lined(text).slice(0, 50);
  if (lines.length > 1 && lines.every((line) => isObject(parsed(line))))
    return [['jsonLines', 0.97]];
  if (/^\{[%#{]/.test(text)) return undefined;
  const members =
    /[\w$"'-]\s{0,20}:\s{0,20}["'\d[{tfn-]/.test(text) && !/[;]\s*(?:\n|\}|$)|=>/.test(text);
  // Truncated or invalid. The formatter shows the position.
  const isBroken = /^\{\s*"[^"\n]*"\s*:|^\[\s*(?:\{\s*"|"[^"\n]*"\s*,)/.test(text);
  return isBroken || (members && isClosed) ? [['json', 0.8]] : undefined;
}

const HTML =
  /^(?:<!doctype html|<(?:html|head|body|div|p|span|a|ul|ol|li|table|tr|td|form|input|button|img|h[1-6]|script|style|link|meta|title|section|article|nav|header|footer|main|br|label|select|pre|b|i|em|strong|video|iframe)\b)/i;
/** @type {Detector} */
function markup(text) {
  if (!text.startsWith('<') || !/<\/?[a-z!?][^<>]*>/i.test(text)) return undefined;
  const body = text.replace(/^(?:<\?xml[^>]*\?>|<!--.*?-->|<!doctype svg[^>]*>|\s)+/is, '');
  if (/^<(?:\w+:)?svg[\s>]/i.test(body)) return [['svg', 0.99]];
  if (/^<\?xml/i.test(text))
    return [
      ['xml', /^<(?:!doctype html|html)/i.test(body) ? 0.8 : 0.98],
      ['html', 0.5],
    ];
  if (HTML.test(body))
    return [
      ['html', 0.96],
      ['xml', 0.4],
    ];
  if (/^<\?php|^<%/.test(text) || /\b(?:className|onClick)=/.test(text)) return undefined;
  const [, root = ''] = /^<([\w:.-]+)[\s/>]/.exec(body) ?? [];
  const isWhole = root !== '' && (body.endsWith(`</${root}>`) || body.endsWith('/>'));
  return [
    ['xml', isWhole ? 0.95 : 0.6],
    ['html', 0.5],
  ];
}

const KEY = /^\s*(?:- +)*(?:"[^"]*"|'[^']*'|(?:[\w./$@<*]|-(?! ))[\w ./$@<>*-]*):(?:\s.*)?$/;
/** @type {Detector} */
function yaml(text) {
  if (/^[{[<]/.test(text) || /[;{]\s*$/m.test(text) || /^(?:HTTP\/|GET |POST )/.test(text))
    return undefined;
  const isMarked = /^(?:%YAML|---)(?:\s|$)/.test(text);
  if (
    isMarked &&
    /^---\n[\s\S]*?\n---\n\s*\S/.test(text) &&
    /^#+ |\*\*|\]\(/m.test(text.replace(/^---\n[\s\S]*?\n---\n/, ''))
  )
    return [['markdown', 0.9]];
  const lines = lined(text)
    .map((line) => line.slice(0, LINE))
    .filter((line) => !/^\s*#|^(?:---|\.\.\.)\s*$/.test(line));
  const keys = lines.filter((line) => KEY.test(line) && !/^\s*\w+:\/\//.test(line));
  const fitting = lines.filter((line) => KEY.test(line) || /^\s*- |^\s{2,}\S/.test(line));
  if (keys.length === 0 || fitting.length < lines.length) return undefined;
  const names = keys.map((line) => line.trim().replace(/^- +/, '').split(':')[0] ?? '');
  // HTTP headers, dialogues and letters.
  const isHeaders =
    names.every((name) => /^[A-Z][\w-]*$/.test(name)) && names.some((name) => name.includes('-'));
  if (isHeaders) return undefined;
  const isProse =
    names.every((name) => /^[A-Z]/.test(name)) || names.some((name) => name.split(' ').length > 2);
  if (lines.length === 1)
    return isMarked ? [['yaml', 0.9]] : /^\w+: \S+$/.test(text) ? [['yaml', 0.5]] : undefined;
  return [['yaml', isProse && !isMarked ? 0.4 : 0.93]];
}

const TOML_VALUE = /^(?:"|'|\[|\{|[+-]?(?:\d|inf\b|nan\b)|true\b|false\b)/;
/** @type {Detector} */
function toml(text) {
  if (/;\s*$/m.test(text)) return undefined;
  const lines = lined(text).filter((line) => !/^\s*#/.test(line));
  const isTable = (/** @type {string} */ line) =>
    /^\s*\[{1,2}[\w."' -]+\]{1,2}\s*(?:#.*)?$/.test(line);
  const pairs = lines.map((line) => /^\s*(?:[\w.-]+|"[^"]+")\s*=(.*)$/s.exec(line));
  const good = pairs.filter((pair) => pair && TOML_VALUE.test((pair[1] ?? '').trimStart())).length;
  const rest = lines.filter(
    (line, at) => !pairs[at] && !isTable(line) && !/^\s*(?:["'\d[\]{},]|true|false)/.test(line),
  );
  if (good === 0 || rest.length > 0 || (!pairs[0] && !isTable(lines[0] ?? ''))) return undefined;
  const isPlain = pairs.every((pair) => !pair || TOML_VALUE.test((pair[1] ?? '').trimStart()));
  if (!isPlain) return [['toml', 0.4]];
  return [['toml', lines.length > 1 || /=\s*["[]/.test(text) ? 0.95 : 0.5]];
}

/** `NAME=value` lines. Upper-case names are more certain. @type {Detector} */
function env(text) {
  const lines = lined(text).filter((line) => !/^\s*#/.test(line));
  const names = lines.map((line) => /^(?:export )?([A-Za-z_]\w*)=(?! )[^;]*$/.exec(line)?.[1]);
  if (names.length === 0 || names.includes(undefined)) return undefined;
  const isLoud = names.every((name) => name === name?.toUpperCase());
  return [['env', isLoud ? (names.length > 1 ? 0.96 : 0.7) : names.length > 1 ? 0.5 : 0.3]];
}

/** @param {string} line @param {string} delimiter */
const cells = (line, delimiter) => line.replace(/"(?:[^"]|"")*"/g, 'q').split(delimiter);
/** @type {Detector} */
function csv(text) {
  const lines = lined(text).slice(0, 200);
  if (lines.length < 2 || /[;{}]\s*$/m.test(text) || /^\s*[|#<{[]/.test(text)) return undefined;
  for (const delimiter of ['\t', ',', ';', '|']) {
    const rows = lines.map((line) => cells(line, delimiter));
    const width = rows[0]?.length ?? 1;
    if (width < 2 || rows.some((row) => row.length !== width)) continue;
    const all = rows.flat();
    const isProse =
      all.filter((cell) => cell.trim().split(/\s+/).length > 6).length > all.length / 4;
    const spaced =
      delimiter === ',' && all.filter((cell) => /^ /.test(cell)).length >= all.length / 3;
    if (isProse || (spaced && width < 3)) return undefined;
    return [
      [
        'csv',
        width > 2 || delimiter === '\t' || /^[\w ]+,[\w ]+$/.test(lines[0] ?? '') ? 0.93 : 0.7,
      ],
    ];
  }
  return undefined;
}

const SIGNS = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /!?\[[^[\]\n]{1,300}\]\([^()\s]{1,500}\)/,
  /(?:^|\s)\*\*[^*\n]+\*\*/,
  /^[ \t]*[-*+] \S.*\n\s*[-*+] \S/m,
  /^> \S/m,
  /^\|.*\|\s*\n\|[ :|-]+\|/m,
  /(?:^|\s)`[^`\n]+`/,
  /^\d+\. \S.*\n+\d+\. /m,
  /^- \[[ x]\] /m,
  /^(?:=|-){3,}\s*$/m,
];
/** @type {Detector} */
function markdown(text) {
  // Markup and source code. Go has backticks too.
  if (/^(?:#!|#include|[<{]|package \w+;?\n|from \S+ import |use \w+::)/.test(text))
    return undefined;
  const signs = SIGNS.filter((sign) => sign.test(text)).length;
  const isMail = /^(?:hi|hello|dear|hey|good (?:morning|evening))\b[^.\n]{0,40},\s*\n/i.test(text);
  if (isMail) return signs > 0 ? [['markdown', 0.5]] : undefined;
  if (signs >= 2) return [['markdown', 0.92]];
  if (/^\|.*\|\s*\n\|[ :|-]+\|/.test(text)) return [['markdown', 0.94]];
  if (/^#{1,6} \S/.test(text)) return [['markdown', /\n\n/.test(text) ? 0.85 : 0.7]];
  if (SIGNS[2]?.test(text)) return [['markdown', 0.8]];
  return signs === 1 && /\n/.test(text) ? [['markdown', 0.5]] : undefined;
}

const STATEMENTS =
  /^(?:SELECT\b[\s\S]*\bFROM\b|INSERT\s+INTO\b|UPDATE\b[\s\S]*\bSET\b|DELETE\s+FROM\b|CREATE\s+(?:OR\s+REPLACE\s+|UNIQUE\s+|TEMP(?:ORARY)?\s+)?(?:TABLE|INDEX|VIEW|DATABASE|FUNCTION|TRIGGER|SCHEMA|TYPE|USER|SEQUENCE)\b|ALTER\s+TABLE\b|DROP\s+(?:TABLE|INDEX|VIEW)\b|WITH\s+(?:RECURSIVE\s+)?\w+(?:\s*\([^)]*\))?\s+AS\s*\(|EXPLAIN\s+(?:ANALYZE\s+)?SELECT\b|MERGE\s+INTO\b|TRUNCATE\s+TABLE\b|GRANT\b[\s\S]*\bON\b|SELECT\s+\S)/i;
/** @type {Detector} */
function sql(text) {
  const bare = text.replace(/^(?:--[^\n]*\n|\/\*[\s\S]*?\*\/|\s)+/, '');
  const [statement] = STATEMENTS.exec(bare) ?? [];
  if (!statement) return undefined;
  const isLoud = /^[A-Z]+\b/.test(bare) && /\b[A-Z]{2,}\b/.test(bare);
  const isSure = /;\s*$|[*=]|::\w|\(\s*\w|\bwhere\b.{0,200}[=<>]|\bjoin\b/i.test(bare);
  if (isLoud && (isSure || /\bFROM\b|\bTABLE\b|\bINTO\b/.test(bare))) return [['sql', 0.96]];
  return isSure &&
    /\b(?:from|set|into|table|as)\b|^select\s+[\d']/i.test(bare) &&
    !/[.?!]\s+\w+\s+\w+\s+\w+/.test(bare)
    ? [['sql', 0.9]]
    : undefined;
}

/** Whether a text starts with a CSS rule, ignoring comments and variables. @param {string} text */
function isRule(text) {
  const bare = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
  const open = bare.indexOf('{');
  const end = bare.lastIndexOf(';', open) + 1;
  return (
    /^(?:\s*[$@][\w-]+:[^;{}]+;)*$/.test(bare.slice(0, end)) &&
    /^[.#:*&a-z[\]>~+,"'=()\s\w-]+$/i.test(bare.slice(end, open)) &&
    /^\s*(?:--)?[a-z-]+\s*:[^{};]+[;}]/i.test(bare.slice(open + 1)) &&
    bare.includes('}', open)
  );
}

/** @type {Detector} */
function css(text) {
  if (
    /^(?:@(?:media|import|font-face|keyframes|layer|charset|supports|container|use|mixin|include)\b[\s\S]*[;{])/.test(
      text,
    )
  )
    return [['css', 0.95]];
  if (
    /^[$\w-]+:[^;{}]+;(?:\s*[\w-]+:[^;{}]+;)*$/.test(text) &&
    /^(?:\$|--)?[a-z][a-z-]*:/.test(text)
  )
    return [['css', 0.75]];
  // An object literal, not a rule.
  if (/[:=]\s*\{/.test(text)) return undefined;
  return isRule(text) &&
    !/\b(?:function|const|let|class|struct|interface|type|return)\b|=>/.test(text)
    ? [['css', 0.95]]
    : undefined;
}

const SCRIPT = [
  /\b(?:const|let|var)\s+[\w${[][^=\n]{0,60}=/,
  /\bfunction\b\s{0,9}\*?\s{0,9}\w*\s{0,9}\(/,
  /=>\s*[{(\w'"`[]/,
  /^[ \t]*import\b.{0,300}\bfrom\s+['"]/m,
  /^[ \t]*export\s+(?:default|const|function|class|async|type|interface)\b/m,
  /\bconsole\.\w+\(/,
  /\b(?:document|window|module|process|JSON|Math|Object)\.\w+/,
  /\bawait\s+\w|\basync\s+(?:function|\()/,
  /\b(?:require|fetch)\(['"]/,
  /\binterface \w+ \{|\btype \w+ = /,
  /\$\([^()\n]{0,200}\)\.|\$\.\w+\(/,
  /(?:===|!==)/,
  /<\w[^<>]{0,200} className=|\bonClick=\{/,
  /\bnew \w+\(.{0,200}\);/,
  /\breturn\b.{0,200};/,
];
/** @type {Detector} */
function javascript(text) {
  if (
    /^(?:#!|#include|package |using |from \w+ import|def |fn |pub |func )|\b(?:public|private) (?:static|class|void)\b|\bstd::|:=|^[ \t]*(?:def|elif)\b.*:[ \t]*$|\bfn \w+\(|\bfunc \w+\(|<\?php/m.test(
      text,
    )
  )
    return undefined;
  const signs = SCRIPT.filter((sign) => sign.test(text)).length;
  if (signs >= 2) return [['javascript', 0.94]];
  return signs === 1 && /[;)}]\s*$/.test(text) ? [['javascript', 0.85]] : undefined;
}

/** @type {Detector} */
function prose(text) {
  const lines = lined(text);
  /** @type {Guess[]} */
  const guesses = [];
  if (
    text.length < 100 &&
    /^[A-Za-z][A-Za-z\d]*(?:[_-][A-Za-z\d]+)*$/.test(text) &&
    /[_-]|[a-z][A-Z][a-z\d]*$/.test(text)
  )
    guesses.push(['identifier', 0.45]);
  const isShort = lines.length > 2 && lines.every((line) => line.length < 60);
  if (isShort) guesses.push(['lines', 0.3]);
  if (/\s\p{L}/u.test(text) && /\p{L}{2}/u.test(text)) guesses.push(['prose', 0.25]);
  return guesses;
}

/** @type {Detector[]} */
export const DOCUMENTS = [
  json,
  markup,
  yaml,
  toml,
  env,
  csv,
  markdown,
  sql,
  css,
  javascript,
  prose,
];
