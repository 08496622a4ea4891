// Five works on fastify, with schemas for requests and responses, as its manual advises for speed.
// usage: node fastify.mjs PORT
import { createHash } from "node:crypto";
import { XMLParser } from "fast-xml-parser";
import fastify from "fastify";
import { load } from "js-yaml";

const xml = new XMLParser({
  attributeNamePrefix: "@",
  ignoreAttributes: false,
  ignoreDeclaration: true,
  parseTagValue: false,
});
const pretty = (value) => JSON.stringify(value, null, 2);

const works = {
  base64: (text) => Buffer.from(text).toString("base64"),
  json: (text) => pretty(JSON.parse(text)),
  sha256: (text) => createHash("sha256").update(text).digest("hex"),
  xml: (text) => pretty(xml.parse(text)),
  yaml: (text) => pretty(load(text)),
};

const app = fastify({ bodyLimit: 4 << 20 });
const schema = {
  body: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  response: { 200: { type: "object", properties: { ok: { type: "boolean" }, result: { type: "string" } } } },
};
for (const [name, work] of Object.entries(works)) {
  app.post(`/${name}`, { schema }, async (request) => ({ ok: true, result: work(request.body.text) }));
}
await app.listen({ port: Number(process.argv[2]), host: "127.0.0.1" });
