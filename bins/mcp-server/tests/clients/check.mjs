// What each official client must see, whichever it is: every tool with a good input and with bad ones.
// It is given the client's functions, prints a line for each check, and ends with 1 if one failed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, tally } from './tally.mjs';

const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url)));
// Whether `seen` holds everything of `expected`, at any depth.
function contains(seen, expected, place = 'answer') {
  if (expected === null || typeof expected !== 'object') {
    assert.deepEqual(seen, expected, `${place}: ${JSON.stringify(seen)}`);
    return;
  }
  for (const [name, value] of Object.entries(expected)) contains(seen?.[name], value, `${place}.${name}`);
}

// A check that every client makes.
export async function checkAll({ isLocal, client, negotiated, server, instructions, listTools, callTool }) {
  await check(`${client}: agrees on ${negotiated.expected}`, () => assert.equal(negotiated.seen, negotiated.expected));
  await check(`${client}: learns whom it talks to`, () => {
    assert.equal(server.name, 'toolkit');
    assert.ok(server.title && server.version, JSON.stringify(server));
    assert.equal(Boolean(server.websiteUrl), !isLocal, JSON.stringify(server));
    assert.match(instructions, /^Deterministic developer tools/);
  });
  const tools = await listTools();
  await check(`${client}: lists the tools in order`, () => {
    assert.deepEqual(tools.map(tool => tool.name), cases.map(item => item.tool), "cases.json calls each tool, in the list's order");
    for (const tool of tools) assert.ok(tool.title && tool.description && tool.outputSchema, tool.name);
  });
  for (const { tool, good, answer, bad } of cases) {
    await check(`${client}: ${tool} answers`, async () => {
      const result = await callTool(tool, good);
      assert.ok(!result.isError, JSON.stringify(result.content));
      contains(result.structuredContent, answer);
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    });
    for (const { input, words } of bad) {
      await check(`${client}: ${tool} refuses ${JSON.stringify(input)} so that a model can correct its call`, async () => {
        const result = await callTool(tool, input);
        assert.equal(result.isError, true);
        assert.equal(result.structuredContent, undefined);
        for (const word of words) assert.ok(result.content[0].text.includes(word), result.content[0].text);
      });
    }
  }
  await check(`${client}: an unknown tool is a protocol error`, async () => {
    await assert.rejects(callTool('no_such_tool', {}), error => {
      assert.equal(error.code, -32602);
      assert.match(error.message, /Unknown tool `no_such_tool`\. The tools are base64_transform/);
      return true;
    });
  });
  console.log(`${client}: ${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed === 0;
}
