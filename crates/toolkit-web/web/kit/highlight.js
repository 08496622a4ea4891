//! Colors of tokens in a text, by the CSS Custom Highlight API: the text itself stays one node.

const { highlights } = /** @type {any} */ (CSS);

/** @param {string} name */
function setOf(name) {
  const key = `code-${name}`;
  if (!highlights.has(key)) highlights.set(key, new Highlight());
  return highlights.get(key);
}

/** Colors a text node; returns what takes the colors away. @param {Node | null} node @param {import('./tokens.js').Token[]} tokens */
export function highlight(node, tokens) {
  // Where colors are forced they would be blocks.
  const isForced = matchMedia('(forced-colors: active)').matches;
  if (!highlights || isForced || !(node instanceof Text)) return () => {};
  const ranges = tokens.map(([name, from, to]) => {
    const range = new StaticRange({
      startContainer: node,
      startOffset: from,
      endContainer: node,
      endOffset: to,
    });
    setOf(name).add(range);
    return [name, range];
  });
  return () => {
    for (const [name, range] of ranges) setOf(String(name)).delete(range);
  };
}
