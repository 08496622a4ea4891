"""The Python SDK. usage: python python.py URL|PROGRAM

A program is started as `PROGRAM stdio`.
"""

import asyncio
import json
import pathlib
import sys

from mcp import Client, MCPError, StdioServerParameters

CASES = json.loads(pathlib.Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))

SERVER = sys.argv[1]
IS_LOCAL = not SERVER.startswith("http")


def contains(seen, expected, place="answer"):
    """Asserts that `seen` holds everything of `expected`, at any depth."""
    if not isinstance(expected, dict):
        assert seen == expected, f"{place}: {seen!r}"
        return
    for name, value in expected.items():
        assert name in seen, f"{place}.{name} is not there"
        contains(seen[name], value, f"{place}.{name}")


async def answers(client, case):
    result = await client.call_tool(case["tool"], case["good"])
    assert not result.is_error, result.content
    contains(result.structured_content, case["answer"])
    assert json.loads(result.content[0].text) == result.structured_content


async def refuses(client, tool, bad):
    result = await client.call_tool(tool, bad["input"])
    assert result.is_error and result.structured_content is None
    for word in bad["words"]:
        assert word in result.content[0].text, result.content[0].text


async def greets(client):
    assert client.protocol_version == "2026-07-28", client.protocol_version
    server = client.server_info
    assert server.name == "toolkit" and server.title and server.version
    assert bool(server.website_url) != IS_LOCAL


async def lists(client):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [case["tool"] for case in CASES], "cases.json calls each tool, in the list's order"
    assert all(tool.title and tool.description and tool.output_schema for tool in tools)


async def knows_its_tools(client):
    try:
        await client.call_tool("no_such_tool", {})
    except MCPError as error:
        assert error.error.code == -32602
        assert "Unknown tool `no_such_tool`. The tools are base64_transform" in str(error)
    else:
        raise AssertionError("the call was answered")


async def main():
    passed = failed = 0
    server = StdioServerParameters(command=SERVER, args=["stdio"]) if IS_LOCAL else SERVER
    async with Client(server) as client:
        checks = [
            ("agrees on 2026-07-28 and learns whom it talks to", greets(client)),
            ("lists the tools in order", lists(client)),
            ("an unknown tool is a protocol error", knows_its_tools(client)),
        ]
        for case in CASES:
            checks.append((f"{case['tool']} answers", answers(client, case)))
            for bad in case["bad"]:
                name = f"{case['tool']} refuses {json.dumps(bad['input'])} so that a model can correct its call"
                checks.append((name, refuses(client, case["tool"], bad)))
        for name, check in checks:
            try:
                await check
                passed += 1
                print(f"ok      Python SDK: {name}")
            except AssertionError as error:
                failed += 1
                print(f"FAILED  Python SDK: {name}: {error}")
    print(f"Python SDK: {passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(asyncio.run(main()))
