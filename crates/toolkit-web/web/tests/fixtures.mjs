//! Fixtures of the tests in Chromium: a server and a browser for each file, or for each `describe`.
import { after, before } from 'node:test';
import { launch, open, serve } from './chromium.mjs';

/** @typedef {Awaited<ReturnType<typeof serve>>} Server */
/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {Parameters<typeof open>[1]} Options */

/** Runs a server during the tests of the file or `describe`; read its members only inside tests. @param {Parameters<typeof serve>[0]} [options] */
export function useServer(options) {
  const server = /** @type {Server} */ ({});
  before(async () => {
    Object.assign(server, await serve(options));
  });
  after(() => server.stop?.());
  return server;
}

/** Runs a browser during the tests of the file or `describe`. @param {string[]} [flags] */
export function useBrowser(flags) {
  /** @type {Browser} */
  let browser;
  before(async () => {
    browser = await launch(flags);
  });
  after(() => browser?.close());
  return {
    /** A page that records the browser's messages and requests. @param {Options} [options] */
    open: (options) => open(browser, options),
    /** A blank page without a policy. */
    newPage: () => browser.newPage(),
  };
}

const only = process.env.TOOLKIT_PAGES?.split(',');
/** Whether a tool is selected: TOOLKIT_PAGES lists the slugs to test, separated by commas. @param {string} slug */
export const isWanted = (slug) => !only || only.includes(slug);
