//! Temporal (ECMA-262): the browser's own, otherwise the polyfill, which is loaded on demand.

/** @typedef {typeof import('../libraries/temporal-polyfill.js').Temporal} TemporalApi */

const native = /** @type {{ Temporal?: TemporalApi }} */ (globalThis).Temporal;

/** @type {TemporalApi} */
export const Temporal = native ?? (await import('../libraries/temporal-polyfill.js')).Temporal;
