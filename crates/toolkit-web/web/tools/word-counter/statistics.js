//! Statistics of a text from its counts: times, limits, frequent words.

import { attempt, refuse } from '../../kit/tool.js';

/** @import { Counts } from './counts.js' */

const STOP_WORDS = new Set(
  "a an and are as at be been but by can could did do does for from had has have he her his i if in into is it its me my no not of on or our she so than that the their them then there they this to was we were what when which who will with would you your it's don't".split(
    ' ',
  ),
);

/** Characters that an X post counts once; all others count twice (twitter-text 3). */
const LIGHT = /[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]/u;
/** A top-level domain, in Punycode or letters. */
const END = String.raw`(?:xn--[a-z\d-]+|\p{L}{2,})(?![a-z\d@+-])`;
/** @param {string} letters of the labels before it */
const domainOf = (letters) => `((?:[${letters}](?:[${letters}_-]{0,61}[${letters}])?\\.)+${END})`;
const LATIN = 'a-z\\d\\u00c0-\\u024f';
/** What an X post may count as 23 characters: a protocol and a domain, or a Latin domain; port, path and query. */
const LINK = new RegExp(
  String.raw`(?<![a-z\d@＠$#＃])(?:(https?:\/\/)${domainOf('\\p{L}\\p{N}')}|(?<![-_./${LATIN}])${domainOf(LATIN)})((?::\d+)?(?:\/(?:\S*[^\s.,:;!?'")\]])?)?(?:\?\S*[^\s.,:;!?'")\]])?)`,
  'giu',
);

/** How much of a found link X counts as one: up to its last known top-level domain, and nothing without it. @param {Set<string>} tlds @param {string} protocol @param {string} domain @param {string} rest */
function linkEnd(tlds, protocol, domain, rest) {
  const labels = domain.split('.');
  const at = labels.findLastIndex(
    (label, index) => index > 0 && (tlds.has(label.toLowerCase()) || /^xn--/i.test(label)),
  );
  if (at < 0 || labels[at - 1]?.includes('_')) return 0;
  const known = labels.slice(0, at + 1).join('.');
  // Without a protocol, the rest belongs to the link only if it has a path.
  const isRest = known === domain && (protocol !== '' || /^(?::\d+)?\//.test(rest));
  return protocol.length + known.length + (isRest ? rest.length : 0);
}
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|\u20e3/u;
/** The characters of GSM 7-bit, and those that count twice (3GPP TS 23.038). */
const GSM =
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€\f]*$/u;
const GSM_TWICE = /[\^{}\\[~\]|€\f]/g;

/** The length of an X post. @param {string} text */
async function postLength(text) {
  const composed = text.normalize('NFC');
  const known = composed.search(LINK) < 0 ? [] : (await import('../../libraries/tlds.js')).default;
  const tlds = new Set(known);
  let length = 0;
  const rest = composed.replace(LINK, (link, protocol = '', full, latin, after) => {
    const end = linkEnd(tlds, protocol, full ?? latin, after);
    if (end > 0) length += 23;
    return link.slice(end);
  });
  const add = (/** @type {string} */ part) => {
    for (const character of part) length += LIGHT.test(character) ? 1 : 2;
  };
  // Far over the limit, emoji of several characters do not matter, and segmenting is slow.
  if (rest.length > 10_000) add(rest);
  else
    for (const { segment } of new Intl.Segmenter().segment(rest)) {
      if (EMOJI.test(segment)) length += 2;
      else add(segment);
    }
  return length;
}

/** Limits to compare with: name, maximum, used. @param {string} text @param {Counts} counts @returns {Promise<[string, number, number][]>} */
export const limitsOf = async (text, { characters }) => [
  ['X post', 280, await postLength(text)],
  ['Bluesky post', 300, characters],
  ['Mastodon post', 500, characters],
  ['Threads post', 500, characters],
  ['LinkedIn post', 3000, characters],
  // A single other character makes the whole message UTF-16.
  GSM.test(text)
    ? ['SMS of one part', 160, text.length + (text.match(GSM_TWICE)?.length ?? 0)]
    : ['SMS of one part', 70, text.length],
  ['Title of a search result', 60, characters],
  ['Description of a search result', 155, characters],
  ['Subject of a commit', 50, characters],
];

/** @param {number} count @param {number} perMinute */
export function minutes(count, perMinute) {
  const seconds = Math.round((count / perMinute) * 60);
  const [hours, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts = [
    hours ? `${hours} h` : '',
    hours || rest ? `${rest} min` : '',
    hours ? '' : `${seconds % 60} s`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** @param {Counts} counts @returns {[string, number | string][]} */
export const rowsOf = (counts) => [
  ['Words', counts.words],
  ['Characters', counts.characters],
  ['Characters without spaces', counts.characters - counts.spaces],
  ['Sentences', counts.sentences],
  ['Paragraphs', counts.paragraphs],
  ['Lines', counts.lines],
  ['Code points', counts.codePoints],
  ['UTF-16 units', counts.units],
  ['Bytes in UTF-8', counts.bytes],
];

/** @param {string} language */
export function checkLanguage(language) {
  return (
    attempt(() => Intl.getCanonicalLocales(language || 'en')[0]) ??
    refuse('language', `"${language}" is not a language`, {
      hint: 'Write it as en, th or zh-Hant.',
    })
  );
}

/** The most frequent words. @param {Map<string, number>} words @param {number} total @param {boolean} all */
export function frequent(words, total, all) {
  return [...words]
    .filter(([word]) => all || !STOP_WORDS.has(word))
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, 50)
    .map(([word, count]) => [word, count, `${((100 * count) / total).toFixed(1)} %`]);
}
