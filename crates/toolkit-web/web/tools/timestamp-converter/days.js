//! Days of the calendar, counted from 1970, and weeks of ISO 8601.

/** Days from 1970 to a date, or undefined if there is no such day. @param {number} year @param {number} month from 1 @param {number} day */
export function dayOf(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / 86_400_000 : undefined;
}

/** Monday of the week of ISO 8601 with 4 January, in days from 1970. @param {number} year */
export const firstMonday = (year) => {
  const fourth = dayOf(year, 1, 4) ?? 0;
  return fourth - ((((fourth + 3) % 7) + 7) % 7);
};

/** Week of ISO 8601 of a day. @param {number} day from 1970 */
export function weekOf(day) {
  const year = new Date(day * 86_400_000).getUTCFullYear();
  const own = [year + 1, year, year - 1].find((one) => firstMonday(one) <= day) ?? year;
  const week = String(Math.floor((day - firstMonday(own)) / 7) + 1).padStart(2, '0');
  return `${String(own).padStart(4, '0')}-W${week}`;
}
