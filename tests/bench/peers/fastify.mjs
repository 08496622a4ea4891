// The base64 endpoint on fastify, with schemas for what comes and what goes, as its manual advises for speed.
// usage: node fastify.mjs PORT
import fastify from "fastify";

const app = fastify();
const schema = {
  body: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  response: { 200: { type: "object", properties: { ok: { type: "boolean" }, result: { type: "string" } } } },
};
app.post("/base64", { schema }, async (request) => ({
  ok: true,
  result: Buffer.from(request.body.text).toString("base64"),
}));
await app.listen({ port: Number(process.argv[2]), host: "127.0.0.1" });
