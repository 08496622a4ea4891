//! Counts of a text: words, graphemes, bytes, sentences, times, frequent words, and the room left of common limits.
//! Standard: UAX #29.
import { headline, line, number, pairs, table, text, toggle, tool } from '../../kit/tool.js';
import { countText } from './counts.js';
import { checkLanguage, frequent, limitsOf, minutes, rowsOf } from './statistics.js';

export default tool({
  tabs: ['counts', 'frequent', 'times', 'limits'],
  fields: {
    text: text('Text', { accepts: 'file', prose: true, selection: true, lines: 12, max: 10 << 20 }),
    language: line('Language', {
      help: 'Enter the text’s language, such as `de` or `th`. Word boundaries depend on it.',
      suggest: ['en', 'de', 'fr', 'es', 'ja', 'th', 'zh'],
      max: 40,
    }),
    limit: number('Character limit', {
      min: 1,
      max: 10_000_000,
      help: 'Enter your own, to see it with the usual limits.',
    }),
    all: toggle('Include words such as “the”'),
  },
  labels: { frequent: 'Frequent words' },
  limits: { seconds: 60 },
  async run({ text, language, limit, all }, context) {
    const source = text.raw;
    if (source === '') return {};
    const locale = checkLanguage(language);
    /** @type {Map<string, number>} */
    const words = new Map();
    const counts = countText(
      source,
      locale,
      (word) => words.set(word.toLowerCase(), (words.get(word.toLowerCase()) ?? 0) + 1),
      (done) => context.progress(done, source.length),
    );
    if (counts.lone > 0)
      context.warn(
        `${counts.lone} lone surrogates were counted as characters of 3 bytes, although UTF-8 cannot hold them.`,
      );
    const { start = 0, end = 0 } = text.selection ?? {};
    const limits = [
      ...(await limitsOf(source, counts)),
      .../** @type {[string, number, number][]} */ (
        limit === null ? [] : [['Yours', limit, counts.characters]]
      ),
    ];
    return {
      headline: headline(
        counts.words === 1 ? '1 word' : `${counts.words.toLocaleString('en')} words`,
      ),
      counts: pairs(rowsOf(counts)),
      selection: end > start ? pairs(rowsOf(countText(source.slice(start, end), locale))) : null,
      times: pairs([
        ['Reading, 238 words a minute', minutes(counts.words, 238)],
        ['Speaking, 150 words a minute', minutes(counts.words, 150)],
      ]),
      limits: table(
        ['Limit', 'Maximum', 'Used', 'Left'],
        limits.map(([name, most, used]) => [name, most, used, most - used]),
      ),
      frequent:
        words.size > 0
          ? table(['Word', 'Count', 'Share'], frequent(words, counts.words, all))
          : null,
    };
  },
  product: { counts: 'counts' },
  examples: [
    {
      title: 'A few sentences',
      values: { text: "The cat's hat cost 3.50 euros. It is red.\n\nThe cat likes it!" },
      outputs: {
        times: pairs([
          ['Reading, 238 words a minute', '3 s'],
          ['Speaking, 150 words a minute', '5 s'],
        ]),
      },
    },
    {
      title: 'Emoji, Japanese and Thai',
      values: { text: '👩‍👩‍👧‍👦🇩🇪 日本語を話す สวัสดีครับ' },
    },
  ],
});
