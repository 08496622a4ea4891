//! Cities, names and abbreviations after which no time zone is named, with their zone.
//! Sources: the IANA time zone database, zone.tab, and general knowledge of places (November 2026).

import { rowsOf } from './rows.js';

/** The zones of cities. */
const CITY_ZONES = `
Africa/Johannesburg: Cape Town
America/Chicago: Austin, Dallas, Houston, San Antonio
America/Denver: Salt Lake City
America/Edmonton: Calgary
America/Los_Angeles: Las Vegas, Portland, San Diego, San Francisco, San José, Seattle
America/New_York: Atlanta, Boston, Miami, Philadelphia, Washington
America/Sao_Paulo: Brasília, Rio de Janeiro
America/Toronto: Montreal, Ottawa, Quebec
Asia/Bangkok: Hanoi
Asia/Dubai: Abu Dhabi
Asia/Jerusalem: Tel Aviv
Asia/Karachi: Islamabad, Lahore
Asia/Kolkata: Ahmedabad, Bangalore, Chennai, Delhi, Hyderabad, Mumbai, New Delhi, Pune
Asia/Qatar: Doha
Asia/Riyadh: Mecca
Asia/Shanghai: Beijing, Guangzhou, Shenzhen, Wuhan
Asia/Tokyo: Kyoto, Osaka
Asia/Yangon: Yangon
Australia/Sydney: Canberra
Etc/GMT: GMT
Europe/Amsterdam: Amsterdam, Rotterdam, The Hague, Utrecht
Europe/Berlin: Cologne, Frankfurt, Hamburg, Munich, Stuttgart
Europe/Lisbon: Porto
Europe/London: Edinburgh, Glasgow
Europe/Madrid: Barcelona, Seville, Valencia
Europe/Moscow: Saint Petersburg
Europe/Paris: Lyon, Marseille
Europe/Rome: Florence, Milan, Naples, Turin, Venice
Europe/Warsaw: Krakow
Europe/Zurich: Basel, Bern, Geneva
Pacific/Auckland: Wellington
UTC: UTC, Zulu`;

/**
 * Abbreviations and short names, by the zone that most people mean. Also the order of preference for a name in words
 * that several zones share.
 */
const SHORT = `
America/New_York: ET, EST, EDT
America/Chicago: CT, CST, CDT
America/Denver: MT, MST, MDT
America/Los_Angeles: PT, PST, PDT
America/Anchorage: AKST, AKDT
America/Halifax: AST, ADT
America/St_Johns: NST, NDT
Pacific/Honolulu: HST
America/Sao_Paulo: BRT
Europe/London: BST
Europe/Berlin: CET, CEST, MEZ, MESZ
Europe/Helsinki: EET, EEST
Europe/Lisbon: WET, WEST
Europe/Moscow: MSK
Africa/Johannesburg: SAST
Africa/Lagos: WAT
Africa/Nairobi: EAT
Africa/Maputo: CAT
Asia/Karachi: PKT
Asia/Kolkata: IST
Asia/Singapore: SGT
Asia/Hong_Kong: HKT
Asia/Tokyo: JST
Asia/Seoul: KST
Asia/Jakarta: WIB
Australia/Perth: AWST
Australia/Adelaide: ACST, ACDT
Australia/Sydney: AEST, AEDT
Pacific/Auckland: NZST, NZDT`;

/** Zones by name. @param {string} table @returns {Readonly<Record<string, string>>} */
const read = (table) =>
  Object.fromEntries(
    rowsOf(table, ': ').flatMap(([zone = '', names = '']) =>
      names.split(', ').map((name) => [name, zone]),
    ),
  );
export const CITIES = read(CITY_ZONES);
export const ABBREVIATIONS = read(SHORT);

/** Names that browsers still list, and their current names in the database. @type {Readonly<Record<string, string>>} */
export const RENAMED = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
