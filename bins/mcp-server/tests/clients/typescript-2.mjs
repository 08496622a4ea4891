// The TypeScript SDK, version 2. usage: node typescript-2.mjs URL [auto]
// With `auto` it speaks the newest revision, else the newest that has a handshake.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { checkAll } from './check.mjs';

const mode = process.argv[3];
const client = new Client(
  { name: 'toolkit-check', version: '1' },
  mode ? { versionNegotiation: { mode } } : {},
);
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
const ok = await checkAll({
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
