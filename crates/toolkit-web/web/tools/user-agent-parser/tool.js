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

/** @param {(string | null | undefined)[]} parts */
const version = (parts) => parts.filter((part) => part !== null && part !== undefined).join('.');

/** @param {string} agent @param {Awaited<ReturnType<typeof load>>} libraries */
function describe(agent, { isbot, parser }) {
  const { family, major, minor, patch } = parser.agent(agent);
  const system = parser.system(agent);
  const device = parser.device(agent);
  const engine = engineOf(agent);
  const bot = isbot(agent) || device.family === 'Spider';
  return {
    browser: family,
    browserVersion: version([major, minor, patch]),
    engine: engine.name,
    engineVersion: engine.version,
    system: system.family,
    systemVersion: version([system.major, system.minor, system.patch, system.patchMinor]),
    device: device.family ?? 'Other',
    brand: device.brand ?? '',
    model: device.model ?? '',
    bot: bot ? 'yes' : 'no',
  };
}

const COLUMNS = /** @type {const} */ ({
  browser: 'Browser',
  browserVersion: 'Browser version',
  engine: 'Engine',
  engineVersion: 'Engine version',
  system: 'System',
  systemVersion: 'System version',
  device: 'Device',
  brand: 'Brand',
  model: 'Model',
  bot: 'Bot',
});

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
      help: 'Enter one per line. Any program can send any string, so none of this is proof.',
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
    if (agents.length > 1) {
      const rows = agents.map((agent) => [...Object.values(describe(agent, libraries)), agent]);
      const columns = [...Object.values(COLUMNS), 'User agent'];
      return { results: table(columns, rows, { file: 'user-agents.csv' }), hints: hinted };
    }
    if (first === undefined) return { hints: hinted };
    for (const sentence of frozenParts(first)) context.warn(sentence);
    const facts = describe(first, libraries);
    const shown = Object.entries(COLUMNS).map(
      ([key, label]) => /** @type {const} */ ([label, facts[/** @type {'browser'} */ (key)]]),
    );
    const name = (/** @type {string | null} */ family, /** @type {string} */ version) =>
      [family, version.split('.')[0]].filter(Boolean).join(' ');
    const system = name(facts.system, facts.systemVersion);
    const browser = name(facts.browser, facts.browserVersion);
    return {
      headline: headline(system === 'Other' ? browser : `${browser} on ${system}`),
      result: pairs(shown.filter(([, value]) => value !== '')),
      hints: hinted,
    };
  },
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
      warnings: [
        '"Windows NT 10.0" is frozen: it stands for Windows 10, 11 and later.',
        'The minor version of Chrome is reduced to zeros: only the major version is real.',
      ],
    },
    {
      title: 'A bot',
      values: {
        agents: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      },
    },
  ],
});
