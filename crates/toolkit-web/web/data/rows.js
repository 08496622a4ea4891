//! Tables that are written as a text.

/** The parts of each row. @param {string} table @param {string} mark between the parts */
export const rowsOf = (table, mark) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split(mark));
