//! What a person enters into a page, and what the page answers: the shape of tests/refusals.js of a tool.

/** @typedef {{ name: string, mimeType: string, buffer: Buffer }} Upload */
/**
 * By the name of the control: what is typed, the words of the option, whether it is ticked, or files.
 * @typedef {Record<string, string | boolean | Upload>} Values
 * @typedef {{ values: Values, field: string, says: RegExp, press: string }} Bad `press`: the button to press, in place of Ctrl+Enter
 * @typedef {{ good: Values, shows: RegExp, bad: Bad[], fewer?: string }} Row `fewer`: why less than three can be refused
 */

/**
 * Bad input: the field that is refused, what is entered instead of the good input, and the refusal.
 * @param {string} field @param {string | Upload | Values} entered into that field, or into several @param {RegExp} says
 * @param {string} [press] a button, in place of Ctrl+Enter
 * @returns {Bad}
 */
export const bad = (field, entered, says, press = '') => ({
  field,
  says,
  press,
  values:
    typeof entered === 'string' || Buffer.isBuffer(entered.buffer)
      ? { [field]: /** @type {string | Upload} */ (entered) }
      : /** @type {Values} */ (entered),
});

/** A file to choose. @param {string} name @param {string | Uint8Array | number[] | number} content a number: so many letters @param {string} [mimeType] @returns {Upload} */
export const upload = (name, content, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer:
    typeof content === 'number'
      ? Buffer.alloc(content, 'a')
      : Buffer.from(/** @type {string} */ (content)),
});
