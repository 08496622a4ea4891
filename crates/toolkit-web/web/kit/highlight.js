//! Colors tokens with the CSS Custom Highlight API, without extra nodes.

const { highlights } = /** @type {any} */ (CSS);

/** @param {string} name */
function setOf(name) {
  const key = `code-${name}`;
  if (!highlights.has(key)) highlights.set(key, new Highlight());
  return highlights.get(key);
}

/** Colors tokens that lie within one text node each. Returns a function that removes the colors. @param {Node} place @param {import('./tokens.js').Token[]} tokens in order */
export function highlight(place, tokens) {
  // With forced colors they would be painted as blocks.
  const isForced = matchMedia('(forced-colors: active)').matches;
  if (!highlights || isForced) return () => {};
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  let node = /** @type {Text | null} */ (walker.nextNode());
  let start = 0;
  const ranges = tokens.flatMap(([name, from, to]) => {
    while (node && from >= start + node.length) {
      start += node.length;
      node = /** @type {Text | null} */ (walker.nextNode());
    }
    if (!node || to > start + node.length) return [];
    const range = new StaticRange({
      startContainer: node,
      startOffset: from - start,
      endContainer: node,
      endOffset: to - start,
    });
    setOf(name).add(range);
    return [[name, range]];
  });
  return () => {
    for (const [name, range] of ranges) setOf(String(name)).delete(range);
  };
}
