//! Meta tags of a page, written and parsed: HTML standard, Open Graph protocol, X cards,
//! schema.org.
import { attempt } from '../../kit/tool.js';

/**
 * @typedef {{ title: string, description: string, canonical: string, robots: string, theme: string,
 *   site: string, type: string, locale: string, image: string, width: number | null, height: number | null,
 *   alt: string, card: string, handle: string, icon: string, touch_icon: string,
 *   published: string, modified: string, author: string, section: string, tags: string,
 *   alternates: { lang: string, url: string }[], json_ld: string }} Page `tags`: separated by commas
 */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** @param {string} text */
export const escapeHtml = (text) =>
  text.replace(/[&<>"\r]/g, (one) => ESCAPES[/** @type {keyof typeof ESCAPES} */ (one)]);

/** @param {string} tag @param {Record<string, string | number | null>} attributes */
function element(tag, attributes) {
  const values = Object.values(attributes);
  if (values.some((value) => value === '' || value === null)) return '';
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeHtml(String(value))}"`,
  );
  return `<${tag}${written.join('')}>\n`;
}

/** @param {string} name @param {string | number | null} content */
const named = (name, content) => element('meta', { name, content });
/** @param {string} property @param {string | number | null} content */
const property = (property, content) => element('meta', { property, content });

/** Tags that only articles have. @param {Page} page */
const article = ({ type, published, modified, section, tags }) =>
  type === 'article'
    ? [
        property('article:published_time', published),
        property('article:modified_time', modified),
        property('article:section', section),
        ...tags.split(',').map((tag) => property('article:tag', tag.trim())),
      ].join('')
    : '';

/** @param {Page} page */
function openGraph({
  title,
  type,
  canonical,
  image,
  alt,
  width,
  height,
  description,
  site,
  locale,
}) {
  return [
    property('og:title', title),
    property('og:type', type),
    property('og:url', canonical),
    property('og:image', image),
    image && property('og:image:width', width),
    image && property('og:image:height', height),
    image && property('og:image:alt', alt),
    property('og:description', description),
    property('og:site_name', site),
    property('og:locale', locale),
  ].join('');
}

/** @param {Page} page */
function card({ card, handle, title, description, image, alt }) {
  if (!card) return '';
  return [
    named('twitter:card', card),
    named('twitter:site', handle),
    named('twitter:title', title),
    named('twitter:description', description),
    named('twitter:image', image),
    image && named('twitter:image:alt', alt),
  ].join('');
}

/** @param {Page} page */
function structured({
  json_ld,
  title,
  description,
  canonical,
  image,
  site,
  author,
  published,
  modified,
}) {
  if (!json_ld) return '';
  const name = json_ld === 'Article' ? 'headline' : 'name';
  const data = { '@context': 'https://schema.org', '@type': json_ld, [name]: title };
  const more = {
    description,
    url: canonical,
    image,
    ...(json_ld === 'Article' && {
      datePublished: published,
      dateModified: modified,
      author: author && { '@type': 'Person', name: author },
    }),
    ...(site && { publisher: { '@type': 'Organization', name: site } }),
  };
  const filled = Object.fromEntries(Object.entries(more).filter(([, value]) => value));
  const json = JSON.stringify({ ...data, ...filled }, null, 2).replaceAll('<', '\\u003c');
  return `<script type="application/ld+json">\n${json}\n</script>\n`;
}

/** The tags of a page. @param {Page} page */
export function writeTags(page) {
  const links = [
    element('link', { rel: 'canonical', href: page.canonical }),
    ...page.alternates.map(({ lang, url }) =>
      element('link', { rel: 'alternate', hreflang: lang, href: url }),
    ),
    element('link', { rel: 'icon', href: page.icon }),
    element('link', { rel: 'apple-touch-icon', href: page.touch_icon }),
  ];
  return [
    '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    `<title>${escapeHtml(page.title)}</title>\n`,
    named('description', page.description),
    named('author', page.author),
    named('robots', page.robots),
    named('theme-color', page.theme),
    ...links,
    openGraph(page),
    article(page),
    card(page),
    structured(page),
  ].join('');
}

/** All tags of a document, in order. @param {string} html */
async function tagsOf(html) {
  const { Parser } = await import('../../libraries/htmlparser2.js');
  /** @type {{ tag: string, attributes: Record<string, string>, text: string }[]} */
  const elements = [];
  let open = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      open = tag === 'title' || tag === 'script';
      elements.push({ tag, attributes, text: '' });
    },
    ontext(text) {
      const last = elements.at(-1);
      if (open && last) last.text += text;
    },
    onclosetag() {
      open = false;
    },
  });
  parser.end(html);
  return elements;
}

const NAMES = /** @type {const} */ ({
  description: 'description',
  author: 'author',
  'article:published_time': 'published',
  'article:modified_time': 'modified',
  'article:author': 'author',
  'article:section': 'section',
  robots: 'robots',
  'theme-color': 'theme',
  'og:title': 'title',
  'og:description': 'description',
  'og:url': 'canonical',
  'og:type': 'type',
  'og:image': 'image',
  'og:image:alt': 'alt',
  'og:image:width': 'width',
  'og:image:height': 'height',
  'og:site_name': 'site',
  'og:locale': 'locale',
  'twitter:card': 'card',
  'twitter:site': 'handle',
  'twitter:title': 'title',
  'twitter:description': 'description',
  'twitter:image': 'image',
});
const RELS = /** @type {const} */ ({
  canonical: 'canonical',
  icon: 'icon',
  'apple-touch-icon': 'touch_icon',
});

/** @param {string} text */
const typeOf = (text) => String(attempt(() => JSON.parse(text)['@type']) ?? '');

/** The page described by the tags of a `<head>`; the first of several counts. @param {string} html @returns {Promise<Partial<Page>>} */
export async function readTags(html) {
  /** @type {Record<string, any>} */
  const page = {};
  const alternates = [];
  const tags = [];
  for (const { tag, attributes, text } of await tagsOf(html)) {
    const { name, property, content = '', rel = '', href = '', hreflang, type } = attributes;
    const key = NAMES[/** @type {keyof typeof NAMES} */ ((property ?? name ?? '').toLowerCase())];
    const link =
      RELS[/** @type {keyof typeof RELS} */ (rel.toLowerCase().replace('shortcut ', ''))];
    if (tag === 'title') page.title = text;
    else if (tag === 'meta' && property === 'article:tag') tags.push(content.trim());
    else if (tag === 'meta' && key)
      page[key] ??= key === 'width' || key === 'height' ? Number(content) || null : content;
    else if (tag === 'link' && link) page[link] ??= href;
    else if (tag === 'link' && rel === 'alternate' && hreflang)
      alternates.push({ lang: hreflang, url: href });
    else if (tag === 'script' && type === 'application/ld+json') page.json_ld ??= typeOf(text);
  }
  return {
    ...page,
    ...(tags.length > 0 && { tags: tags.join(', ') }),
    ...(alternates.length > 0 && { alternates }),
  };
}
