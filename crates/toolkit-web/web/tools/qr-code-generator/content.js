//! Content of a QR code, by the kind chosen in the form.

import { refuse } from '../../kit/tool.js';
import { event, geo, mailto, sms, tel, vcard, wifi } from './payloads.js';

/** @param {any} values of the form @returns {string} the text of the code; empty while nothing was entered */
export function payload({ kind, link, text, number, ...values }) {
  if (kind === 'text') return text.string;
  if (kind === 'link') return link.trim();
  if (kind === 'wifi') return values.ssid && wifi(values);
  if (kind === 'vcard') return values.name && vcard({ ...values, phone: number });
  if (kind === 'email') return values.to && mailto({ ...values, body: text.string });
  if (kind === 'sms') return number && sms(number, text.string);
  if (kind === 'phone') return number && tel(number);
  if (kind === 'event') return values.date && event(values);
  if (values.latitude === null || values.longitude === null) return '';
  return geo(values.latitude, values.longitude);
}

/** Refuses dates, times, numbers, names and passwords that no scanner accepts. @param {any} values */
export function check({ kind, date, from, until, ssid, security, password, number }) {
  const octets = new TextEncoder().encode(ssid).length;
  if (kind === 'wifi' && octets > 32)
    refuse('ssid', `has ${octets} bytes`, { hint: 'Network names have at most 32.' });
  if (
    /^(sms|phone)$/.test(kind) &&
    number &&
    !(/^\+?[\d\s()./*#;=,pw-]+$/i.test(number) && /\d/.test(number))
  )
    refuse('number', `is "${number}"`, { hint: 'Write a phone number as +43 1 23456.' });
  // Engines read the 31st of a shorter month as the first of the next.
  const isDate =
    /^\d{4}-\d\d-\d\d$/.test(date) &&
    new Date(`${date}T00:00Z`).getUTCDate() === Number(date.slice(-2));
  if (kind === 'event' && date && !isDate)
    refuse('date', `does not exist: "${date}"`, {
      hint: 'Write a date as 2026-11-22.',
    });
  for (const [field, value] of kind === 'event' ? Object.entries({ from, until }) : [])
    if (value && !/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value))
      refuse(field, `is "${value}"`, { hint: 'Write a time as 18:30.' });
  if (
    kind === 'wifi' &&
    security === 'WPA' &&
    password &&
    !/^(.{8,63}|[0-9a-f]{64})$/is.test(password)
  )
    refuse('password', `has ${password.length} characters`, {
      hint: 'WPA passwords have 8 to 63.',
    });
}
