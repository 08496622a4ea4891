//! URL slugs from titles, line by line, in Latin letters by transliteration, or in Unicode.
import { choice, group, line, number, refuse, rows, text, toggle, tool } from '../../kit/tool.js';

const CODES =
  'ar bg ca cs da de el es et fa fi fr he hr hu hy is it ka kk lt lv mk mn nb nl pl pt ro ru sk sl sq sr sv tr uk ur vi';
const names = new Intl.DisplayNames('en', { type: 'language' });
/** @type {Record<string, string>} */
const LANGUAGES = {
  '': 'Any',
  ...Object.fromEntries(CODES.split(' ').map((code) => [code, names.of(code) ?? code])),
};

export default tool({
  more: 'others',
  fields: {
    text: text('Titles', { lines: 4, max: 1 << 20, prose: true, help: 'Enter one per line.' }),
    separator: choice('Separator', {
      '-': 'Hyphen',
      _: 'Underscore',
      '.': 'Dot',
      '~': 'Tilde',
      '': 'None',
    }),
    language: choice('Language', LANGUAGES, { when: { unicode: false } }),
    longest: number('Maximum length', {
      min: 1,
      max: 1000,
      help: 'Enter a number of characters. Slugs are cut at the end of a word.',
    }),
    ...group('Letters', {
      lower: toggle('Lowercase', { value: true }),
      unicode: toggle('Keep Unicode letters', {
        help: 'Keep letters such as `ö`. Otherwise `Köln` becomes `koln`, or `koeln` in German.',
      }),
      words: toggle('Split camelCase'),
    }),
    ...group('Words', {
      stops: toggle('Remove English stop words'),
      repeats: toggle('Number repeated slugs', { value: true }),
    }),
    others: line('Other words to remove', { help: 'Separate them by spaces.' }),
    replacements: rows(
      'Replacements',
      { from: line('Text'), to: line('Replacement') },
      { max: 50, add: 'Add a replacement' },
    ),
  },
  async run({ text, stops, others, replacements, repeats, ...given }, context) {
    const source = text.string;
    if (source.trim() === '') return {};
    const { leftOut, LINES_MAX, made, numbering, STOP_WORDS } = await import('./slug.js');
    const options = {
      ...given,
      stops: new Set([...(stops ? STOP_WORDS : []), ...(others.toLowerCase().match(/\S+/g) ?? [])]),
      replacements: /** @type {[string, string][]} */ (
        replacements.filter(({ from }) => from !== '').map(({ from, to }) => [from, ` ${to} `])
      ),
    };
    const numbered = repeats ? numbering(given.separator) : (/** @type {string} */ slug) => slug;
    const titles = source.split(/\r\n|\n|\r/);
    if (titles.length > LINES_MAX)
      refuse('text', `must be at most ${LINES_MAX} lines, not ${titles.length}`);
    const slugs = titles.map((title, index) => made(title, index, options, numbered, context));
    const missing = leftOut(titles.filter((_, index) => slugs[index]).join('\n'), options);
    const shown = `${missing.slice(0, 20).join(' ')}${missing.length > 20 ? ' …' : ''}`;
    if (missing.length > 0)
      context.warn(`Left out, because they cannot be converted to Latin letters: ${shown}.`);
    return { slugs: slugs.join('\n') };
  },
  product: { slugs: 'slug' },
  examples: [
    {
      title: 'A title',
      values: { text: 'Crème brûlée & Café: 10 récipes!' },
      outputs: { slugs: 'creme-brulee-and-cafe-10-recipes' },
    },
    {
      title: 'German, shortened',
      values: { text: 'Über die Grüße aus Köln', language: 'de', longest: 16 },
    },
    {
      title: 'Repeated titles',
      values: { text: 'News\nNews\nThe News of the Day', stops: true },
    },
    {
      title: 'Unicode kept',
      values: { text: '日本語 テキスト', unicode: true },
    },
  ],
});
