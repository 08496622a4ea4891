//! Colors of code in results, by the CSS Custom Highlight API: the text itself stays one node.

const SCRIPT =
  'as|async|await|break|case|catch|class|const|continue|default|delete|do|else|enum|export|extends|false|finally|for|from|function|if|implements|import|in|instanceof|interface|let|new|null|of|readonly|return|static|super|switch|this|throw|true|try|type|typeof|undefined|var|void|while|yield';
const SQL =
  'add|all|alter|and|as|asc|begin|between|by|case|column|commit|constraint|create|cross|default|delete|desc|distinct|drop|else|end|exists|foreign|from|full|group|having|if|in|index|inner|insert|into|is|join|key|left|like|limit|not|null|offset|on|or|order|outer|primary|references|returning|right|rollback|select|set|table|then|union|unique|update|using|values|view|when|where|with';
const STRING = String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;
const NUMBER = String.raw`(?<number>(?<![\w.#])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)`;
const WORD = String.raw`(?<word>\b(?:true|false|null)\b)`;

/** @param {string[]} parts @param {string} [flags] */
const language = (parts, flags = '') => new RegExp(parts.join('|'), `gm${flags}`);
const markup = language([
  String.raw`(?<comment><!--[\s\S]*?-->|<[!?][^>]*>)`,
  String.raw`(?<name><\/?[\w:.-]+|\/?>)`,
  String.raw`(?<word>[\w:.-]+(?==["']))`,
  `(?<string>(?<==)(?:"[^"]*"|'[^']*'))`,
]);
const json = language([String.raw`(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))`, STRING, NUMBER, WORD]);

/** The tokens of each kind that lib/detect knows. @type {Record<string, RegExp>} */
const LANGUAGES = {
  json,
  records: json,
  jsonLines: json,
  yaml: language([
    String.raw`(?<comment>(?:^|\s)#.*)`,
    String.raw`(?<name>^[ -]*(?:"[^"\n]*"|[^\s"'#{[-][^:#\n]*?)(?=:(?:\s|$)))`,
    STRING,
    NUMBER,
    WORD,
  ]),
  toml: language([
    '(?<comment>#.*)',
    String.raw`(?<name>^\s*(?:\[{1,2}.*\]{1,2}|[\w."-]+(?=\s*=)))`,
    STRING,
    NUMBER,
    WORD,
  ]),
  xml: markup,
  svg: markup,
  html: markup,
  css: language([
    String.raw`(?<comment>\/\*[\s\S]*?\*\/)`,
    String.raw`(?<name>(?<=[{;]\s*)[\w-]+(?=\s*:))`,
    STRING,
    String.raw`(?<number>#[\da-f]{3,8}\b|(?<![\w-])-?\d*\.?\d+(?:%|[a-z]+)?)`,
    String.raw`(?<word>@[\w-]+|!important)`,
  ]),
  javascript: language([
    String.raw`(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)`,
    STRING.replace(')', '|`(?:[^`\\\\]|\\\\.)*`)'),
    NUMBER,
    String.raw`(?<word>\b(?:${SCRIPT})\b)`,
  ]),
  sql: language(
    [
      String.raw`(?<comment>--.*|\/\*[\s\S]*?\*\/)`,
      STRING,
      NUMBER,
      String.raw`(?<word>\b(?:${SQL})\b)`,
    ],
    'i',
  ),
  markdown: language([
    '(?<comment>^>.*)',
    '(?<name>^#{1,6} .*)',
    '(?<string>`[^`\\n]+`)',
    String.raw`(?<word>\*\*[^*\n]+\*\*|\]\([^)\n]*\))`,
  ]),
};
/** Longer texts stay without color. */
const LONGEST = 200_000;
const MOST_TOKENS = 20_000;
const { highlights } = /** @type {any} */ (CSS);

/** @param {string} name */
function setOf(name) {
  const key = `code-${name}`;
  if (!highlights.has(key)) highlights.set(key, new Highlight());
  return highlights.get(key);
}

/** The tokens of a text: name, start and end. @param {string} kind @param {string} text @returns {[string, number, number][]} */
export function tokens(kind, text) {
  /** @type {[string, number, number][]} */
  const found = [];
  const pattern = LANGUAGES[kind];
  if (!pattern || text.length > LONGEST) return found;
  for (const { index, 0: whole, groups = {} } of text.matchAll(pattern)) {
    const name = Object.keys(groups).find((one) => groups[one] !== undefined) ?? '';
    found.push([name, index, index + whole.length]);
    if (found.length === MOST_TOKENS) break;
  }
  return found;
}

/** Colors a text node; returns what takes the colors away. @param {Node | null} node @param {string} kind */
export function highlight(node, kind) {
  if (!highlights || !(node instanceof Text)) return () => {};
  const ranges = tokens(kind, node.data).map(([name, from, to]) => {
    const range = new StaticRange({
      startContainer: node,
      startOffset: from,
      endContainer: node,
      endOffset: to,
    });
    setOf(name).add(range);
    return [name, range];
  });
  return () => {
    for (const [name, range] of ranges) setOf(String(name)).delete(range);
  };
}
