//! Storage: one localStorage key. Full, damaged or forbidden storage is not an error.

const KEY = 'toolkit';
const VERSION = 1;

/**
 * @typedef {{ version: number, theme: string, favourites: string[], recent: string[],
 *   options: Record<string, Record<string, any>>, swatches: string[] }} Kept
 */

/** @returns {Kept} */
function load() {
  /** @type {Kept} */
  const empty = {
    version: VERSION,
    theme: 'system',
    favourites: [],
    recent: [],
    options: {},
    swatches: [],
  };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (kept.version !== VERSION) return empty;
    for (const [name, value] of Object.entries(empty))
      if (typeof kept[name] !== typeof value || Array.isArray(kept[name]) !== Array.isArray(value))
        kept[name] = value;
    return kept;
  } catch {
    return empty;
  }
}

/** @template {keyof Kept} K @param {K} name @returns {Kept[K]} */
export const get = (name) => load()[name];

/** @template {keyof Kept} K @param {K} name @param {Kept[K]} value */
export function put(name, value) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...load(), [name]: value }));
  } catch {
    // Full or forbidden. The page works without it.
  }
}

/** Toggles a favorite. Returns whether it is one now. @param {string} slug */
export function toggleFavourite(slug) {
  const favourites = get('favourites');
  const was = favourites.includes(slug);
  put('favourites', was ? favourites.filter((one) => one !== slug) : [...favourites, slug]);
  return !was;
}

/** @param {string} slug */
export const visited = (slug) =>
  put('recent', [slug, ...get('recent').filter((one) => one !== slug)].slice(0, 8));

/** Remembers the options of a tool that differ from their defaults. @param {string} slug @param {Record<string, any>} mine */
export function keepOptions(slug, mine) {
  const { [slug]: _, ...others } = get('options');
  put('options', Object.keys(mine).length > 0 ? { ...others, [slug]: mine } : others);
}
