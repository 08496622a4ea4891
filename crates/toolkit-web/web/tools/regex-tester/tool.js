//! Regular expressions of JavaScript on a text: matches, groups, replacement, and the pattern in words.
//! Standard: ECMA-262. It says where the service, which has another engine, and PCRE, Python and Go read a
//! pattern differently.
import {
  attempt,
  headline,
  line,
  Refusal,
  table,
  text,
  textOutput,
  took,
  tool,
  view,
} from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { codeOf } from './code.js';
import { drawn } from './page.js';
import * as regex from './search.js';

const MOST_SHOWN = 1000;
/** As many as a text of 256 KiB can have, so that everything in sight is marked. */
const MOST_MARKS = 256 * 1024;
/** How much of a text is checked for how other languages read the pattern. */
const LONGEST_READ = 50_000;

const numbers = new Intl.NumberFormat('en');

export default tool({
  more: 'replacement',
  fields: {
    pattern: line('Pattern', {
      code: true,
      help: 'JavaScript syntax, for example `(\\d+)-(\\w+)`',
    }),
    text: text('Text', { accepts: 'file', help: 'Enter a text, or choose a file such as a log.' }),
    flags: line('Flags', { value: 'g', code: true, max: 20 }),
    cases: text('Cases', {
      lines: 3,
      max: 64 * 1024,
      help: 'One case per line. Start a line with `!` if it must not match.',
    }),
    replacement: line('Replacement', { code: true, help: 'Use `$1`, `$<name>`, `$&` and `$$`.' }),
    list: line('List', { code: true, help: 'Enter a line for each match, such as `$1: $&`.' }),
  },
  labels: {
    explained: 'The pattern in words',
    judged: 'Cases',
    code: 'In other languages',
    dialects: 'Different in PCRE, Python and Go',
    service: 'Different in the service (REST, MCP), which is called below',
  },
  folded: ['code', 'dialects'],
  limits: { seconds: 5 },
  drawn,
  call: ({ pattern, text, flags, replacement }) => ({
    ...{ pattern, text, replacement },
    flags: flags.replace(/[^gimsx]/g, ''),
  }),
  async run({ pattern: typed, text, flags: given, cases, replacement, list }, { warn }) {
    if (typed === '') return {};
    inField('flags', given, () => regex.checkFlags(given));
    const { pattern, flags, isSpaced } = asMeant(typed, given, warn);
    const { string } = text;
    const { differences } = await import('./dialect.js');
    const { dialects } = await import('./dialects.js');
    const start = string.slice(0, LONGEST_READ);
    const other = differences(typed, flags, start);
    const compiled = inField('pattern', typed, () => {
      try {
        return regex.compile(pattern, flags);
      } catch (error) {
        const [part, , , others] = other.find(([, here]) => here === 'not known') ?? [];
        if (part && error instanceof Refusal) error.position.hint = notHere(part, others);
        throw error;
      }
    });
    const { matches, count } = regex.search(compiled, string, list ? Infinity : MOST_SHOWN);
    if (!flags.includes('g')) warn('The flag `g` is off: only the first match is shown.');
    if (count > MOST_SHOWN) warn(`The table has the first ${numbers.format(MOST_SHOWN)} matches.`);
    const [, bare, letters] = (count === 0 && /^\/(.+)\/([a-z]*)$/s.exec(typed)) || [];
    if (bare)
      warn(
        'The slashes around the pattern are matched literally: leave them out, and put the letters after them into the flags.',
      );
    for (const sentence of new Set(regex.templateWarnings(replacement + list, pattern)))
      warn(sentence);
    // A file is not shown in a field, so it cannot be marked.
    const marks = text.file ? [] : regex.marksOfText(compiled, string, MOST_MARKS);
    const { explained } = await import('./explain.js');
    const parts = explained(pattern, flags);
    const judged = regex.judge(compiled, cases.string);
    return {
      took: bare
        ? took(`Read as ${typed}`, {
            label: `as ${bare} instead`,
            values: { pattern: bare, flags: letters || given },
          })
        : undefined,
      headline: verdict(count, judged, string === ''),
      judged: judged.length > 0 ? table(['Case', 'Must match', 'Matches', 'Holds'], judged) : null,
      replaced:
        replacement === '' ? null : textOutput(regex.replaced(compiled, string, replacement)),
      list:
        list && count > 0
          ? matches.map((one) => regex.filled(list, { ...one, in: string })).join('\n')
          : null,
      matches: count > 0 ? tableOf(matches.slice(0, MOST_SHOWN), string, pattern) : null,
      explained: table(
        ['Part', 'Meaning'],
        parts.map(({ depth, source, meaning }) => [
          '\u2003'.repeat(depth) + source,
          meaning.charAt(0).toUpperCase() + meaning.slice(1),
        ]),
        { tones: parts.map(({ group }) => (group ? regex.toneOf(group - 1) : undefined)) },
      ),
      marks: view({
        pattern: regex.marksOfPattern(isSpaced ? regex.withoutComments(typed) : typed),
        text: marks,
      }),
      service:
        other.length > 0
          ? table(
              ['Part', 'Here', 'In the service'],
              other.map((one) => one.slice(0, 3)),
            )
          : null,
      dialects: tableOfDialects(dialects(pattern, flags, start)),
      code: codeOf(typed, flags),
    };
  },
  product: {
    replaced: 'replaced text',
    matches: 'matches',
    judged: 'cases',
    explained: 'explanation',
  },
  examples: [
    {
      title: 'Groups by number and by name, and a replacement',
      values: {
        pattern: '(?<year>\\d{4})-(\\d\\d)',
        text: 'on 2023-11-14',
        replacement: '$2/$<year>',
      },
      outputs: {
        headline: headline('1 match', { tone: 'good' }),
        replaced: textOutput('on 11/2023-14'),
      },
    },
    {
      title: 'Only the first match without g, and offsets beyond ASCII',
      values: { pattern: '(?<=😀)B', text: 'b😀b😀b', flags: 'i' },
    },
    {
      title: 'Cases: lines that must match, and that must not',
      values: { pattern: '^v?\\d+\\.\\d+$', cases: '1.2\nv3.14\n!1\n!1.2.3', text: '' },
    },
    { title: 'No match', values: { pattern: '\\d+', text: 'none', replacement: '-' } },
  ],
});

/** The pattern and the flags that were meant. @param {string} typed @param {string} given @param {(sentence: string) => void} warn */
function asMeant(typed, given, warn) {
  const isSpaced = given.includes('x');
  const pattern = isSpaced ? regex.withoutSpace(typed) : typed;
  // Without it, \p{…} matches letters, which is never meant.
  const isUnicode =
    /(?<!\\)(?:\\\\)*\\p\{[\w=]+\}/i.test(pattern) &&
    !/[uv]/.test(given) &&
    attempt(() => regex.compile(pattern, `${given}u`)) !== undefined;
  if (isUnicode) warn('The flag `u` was added: `\\p{…}` is a class of characters only with it.');
  if (isSpaced)
    warn('JavaScript has no flag `x`. White space and comments were removed from the pattern.');
  return { pattern, flags: isUnicode ? `${given}u` : given, isSpaced };
}

/** The verdict: how many matches, and how many cases hold. @param {number} count @param {ReturnType<typeof regex.judge>} judged @param {boolean} isEmpty whether there is no text */
function verdict(count, judged, isEmpty) {
  const failed = judged.filter(([, , , holds]) => holds === 'No').length;
  const shown = `${count === 0 ? 'No' : numbers.format(count)} ${count < 2 ? 'match' : 'matches'}`;
  const passed = judged.length > 0 && `${judged.length - failed} of ${judged.length} cases hold`;
  const told = isEmpty && passed ? [passed] : [shown, passed];
  const tone = failed > 0 ? 'bad' : count === 0 && judged.length === 0 ? 'note' : 'good';
  return headline(told.filter(Boolean).join('; '), { tone });
}

/** @param {string} part @param {string | undefined} others that read it besides the service */
const notHere = (part, others) =>
  `\`${part}\` is not of JavaScript; the service (REST, MCP) reads it, by the call below${others ? `, and so do ${others}` : ''}.`;

/** @param {import('./dialects.js').Dialect[]} found */
const tableOfDialects = (found) =>
  found.length > 0
    ? table(
        ['Part', 'PCRE', 'Python', 'Go'],
        found.map(([part, ...readings]) => [part, ...readings.map((one) => one ?? 'as here')]),
      )
    : null;

/** The matches with their positions in characters, and their groups. @param {regex.Match[]} matches @param {string} text @param {string} pattern */
function tableOf(matches, text, pattern) {
  const places = regex.characters(
    text,
    matches.flatMap(({ start, end }) => [start, end]),
  );
  const groups = regex.groupsOf(pattern);
  const tones = groups.map((_, at) => regex.toneOf(at));
  return table(
    ['Match', 'From', 'To', ...groups],
    matches.map(({ text, groups }, at) => [
      text,
      places[2 * at],
      places[2 * at + 1],
      ...groups.map((group) => group ?? null),
    ]),
    { stacked: true, columnTones: [undefined, undefined, undefined, ...tones] },
  );
}
