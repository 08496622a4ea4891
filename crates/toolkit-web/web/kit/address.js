//! Documentation of a server that has no `public.base_url`: the address that was asked, where it says its own.

/** @param {HTMLElement} main @param {string} own address that the server has written */
export function showAsked(main, own) {
  const asked = (/** @type {string} */ text) => text.replaceAll(own, location.origin);
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    node.nodeValue = asked(node.nodeValue ?? '');
  // Links that open a client carry its settings: VS Code's as JSON, Cursor's as that in Base64.
  for (const link of main.querySelectorAll('a')) {
    const [before, config] = link.href.split('config=');
    link.href = config
      ? `${before}config=${encodeURIComponent(btoa(asked(atob(decodeURIComponent(config)))))}`
      : link.href.replaceAll(encodeURIComponent(own), encodeURIComponent(location.origin));
  }
}
