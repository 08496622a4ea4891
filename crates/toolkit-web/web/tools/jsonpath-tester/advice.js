//! RFC 9535's equivalents of other JSONPath notations: Goessner's, Jayway's, JSONPath-Plus, jq's names.

/** Strings in an expression, whose content is not notation. */
const STRINGS = /'(?:\\.|[^'\\])*(?:'|\\?$)|"(?:\\.|[^"\\])*(?:"|\\?$)/g;

/** @type {[RegExp, (expression: string, match: RegExpExecArray) => string][]} */
const ADVICE = [
  [
    /^\{/,
    (expression) =>
      `kubectl puts braces around a path, RFC 9535 does not: write ${withoutBraces(expression)}.`,
  ],
  [/^\//, () => 'This is a JSON Pointer: write $.store.book for /store/book.'],
  [
    /^@?([^$\s@])/,
    (expression, [, first]) =>
      `An expression begins with $: write $${'.['.includes(first ?? '') ? '' : '.'}${expression.replace('@', '')}.`,
  ],
  [
    /=~/,
    () =>
      'RFC 9535 has no =~: write match(@.name, "pattern") for a whole text, search(@.name, "pattern") for a part of it.',
  ],
  [
    /\.length\b/,
    () => 'RFC 9535 has no .length: write length(@.name) in a filter; [-1] is the last item.',
  ],
  [
    /\[\s*\(/,
    () => 'RFC 9535 has no scripts [(…)]: [-1] is the last item, [-2:] are the last two.',
  ],
  [
    /\[\s*([A-Za-z_][\w-]*)\s*\]/,
    (_, [, name]) => `A name in brackets is quoted: write ['${name}'].`,
  ],
  [/(?<!\d)\.(\d+)(?!\w)/, (_, [, index]) => `An index is in brackets: write [${index}].`],
  [/[=!]==/, () => 'RFC 9535 compares by == and !=.'],
  [/[^=!<>]=[^=~]/, () => 'RFC 9535 compares by ==.'],
  [/[\s)](?:and|or|not)[\s(]/i, () => 'RFC 9535 writes && for and, || for or, ! for not.'],
  [/\scontains\s/, () => 'RFC 9535 has no operator "contains": write search(@.name, "pattern").'],
  [
    /\s(in|nin|subsetof|anyof|noneof|size|empty)\s/,
    (_, [, name]) =>
      `RFC 9535 has no operator "${name}": write comparisons joined by ||, as in @.a == 1 || @.a == 2.`,
  ],
  [
    /\.([a-zA-Z]+)\(\)/,
    (_, [, name]) =>
      `RFC 9535 has no ${name}() after a path; length, count, match, search and value take a path, in a filter.`,
  ],
  [/~/, () => 'RFC 9535 has no ~ for keys: show the paths instead.'],
  [/\^/, () => 'RFC 9535 has no ^ for the parent: filter the parent, as in $.book[?@.title].'],
  [
    /@(?:property|parent|path|root)\w*/,
    (_, [name]) => `RFC 9535 has no ${name}: @ is the filtered item.`,
  ],
];

/** The path of a kubectl template. For a range, with the first path in it. @param {string} template */
function withoutBraces(template) {
  const [first = '.', second = ''] = [
    ...template.matchAll(/\{\s*(?:range\s+)?([$@.[][^{}]*)\}/g),
  ].map(([, path = '']) => path.trim().replace(/^[$@]/, ''));
  return `$${first}${/\{\s*range\b/.test(template) ? second : ''}`;
}

/** How to write an expression by the RFC, or undefined. @param {string} expression */
export function adviceOf(expression) {
  const bare = expression.replaceAll(
    STRINGS,
    (string) => `"${'x'.repeat(Math.max(0, string.length - 2))}"`,
  );
  for (const [pattern, sentence] of ADVICE) {
    const match = pattern.exec(bare);
    if (match) return sentence(expression, match);
  }
  return undefined;
}

/** The expression with hyphenated names quoted, as RFC 9535 §2.5.1 demands. Undefined if there are none. @param {string} expression */
export function hyphensQuoted(expression) {
  const parts = expression.split(new RegExp(`(${STRINGS.source})`));
  const quoted = parts.map((part, at) =>
    at % 2 === 0
      ? part.replaceAll(
          /\.([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:-[\w\u0080-\uffff]+)+)/g,
          (_, name, start) => `${part[start - 1] === '.' ? '..' : ''}['${name}']`,
        )
      : part,
  );
  const whole = quoted.join('').replaceAll('...[', '..[');
  return whole === expression ? undefined : whole;
}
