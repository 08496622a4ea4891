// A client that openapi-typescript generated from docs/openapi.json, as its users write it: `tsc` checks the
// types, and the calls go to a running server.
//
// usage: openapi.js ADDRESS KEY

import assert from "node:assert/strict";
import process from "node:process";
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [address, key] = process.argv.slice(2);
assert.ok(address && key, "usage: openapi.js ADDRESS KEY");

const open = createClient<paths>({ baseUrl: address });
const keyed = createClient<paths>({ baseUrl: address, headers: { "X-Api-Key": key } });

const catalog = await open.GET("/toolkit/api/tools");
assert.equal(catalog.data?.count, catalog.data?.tools.length);

const good = await open.POST("/toolkit/api/tools/cidr-calculator/run", { body: { cidr: "192.0.2.10/24" } });
assert.equal(good.response.status, 200);
const network: string | undefined = good.data?.result.network;
assert.equal(network, "192.0.2.0");

const bad = await open.POST("/toolkit/api/tools/cidr-calculator/run", { body: { cidr: "192.0.2.10/99" } });
assert.equal(bad.response.status, 422);
const detail: string | undefined = bad.error?.detail;
assert.match(detail ?? "", /`cidr`/);

// @ts-expect-error The input is `cidr`.
const misspelt = await open.POST("/toolkit/api/tools/cidr-calculator/run", { body: { network: "192.0.2.0/24" } });
assert.equal(misspelt.response.status, 422);

const chat = { messages: [{ role: "user" as const, content: "Hi" }] };
const keyless = await open.POST("/toolkit/api/chat", { body: chat });
assert.equal(keyless.response.status, 401);
// There is a key, and no model.
const modelless = await keyed.POST("/toolkit/api/chat", { body: chat });
assert.equal(modelless.response.status, 503);
assert.equal(typeof modelless.error?.detail, "string");

console.log("7 passed, 0 failed");
