//! Code in six languages that finds all matches, with the pattern quoted and its flags. It does not check whether the
//! language's engine reads the pattern in the same way.
import { table } from '../../kit/tool.js';

/** @param {string} pattern @param {string} quote */
const escapedIn = (pattern, quote) =>
  pattern.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n');
/** @param {string} flags @param {Record<string, string>} names @param {string} between */
const named = (flags, names, between) =>
  [...flags].flatMap((flag) => names[flag] ?? []).join(between);
/** @param {string} flags @param {string} all */
const inline = (flags, all) => {
  const kept = [...flags].filter((flag) => all.includes(flag)).join('');
  return kept && `(?${kept})`;
};

/** A raw Rust string, with as many number signs as it needs. @param {string} pattern */
function rust(pattern) {
  const signs = pattern.includes('"')
    ? '#'.repeat(1 + Math.max(0, ...(pattern.match(/"#*/g) ?? []).map((one) => one.length - 1)))
    : '';
  return `r${signs}"${pattern}"${signs}`;
}

/** @type {Record<string, (pattern: string, flags: string) => string>} */
const LANGUAGES = {
  JavaScript: (pattern, flags) =>
    `text.matchAll(new RegExp('${escapedIn(pattern, "'")}', '${[...new Set(`${flags.replace('x', '')}g`)].join('')}'))`,
  Python: (pattern, flags) => {
    const options = named(flags, { i: 're.I', m: 're.M', s: 're.S', x: 're.X' }, ' | ');
    return `re.finditer('${escapedIn(pattern, "'")}', text${options && `, ${options}`})`;
  },
  Go: (pattern, flags) =>
    `regexp.MustCompile("${escapedIn(inline(flags, 'ims') + pattern, '"')}").FindAllString(text, -1)`,
  Rust: (pattern, flags) => `Regex::new(${rust(inline(flags, 'imsx') + pattern)})?.find_iter(text)`,
  Java: (pattern, flags) => {
    const options = named(
      flags,
      {
        i: 'Pattern.CASE_INSENSITIVE',
        m: 'Pattern.MULTILINE',
        s: 'Pattern.DOTALL',
        x: 'Pattern.COMMENTS',
      },
      ' | ',
    );
    return `Pattern.compile("${escapedIn(pattern, '"')}"${options && `, ${options}`}).matcher(text).results()`;
  },
  PHP: (pattern, flags) =>
    `preg_match_all('~${escapedIn(pattern.replaceAll('~', '\\~'), "'")}~${[...flags].filter((flag) => 'imsxu'.includes(flag)).join('')}', $text, $matches)`,
};

/** @param {string} pattern @param {string} flags */
export const codeOf = (pattern, flags) =>
  table(
    ['Language', 'Code'],
    Object.entries(LANGUAGES).map(([name, write]) => [name, write(pattern, flags)]),
  );
