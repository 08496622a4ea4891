//! curl commands as code. Sources: curl's manual page; quoting of POSIX shells, cmd.exe and PowerShell.
import { choice, number, pairs, Refusal, text, textOutput, tool } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { numbered } from '../../lib/rows.js';
import { dialectOf, shellCommands } from '../../lib/shell-words.js';
import { codeOf, LANGUAGES, leftOut } from './code.js';
import { requestsOf } from './command.js';
import { bodyText } from './http-text.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Request } from './command.js' */
/** @import { Command } from '../../lib/shell-words.js' */

const NAMES = /** @type {{ [K in keyof typeof LANGUAGES]: string }} */ (
  Object.fromEntries(Object.entries(LANGUAGES).map(([key, { name }]) => [key, name]))
);
const SECRETS = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-auth-token)$/i;

/** Other entries of the same menu. @type {[RegExp, string][]} */
const COPIED = [
  [/\bfetch\s*\(/, 'as fetch'],
  [/\bInvoke-(?:WebRequest|RestMethod)\b|WebRequestSession/i, 'as PowerShell'],
];
/** A prompt of a shell, or the fence of Markdown, before a command. */
const PROMPT = /^\s*(?:```\w*\s+)?(?:(?!\s)[^\n'"|;&=]*[$>%#❯]\s*)?(?=curl)|(?<!\s)\s*```\s*$/g;

/** Options on a line of their own belong to the command before. @param {Command[]} commands @param {(sentence: string) => void} warn */
function rejoined(commands, warn) {
  /** @type {Command[]} */
  const all = [];
  for (const command of commands) {
    const last = all.at(-1);
    if (!last || !/^--?[A-Za-z]/.test(command.words[0]?.text ?? '')) all.push({ ...command });
    else {
      warn('A line break ends the command; the options after it were read as its own.');
      for (const word of command.words) last.words.push(word);
      last.input ??= command.input;
    }
  }
  return all;
}

/** @param {string} string @param {'auto' | 'sh' | 'cmd' | 'powershell'} chosen @param {T.Context} context */
function readRequests(string, chosen, context) {
  const dialect = chosen === 'auto' ? dialectOf(string) : chosen;
  const commands = rejoined(
    shellCommands(string.replace(PROMPT, ''), dialect, context.warn),
    context.warn,
  );
  const isCurl = (/** @type {string} */ word) => /(^|[\\/])curl(\.exe)?$/i.test(word);
  const own = commands.flatMap((command) => {
    const at = command.words.findIndex(({ text }) => isCurl(text));
    const before = command.words.slice(0, Math.max(at, 0));
    const isPrefixed = before.every(({ text }) =>
      /^(sudo|time|exec|command|env|\w+=.*)$/.test(text),
    );
    return at >= 0 && isPrefixed ? [{ ...command, words: command.words.slice(at) }] : [];
  });
  const [, other] = COPIED.find(([pattern]) => pattern.test(string)) ?? [];
  if (own.length === 0 && other)
    throw new Refusal(`is a request copied ${other}, not a curl command`, {
      at: 0,
      hint: 'In the network tools of the browser, choose "Copy as cURL" in the menu of the request, or "Copy as cURL (bash)" on Windows.',
    });
  if (own.length === 0)
    throw new Refusal('has no curl command', {
      at: 0,
      hint: 'A command begins with curl and an address.',
    });
  const requests = own.flatMap((command) => requestsOf(command, context.warn));
  if (requests.length === 0) throw new Refusal('has no address: give curl a URL');
  return requests;
}

/** @param {Request} request */
function summary(request) {
  const { method, url, headers, body, form, upload, login } = request;
  const size = new TextEncoder().encode(bodyText(request) ?? '').length;
  const rows = [
    ['Method', method],
    ['URL', url],
    ...headers.map(([name, value]) => [`Header ${name}`, SECRETS.test(name) ? '••••••••' : value]),
  ];
  if (login) rows.push([`Login (${login.scheme})`, `${login.user}:••••••••`]);
  if (form)
    rows.push([
      'Form fields',
      form.map(({ name, file }) => (file ? `${name} (file)` : name)).join(', '),
    ]);
  else if (body || upload !== undefined) rows.push(['Body', `${size} bytes`]);
  return pairs(rows);
}

export default tool({
  more: 'shell',
  secrets: 'input',
  fields: {
    command: text('Command', {
      help: 'Paste a curl command from a terminal, from documentation, or from the browser’s network tools.',
      max: 1 << 20,
    }),
    language: choice('Language', NAMES, { beside: ['fetch', 'requests'] }),
    shell: choice('Shell', {
      auto: 'Detect',
      sh: 'sh, bash, zsh',
      cmd: 'Windows cmd',
      powershell: 'PowerShell',
    }),
    request: number('Request', {
      value: 1,
      min: 1,
      max: 1000,
      help: 'Choose one if the command makes several.',
    }),
  },
  labels: { summary: 'Request' },
  run({ command, language, shell, request: number }, context) {
    const { string } = command;
    if (string.trim() === '') return {};
    const requests = inField('command', string, () => readRequests(string, shell, context));
    const { item, which } = numbered('request', number, requests, 'Request', 'command makes');
    for (const sentence of leftOut(language, item)) context.warn(sentence);
    const code = codeOf(language, item);
    return {
      took: which,
      code: textOutput(code.endsWith('\n') ? code : `${code}\n`, {
        file: LANGUAGES[language].file,
      }),
      summary: summary(item),
    };
  },
  examples: [
    {
      title: 'A JSON request with a login',
      values: {
        command: `curl -u 'anna:s3cret' --json '{"name": "Grüße"}' https://api.example.com/items`,
      },
    },
    {
      title: 'A form for Python',
      values: {
        command: 'curl -L example.com/upload -F name=Anna -F "photo=@me.png;type=image/png"',
        language: 'requests',
      },
    },
  ],
});
