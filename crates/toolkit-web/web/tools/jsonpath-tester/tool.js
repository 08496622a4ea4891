//! JSONPath queries over a JSON document. Standard: RFC 9535.
import { choice, headline, line, list, table, text, textOutput, tool } from '../../kit/tool.js';
import { duplicateWarning, readJson } from '../../lib/json/input.js';
import { exactNumber, writeJson } from '../../lib/json/json.js';
import { holdsExactly } from '../../lib/json/numbers.js';
import { inField } from '../../lib/positions.js';

const LIMIT = 10_000;
const STORE =
  '{"store": {"book": [{"title": "Sayings", "price": 8.95}, {"title": "Moby Dick", "price": 8.99}, {"title": "Sword", "price": 12.99}]}}';

/** @param {string} string @param {{ warn: (sentence: string) => void }} context */
function readDocument(string, { warn }) {
  let range = { start: 0, end: 0 };
  /** @type {string[]} */
  const inexact = [];
  const value = readJson('text', string, {
    onDuplicate: duplicateWarning(string, warn),
    onValue: (one) => {
      range = one;
    },
    number: (raw) => {
      if (!holdsExactly(raw)) inexact.push(raw);
      return exactNumber(raw);
    },
  });
  if (inexact.length > 0) {
    const many =
      inexact.length === 1 ? 'is a number' : `and ${inexact.length - 1} more are numbers`;
    warn(
      `${inexact[0]} ${many} that JavaScript cannot hold exactly: filters compare rounded values.`,
    );
  }
  return { value, range };
}

export default tool({
  fields: {
    expression: line('Expression', {
      value: '$',
      code: true,
      help: 'Enter a query such as `$..book[?@.price < 10].title`.',
    }),
    text: text('JSON document', { accepts: 'file', types: '.json' }),
    show: choice('Output', { values: 'Values', paths: 'Paths', both: 'Both' }),
  },
  async run({ expression, text, show }, context) {
    if (text.string.trim() === '' || expression === '') return {};
    const { outermost, queryPath, rangeAt, valueAt } = await import('./query.js');
    const { adviceOf, hyphensQuoted } = await import('./advice.js');
    const { value, range } = readDocument(text.string, context);
    const { matches, isCut } = inField('expression', expression, () =>
      queryPath(expression, value, LIMIT),
    );
    const most = LIMIT.toLocaleString('en');
    if (isCut) context.warn(`More than ${most} matches: the first ${most} are shown.`);
    const quoted = hyphensQuoted(expression);
    if (quoted)
      context.warn(`RFC 9535 allows no hyphen in a name after a dot. The full form is ${quoted}.`);
    const advice = matches.length === 0 && adviceOf(expression);
    if (advice) context.warn(advice);
    const matched = matches.map(({ location }) => valueAt(value, location));
    const paths = matches.map(({ path }) => path);
    const ranges = matches.flatMap(({ location }) => rangeAt(range, location) ?? []);
    const json = { type: 'application/json' };
    const shown = {
      values: () => ({
        values: textOutput(`${writeJson(matched)}\n`, { file: 'matches.json', ...json }),
      }),
      paths: () => ({ paths: list(paths, { file: 'paths.txt' }) }),
      both: () => {
        const rows = paths.map((path, at) => [path, writeJson(matched[at], { indent: 0 })]);
        return { matches: table(['Path', 'Value'], rows) };
      },
    }[show]();
    const count = `${paths.length.toLocaleString('en')} match${paths.length === 1 ? '' : 'es'}`;
    return {
      headline: headline(paths.length === 0 ? 'No match' : (isCut ? 'More than ' : '') + count),
      ...shown,
      document: textOutput(text.string, { marks: outermost(ranges), ...json }),
    };
  },
  labels: { document: 'Matches in the document' },
  examples: [
    {
      title: 'Titles of cheap books',
      values: { expression: '$..book[?@.price < 10].title', text: STORE },
      outputs: { values: '[\n  "Sayings",\n  "Moby Dick"\n]\n' },
    },
    {
      title: 'Paths of all prices',
      values: { expression: '$..price', text: STORE, show: 'paths' },
    },
    {
      title: 'The last book, by its path and value',
      values: { expression: '$.store.book[-1:]', text: STORE, show: 'both' },
    },
  ],
});
