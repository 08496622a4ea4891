// The TypeScript SDK, version 2. usage: node typescript-2.mjs URL|PROGRAM [auto]
// A program is started as `PROGRAM stdio`.
// With `auto` it speaks the newest revision, else the newest that has a handshake.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { checkAll } from './check.mjs';

const [, , server, mode] = process.argv;
const isLocal = !server.startsWith('http');
const client = new Client(
  { name: 'toolkit-check', version: '1' },
  mode ? { versionNegotiation: { mode } } : {},
);
await client.connect(
  isLocal
    ? new StdioClientTransport({ command: server, args: ['stdio'] })
    : new StreamableHTTPClientTransport(new URL(server)),
);
const ok = await checkAll({
  isLocal,
  client: `TypeScript SDK 2${mode ? ` (${mode})` : ''}`,
  negotiated: {
    seen: client.getNegotiatedProtocolVersion(),
    expected: mode ? '2026-07-28' : '2025-11-25',
  },
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  listTools: async () => (await client.listTools()).tools,
  callTool: (name, args) => client.callTool({ name, arguments: args }),
});
await client.close();
process.exitCode = ok ? 0 : 1;
