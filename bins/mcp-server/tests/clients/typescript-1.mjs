// The TypeScript SDK, version 1. usage: node typescript-1.mjs URL|PROGRAM
// A program is started as `PROGRAM stdio`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { checkAll } from './check.mjs';

const client = new Client({ name: 'toolkit-check', version: '1' });
const server = process.argv[2];
const isLocal = !server.startsWith('http');
const transport = isLocal
  ? new StdioClientTransport({ command: server, args: ['stdio'] })
  : new StreamableHTTPClientTransport(new URL(server));
let negotiated;
if (isLocal) {
  transport.setProtocolVersion = version => {
    negotiated = version;
  };
}
await client.connect(transport);
const ok = await checkAll({
  isLocal,
  client: 'TypeScript SDK 1',
  negotiated: { seen: negotiated ?? transport.protocolVersion, expected: '2025-11-25' },
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  listTools: async () => (await client.listTools()).tools,
  callTool: (name, args) => client.callTool({ name, arguments: args }),
});
await client.close();
process.exitCode = ok ? 0 : 1;
