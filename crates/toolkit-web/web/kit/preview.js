//! Preview of foreign HTML: sanitised, then a document of its own in a frame without rights.

import DOMPurify from '../libraries/dompurify.js';

const purify = DOMPurify(window);
const REMOTE = /^\s*(?!data:image\/)/i;

/** What would be fetched becomes a box with its address. @param {Element} node */
function box(node) {
  for (const name of ['src', 'srcset', 'poster', 'background', 'data']) {
    const address = node.getAttribute?.(name);
    if (!address || !REMOTE.test(address)) continue;
    node.removeAttribute(name);
    const text = document.createElement('span');
    text.className = 'remote';
    text.textContent = [node.getAttribute('alt'), address].filter(Boolean).join(': ');
    node.replaceWith(text);
  }
}

purify.addHook('afterSanitizeAttributes', (/** @type {Element} */ node) => {
  if (node.hasAttribute?.('href') && /^(a|area)$/i.test(node.tagName))
    node.setAttribute('rel', 'noreferrer');
  node.removeAttribute?.('style');
  box(node);
});

/** HTML without anything that acts or is fetched. @param {string} html @returns {string} */
export const sanitize = (html) =>
  purify.sanitize(html, {
    FORBID_TAGS: ['style', 'form', 'link', 'meta', 'base', 'iframe'],
    ALLOW_UNKNOWN_PROTOCOLS: false,
  });

/** The address of a document that shows the HTML; revoke it when it is replaced. @param {string} html */
export function documentOf(html) {
  const { assets, theme = '' } = document.documentElement.dataset;
  const style = new URL(`${assets}/style/preview.css`, location.href).href;
  const page = `<!doctype html><html lang="" data-theme="${theme}"><meta charset="utf-8"><link rel="stylesheet" href="${style}"><body>${sanitize(html)}</body></html>`;
  return URL.createObjectURL(new Blob([page], { type: 'text/html' }));
}
