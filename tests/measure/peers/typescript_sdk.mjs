// The MCP tool on the TypeScript SDK: express, stateless, answers as JSON. Without sessions the SDK wants a
// server and a transport for each request. usage: node typescript_sdk.mjs PORT
import express from "express";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const inputSchema = { text: z.string(), mode: z.enum(["encode", "decode"]) };

function base64Transform({ text, mode }) {
  const [from, to] = mode === "encode" ? ["utf8", "base64"] : ["base64", "utf8"];
  return { content: [{ type: "text", text: Buffer.from(text, from).toString(to) }] };
}

const app = express();
app.use(express.json());
app.post("/mcp", async (request, response) => {
  const server = new McpServer({ name: "peer", version: "1" });
  server.registerTool("base64_transform", { description: "Base64", inputSchema }, base64Transform);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.listen(Number(process.argv[2]), "127.0.0.1");
