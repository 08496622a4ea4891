//! Redacts identifying values in texts: tokens, keys, passwords, e-mail and IP addresses, hosts, users and IDs become
//! names such as ⟨ip-1⟩, equal values the same name. An answer can be restored to the original values. Left out:
//! people's names, phone numbers, and postal addresses.

import { attempt } from '../kit/tool.js';
import { parseIpv6 } from './ip.js';

/** A value of this length is replaced everywhere, not only after its name. */
const REPEATED = 6;
const VALUES_MAX = 500;

const NAME = String.raw`(?<![\w.-])["']?(?:[\w.-]{0,40}[_.-])?`;
const IS = String.raw`["']?\]?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3}`;
/** A value after its name, in quotes or up to a space or separator. */
const VALUE = String.raw`(?:"(?<a>(?:[^"\\\n⟨]|\\.){2,500})"|'(?<b>[^'\n⟨]{2,500})'|(?<c>[^\s"'⟨,;&}\])<>|]{2,500}))`;
/** @param {string} words */
const named = (words) => new RegExp(`${NAME}(?:${words})${IS}${VALUE}`, 'gi');

/** Values that identify nobody. */
const EMPTY =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|string|required|optional|redacted|root|admin|x+|\*+|\.+|\d{1,4}|[$<{%[(].*|[\w.$]+\(|(?:req|env|process|config|self|this)\..*)$/i;
const SECRETS =
  'password|passwd|passphrase|pwd|pass|secret|token|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret[_-]?(?:access[_-]?)?key|private[_-]?key|client[_-]?secret|auth[_-]?token|credentials?|session|sessionid|cookie|signature|sig';
const USERS =
  'user|username|user[_-]?name|login|owner|author|uid|userid|preferred_username|actor|principal';
const HOSTS = 'host|hostname|server|server[_-]?name|node|machine|computer[_-]?name|endpoint';
const IDS =
  '(?:user|customer|account|order|tenant|session|request|trace|span|device|client|correlation|org|project|subscription|transaction|x-request|x-correlation)[_-]?id|accountid|tenantid';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
/** Not of a version: after a name and a slash, after `v`, or in a longer number. */
const V4 = new RegExp(
  `(?<![\\w.-]|\\w/|versions?["']?[ :=]{1,3}["']?)${OCTET}(?:\\.${OCTET}){3}(?![\\w-]|\\.\\d)`,
  'gi',
);
const V6 =
  /(?<![\w:.])(?=[\da-f:.]*\d)(?:[\da-f]{0,4}:){2,7}(?:[\da-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])/gi;
/** Addresses that all machines have, and masks. */
const COMMON = /^(?:0\.0\.0\.0|127\..*|255\..*|::|::1)$/;

const TLD =
  'com|net|org|edu|gov|mil|dev|app|cloud|tech|biz|eu|de|at|ch|fr|nl|be|es|pt|pl|cz|se|dk|fi|uk|ie|ru|ua|cn|jp|kr|hk|sg|tw|br|mx|ar|au|nz|ca|za|il|ae|tr|gr|hu|ro|local|internal|lan|corp|localdomain|intranet|example|test';
const HOST = new RegExp(
  `(?<![\\w.@/\\\\-]|\\w:)(?:[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?\\.)+(?:${TLD}|(?<=\\.[a-z\\d-]{1,63}\\.)(?:io|co|us|me|info|ai))(?![\\w-]|\\.\\w|\\()`,
  'gi',
);
const IN_URL =
  /(?<=\b[a-z][a-z\d+.-]{1,20}:\/\/(?:[^\s/@⟨]*@|⟨[a-z]+-\d+⟩(?::⟨[a-z]+-\d+⟩)?@)?)[a-z\d](?:[a-z\d.-]*[a-z\d])?(?=[:/?#\s"'<>,;)\]]|$)/gi;
/** Names of standards, which everybody has. */
const PUBLIC =
  /^(?:localhost|(?:.*\.)?(?:w3|ietf|iana|iso|schema|json-schema|xmlsoap|oasis-open|apache|mozilla|unicode|openid|example)\.(?:org|net|com)|schemas\..*|[\d.]+|[\w-]+\.(?:js|ts|py|rs|go|md|txt|json|ya?ml))$/i;
/** The first label of packages and objects in programs. */
const PROGRAM =
  /^(?:com|org|net|io|dev|java|javax|kotlin|scala|std|sys|system|console|window|process|math|self|this)\./i;

/**
 * The replacements, in this order: kind, pattern, and a condition. A group named a, b or c is the value.
 * @type {readonly [kind: string, pattern: RegExp, counts?: (value: string) => boolean][]}
 */
const RULES = [
  ['key', /-----BEGIN [A-Z\d ]{1,40}-----(?:[^-]|-(?!----)){1,20000}-----END [A-Z\d ]{1,40}-----/g],
  ['token', /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*){1,3}/g],
  [
    'token',
    /(?<![\w-])(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{18,}|xox[abeoprs]-[\w-]{10,}|sk-[\w-]{20,}|[spr]k_(?:live|test)_\w{10,}|AKIA[A-Z\d]{16}|ASIA[A-Z\d]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,}|npm_\w{30,}|hf_\w{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|dop_v1_\w{40,}|pypi-[\w-]{30,}|whsec_\w{20,}|tk_\w{20,})(?![\w-])/g,
  ],
  [
    'token',
    /(?<=\b(?:bearer|basic|token|apikey) )(?<c>[\w.~+/=-]{8,})/gi,
    (value) => /\d|=$/.test(value) || (/[A-Z]/.test(value) && /[a-z]/.test(value)),
  ],
  ['secret', /(?<=:\/\/[^\s:/@⟨]{0,100}:)(?<c>[^\s@/⟨]{1,200})(?=@)/g],
  ['user', /(?<=:\/\/)(?<c>[^\s:/@⟨]{1,100})(?=(?::⟨secret-\d+⟩)?@)/g],
  ['secret', named(SECRETS), (value) => !EMPTY.test(value)],
  ['email', /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z\d-]+\.)+[a-z]{2,24}(?![\w-])/gi],
  ['mac', /(?<![\w:-])(?:[\da-f]{2}:){5}[\da-f]{2}(?![\w:-])/gi],
  ['ip', V6, (value) => !COMMON.test(value) && isAddress(value)],
  ['ip', V4, (value) => !COMMON.test(value)],
  ['id', /(?<![\w-])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\w-])/gi],
  ['id', /(?<![\w])(?=[\da-f]*\d)(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})(?![\w])/gi],
  ['id', /(?<=\barn:[\w-]{1,20}:[\w-]{0,40}:[\w-]{0,40}:)\d{12}(?=:)/g],
  ['card', /(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{3,4}(?![\w.-])/g, isCard],
  ['id', named(IDS), (value) => !EMPTY.test(value)],
  ['user', named(USERS), (value) => !EMPTY.test(value) && !/\s/.test(value)],
  [
    'user',
    /(?<=(?:\/home\/|\/Users\/|[a-z]:\\Users\\))(?<c>[^\s/\\:"'⟨]{1,60})/gi,
    (value) => !/^(?:Public|Shared|runner|ubuntu)$/.test(value),
  ],
  ['host', IN_URL, (value) => !PUBLIC.test(value)],
  ['host', HOST, (value) => !PUBLIC.test(value) && !PROGRAM.test(value)],
  [
    'host',
    named(HOSTS),
    (value) => !EMPTY.test(value) && /^[a-z\d][\w.-]*$/i.test(value) && !PUBLIC.test(value),
  ],
];

/** @param {string} value */
const isAddress = (value) => attempt(() => parseIpv6(value)) !== undefined;

/** Whether the check digit of a card is right (ISO/IEC 7812-1 annex B). @param {string} value */
function isCard(value) {
  const digits = [...value.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((all, digit, at) => {
    const doubled = at % 2 ? digit * 2 : digit;
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The names for values, across several copied texts. */
export class Names {
  /** @type {Map<string, string>} */
  #names = new Map();
  /** @type {Map<string, string>} */
  #values = new Map();
  /** @type {Map<string, number>} */
  #counts = new Map();

  /** @param {string} kind @param {string} value */
  #nameOf(kind, value) {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind}-${count}`;
    this.#names.set(value, name);
    this.#values.set(name, value);
    return name;
  }

  /** Replaces values by names. Also returns the number of different values. @param {string} text */
  hide(text) {
    /** @type {Map<string, string>} */
    const used = new Map();
    const put = (/** @type {string} */ kind, /** @type {string} */ value) => {
      const name = this.#nameOf(kind, value);
      used.set(name, value);
      return `⟨${name}⟩`;
    };
    let hidden = text;
    for (const [kind, pattern, counts = () => true] of RULES)
      hidden = hidden.replace(pattern, (whole, ...rest) => {
        const groups = rest.at(-1);
        const value = (typeof groups === 'object' && (groups.a ?? groups.b ?? groups.c)) || whole;
        if (!counts(value)) return whole;
        const at = whole.lastIndexOf(value);
        return whole.slice(0, at) + put(kind, value) + whole.slice(at + value.length);
      });
    const again = [...used.values()]
      .filter((value) => value.length >= REPEATED)
      .sort((one, other) => other.length - one.length)
      .slice(0, VALUES_MAX);
    if (again.length > 0)
      hidden = hidden.replace(
        new RegExp(`(?<![\\w⟨])(?:${again.map(escaped).join('|')})(?!\\w)`, 'g'),
        (value) => `⟨${this.#names.get(value)}⟩`,
      );
    return { text: hidden, count: used.size };
  }

  /** Replaces names by values, even if a program changed the brackets. @param {string} text */
  restore(text) {
    let count = 0;
    const whole = text.replaceAll(
      /(?:⟨|〈|<|&lt;|&#10216;)([a-z]+-\d+)(?:⟩|〉|>|&gt;|&#10217;)/g,
      (written, name) => {
        const value = this.#values.get(name);
        if (value !== undefined) count += 1;
        return value ?? written;
      },
    );
    return { text: whole, count };
  }
}
