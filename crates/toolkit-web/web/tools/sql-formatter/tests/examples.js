//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A PostgreSQL function on one line': {
    output: 'CREATE FUNCTION f (a int)RETURNS int AS $$ SELECT  a $$ LANGUAGE sql;',
  },
};
