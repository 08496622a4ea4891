//! Detectors of single values: times, addresses, colors, identifiers, tokens. Each returns the kinds
//! that a text may be, with a certainty from 0 to 1.

import { COLOR_NAMES } from '../../data/color-names.js';
import { attempt } from '../../kit/tool.js';

/** @typedef {[kind: string, certainty: number]} Guess */
/** @typedef {(text: string) => Guess[] | undefined} Detector text: without white space around it */

/** @param {string} part of a token */
const jsonPart = (part) =>
  attempt(() => JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))));

/** @type {Detector} */
function token(text) {
  const [, bare = ''] =
    /^(?:(?:authorization:\s*)?bearer\s)?\s*["']?(.*?)["']?$/is.exec(text) ?? [];
  const joined = bare.replace(/(?<!\s)\s*\n\s*/g, '');
  if (!/^[\w-]+(?:\.[\w-]*){2,4}$/.test(joined)) {
    const [inner] = /(?<![\w.-])eyJ[\w-]{5,}(?=\.eyJ[\w-]+\.[\w-]*(?![\w.-]))/.exec(text) ?? [];
    return inner && jsonPart(inner) ? [['token', 0.7]] : undefined;
  }
  const parts = joined.split('.');
  const header = jsonPart(parts[0] ?? '');
  if (typeof header !== 'object' || header === null) return undefined;
  if (parts.length === 3 && ('alg' in header || 'typ' in header)) return [['jwt', 1]];
  if (parts.length !== 5) return undefined;
  return [[String(header.alg).startsWith('PBES2') ? 'encrypted' : 'jwe', 1]];
}

/** @type {Detector} */
function pem(text) {
  if (/^ssh-(?:rsa|ed25519) AAAA/.test(text)) return [['publicKey', 0.98]];
  const [, label = ''] = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text) ?? [];
  if (/CERTIFICATE|CRL|PKCS7|CMS/.test(label)) return [['certificate', 1]];
  if (/PRIVATE KEY/.test(label)) return [['privateKey', 1]];
  return /PUBLIC KEY/.test(label) ? [['publicKey', 1]] : undefined;
}

/** @type {Detector} */
const otpauth = (text) =>
  /^otpauth(?:-migration)?:\/\//i.test(text) ? [['otpauth', 1]] : undefined;
/** @type {Detector} */
const bcrypt = (text) =>
  /^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/.test(text) ? [['bcrypt', 1]] : undefined;

const UUID = /^(?:urn:uuid:)?\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i;
/** @type {Detector} */
function identifier(text) {
  const lines = text.split(/\s+/);
  if (lines.every((line) => UUID.test(line))) return [['uuid', 0.98]];
  const isUlid = (/** @type {string} */ one) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(one);
  if (!lines.every(isUlid) || !/\d/.test(text)) return undefined;
  return [['ulid', lines.every((line) => line.startsWith('0')) ? 0.97 : 0.5]];
}

/** Range of plausible Unix times, 1996 to 2055, in any unit. */
const [MIDDLE, HALF] = [1.76e9, 0.94e9];
/** HTTP statuses. 100 and 250 are left out, because they are usually something else. */
const STATUS = /^(?:20[0-8]|226|30[0-8]|4(?:0\d|1[0-8]|2[1-689]|31|51)|5(?:0\d|1[01]))$/;
/** @type {Detector} */
function epoch(text) {
  if (STATUS.test(text)) return [['status', 0.8]];
  const lines = text.split('\n').map((line) => line.trim());
  if (!lines.every((line) => /^-?\d{9,19}(?:\.\d+)?$/.test(line))) return undefined;
  const isNear = (/** @type {string} */ line) =>
    [1, 1e3, 1e6, 1e9].some((by) => Math.abs(Math.abs(Number(line)) / by - MIDDLE) <= HALF);
  return [['epoch', lines.every(isNear) ? 0.95 : 0.4]];
}

/** @param {string} text whether its digits are a day that exists */
function isDay(text) {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}
const CLOCK = String.raw`\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?`;
const ISO = new RegExp(
  String.raw`^\d{4}-\d\d-\d\d[Tt ]${CLOCK}\s?(?:Z|z|UTC|[+-]\d\d:?\d\d)?(?:\[.*\])?$`,
);
/** RFC 2822, RFC 850 and C's `asctime`. */
const MAIL =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,? +)?(?:\d{1,2}[ -])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*[ -]+(?:(?:\d\d)?\d\d \d\d:\d\d\S*|\d{1,2} \d\d:\d\d:\d\d \d{4})(?: [+-]\d{4}| [A-Z]{1,4})?$/;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const NTH = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const HOURS = String.raw`\d{1,2}(?:(?::\d\d){1,2}(?:\s?[ap]\.?m\.?)?|\s?[ap]\.?m\.?)`;
const PLACE = String.raw`(?:\s(?:in\s)?[a-z][\w/+-]*(?:\s[a-z]+){0,2})?`;
/** Dates and times of day as people write them. */
const WRITTEN = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s)?(?:${NTH}[ .-]\s?${MONTH},?[ -]\d{4}|${MONTH}\s${NTH},?\s\d{4}|\d\d?([/.])\d\d?\1\d{4}|\d{4}/\d\d?/\d\d?)(?:,?\s(?:at\s)?${HOURS}${PLACE})?$`,
  'i',
);
const SPOKEN = new RegExp(
  String.raw`^(?:(?:yesterday|today|tomorrow|(?:on )?(?:sun|mon|tues|wednes|thurs|fri|satur)day),?\s(?:at\s)?${HOURS}${PLACE}|\d{1,2}(?::\d\d)?\s?[ap]\.?m\.?${PLACE}|\d{1,2}:\d\d${PLACE.slice(0, -1)})$`,
  'i',
);
const ASKED =
  /^(?:what(?:.s| is)?|current|local|the)\b[a-z' ]{0,24}\btime\b[a-z' ]{0,16}\bin\s\p{L}[\p{L} .'-]{1,30}\??$/iu;
/** ISO 8601 basic format and week dates. */
const COMPACT = /^(?:\d{8}T\d{4}(?:\d\d)?(?:Z|[+-]\d{4})?|\d{4}-W[0-5]\d-[1-7])$/;
/** @type {Detector} */
function time(text) {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return isDay(text) ? [['date', 0.95]] : undefined;
  if (ISO.test(text)) return isDay(text) ? [['dateTime', 0.97]] : undefined;
  if (MAIL.test(text)) return [['dateTime', 0.95]];
  if (WRITTEN.test(text)) return [['dateTime', 0.93]];
  if (SPOKEN.test(text)) return [['clock', 0.85]];
  if (ASKED.test(text)) return [['timeIn', 0.9]];
  if (COMPACT.test(text)) return [[text.includes('W') ? 'date' : 'dateTime', 0.93]];
  const zones =
    /^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[\w/+-]+$/;
  return zones.test(text) ? [['zone', 0.9]] : undefined;
}

const UNIT =
  '(?:ns|µs|us|ms|s|sec|secs|seconds?|m|min|mins|minutes?|h|hrs?|hours?|d|days?|w|weeks?)';
const DURATIONS = new RegExp(
  String.raw`^-?(?:\d+(?:\.\d+)?\s?${UNIT}(?:,\s*|\s+and\s+|\s*))+$`,
  'i',
);
/** @type {Detector} */
function duration(text) {
  if (/^[+-]?P(?=.)(?:\d+[YMWD])*(?:T(?:\d+(?:[.,]\d+)?[HMS])+)?$/.test(text))
    return [['duration', 0.95]];
  if (/^\d{1,3}:\d\d:\d\d(?:\.\d+)?$/.test(text)) return [['duration', 0.7]];
  return DURATIONS.test(text) ? [['duration', 0.9]] : undefined;
}

const NAMES = '(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)';
const PART = String.raw`(?:\*|\?|L|(?:\d{1,2}|${NAMES})(?:[LW#]\d?|-(?:\d{1,2}|${NAMES}))?)(?:/\d+)?`;
const FIELD = `${PART}(?:,${PART})*`;
const CRON = new RegExp(String.raw`^${FIELD}(?:\s+${FIELD}){4}(?=\s|$)`, 'i');
/** @type {Detector} */
function cron(text) {
  if (/^@(?:hourly|daily|midnight|weekly|monthly|yearly|annually|reboot)$/.test(text))
    return [['cron', 1]];
  const [fields = ''] = CRON.exec(text) ?? [];
  if (!fields || text.includes('\n')) return undefined;
  const [minute = '', hour = ''] = fields.split(/\s+/);
  const high = (/** @type {string} */ field, /** @type {number} */ most) =>
    (field.match(/\d+/g) ?? []).some((digits) => Number(digits) > most);
  if (high(minute, 59) || high(hour, 59)) return undefined;
  if (!/[*?]/.test(fields)) return [['cron', 0.45]];
  return [['cron', fields === text ? 0.97 : 0.85]];
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const V4 = `${OCTET}(?:\\.${OCTET}){3}`;
const V6 = String.raw`(?=[\da-f:.]*:[\da-f:.]*:)(?:[\da-f]{0,4}:){2,7}(?:[\da-f]{0,4}|${V4})`;
const ADDRESS = new RegExp(`^(?:${V4}|${V6})(?:%\\w+)?$`, 'i');
const BLOCK = new RegExp(
  `^(?:(${V4})(?:/(?:3[0-2]|[12]?\\d)|/${V4})|(${V6})/(?:12[0-8]|1[01]\\d|\\d?\\d))$`,
  'i',
);
/** Not a clock time or a MAC address. @param {string} text */
const isSix = (text) => !text.includes(':') || text.includes('::') || text.split(':').length === 8;
/** @type {Detector} */
function address(text) {
  if (BLOCK.test(text) && isSix(text)) return [['cidr', 0.98]];
  return ADDRESS.test(text) && isSix(text) ? [['ip', 0.97]] : undefined;
}

/** @type {Detector} */
function color(text) {
  if (/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text)) return [['color', 0.97]];
  if (/^(?:repeating-)?(?:linear|radial|conic)-gradient\(.*\)$/is.test(text))
    return [['gradient', 1]];
  if (/^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()\n]*\)$/i.test(text))
    return [['color', 0.98]];
  if (/^[a-z]+$/i.test(text) && COLOR_NAMES.has(text.toLowerCase())) return [['color', 0.8]];
  return /^(?=.*\d)(?=.*[a-f])[\da-f]{6}$/i.test(text) ? [['color', 0.7]] : undefined;
}

/** @type {Detector} */
function url(text) {
  const isOne = !/\s/.test(text);
  if (/^data:image\//i.test(text) || /^<img\b[^<>]*\bsrc=["']data:image\/[^<>]*>$/i.test(text))
    return [['dataImage', 1]];
  if (/^data:[\w.+/-]*(?:;[\w=.+"-]+)*,/i.test(text)) return [['dataUrl', 0.98]];
  if (!isOne) return undefined;
  if (/^(?:https?|ftp|wss?|file|ssh|git|ipfs|\w+(?:\+\w+)?):\/\/[^\s/]?\S*$/i.test(text))
    return [['url', 0.96]];
  if (/^mailto:\S+@/i.test(text)) return [['url', 0.8]];
  if (/(?:^|\.)xn--[a-z0-9-]+/i.test(text) && /^[\w.*-]+$/.test(text)) return [['punycode', 0.96]];
  if (/^(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?[/?#]\S*$/i.test(text))
    return [['url', 0.8]];
  if (/^www\.\S+\.[a-z]{2,}$/i.test(text)) return [['url', 0.8]];
  const host = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}$/u.test(text);
  if (host && /[^\p{ASCII}]/u.test(text)) return [['domain', 0.9]];
  if (/^\??[\w.~%[\]-]+=[^\s=]*(?:&[\w.~%[\]-]+=[^\s=]*)+$/.test(text)) return [['query', 0.85]];
  return undefined;
}

/** @type {Detector} */
function words(text) {
  if (/^(?:HTTP\/[\d.]+ )?[1-5]\d\d [A-Z][A-Za-z' -]{1,40}$/.test(text)) return [['status', 0.85]];
  if (/^(?:user-agent:\s*)?Mozilla\/\d\.\d\b/i.test(text)) return [['userAgent', 0.98]];
  if (
    /^(?:user-agent:\s*)?(?:curl|Wget|okhttp|python-requests|PostmanRuntime|Googlebot|Go-http-client|Opera|axios|node-fetch|Dalvik)\/\d/i.test(
      text,
    )
  )
    return [['userAgent', 0.93]];
  if (
    /^\$?\s*curl(?:\.exe)?\s/.test(text) &&
    /\s-{1,2}\w|\/\/|\s[\w-]+\.[a-z]{2,}(?:[/\s]|$)/i.test(text)
  )
    return [['curl', 0.98]];
  if (
    /^\$(?:$|\.{1,2}(?:[a-z_*]|\[)|\[['"\d*?:-])/i.test(text) &&
    !/\(\{|;|\(function|\n/.test(text)
  )
    return [['jsonpath', /^\$$/.test(text) ? 0.5 : 0.95]];
  if (/^\/(?=.*[\\^$*+?()[\]|]).+\/[dgimsuvxy]*$/.test(text) && !/^\/[/*]/.test(text))
    return [['regex', 0.9]];
  if (/^\^.*\$$/.test(text) && /[\\[(+*]/.test(text) && !text.includes('\n'))
    return [['regex', 0.85]];
  return undefined;
}

/** @type {Detector[]} */
export const VALUES = [
  token,
  pem,
  otpauth,
  bcrypt,
  identifier,
  epoch,
  time,
  duration,
  cron,
  address,
  color,
  url,
  words,
];
