//! Counts graphemes, words, sentences and the rest of a text. Standard: UAX #29 through `Intl.Segmenter`, which is slow on
//! long texts. So lines are split where every rule has a boundary.

/** @typedef {{ characters: number, codePoints: number, units: number, bytes: number, words: number, sentences: number, paragraphs: number, lines: number, spaces: number, lone: number }} Counts */

const CHUNK = 200;
const ASCII = /^[\t\x20-\x7e]*$/;
// The words of UAX #29 in ASCII: dots and apostrophes join letters, dots and commas join digits.
const ASCII_WORD = /\w+(?:(?:(?<=[A-Za-z])['.:](?=[A-Za-z])|(?<=\d)['.,;](?=\d))\w+)*/g;

/** Pieces of a line, split only between a space and an ASCII letter. @param {string} line */
function* chunks(line) {
  let start = 0;
  while (line.length - start > CHUNK) {
    const gap = /[^\s\p{M}]\x20(?=[A-Za-z])/gu;
    gap.lastIndex = start + CHUNK;
    const cut = gap.exec(line);
    const end = cut === null ? line.length : gap.lastIndex;
    yield line.slice(start, end);
    start = end;
  }
  yield line.slice(start);
}

/**
 * Computes all counts of a text, and passes each word to `onWord`.
 * @param {string} text @param {string} language
 * @param {(word: string) => void} [onWord] @param {(done: number) => void} [onProgress]
 * @returns {Counts}
 */
export function countText(text, language, onWord = () => {}, onProgress = () => {}) {
  const segmenters = {
    grapheme: new Intl.Segmenter(language, { granularity: 'grapheme' }),
    word: new Intl.Segmenter(language, { granularity: 'word' }),
    sentence: new Intl.Segmenter(language, { granularity: 'sentence' }),
  };
  const counts = {
    ...sizes(text),
    characters: 0,
    words: 0,
    sentences: 0,
    paragraphs: 0,
    lines: text === '' ? 0 : 1,
  };
  let inParagraph = false;
  let done = 0;
  // Form feed and the two separators of Unicode end lines too, for all three granularities.
  for (const line of text.split(/(\r\n|[\n\r\v\f\u0085\u2028\u2029])/)) {
    done += line.length;
    if (/^(?:\r\n|[\n\r\v\f\u0085\u2028\u2029])$/.test(line)) {
      counts.characters++;
      counts.lines++;
      continue;
    }
    const isBlank = line.trim() === '';
    if (!isBlank && !inParagraph) counts.paragraphs++;
    if (line !== '' || counts.lines > 1) inParagraph = !isBlank && (inParagraph || !isBlank);
    if (line === '') continue;
    for (const piece of chunks(line)) countPiece(piece, segmenters, counts, onWord);
    if (!isBlank) counts.sentences += countSentences(line, segmenters.sentence);
    onProgress(done);
  }
  return counts;
}

/** @param {string} piece @param {Record<'grapheme' | 'word', Intl.Segmenter>} segmenters @param {Counts} counts @param {(word: string) => void} onWord */
function countPiece(piece, segmenters, counts, onWord) {
  if (ASCII.test(piece)) {
    counts.characters += piece.length;
    for (const [word] of piece.matchAll(ASCII_WORD)) {
      if (!/[A-Za-z\d]/.test(word)) continue;
      counts.words++;
      onWord(word);
    }
    return;
  }
  for (const _ of segmenters.grapheme.segment(piece)) counts.characters++;
  for (const { segment } of segmenters.word.segment(piece)) {
    if (!/[\p{L}\p{N}]/u.test(segment)) continue;
    counts.words++;
    onWord(segment);
  }
}

/** @param {string} line @param {Intl.Segmenter} segmenter */
function countSentences(line, segmenter) {
  let count = 0;
  for (const piece of line.length > CHUNK ? line.split(/(?<=[a-z\d][.!?]\x20)(?=[A-Z])/) : [line])
    for (const { segment } of segmenter.segment(piece)) if (/[\p{L}\p{N}]/u.test(segment)) count++;
  return count;
}

/** @param {string} text */
function sizes(text) {
  const counts = { codePoints: 0, units: text.length, bytes: 0, spaces: 0, lone: 0 };
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    counts.codePoints++;
    if (code > 0xffff) index++;
    if (code >= 0xd800 && code <= 0xdfff) counts.lone++;
    counts.bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000)
      counts.spaces++;
  }
  return counts;
}
