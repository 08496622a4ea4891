//! Keeps input until the tab is closed, on request, in one sessionStorage key for all tools. Tools that declare secrets,
//! secret fields and files are excluded.

import { iconButton } from './el.js';
import { attempt, UNKEPT } from './tool.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @typedef {{ slug: string, fields: T.Fields, secrets?: boolean | 'input' | undefined }} Kept */

const KEEP = 'M4 2h8v12l-4-3.500L4 14z';
const KEY = 'toolkit';
const MOST = 1 << 20;

/** The kept input by slug. Undefined if keeping is off. @returns {Record<string, Record<string, any>> | undefined} */
function load() {
  return attempt(() => JSON.parse(sessionStorage.getItem(KEY) ?? ''));
}

/** Stores the input. Returns false if that failed. @param {Kept} tool @param {Record<string, any>} raw */
function store({ slug, fields }, raw) {
  const isKept = ([name = '', value = /** @type {any} */ ('')]) =>
    fields[name] && !UNKEPT.includes(fields[name].kind) && !(value instanceof File);
  const input = Object.fromEntries(Object.entries(raw).filter(isKept));
  try {
    const written = JSON.stringify({ ...load(), [slug]: input });
    if (written.length > MOST) return false;
    sessionStorage.setItem(KEY, written);
    return true;
  } catch {
    return false;
  }
}

/** The kept input of a tool. @param {Kept} tool */
export const keptOf = ({ slug, fields, secrets }) =>
  secrets
    ? undefined
    : Object.fromEntries(
        Object.entries(load()?.[slug] ?? {}).filter(([name]) => Object.hasOwn(fields, name)),
      );

/** Keeps the input if keeping is on. @param {Kept} tool @param {Record<string, any>} raw */
export const keep = (tool, raw) => tool.secrets || !load() || store(tool, raw);

/** The button that turns keeping on and off. @param {Kept} tool @param {() => Record<string, any>} raw @param {(sentence: string) => void} say */
export function keepButton(tool, raw, say) {
  const control = iconButton(
    KEEP,
    words.keep,
    () => {
      const isOn = control.getAttribute('aria-pressed') !== 'true';
      if (!isOn) sessionStorage.removeItem(KEY);
      else if (!store(tool, raw())) return say(words.keepsNot);
      control.setAttribute('aria-pressed', String(isOn));
    },
    { 'aria-pressed': String(load() !== undefined) },
  );
  return control;
}
