//! Fields, outputs and refusals of tool files. Types: types.d.ts.

/** @import * as T from './types.d.ts' */

/**
 * Declares a tool; `values` in `run` is typed from `fields`.
 * @template {T.Fields} const F
 * @param {T.Tool<F>} definition
 * @returns {T.Tool<F>}
 */
export const tool = (definition) => definition;

/**
 * Text of several lines, or a file: `{ string, bytes, empty, file }`.
 * @param {string} label @param {T.TextOptions} [options] @returns {T.Field<T.TextValue>}
 */
export const text = (label, options) => ({ kind: 'text', label, ...options });
/** @param {string} label @param {T.LineOptions} [options] @returns {T.Field<string>} */
export const line = (label, options) => ({ kind: 'line', label, ...options });
/** @param {string} label @param {T.LineOptions} [options] @returns {T.Field<string>} */
export const secret = (label, options) => ({ kind: 'secret', label, ...options });
/**
 * One of several keys; `choices` maps key to label.
 * @template {string} const K
 * @param {string} label @param {Record<K, string>} choices @param {T.ChoiceOptions<K>} [options]
 * @returns {T.Field<K>}
 */
export const choice = (label, choices, options) => ({ kind: 'choice', label, choices, ...options });
/** @param {string} label @param {T.ToggleOptions} [options] @returns {T.Field<boolean>} */
export const toggle = (label, options) => ({ kind: 'toggle', label, ...options });
/**
 * A number; `null` when it is empty and has no default.
 * @template {T.NumberOptions} const O
 * @param {string} label @param {O} [options]
 * @returns {T.Field<O extends { value: number } ? number : number | null>}
 */
export const number = (label, options) => ({ kind: 'number', label, ...options });
/** @param {string} label @param {T.FileOptions} [options] @returns {T.Field<T.FileValue | null>} */
export const file = (label, options) => ({ kind: 'file', label, ...options });
/** @param {string} label @param {T.FilesOptions} [options] @returns {T.Field<T.FileValue[]>} */
export const files = (label, options) => ({ kind: 'files', label, ...options });
/** @param {string} label @param {T.ColorOptions} [options] @returns {T.Field<string>} */
export const color = (label, options) => ({ kind: 'color', label, ...options });
/** `YYYY-MM-DD`, or empty. @param {string} label @param {T.LineOptions} [options] @returns {T.Field<string>} */
export const date = (label, options) => ({ kind: 'date', label, ...options });
/** `HH:MM` or `HH:MM:SS`, or empty. @param {string} label @param {T.LineOptions} [options] @returns {T.Field<string>} */
export const time = (label, options) => ({ kind: 'time', label, ...options });
/** @param {string} label @param {T.LineOptions} [options] @returns {T.Field<string>} */
export const zone = (label, options) => ({ kind: 'zone', label, ...options });
/**
 * Rows of the same columns; each column is a field of one line.
 * @template {T.Fields} const C
 * @param {string} label @param {C} columns @param {T.RowsOptions<T.Values<C>>} [options]
 * @returns {T.Field<T.Values<C>[]>}
 */
export const rows = (label, columns, options) => ({ kind: 'rows', label, columns, ...options });

/**
 * Fields of one group, with its name.
 * @template {T.Fields} const F
 * @param {string} name @param {F} fields @returns {F}
 */
export const group = (name, fields) =>
  /** @type {any} */ (
    Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, { ...field, group: name }]),
    )
  );

/** @param {string} text @param {Omit<T.TextOutput, 'kind' | 'text'>} [options] @returns {T.TextOutput} */
export const textOutput = (text, options) => ({ kind: 'text', text, ...options });
/** @param {readonly string[]} columns @param {readonly (readonly T.Cell[])[]} rows @param {Omit<T.TableOutput, 'kind' | 'columns' | 'rows'>} [options] @returns {T.TableOutput} */
export const table = (columns, rows, options) => ({ kind: 'table', columns, rows, ...options });
/** @param {readonly (readonly T.Cell[])[]} rows each a name and a value @param {Omit<T.PairsOutput, 'kind' | 'pairs'>} [options] @returns {T.PairsOutput} */
export const pairs = (rows, options) => ({
  kind: 'pairs',
  pairs: /** @type {T.PairsOutput['pairs']} */ (rows),
  ...options,
});
/** @param {readonly string[]} items @param {Omit<T.ListOutput, 'kind' | 'items'>} [options] @returns {T.ListOutput} */
export const list = (items, options) => ({ kind: 'list', items, ...options });
/** @param {string | Uint8Array | Blob} data @param {{ alt: string, file?: string, type?: string, before?: T.Before | undefined }} options @returns {T.PictureOutput} */
export const picture = (data, options) => ({
  kind: 'picture',
  data,
  type: data instanceof Blob ? data.type : 'image/svg+xml',
  ...options,
});
/** Whether an SVG may repeat elements by reference, also one written with escapes. SVGs that tools make from values alone don't. @param {unknown} svg text, or bytes that have not been decoded */
export const mayRepeat = (svg) => typeof svg !== 'string' || /url\(|href|data:|<!|&#|\\/i.test(svg);
/** HTML, which the page sanitizes. @param {string} html @param {T.Follow} [follow] @returns {T.PreviewOutput} */
export const preview = (html, follow) => ({ kind: 'preview', html, ...(follow && { follow }) });
/** @param {readonly T.Swatch[]} swatches @returns {T.SwatchesOutput} */
export const swatches = (swatches) => ({ kind: 'swatches', swatches });
/** @param {Uint8Array | Blob} data @param {{ file: string, type?: string }} options @returns {T.DownloadOutput} */
export const download = (data, options) => ({
  kind: 'download',
  data,
  type: 'application/octet-stream',
  ...options,
});
/** The answer, shown large. An output named `headline` comes first. @param {string} text @param {Omit<T.HeadlineOutput, 'kind' | 'text'>} [options] @returns {T.HeadlineOutput} */
export const headline = (text, options) => ({ kind: 'headline', text, ...options });
/** An automatic decision, and how to change it. An output named `took`, shown in the head of the result. @param {string} text @param {T.TookOutput['back']} [back] @returns {T.TookOutput} */
export const took = (text, back) => ({ kind: 'took', text, back });
/** Data for web/tools/<slug>/view.js. @param {unknown} data @returns {T.ViewOutput} */
export const view = (data) => ({ kind: 'view', data });

/**
 * An error in an input. The offence is the predicate of a sentence ("has an odd number of digits"),
 * or a sentence that begins with a capital or a quote.
 */
export class Refusal extends Error {
  /** @type {string | undefined} the field, which `inField` or `refuse` adds */
  field;
  /** @param {string} offence @param {T.Position & { at?: number }} [position] `at`: a UTF-16 index, for `inField` */
  constructor(offence, position = {}) {
    super(offence);
    this.name = 'Refusal';
    this.position = position;
  }
}

/**
 * Refuses the input of a field.
 * @param {string} field @param {string} offence @param {T.Position} [position]
 * @returns {never}
 */
export function refuse(field, offence, position) {
  const refusal = new Refusal(offence, position);
  refusal.field = field;
  throw refusal;
}

/** The result of `make`, or undefined if it throws. @template T @param {() => T} make */
export function attempt(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Kinds of field that are not put into links and not kept. */
export const UNKEPT = ['secret', 'file', 'files'];

/** The initial value of a field, as a form holds it. @param {T.Field} field */
export function initial({ kind, value, choices }) {
  if (value !== undefined) return value;
  if (kind === 'choice') return Object.keys(choices)[0];
  if (kind === 'toggle') return false;
  if (kind === 'number' || kind === 'file') return null;
  return kind === 'rows' || kind === 'files' ? [] : '';
}

/** Whether a field is shown for these raw values. @param {T.Field} field @param {Record<string, unknown>} raw */
export const shown = ({ when = {} }, raw) =>
  Object.entries(/** @type {T.When} */ (when)).every(([name, wanted]) =>
    /** @type {unknown[]} */ ([wanted].flat()).includes(raw[name]),
  );
