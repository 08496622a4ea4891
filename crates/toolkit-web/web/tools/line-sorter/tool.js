//! Sorts, shuffles, reverses, deduplicates, trims and numbers lines, or lists with other separators.
import { choice, headline, line, number, text, toggle, tool } from '../../kit/tool.js';
import { numberReader, shuffled, uniqueLines } from './lines.js';
import {
  checkLanguage,
  keyOf,
  ORDERS,
  readItems,
  readPattern,
  SEPARATORS,
  sorted,
} from './order.js';

/** @import { Unique } from './lines.js' */

const JOINTS = { comma: ', ', semicolon: '; ', tab: '\t', space: ' ' };

/** @param {number} before @param {number} after how many lines */
function summary(before, after) {
  const [all, left, removed] = [before, after, before - after].map((n) => n.toLocaleString('en'));
  const lines = `${left} line${after === 1 ? '' : 's'}`;
  return before === after ? `${lines}, none removed` : `${lines} of ${all}: ${removed} removed`;
}

/** Says how a comma was read, if the numbers leave that open. @param {string[]} keys @param {(sentence: string) => void} warn */
function warnOfMarks(keys, warn) {
  const { unsure, isComma, read } = numberReader(keys);
  if (unsure)
    warn(
      `\`${unsure}\` was read as ${read(unsure)}, with a ${isComma ? 'decimal' : 'thousands'} comma.`,
    );
}

export default tool({
  more: 'counts',
  fields: {
    text: text('Lines', { accepts: 'file', max: 32 << 20 }),
    order: choice('Order', ORDERS),
    unique: choice(
      'Duplicates',
      {
        all: 'Keep',
        first: 'Remove',
        last: 'Remove all but the last',
        repeated: 'Show repeated lines only, once',
        single: 'Show unique lines only',
      },
      { beside: ['all', 'first'] },
    ),
    by: choice('Compare', {
      line: 'Whole lines',
      column: 'One column',
      pattern: 'Pattern match',
    }),
    column: number('Column', { value: 1, min: 1, max: 1000, when: { by: 'column' } }),
    separator: line('Column separator', {
      when: { by: 'column' },
      help: 'Leave empty for white space.',
    }),
    pattern: line('Pattern', {
      code: true,
      max: 1000,
      when: { by: 'pattern' },
      help: 'Enter a regular expression. If it has a group, lines are compared by the first one.',
    }),
    language: line('Language', {
      when: { order: ['locale', 'natural'] },
      suggest: ['en', 'de', 'sv', 'es', 'cs', 'zh', 'ja'],
      help: 'Enter the language to sort by, such as `de` or `sv`.',
    }),
    header: number('Header lines', { value: 0, min: 0, max: 1000 }),
    descending: toggle('Descending', {
      when: { order: ['text', 'locale', 'natural', 'number', 'length', 'address'] },
    }),
    case: toggle('Ignore case'),
    counts: toggle('Prefix with counts', { when: { unique: ['first', 'last', 'repeated'] } }),
    reverse: toggle('Reverse lines'),
    trim: toggle('Trim white space'),
    blank: toggle('Remove blank lines'),
    numbers: toggle('Number lines'),
    prefix: line('Line prefix'),
    suffix: line('Line suffix'),
    split: choice('Input separator', SEPARATORS),
    join: choice('Output separator', SEPARATORS),
  },
  limits: { seconds: 30 },
  run(values, context) {
    const { text, order, descending, language, by, unique, header, prefix, suffix } = values;
    if (text.raw === '') return {};
    checkLanguage(language);
    const { lines, end, ended } = readItems(text.string, values.split, context);
    const head = lines.slice(0, header);
    let body = lines.slice(header);
    if (values.trim) body = body.map((one) => one.trim());
    if (values.blank) body = body.filter((one) => one.trim() !== '');
    const fold = (/** @type {string} */ one) => (values.case ? one.toLowerCase() : one);
    const kept = uniqueLines(body, fold, /** @type {Unique} */ (unique));
    const counts = new Map(values.counts ? kept.map(({ line, count }) => [line, count]) : []);
    let result = kept.map(({ line }) => line);
    if (order === 'shuffle') result = shuffled(result, context.random);
    else if (order !== 'none') {
      const key = keyOf(
        by,
        values.column,
        values.separator,
        by === 'pattern' ? readPattern(values.pattern) : undefined,
      );
      const compared = values.case ? (/** @type {string} */ one) => fold(key(one)) : key;
      if (order === 'number') warnOfMarks(result.map(compared), context.warn);
      result = sorted(result, order, compared, descending, language);
    }
    if (values.reverse) result.reverse();
    const width = String(result.length).length;
    const written = result.map((one, index) => {
      const count = values.counts ? `${counts.get(one)} ` : '';
      return (
        (values.numbers ? `${String(index + 1).padStart(width)}. ` : '') +
        count +
        prefix +
        one +
        suffix
      );
    });
    const joint = values.join === 'line' ? end : JOINTS[values.join];
    const all = [...head, ...written];
    return {
      lines: all.join(joint) + (ended && values.join === 'line' && all.length > 0 ? end : ''),
      headline: headline(summary(lines.length, all.length)),
    };
  },
  product: { lines: 'lines' },
  examples: [
    {
      title: 'Sorted, each once',
      values: { text: 'pear\napple\nfig\napple\n', unique: 'first' },
      outputs: {
        lines: 'apple\nfig\npear\n',
        headline: headline('3 lines of 4: 1 removed'),
      },
    },
    {
      title: 'File names',
      values: { text: 'img12.png\nimg10.png\nIMG2.png\nimg1.png', order: 'natural' },
    },
    {
      title: 'By the second column',
      values: {
        text: 'name,age\nAnna,41\nBert,7\nCleo,19',
        order: 'number',
        by: 'column',
        column: 2,
        separator: ',',
        header: 1,
        descending: true,
      },
    },
    {
      title: 'How often each line occurs',
      values: { text: 'b\na\nb\nb', unique: 'first', counts: true },
    },
    {
      title: 'A list with commas',
      values: { text: 'pear, apple, fig', split: 'comma', join: 'comma' },
    },
  ],
});
