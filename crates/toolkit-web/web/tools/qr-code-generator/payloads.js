//! Payloads that QR scanners recognise: Wi-Fi, vCard 4 (RFC 6350), mailto (RFC 6068), SMS, tel, geo
//! (RFC 5870) and events (RFC 5545).

/** Escapes `\ ; , : "` with a backslash, for Wi-Fi codes. @param {string} text */
const wifiEscape = (text) => text.replace(/[\\;,:"]/g, '\\$&');

/** Escapes backslashes, commas, semicolons and line ends of a vCard or event. @param {string} text */
const vEscape = (text) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\n|\r/g, '\\n');

/**
 * The last four are for networks with a login (`WPA2-EAP`), in Android's notation.
 * @param {{ ssid: string, security: string, password: string, hidden: boolean, eap?: string,
 *   inner?: string, identity?: string, anonymous?: string }} network
 */
export function wifi({ ssid, security, password, hidden, eap, inner, identity, anonymous }) {
  const parts = [`T:${security}`, `S:${wifiEscape(ssid)}`];
  if (security === 'WPA2-EAP') {
    parts.push(`E:${eap}`);
    if (inner) parts.push(`PH2:${inner}`);
    if (anonymous) parts.push(`A:${wifiEscape(anonymous)}`);
    parts.push(`I:${wifiEscape(identity ?? '')}`);
  }
  if (security !== 'nopass') parts.push(`P:${wifiEscape(password)}`);
  if (hidden) parts.push('H:true');
  return `WIFI:${parts.join(';')};;`;
}

/** Named lines, without the empty ones. @param {[string, string][]} lines */
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

/** The next day, for whole days: the end of an event is exclusive. @param {string} date */
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
