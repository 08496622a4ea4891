// The TypeScript SDK, version 1. usage: node typescript-1.mjs URL
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { checkAll } from './check.mjs';

const client = new Client({ name: 'toolkit-check', version: '1' });
const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]));
await client.connect(transport);
const ok = await checkAll({
  client: 'TypeScript SDK 1',
  negotiated: { seen: transport.protocolVersion, expected: '2025-11-25' },
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  listTools: async () => (await client.listTools()).tools,
  callTool: (name, args) => client.callTool({ name, arguments: args }),
});
await client.close();
process.exitCode = ok ? 0 : 1;
