//! Data of a curl command: bodies from texts and files, query parts, and form fields.
import { Refusal } from '../../kit/tool.js';

/** @import { FormField, Piece } from './command.js' */

/** @param {string} value @param {(name: string) => string} name @returns {Piece[]} */
export const fileOr = (value, name) =>
  value.startsWith('@') ? [{ file: name(value.slice(1)), lines: true }] : [{ text: value }];

/** RFC 3986 unreserved characters are kept; curl encodes the rest, a space as `+`. @param {string} text */
const encode = (text) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** `content`, `=content`, `name=content`, `@file`, `name@file`. @param {string} value @param {(name: string) => string} name @returns {Piece[]} */
export function urlEncoded(value, name) {
  const at = value.search(/[=@]/);
  if (at < 0) return [{ text: encode(value) }];
  const before = at > 0 ? `${value.slice(0, at)}=` : '';
  const content = value.slice(at + 1);
  if (value[at] === '=') return [{ text: before + encode(content) }];
  return [...(before ? [{ text: before }] : []), { file: name(content), lines: false }];
}

/** One part of a multipart form. @param {string} value @param {boolean} literal @returns {FormField} */
export function formField(value, literal) {
  const at = value.indexOf('=');
  if (at < 0) throw new Refusal(`has the form field "${value.slice(0, 40)}" without "="`);
  const field = {
    name: value.slice(0, at),
    value: value.slice(at + 1),
    file: false,
    inline: false,
    type: '',
    filename: '',
  };
  if (literal) return field;
  const isFile = /^[@<]/.test(field.value);
  const [, content = '', extras = ''] =
    /^((?:"(?:[^"\\]|\\.)*")?(?:[^;]|;(?!\s*(?:type|filename|headers|encoder)=))*)(.*)$/s.exec(
      isFile ? field.value.slice(1) : field.value,
    ) ?? [];
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(content)?.[1];
  field.value = quoted === undefined ? content : quoted.replace(/\\(["\\])/g, '$1');
  field.file = isFile;
  field.inline = value.charAt(at + 1) === '<';
  for (const [, name, text = ''] of extras.matchAll(/;\s*(type|filename)=("[^"]*"|[^;]*)/g))
    field[/** @type {'type'} */ (name)] = text.replaceAll('"', '');
  return field;
}

/** @param {Piece[][]} list @param {string} separator @returns {Piece[] | undefined} */
export function joined(list, separator) {
  if (list.length === 0) return undefined;
  const pieces = list.flatMap((one, index) =>
    index && separator ? [{ text: separator }, ...one] : one,
  );
  /** @type {Piece[]} */
  const merged = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last && 'text' in last && 'text' in piece) last.text += piece.text;
    else merged.push({ ...piece });
  }
  return merged;
}

/** Pieces as one text, files as `@name`. @param {Piece[]} pieces */
export const shown = (pieces) =>
  pieces.map((piece) => ('text' in piece ? piece.text : `@${piece.file}`)).join('');
