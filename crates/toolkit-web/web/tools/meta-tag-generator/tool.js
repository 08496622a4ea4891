//! Meta tags: HTML, Open Graph, X cards, icons, languages and JSON-LD, written and parsed.
import {
  attempt,
  choice,
  color,
  line,
  number,
  preview,
  refuse,
  rows,
  text,
  textOutput,
  tool,
} from '../../kit/tool.js';
import { escapeHtml, readTags, writeTags } from './tags.js';

const ABSOLUTE = 'Write the whole address, beginning with https://.';
const CHOICES = /** @type {const} */ ({
  robots: {
    '': 'Index and follow',
    noindex: 'noindex',
    nofollow: 'nofollow',
    'noindex, nofollow': 'noindex, nofollow',
  },
  type: {
    website: 'Website',
    article: 'Article',
    profile: 'Profile',
    book: 'Book',
    'video.other': 'Video',
  },
  card: { summary_large_image: 'Large image', summary: 'Small image', '': 'None' },
  json_ld: {
    '': 'None',
    WebSite: 'WebSite',
    WebPage: 'WebPage',
    Article: 'Article',
    Organization: 'Organization',
  },
});

/** @param {string} field @param {string} value @param {boolean} [relative] accepts relative addresses too */
function address(field, value, relative = false) {
  if (value === '') return;
  const url = URL.parse?.(value) ?? (URL.canParse(value) ? new URL(value) : null);
  if (!url && relative) return;
  if (!url) refuse(field, `is relative: "${value}"`, { hint: ABSOLUTE });
  if (!/^https?:$/.test(url.protocol))
    refuse(field, `has the scheme ${url.protocol}`, { hint: 'Only http and https are accepted.' });
}

/** @param {string} text */
const isMoment = (text) =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** @param {string} lang */
const isLanguage = (lang) =>
  lang === 'x-default' || attempt(() => Intl.getCanonicalLocales(lang))?.length === 1;

/** @param {{ lang: string, url: string }} alternate @param {number} row */
function checkAlternate({ lang, url }, row) {
  if (lang === '' || url === '')
    refuse('alternates', `has ${lang === '' ? 'no language' : 'no address'}`, {
      place: `Row ${row}`,
      hint: 'Each row needs both.',
    });
  if (!isLanguage(lang))
    refuse('alternates', `has "${lang}", which is not a language`, {
      place: `Row ${row}`,
      hint: 'Write a language as de, en-GB or x-default.',
    });
  address('alternates', url);
}

/** Warns of unusual values, which are written all the same. @param {import('./tags.js').Page} page @param {import('../../kit/types.d.ts').Context} context */
function advise(page, { warn }) {
  const { canonical, image, alt, width, height, locale, handle } = page;
  for (const [field, most] of /** @type {const} */ ([
    ['title', 60],
    ['description', 160],
  ])) {
    const { length } = [...page[field]];
    if (length > most)
      warn(`Search results cut a ${field} after about ${most} characters; it has ${length}.`);
  }
  const missing = [canonical ? '' : 'og:url', image ? '' : 'og:image'].filter(Boolean);
  if (missing.length > 0) warn(`Open Graph requires ${missing.join(' and ')} too.`);
  const lacking = [
    ...(width === null ? ['og:image:width'] : []),
    ...(height === null ? ['og:image:height'] : []),
    ...(alt ? [] : ['og:image:alt']),
  ];
  if (image && lacking.length > 0) warn(`Add ${new Intl.ListFormat('en-GB').format(lacking)}.`);
  if (locale && !/^[a-z]{2,3}(_[A-Z][a-z]{3})?_[A-Z]{2}$/.test(locale))
    warn(`Open Graph wants a locale with language and country, such as en_GB; it is "${locale}".`);
  if (handle && !/^@\w{1,15}$/.test(handle))
    warn(`An X account is @ and up to 15 letters, digits or underscores; it is "${handle}".`);
}

/** @param {import('./tags.js').Page} page */
function check(page) {
  if (page.title.trim() === '') refuse('title', 'is empty', { hint: 'Every page needs a title.' });
  address('canonical', page.canonical);
  address('image', page.image);
  address('icon', page.icon, true);
  address('touch_icon', page.touch_icon, true);
  for (const [at, alternate] of page.alternates.entries()) checkAlternate(alternate, at + 1);
  for (const field of /** @type {const} */ (['published', 'modified']))
    if (page[field] && !isMoment(page[field]))
      refuse(field, `is "${page[field]}"`, {
        hint: 'Write it as 2026-11-22 or 2026-11-22T18:30:00+01:00.',
      });
  for (const [field, value] of Object.entries(page)) {
    const at = typeof value === 'string' ? value.indexOf('\0') : -1;
    if (at >= 0) refuse(field, 'contains a NUL character, which HTML cannot hold', { offset: at });
  }
}

/** A search result and a card, as text; nothing is fetched. @param {import('./tags.js').Page} page */
function sketch({ title, description, canonical, image, alt, site }) {
  const host = URL.canParse(canonical) ? new URL(canonical).host : '';
  const parts = [escapeHtml(title), escapeHtml(description), escapeHtml(canonical)];
  const shown = image ? `<p><img src="${escapeHtml(image)}" alt="${escapeHtml(alt)}"></p>` : '';
  return `<h2>Search result</h2><p>${parts[2]}<br><strong>${parts[0]}</strong><br>${parts[1]}</p><h2>Card</h2><blockquote>${shown}<p>${escapeHtml(site || host)}<br><strong>${parts[0]}</strong><br>${parts[1]}</p></blockquote>`;
}

export default tool({
  more: 'width',
  options: 'width',
  tabs: ['html', 'preview'],
  fields: {
    title: line('Title', { help: 'Keep it to about 60 characters.' }),
    description: text('Description', {
      lines: 2,
      prose: true,
      max: 10_000,
      help: 'Keep it to about 160 characters.',
    }),
    canonical: line('Page URL', { code: true }),
    image: line('Image URL', {
      code: true,
      help: 'Use 1200 × 630 pixels for most services.',
    }),
    width: number('Image width', { min: 1, max: 20_000, unit: 'px' }),
    height: number('Image height', { min: 1, max: 20_000, unit: 'px' }),
    alt: line('Image alt text'),
    site: line('Site name'),
    locale: line('Locale', { code: true, help: 'Enter one such as `en_GB`.' }),
    type: choice('Type', CHOICES.type),
    published: line('Published', {
      code: true,
      help: 'Enter one such as `2026-11-22` or `2026-11-22T18:30:00+01:00`.',
      when: { type: 'article' },
    }),
    modified: line('Modified', { code: true, when: { type: 'article' } }),
    author: line('Author'),
    section: line('Section', { when: { type: 'article' } }),
    tags: line('Tags', { help: 'Separate them by commas.', when: { type: 'article' } }),
    card: choice('X card', CHOICES.card),
    handle: line('X account', { code: true }),
    robots: choice('Robots', CHOICES.robots),
    json_ld: choice('JSON-LD', CHOICES.json_ld),
    theme: color('Theme color'),
    icon: line('Icon', { code: true }),
    touch_icon: line('Touch icon', { code: true }),
    alternates: rows('Other languages', { lang: line('Language'), url: line('URL') }, { max: 50 }),
    head: text('HTML <head> to import', { lines: 3, max: 1 << 20 }),
  },
  actions: [
    {
      title: 'Fill in the form',
      field: 'head',
      async run({ head }, context) {
        const page = await readTags(head.string);
        if (Object.keys(page).length === 0) refuse('head', 'has no tag that this page knows');
        /** @type {Record<string, any>} */
        const known = { ...page };
        for (const [name, choices] of Object.entries(CHOICES)) {
          if (known[name] === undefined || Object.hasOwn(choices, known[name])) continue;
          context.warn(
            `The value "${known[name]}" of ${name} is not offered here and was left out.`,
          );
          delete known[name];
        }
        return known;
      },
    },
  ],
  run({ head: _, description, ...values }, context) {
    const page = {
      ...values,
      description: description.string,
      alternates: values.alternates.filter(({ lang, url }) => lang !== '' || url !== ''),
    };
    const { title, canonical, image } = page;
    if (![title, page.description, canonical, image].some(Boolean)) return {};
    check(page);
    advise(page, context);
    return {
      html: textOutput(writeTags(page), { file: 'head.html', type: 'text/html' }),
      preview: preview(sketch(page)),
    };
  },
  labels: { html: 'HTML' },
  product: { html: 'HTML' },
  examples: [
    {
      title: 'A page with an image',
      values: {
        title: 'Toolkit',
        description: 'Small developer tools.',
        canonical: 'https://www.example.org/',
        image: 'https://www.example.org/card.png',
        width: 1200,
        height: 630,
        alt: 'A list of tools',
      },
    },
    {
      title: 'A title alone',
      values: { title: 'Toolkit', card: '' },
    },
  ],
});
