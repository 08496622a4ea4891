//! Preview of untrusted HTML: sanitized, in a separate document in a sandboxed frame.

import DOMPurify from '../libraries/dompurify.js';

const purify = DOMPurify(window);
const FETCHED = ['src', 'srcset', 'poster', 'background', 'data'];
/** SVG attributes that fetch. Only links may point outside the document. */
const REFERENCES = ['href', 'xlink:href'];
const OWN = /^\s*(?:data:image\/|#)/i;
const LINK = /^(?:a|area)$/i;
/** Whether an address points outside the document. @param {string | null} address */
const leads = (address) => address !== null && !address.startsWith('#');

/** Replaces an element that would fetch with a box that shows its address. @param {Element} node */
function box(node) {
  for (const name of [...FETCHED, ...(LINK.test(node.tagName) ? [] : REFERENCES)]) {
    const address = node.getAttribute?.(name);
    if (!address || OWN.test(address)) continue;
    node.removeAttribute(name);
    const text = document.createElement('span');
    text.className = 'remote';
    text.textContent = [node.getAttribute('alt'), address].filter(Boolean).join(': ');
    node.replaceWith(text);
  }
}

purify.addHook('afterSanitizeAttributes', (/** @type {Element} */ node) => {
  // In the frame, the browser would show an error about a blocked page.
  if (LINK.test(node.tagName) && REFERENCES.some((name) => leads(node.getAttribute(name)))) {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
  for (const { name, value } of [...(node.attributes ?? [])])
    if (name === 'style' || /url\(\s*["']?(?!["'#\s])/i.test(value)) node.removeAttribute(name);
  box(node);
});

/** HTML without anything that runs or fetches. @param {string} html @returns {string} */
export const sanitize = (html) =>
  purify.sanitize(html, {
    FORBID_TAGS: ['style', 'form', 'link', 'meta', 'base', 'iframe'],
    ALLOW_UNKNOWN_PROTOCOLS: false,
  });

/** A blob URL of a document with the HTML. Revoke it when done. @param {string} html */
function documentOf(html) {
  const { assets, theme = '' } = document.documentElement.dataset;
  const style = new URL(`${assets}/style/preview.css`, location.href).href;
  const page = `<!doctype html><html lang="" data-theme="${theme}"><meta charset="utf-8"><link rel="stylesheet" href="${style}"><body>${sanitize(html)}</body></html>`;
  return URL.createObjectURL(new Blob([page], { type: 'text/html' }));
}

/**
 * Shows the HTML in a frame. Scripts cannot reach the frame's document, so to follow a field it is scrolled through
 * the fragment of its URL.
 * @param {HTMLIFrameElement} frame @param {string} html @param {import('./types.d.ts').Follow} [follow]
 * @returns {() => void} cleanup
 */
export function show(frame, html, follow) {
  const source = documentOf(html);
  const field = follow && document.querySelector(`textarea[name="${follow.field}"]`);
  const target = () => {
    if (!field || field.scrollTop === 0) return `${source}#`;
    const share = field.scrollTop / Math.max(1, field.scrollHeight - field.clientHeight);
    const [anchor = ''] = follow.anchors.findLast(([, from]) => from <= share) ?? [];
    return `${source}#${encodeURIComponent(anchor)}`;
  };
  let shown = target();
  frame.src = shown;
  const scrolled = () => {
    const wanted = target();
    if (wanted === shown) return;
    shown = wanted;
    frame.contentWindow?.location.replace(shown);
  };
  field?.addEventListener('scroll', scrolled, { passive: true });
  return () => {
    field?.removeEventListener('scroll', scrolled);
    URL.revokeObjectURL(source);
  };
}
