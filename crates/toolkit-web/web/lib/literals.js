//! Texts as string literals of programming languages, escaped so that nothing is read as code.

/** JSON escapes, which JavaScript, Python, Go, Java and C# share. @param {string} text */
export const json = (text) =>
  JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, escapedUnit);

/** @param {string} character */
const escapedUnit = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Java and Kotlin don't share `\f` and `\b`. Kotlin reads `$` as a template. @param {string} text */
export const kotlin = (text) => json(text).replaceAll('\\f', '\\u000c').replaceAll('$', '\\$');

/** `\u{…}` for control characters: Rust and Swift. @param {string} text */
export const braced = (text) =>
  `"${text
    .toWellFormed()
    .replace(/[\\"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(/\p{Cc}/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)}"`;

/** Single quotes with two escapes: PHP and Ruby. @param {string} text */
export const single = (text) => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** PowerShell also reads typographic quotes as quotes. @param {string} text */
export const powershell = (text) => `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;

/** POSIX shell. @param {string} text */
export const shell = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
