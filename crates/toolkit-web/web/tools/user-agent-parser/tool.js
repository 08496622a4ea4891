//! User agent strings: browser, engine, system, device, bot. Rules: uap-core, isbot.
//! Client Hints: User-Agent Client Hints (WICG), as header fields or as JSON from the browser's
//! API.
import { headline, pairs, refuse, table, text, tool } from '../../kit/tool.js';
import { goodRows } from '../../lib/rows.js';
import { hintsOf, ownHints } from './client-hints.js';
import { agentParser, engineOf, frozenParts } from './user-agent.js';

const LONGEST = 4096;
const MOST = 1000;

/** @type {ReturnType<typeof load> | undefined} */
let loaded;
async function load() {
  const [{ isbot }, { default: rules }] = await Promise.all([
    import('../../libraries/isbot.js'),
    import('../../libraries/uap-core.js'),
  ]);
  return { isbot, parser: agentParser(rules) };
}

/** @param {(string | null)[]} parts */
const joined = (parts) => parts.filter((part) => part !== null).join('.');

/** What a user agent says, by the names of the columns. @param {string} agent @param {Awaited<ReturnType<typeof load>>} libraries */
function describe(agent, { isbot, parser }) {
  const browser = parser.agent(agent);
  const system = parser.system(agent);
  const device = parser.device(agent);
  const engine = engineOf(agent);
  return {
    Browser: browser.family,
    'Browser version': joined([browser.major, browser.minor, browser.patch]),
    Engine: engine.name,
    'Engine version': engine.version,
    System: system.family,
    'System version': joined([system.major, system.minor, system.patch, system.patchMinor]),
    Device: device.family,
    Brand: device.brand ?? '',
    Model: device.model ?? '',
    Bot: isbot(agent) || device.family === 'Spider' ? 'yes' : 'no',
  };
}

/** @param {string} string @param {(sentence: string) => void} warn */
function linesOf(string, warn) {
  const read = (/** @type {string} */ line, /** @type {number} */ index) => {
    const agent = line.trim().replace(/^user-agent:\s*/i, '');
    if (agent.length > LONGEST)
      refuse('agents', `must have at most ${LONGEST} characters a line, not ${agent.length}`, {
        line: index + 1,
      });
    return agent;
  };
  const agents = goodRows(string.split(/\r\n|\r|\n/), read, warn).filter(Boolean);
  if (agents.length > MOST) refuse('agents', `must be at most ${MOST} lines, not ${agents.length}`);
  return agents;
}

export default tool({
  fields: {
    agents: text('User agents', {
      help: 'Enter one per line. Programs can send any string, so the result is no proof.',
      lines: 4,
    }),
    hints: text('Client Hints', {
      help: 'Enter `Sec-CH-UA` header fields, or the JSON of `getHighEntropyValues()`. They apply to the first string.',
      lines: 3,
      max: 64 * 1024,
    }),
  },
  limits: { seconds: 30 },
  labels: { result: 'Parts', hints: 'Client Hints' },
  actions: [
    {
      title: 'This browser’s',
      field: 'agents',
      async run() {
        const own = /** @type {any} */ (globalThis.navigator);
        return { agents: own?.userAgent ?? '', hints: await ownHints(own?.userAgentData) };
      },
    },
  ],
  async run({ agents: { string }, hints }, context) {
    const agents = linesOf(string, context.warn);
    loaded ??= load();
    const libraries = await loaded;
    const told = hintsOf(hints.string);
    const [first] = agents;
    const hinted = told.length ? pairs(told) : undefined;
    if (first === undefined) return { hints: hinted };
    const facts = describe(first, libraries);
    if (agents.length > 1) {
      const rows = agents.map((agent) => [...Object.values(describe(agent, libraries)), agent]);
      const columns = [...Object.keys(facts), 'User agent'];
      return { results: table(columns, rows, { file: 'user-agents.csv' }), hints: hinted };
    }
    for (const sentence of frozenParts(first)) context.warn(sentence);
    const name = (/** @type {'Browser' | 'System'} */ part) =>
      [facts[part], facts[`${part} version`].split('.')[0]].filter(Boolean).join(' ');
    const system = name('System');
    return {
      headline: headline(system === 'Other' ? name('Browser') : `${name('Browser')} on ${system}`),
      result: pairs(Object.entries(facts).filter(([, value]) => value !== '')),
      hints: hinted,
    };
  },
  product: { result: 'parts' },
  examples: [
    {
      title: 'Firefox on Linux',
      values: {
        agents: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
      },
    },
    {
      title: 'Chrome on Windows, with Client Hints',
      values: {
        agents:
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
        hints:
          'Sec-CH-UA: "Chromium";v="128", "Not;A=Brand";v="24"\nSec-CH-UA-Platform: "Windows"\nSec-CH-UA-Platform-Version: "15.0.0"\nSec-CH-UA-Mobile: ?0',
      },
    },
    {
      title: 'A bot',
      values: {
        agents: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      },
    },
  ],
});
