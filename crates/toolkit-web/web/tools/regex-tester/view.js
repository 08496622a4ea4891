//! regex-tester: matches marked in the text as typed, groups as columns, flags as buttons, the
//! pattern in words. The parts that only a result needs are loaded with it.
import { headline, table, textOutput } from '../../kit/tool.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @typedef {{ text: string, utf16_start: number, utf16_end: number, start: number, end: number, groups: { index: number, name: string | null, text: string | null }[] }} Match */

const numbers = new Intl.NumberFormat('en');
const MOST = 256 * 1024;
/** Longer texts are shown again below, as their field has no place for marks. */
const LONGEST_MARKED = 50_000;
/** @type {Record<string, string>} */
const FLAGS = {
  g: 'All matches, not only the first',
  i: 'Ignore case',
  m: '^ and $ at lines',
  s: '. matches a line break too',
  x: 'Ignore white space and #comments in the pattern',
};

/** @type {T.ViewPage | undefined} */
let page;
/** @type {HTMLElement | undefined} */
let form;

/** @param {string} flags */
function showFlags(flags) {
  for (const button of form?.querySelectorAll('.field:has([name=flags]) button') ?? []) {
    const flag = button.textContent ?? '';
    button.setAttribute('aria-pressed', String(flags.includes(flag)));
    button.setAttribute('title', FLAGS[flag] ?? '');
    button.setAttribute('aria-label', `${flag}: ${FLAGS[flag]}`);
  }
}

/** What a match gives for a template, as in JavaScript. @param {string} template @param {Match} match */
const filled = (template, { text, groups }) =>
  template.replace(
    /\$(?:(\$)|(&)|(\d{1,2})|\{(\w+)\}|<(\w+)>)/g,
    (whole, dollar, all, ...names) => {
      if (dollar || all) return dollar ?? text;
      const wanted = names.slice(0, 3).find(Boolean);
      const found = groups.filter((one) => one.name === wanted || one.index === Number(wanted));
      return found.length > 0 ? (found.find((one) => one.text !== null)?.text ?? '') : whole;
    },
  );

/** @param {Match[]} matches */
const tableOf = (matches) =>
  table(
    ['Match', 'From', 'To'].concat(
      matches[0]?.groups.map(({ name, index }) => name ?? `Group ${index}`) ?? [],
    ),
    matches.map(({ text, start, end, groups }) => [
      ...[text, start, end],
      ...groups.map((group) => group.text),
    ]),
  );

/** @param {T.ViewPage} page */
function cheatSheet({ el }) {
  const list = el('dl');
  const fill = async () => {
    const { SYNTAX } = await import('./syntax.js');
    list.replaceChildren(
      ...Object.entries(SYNTAX).map(([source, meaning]) =>
        el('div', {}, el('dt', {}, el('code', {}, source)), el('dd', {}, meaning)),
      ),
    );
  };
  return el('details', { class: 'cheats', ontoggle: fill }, el('summary', {}, 'Cheat sheet'), list);
}

/** @type {T.Layout} */
export const layout = {
  fields: ({ pattern, text, flags, replacement }) => ({
    pattern: { ...pattern, help: '' },
    text: { ...text, max: MOST, help: 'Or a file, such as a log. At most 256 KiB.' },
    flags: { ...flags, help: '' },
    replacement: {
      ...replacement,
      label: 'Replace with',
      help: 'With `$1`, `$<name>`, `$&`, `$$`.',
    },
    list: { ...replacement, label: 'List', help: 'A line for each match, such as `$1: $&`.' },
  }),
  labels: { marked: 'Text', explained: 'The pattern in words' },
  actions: Object.keys(FLAGS).map((flag) => ({
    title: flag,
    field: 'flags',
    run({ flags }) {
      const changed = flags.includes(flag) ? flags.replaceAll(flag, '') : flags + flag;
      showFlags(changed);
      return { flags: changed };
    },
  })),
  drawn(viewPage, work) {
    [page, form] = [viewPage, work];
    work.lastElementChild?.append(cheatSheet(page));
    showFlags('g');
    page.mark('text', []);
  },
  /** A small file becomes text in the field, where matches can be marked. */
  async entered({ text, flags }) {
    showFlags(flags);
    if (!(text instanceof File) || text.size > MOST) return;
    const content = await text.text();
    if (!content.includes('\ufffd')) page?.set({ text: content });
  },
  async outputs({ matches, count, truncated, replaced }, { pattern, flags, text, list }, warn) {
    const marks = matches.map((/** @type {Match} */ one) => [one.utf16_start, one.utf16_end]);
    const isTyped = typeof text === 'string' && text.length <= LONGEST_MARKED;
    if (isTyped) page?.mark('text', marks);
    if (truncated)
      warn(`Only the first ${numbers.format(count)} matches are shown: there are more.`);
    const { explained } = await import('./explain.js');
    const shown = `${count === 0 ? 'No' : numbers.format(count)} ${count === 1 || count === 0 ? 'match' : 'matches'}`;
    const title = truncated ? `The first ${shown} of more` : shown;
    return {
      headline: headline(title, { tone: truncated || count === 0 ? 'note' : 'good' }),
      replaced: replaced === null ? null : textOutput(replaced),
      list: list
        ? matches.map((/** @type {Match} */ one) => filled(list, one)).join('\n') || null
        : null,
      matches: matches.length > 0 ? tableOf(matches) : null,
      marked: isTyped || typeof text !== 'string' ? null : textOutput(text, { marks }),
      explained: table(
        ['Part', 'Meaning'],
        explained(pattern, flags).map(({ depth, source, meaning }) => [
          '\u2003'.repeat(depth) + source,
          meaning.charAt(0).toUpperCase() + meaning.slice(1),
        ]),
      ),
    };
  },
};
