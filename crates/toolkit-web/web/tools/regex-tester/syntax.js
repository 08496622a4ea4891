//! The cheat sheet.
import { SINGLE } from './explain.js';

/** Notations and their meanings. @type {Record<string, string>} */
export const SYNTAX = {
  ...SINGLE,
  '[a-z_]': 'one of these characters',
  '[^a-z]': 'a character, but none of these',
  '\\p{L}': 'a character of a Unicode class, with u or v',
  '[\\w--\\d]': 'all of these but those, with v',
  'a|b': 'a or b',
  'a?': 'a or nothing',
  'a*': 'a any number of times',
  'a+': 'a once or more',
  'a{2,4}': 'a 2 to 4 times',
  'a+?': 'as few as possible',
  '(…)': 'a group, by its number',
  '(?<name>…)': 'a group, by its name',
  '(?:…)': 'together, without a group',
  '\\1, \\k<name>': 'the text of a group again',
  '(?=…), (?!…)': 'followed by, not followed by',
  '(?<=…), (?<!…)': 'preceded by, not preceded by',
  '(?i:…)': 'with a flag',
};
