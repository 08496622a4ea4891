//! Folders of tools/: the modules of the tools, with what their tests keep beside them.
import { existsSync, readdirSync } from 'node:fs';

const folder = new URL('../tools/', import.meta.url);

/** A file of a tool. @param {string} slug @param {string} [name] */
export const toolFile = (slug, name = 'tool.js') => new URL(`${slug}/${name}`, folder);

/** The tools that run in the browser. */
export const SLUGS = readdirSync(folder)
  .filter((slug) => existsSync(toolFile(slug)))
  .sort();

/** An export of a tool's file, or undefined where there is none. @param {string} slug @param {string} [name] @param {string} [part] @returns {Promise<any>} */
export async function loadFile(slug, name, part = 'default') {
  const file = toolFile(slug, name);
  return existsSync(file) ? (await import(file.href))[part] : undefined;
}

/** The outputs that an example states: in its tool's file those that an empty page shows, the others in tests/examples.js. @param {string} slug @param {{ title: string, outputs?: Record<string, unknown> }} example @returns {Promise<Record<string, any>>} */
export async function stated(slug, { title, outputs }) {
  const longer = await loadFile(slug, 'tests/examples.js');
  return { ...outputs, ...longer?.[title] };
}
