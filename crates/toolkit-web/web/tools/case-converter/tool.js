//! Text in all cases of names and prose, line by line. Letters follow Unicode SpecialCasing.
import { choice, line, text, toggle, tool } from '../../kit/tool.js';
import { CASES } from './cases.js';
import { splitWords } from './words.js';

export default tool({
  fields: {
    text: text('Text', {
      lines: 4,
      max: 1 << 20,
      help: 'Enter names or prose; each line is converted separately.',
    }),
    locale: choice('Language', {
      en: 'Most languages',
      tr: 'Turkish (i, İ, ı, I)',
      az: 'Azerbaijani',
      lt: 'Lithuanian (dots kept)',
      el: 'Greek (unaccented capitals)',
      nl: 'Dutch (IJ)',
    }),
    digits: toggle('Numbers as separate words'),
    acronyms: line('Acronyms', {
      help: 'List what stays as written in camel, Pascal, train, title and sentence case: `ID, URL, iOS`.',
    }),
  },
  labels: {
    camel: 'camelCase',
    pascal: 'PascalCase',
    snake: 'snake_case',
    constant: 'CONSTANT_CASE',
    kebab: 'kebab-case',
    cobol: 'COBOL-CASE',
    train: 'Train-Case',
    dot: 'dot.case',
    path: 'path/case',
    words: 'no case',
    title: 'Title Case',
    sentence: 'Sentence case',
    lower: 'lower case',
    upper: 'UPPER CASE',
    alternating: 'aLtErNaTiNg',
    inverse: 'iNVERSE',
  },
  run({ text, locale, digits, acronyms }) {
    const source = text.string;
    if (source === '') return {};
    const known = new Map(
      (acronyms.match(/[\p{L}\p{N}]+/gu) ?? []).map((one) => [one.toLowerCase(), one]),
    );
    const seen = new Map();
    const pieces = source.split(/(\r\n|\n|\r)/).map((piece, index) => {
      const words = index % 2 ? [] : splitWords(piece, { digits });
      return { piece, isEnd: index % 2 === 1, options: { locale, words, known, seen } };
    });
    return Object.fromEntries(
      Object.entries(CASES).map(([name, convert]) => [
        name,
        pieces
          .map(({ piece, isEnd, options }) => (isEnd ? piece : convert(piece, options)))
          .join(''),
      ]),
    );
  },
  examples: [
    {
      title: 'A name',
      values: { text: 'parseHTTPResponse2' },
      outputs: {
        camel: 'parseHttpResponse2',
        pascal: 'ParseHttpResponse2',
        snake: 'parse_http_response2',
        constant: 'PARSE_HTTP_RESPONSE2',
        kebab: 'parse-http-response2',
        cobol: 'PARSE-HTTP-RESPONSE2',
        train: 'Parse-Http-Response2',
        dot: 'parse.http.response2',
        path: 'parse/http/response2',
        words: 'parse http response2',
        title: 'Parse Http Response2',
        sentence: 'Parse http response2',
        lower: 'parsehttpresponse2',
        upper: 'PARSEHTTPRESPONSE2',
        alternating: 'pArSeHtTpReSpOnSe2',
        inverse: 'PARSEhttprESPONSE2',
      },
    },
    {
      title: 'Prose, with accents',
      values: { text: "the café's art of çay. don't panic" },
    },
    {
      title: 'Acronyms',
      values: { text: 'user id of api url', acronyms: 'ID, API, URL' },
    },
    {
      title: 'Turkish',
      values: { text: 'istanbul ILIK', locale: 'tr' },
    },
  ],
});
