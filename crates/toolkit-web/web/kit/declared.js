//! The labels, choices and examples that tools declare, by slug, for search. The build puts them here; without Node there
//! are none.

/** @type {Record<string, string>} */
export const DECLARED = {};
