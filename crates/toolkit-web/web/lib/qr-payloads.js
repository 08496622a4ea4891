//! Texts that readers of QR codes know: Wi-Fi, vCard 4 (RFC 6350), mailto (RFC 6068), SMS, tel, geo
//! (RFC 5870) and events (RFC 5545).

/** `\ ; , : "` with a backslash before them, as Wi-Fi codes want it. @param {string} text */
const wifiEscape = (text) => text.replace(/[\\;,:"]/g, '\\$&');

/** Backslashes, commas, semicolons and line ends of a vCard or event. @param {string} text */
const vEscape = (text) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\n|\r/g, '\\n');

/** @param {{ ssid: string, security: string, password: string, hidden: boolean }} network */
export function wifi({ ssid, security, password, hidden }) {
  const open = security === 'nopass';
  const parts = [`T:${security}`, `S:${wifiEscape(ssid)}`];
  if (!open) parts.push(`P:${wifiEscape(password)}`);
  if (hidden) parts.push('H:true');
  return `WIFI:${parts.join(';')};;`;
}

/** Lines with their names, without the empty ones. @param {[string, string][]} lines */
const content = (lines) =>
  lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}:${value}\r\n`);

/** @param {{ name: string, organization: string, role: string, phone: string, email: string, url: string, address: string }} person */
export function vcard({ name, organization, role, phone, email, url, address }) {
  const [, first = '', last = name] = /^(.*)\s(\S+)$/.exec(name) ?? [];
  return [
    'BEGIN:VCARD\r\nVERSION:4.0\r\n',
    ...content([
      ['FN', vEscape(name)],
      ['N', `${vEscape(last)};${vEscape(first)};;;`],
      ['ORG', vEscape(organization)],
      ['TITLE', vEscape(role)],
      ['TEL', vEscape(phone)],
      ['EMAIL', vEscape(email)],
      ['URL', url],
      ['ADR', address && `;;${vEscape(address)};;;;`],
    ]),
    'END:VCARD\r\n',
  ].join('');
}

/** @param {{ to: string, subject: string, body: string }} mail */
export function mailto({ to, subject, body }) {
  const query = [
    ['subject', subject],
    ['body', body.replace(/\r\n|\n|\r/g, '\r\n')],
  ].filter(([, value]) => value !== '');
  const address = encodeURIComponent(to).replace(/%40/g, '@').replace(/%2C/g, ',');
  return `mailto:${address}${query.length > 0 ? '?' : ''}${query.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
}

/** @param {string} number @param {string} text */
export const sms = (number, text) => `SMSTO:${number.replace(/[\s()-]/g, '')}:${text}`;
/** @param {string} number */
export const tel = (number) => `tel:${number.replace(/[\s()]/g, '')}`;
/** @param {number} latitude @param {number} longitude */
export const geo = (latitude, longitude) => `geo:${latitude},${longitude}`;

/** @param {string} date @param {string} time */
const moment = (date, time) =>
  date.replaceAll('-', '') + (time ? `T${time.replaceAll(':', '').padEnd(6, '0')}` : '');

/** The day after, for whole days: the end of an event is exclusive. @param {string} date */
const dayAfter = (date) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** @param {{ title: string, place: string, date: string, from: string, until: string }} plan */
export function event({ title, place, date, from, until }) {
  const kind = from ? '' : ';VALUE=DATE';
  const end = from ? until && moment(date, until) : moment(dayAfter(date), '');
  return [
    'BEGIN:VEVENT\r\n',
    ...content([
      ['SUMMARY', vEscape(title)],
      ['LOCATION', vEscape(place)],
      [`DTSTART${kind}`, moment(date, from)],
      [`DTEND${kind}`, end],
    ]),
    'END:VEVENT\r\n',
  ].join('');
}
