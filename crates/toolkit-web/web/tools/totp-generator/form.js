//! The form of one-time codes: secrets in three notations, moments, links, codes to check.
import { refuse } from '../../kit/tool.js';
import { fromHex, toUtf8 } from '../../lib/bytes.js';
import { readKeyUri, secretFromBase32 } from '../../lib/otp.js';
import { inField } from '../../lib/positions.js';
import { isMigration, readMigration } from './migration.js';

/** @param {string} text @param {'base32' | 'hex' | 'text'} format */
export function secretBytes(text, format) {
  if (format === 'text') return toUtf8(text);
  return inField('secret', text, () => (format === 'hex' ? fromHex(text) : secretFromBase32(text)));
}

/** @param {string} text @param {Date} now */
export function secondsOf(text, now) {
  const trimmed = text.trim();
  if (trimmed === '') return Math.floor(now.getTime() / 1000);
  // Engines differ in how they read other texts: "-5" as a month of 2001.
  const isDate = /^[+-]?\d{4,6}-\d\d/.test(trimmed);
  const seconds = /^-?\d{1,12}$/.test(trimmed)
    ? Number(trimmed)
    : Date.parse(isDate ? trimmed : '') / 1000;
  const hint = 'Write Unix seconds such as 1700000000, or 2023-11-14T22:13:20Z.';
  if (Number.isNaN(seconds)) refuse('at', `"${trimmed}" is not a moment`, { hint });
  if (seconds < 0) refuse('at', `"${trimmed}" is before 1970, where TOTP has no codes`, { hint });
  return Math.floor(seconds);
}

/** @param {number} seconds */
export const utc = (seconds) => new Date(seconds * 1000).toISOString().replace('.000', '');

/** The form that a link fills in. An export of several accounts stays as it is. @param {string} link */
export function formOf(link) {
  const { first, others } = isMigration(link)
    ? readMigration(link)
    : { first: readKeyUri(link), others: [] };
  const format = /** @type {const} */ ('base32');
  return others.length > 0 ? { secret: link.trim(), format } : { ...first, format };
}

/** @param {string} typed @param {number} step @param {number} window @param {number} digits @param {(step: number) => string} codeOf */
export function checkCode(typed, step, window, digits, codeOf) {
  const isSteam = digits === 5;
  const plain = typed.replace(/[\s-]/g, '');
  const code = isSteam ? plain.toUpperCase() : plain;
  const wrong = (isSteam ? /[^A-Z\d]/ : /\D/).exec(code);
  if (wrong)
    refuse('check', `has the character ${JSON.stringify(wrong[0])}, which is not a digit`, {
      offset: typed.indexOf(wrong[0]),
    });
  if (code.length !== digits) refuse('check', `has ${code.length} digits; codes have ${digits}`);
  const steps = Array.from(
    { length: 2 * window + 1 },
    (_, index) => (index % 2 ? -1 : 1) * Math.ceil(index / 2),
  );
  const offset = steps.find((offset) => step + offset >= 0 && codeOf(step + offset) === code);
  if (offset === undefined) return 'Not valid within the accepted clock drift.';
  const [count, which] = [Math.abs(offset), offset < 0 ? 'earlier' : 'later'];
  return `Valid: ${offset === 0 ? 'the current code' : `${count} ${count === 1 ? 'step' : 'steps'} ${which}`}.`;
}
