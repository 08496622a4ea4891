"""The examples of the documents, in `docs/examples`: each reads a chat with a tool, a refusal, and a reply that breaks off."""

import asyncio
import json
import os
import pathlib
import subprocess

from model import Model
from service import Process, Service, free_port
from walk import END, HASH, SHA, equal

# Where their packages are, and copies of them.
FOLDER = pathlib.Path(os.environ.get("TOOLKIT_CHAT_EXAMPLES", ""))
BROKE_OFF = "The language model broke off. The text so far is not the whole reply. Try again later."
CALL = {"name": "hash_text", "arguments": {"text": "abc", "algorithm": "sha256"}}
RESULT = {"result": SHA, "type": "sha256"}


async def checks(server):
    for name, whole, cut in (("transport", TRANSPORT, TRANSPORT_CUT), ("page", PAGE, PAGE_CUT)):
        yield f"example {name}", lambda name=name, whole=whole, cut=cut: check(server, name, whole, cut)


async def check(server, name, whole, cut):
    model = await Model().start()
    service = await Service().run(server, [("main", "openai", f"{model.url}/v1", {})])
    try:
        model.script([("text", "Let me see."), HASH, ("end", "calls")], [("text", "It is "), ("text", "ba78."), END])
        equal(await run(name, service, service.key), whole)
        model.script([("text", "It is "), ("close",)])
        equal(await run(name, service, service.key), cut)
        refused = await run(name, service, "no-key")
        assert "key" in json.dumps(refused) and "It is" not in json.dumps(refused), refused
    finally:
        service.stop()


async def run(name, service, key):
    """Runs an example behind a back end with this key."""
    port = free_port()
    environment = {"TOOLKIT_URL": f"http://127.0.0.1:{service.port}", "TOOLKIT_KEY": key, "PORT": str(port)}
    backend = await Process().start("backend", port, ["node", str(FOLDER / "chat-backend.mjs")], environment)
    try:
        command = ["node", str(FOLDER / "examples.mjs"), name, f"http://127.0.0.1:{port}/chat"]
        seen = json.loads(await asyncio.to_thread(subprocess.check_output, command, text=True))
        return joined(seen) if name == "page" else seen
    finally:
        backend.stop()


def joined(events):
    """Joins consecutive pieces of text: those that arrive together may come as one."""
    result = []
    for event in events:
        if event["type"] == "delta" and result[-1]["type"] == "delta":
            result[-1]["text"] += event["text"]
        else:
            result.append(event)
    return result


def said(text):
    return {"type": "text", "text": text, "state": "done"}


TOOL = {"type": "dynamic-tool", "toolName": "hash_text", "toolCallId": "r01c00000", "state": "output-available",
        "input": CALL["arguments"], "output": RESULT}
TRANSPORT = {"parts": [said("Let me see."), TOOL, said("\n\nIt is ba78.")], "errors": []}
TRANSPORT_CUT = {"parts": [said("It is ")], "errors": [BROKE_OFF]}
START = {"type": "start", "provider": "main", "model": "stub-model"}
PAGE = [START, {"type": "delta", "text": "Let me see."}, {"type": "tool_start", "id": "r01c00000", "name": "hash_text"},
        {"type": "tool", "id": "r01c00000", **CALL, "ok": True, "result": RESULT}, {"type": "delta", "text": "\n\nIt is ba78."},
        {"type": "done", "ok": True, "provider": "main", "model": "stub-model", "finish_reason": "stop",
         "usage": {"input_tokens": 6, "output_tokens": 4}}]
PAGE_CUT = [START, {"type": "delta", "text": "It is "}, {"type": "thrown", "message": BROKE_OFF}]
