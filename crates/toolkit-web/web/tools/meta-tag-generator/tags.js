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

/** Tags and the values that they hold, for writing and reading. @typedef {Record<string, keyof Page>} Tags */
/** @type {Tags} */
const GENERAL = {
  description: 'description',
  author: 'author',
  robots: 'robots',
  'theme-color': 'theme',
};
/** @type {Tags} */
const LINKS = { canonical: 'canonical', icon: 'icon', 'apple-touch-icon': 'touch_icon' };
/** @type {Tags} */
const OPEN_GRAPH = {
  'og:title': 'title',
  'og:type': 'type',
  'og:url': 'canonical',
  'og:image': 'image',
  'og:image:width': 'width',
  'og:image:height': 'height',
  'og:image:alt': 'alt',
  'og:description': 'description',
  'og:site_name': 'site',
  'og:locale': 'locale',
};
/** @type {Tags} */
const ARTICLE = {
  'article:published_time': 'published',
  'article:modified_time': 'modified',
  'article:section': 'section',
};
/** @type {Tags} */
const CARD = {
  'twitter:card': 'card',
  'twitter:site': 'handle',
  'twitter:title': 'title',
  'twitter:description': 'description',
  'twitter:image': 'image',
  'twitter:image:alt': 'alt',
};

/** Meta tags with a value; what an image has, only with the image. @param {'name' | 'property'} attribute @param {Tags} tags @param {Page} page */
const metas = (attribute, tags, page) =>
  Object.entries(tags).map(([name, key]) =>
    name.includes(':image:') && !page.image
      ? ''
      : element('meta', { [attribute]: name, content: /** @type {string} */ (page[key]) }),
  );

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
  const article = [
    ...metas('property', ARTICLE, page),
    ...page.tags
      .split(',')
      .map((tag) => element('meta', { property: 'article:tag', content: tag.trim() })),
  ];
  return [
    '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    `<title>${escapeHtml(page.title)}</title>\n`,
    ...metas('name', GENERAL, page),
    ...Object.entries(LINKS).map(([rel, key]) =>
      element('link', { rel, href: /** @type {string} */ (page[key]) }),
    ),
    ...page.alternates.map(({ lang, url }) =>
      element('link', { rel: 'alternate', hreflang: lang, href: url }),
    ),
    ...metas('property', OPEN_GRAPH, page),
    ...(page.type === 'article' ? article : []),
    ...(page.card ? metas('name', CARD, page) : []),
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

const METAS = new Map(
  Object.entries({ ...GENERAL, ...OPEN_GRAPH, ...ARTICLE, 'article:author': 'author', ...CARD }),
);

/** @param {string} text */
const typeOf = (text) => String(attempt(() => JSON.parse(text)['@type']) ?? '');

/** The page described by the tags of a `<head>`; the first of several counts. @param {string} html @returns {Promise<Partial<Page>>} */
export async function readTags(html) {
  /** @type {Record<string, any>} */
  const page = {};
  const links = new Map(Object.entries(LINKS));
  const alternates = [];
  const tags = [];
  for (const { tag, attributes, text } of await tagsOf(html)) {
    const { name, property, content = '', rel = '', href = '', hreflang, type } = attributes;
    const key = METAS.get((property ?? name ?? '').toLowerCase());
    const link = links.get(rel.toLowerCase().replace('shortcut ', ''));
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
