//! Schedules of six and seven fields (Quartz, Spring) as the five of crontab(5), with what differs.

const NAMES = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT';
const FIELD = new RegExp(String.raw`^(?:[\d*?,/#-]|LW?|W|${NAMES})+$`, 'i');

/**
 * The five fields of a schedule that begins with seconds, and sentences about it; undefined for
 * another expression, without `expression` when five fields cannot say it.
 * @param {string} text @returns {{ expression?: string, sentences: string[] } | undefined}
 */
export function fromQuartz(text) {
  const words = text.trim().split(/\s+/);
  if (![6, 7].includes(words.length) || !words.every((word) => FIELD.test(word))) return undefined;
  const [second = '', minute, hour, day = '', month, weekday = '', year = '*'] = words;
  const isQuartz = words.length === 7 || words.includes('?');
  const kind = isQuartz ? 'Quartz' : 'Spring and others';
  const sentences = [`Expression has ${words.length} fields, as in ${kind}: the first is seconds.`];
  const special = [day, weekday].find((word) => /#|W|L/i.test(word.replace(/JUL|WED/gi, '')));
  if (special)
    return {
      sentences: [...sentences, `Five fields cannot say \`${special}\`, so it is not explained.`],
    };
  if (second !== '0')
    sentences.push(`Its seconds, \`${second}\`, are lost: it would run once in the minute.`);
  if (!['*', '?'].includes(year))
    sentences.push(`Its year, ${year}, is lost: it would run each year.`);
  // Quartz counts from 1, Sunday; a step is not a day.
  const days = isQuartz
    ? weekday.replace(/(?<!\/)\b[1-7]\b/g, (number) => String(Number(number) - 1))
    : weekday;
  if (days !== weekday) sentences.push('Days are counted from 1 in Quartz, from 0 in cron.');
  const fields = [minute, hour, day, month, days].map((word) => word?.replace('?', '*'));
  return { expression: fields.join(' '), sentences };
}
