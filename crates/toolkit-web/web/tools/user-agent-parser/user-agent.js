//! User agent strings, parsed by the rules of uap-core and its specification: github.com/ua-parser/uap-core,
//! docs/specification.md.

/**
 * @typedef {{ regex: string, [name: string]: string | undefined }} Rule
 * @typedef {{ user_agent_parsers: Rule[], os_parsers: Rule[], device_parsers: Rule[] }} Rules
 */

/** Substitutes `$1` to `$9`, or takes a group of the match. Nothing, and white space, is null. @param {string | undefined} replacement @param {RegExpExecArray} match @param {number} group 0: none */
function fill(replacement, match, group) {
  if (replacement === undefined) return (group && match[group]?.trim()) || null;
  return replacement.replace(/\$(\d)/g, (_, digit) => match[digit] ?? '').trim() || null;
}

/**
 * Reads a user agent by the first rule that matches it.
 * @template {string} P
 * @param {Rule[]} rules @param {Record<P, [replacement: string, group: number]>} parts
 * @returns {(agent: string) => Record<P, string | null> & { family: string }}
 */
function reader(rules, parts) {
  /** Compiled when they are first tried. @type {RegExp[]} */
  const compiled = [];
  return (agent) => {
    /** @type {RegExpExecArray | null} */
    let match = null;
    const rule = rules.find((one, at) => {
      compiled[at] ??= new RegExp(one.regex, one.regex_flag);
      match = compiled[at].exec(agent);
      return match;
    });
    const read = Object.entries(parts).map(([part, [replacement, group]]) => [
      part,
      match && fill(rule?.[replacement], match, group),
    ]);
    const found = Object.fromEntries(read);
    return { ...found, family: found.family ?? 'Other' };
  };
}

/** @param {Rules} rules */
export const agentParser = ({ user_agent_parsers, os_parsers, device_parsers }) => ({
  agent: reader(user_agent_parsers, {
    family: ['family_replacement', 1],
    major: ['v1_replacement', 2],
    minor: ['v2_replacement', 3],
    patch: ['v3_replacement', 4],
  }),
  system: reader(os_parsers, {
    family: ['os_replacement', 1],
    major: ['os_v1_replacement', 2],
    minor: ['os_v2_replacement', 3],
    patch: ['os_v3_replacement', 4],
    patchMinor: ['os_v4_replacement', 5],
  }),
  device: reader(device_parsers, {
    family: ['device_replacement', 1],
    brand: ['brand_replacement', 0],
    model: ['model_replacement', 1],
  }),
});

/** @type {[RegExp, string][]} */
const ENGINES = [
  [/\bEdge\/([\d.]+)/, 'EdgeHTML'],
  [/\bTrident\/([\d.]+)/, 'Trident'],
  [/\bPresto\/([\d.]+)/, 'Presto'],
  [/\bGoanna\/([\d.]+)/, 'Goanna'],
  [/\bServo\/([\d.]+)/, 'Servo'],
  [/\bLadybird\/([\d.]+)/, 'LibWeb'],
  [/\bNetSurf\/([\d.]+)/, 'NetSurf'],
  [/\bAppleWebKit\/[\d.].*\b(?:HeadlessChrome|Chrome|Chromium)\/([\d.]+)/, 'Blink'],
  [/\bAppleWebKit\/([\d.]+)/, 'WebKit'],
  [/\bKHTML\/([\d.]+)/, 'KHTML'],
  [/\brv:([\d.]+)(?![\d.])[^)]*\)\s*Gecko\//, 'Gecko'],
  [/\bMSIE ([\d.]+)/, 'Trident'],
  [/^(?:Lynx|Links|w3m|ELinks)\b/, 'text only'],
];

/** The engine, which uap-core does not report. Chrome before 28 was WebKit. @param {string} text */
export function engineOf(text) {
  for (const [pattern, name] of ENGINES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const version = match[1] ?? '';
    if (name === 'Blink' && Number.parseInt(version, 10) < 28)
      return { name: 'WebKit', version: /AppleWebKit\/([\d.]+)/.exec(text)?.[1] ?? '' };
    return { name, version };
  }
  return { name: '', version: '' };
}

/** Parts that browsers freeze, whatever the real values are. @param {string} text */
export function frozenParts(text) {
  const chrome = Number(/\bChrome\/(\d+)\.0\.0\.0/.exec(text)?.[1] ?? 0);
  /** @type {[boolean, string][]} */
  const parts = [
    [
      /Windows NT 10\.0/.test(text),
      '"Windows NT 10.0" is frozen: it stands for Windows 10, 11 and later.',
    ],
    [
      /Intel Mac OS X 10[_.]15/.test(text),
      '"Intel Mac OS X 10_15_7" is frozen: it stands for macOS 10.15 and later on any processor.',
    ],
    [
      /Android 10; K\)/.test(text),
      '"Android 10; K" is frozen: it stands for any version of Android and any device.',
    ],
    [chrome >= 101, 'Chrome reports zeros for its minor version. Only the major version is real.'],
  ];
  return parts.filter(([applies]) => applies).map(([, sentence]) => sentence);
}
