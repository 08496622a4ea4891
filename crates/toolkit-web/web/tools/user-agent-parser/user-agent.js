//! User agent strings by the expressions of uap-core, parsed according to its specification. Source
//! of the rules: github.com/ua-parser/uap-core, docs/specification.md.

/**
 * @typedef {{ regex: string, [name: string]: string | undefined }} Rule
 * @typedef {{ user_agent_parsers: Rule[], os_parsers: Rule[], device_parsers: Rule[] }} Rules
 * @typedef {Record<'family' | 'major' | 'minor' | 'patch', string | null>} Agent
 * @typedef {Agent & { patchMinor: string | null }} System
 * @typedef {Record<'family' | 'brand' | 'model', string | null>} Device
 */

/** Finds the first rule that matches; an expression is compiled when it is first tried. */
class Matcher {
  #rules;
  /** @type {RegExp[]} */
  #compiled = [];
  /** @param {Rule[]} rules */
  constructor(rules) {
    this.#rules = rules;
  }
  /** @param {string} agent @returns {{ rule: Rule, match: RegExpExecArray } | undefined} */
  find(agent) {
    for (const [index, rule] of this.#rules.entries()) {
      this.#compiled[index] ??= new RegExp(rule.regex, rule.regex_flag);
      const match = this.#compiled[index].exec(agent);
      if (match) return { rule, match };
    }
    return undefined;
  }
}

/** Substitutes `$1` to `$9` and trims the result; an empty result is null. @param {string | undefined} replacement @param {RegExpExecArray} match @param {number} [group] */
function fill(replacement, match, group) {
  if (replacement === undefined) return (group && match[group]?.trim()) || null;
  return replacement.replace(/\$(\d)/g, (_, digit) => match[digit] ?? '').trim() || null;
}

/** @param {Rules} rules */
export function agentParser({ user_agent_parsers, os_parsers, device_parsers }) {
  const agents = new Matcher(user_agent_parsers);
  const systems = new Matcher(os_parsers);
  const devices = new Matcher(device_parsers);
  return {
    /** @param {string} text @returns {Agent} */
    agent(text) {
      const best = agents.find(text);
      if (!best) return { family: 'Other', major: null, minor: null, patch: null };
      const { rule, match } = best;
      return {
        family: fill(rule.family_replacement, match, 1) ?? 'Other',
        major: fill(rule.v1_replacement, match, 2),
        minor: fill(rule.v2_replacement, match, 3),
        patch: fill(rule.v3_replacement, match, 4),
      };
    },
    /** @param {string} text @returns {System} */
    system(text) {
      const best = systems.find(text);
      if (!best)
        return { family: 'Other', major: null, minor: null, patch: null, patchMinor: null };
      const { rule, match } = best;
      return {
        family: fill(rule.os_replacement, match, 1) ?? 'Other',
        major: fill(rule.os_v1_replacement, match, 2),
        minor: fill(rule.os_v2_replacement, match, 3),
        patch: fill(rule.os_v3_replacement, match, 4),
        patchMinor: fill(rule.os_v4_replacement, match, 5),
      };
    },
    /** @param {string} text @returns {Device} */
    device(text) {
      const best = devices.find(text);
      if (!best) return { family: 'Other', brand: null, model: null };
      const { rule, match } = best;
      return {
        family: fill(rule.device_replacement, match, 1) ?? 'Other',
        brand: fill(rule.brand_replacement, match),
        model: fill(rule.model_replacement, match, 1),
      };
    },
  };
}

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
    [
      chrome >= 101,
      'The minor version of Chrome is reduced to zeros: only the major version is real.',
    ],
  ];
  return parts.filter(([applies]) => applies).map(([, sentence]) => sentence);
}
