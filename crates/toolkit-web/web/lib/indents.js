//! Indents that the pages of formatters offer, and as formatters take them.

export const INDENTS = { 2: '2 spaces', 4: '4 spaces', 8: '8 spaces', tab: 'Tabs' };

/** @param {string} indent */
export const tabs = (indent) => ({
  tabWidth: indent === 'tab' ? 2 : Number(indent),
  useTabs: indent === 'tab',
});
