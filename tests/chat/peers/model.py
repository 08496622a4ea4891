"""Fake model provider: serves the four wire formats, and follows a script.

A script is a list of rounds, a round a list of steps; a request is answered by the round after those that
its history holds. A round may also be a function that makes the steps of a request's body. Steps:

    ("text", text)  ("reason", text)  ("call", id, name, arguments)  ("end", reason)
    ("gate",)       waits until the test has opened the gate once more
    ("comment",)    a comment of the event stream
    ("error", code) an error in the stream
    ("raw", text)   these characters
    ("close",)      ends the body as if all were said
    ("hang",)       silent until the other side closes
    ("status", code, headers, json)  an answer without success instead of a stream
"""

import asyncio
import json
import re
from pathlib import Path

FIXTURES = Path(__file__).parents[3] / "crates/toolkit-llm/tests/fixtures"
USAGE = (3, 2)


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def kind_of(path):
    if path.endswith("/chat/completions"):
        return "openai"
    if path.endswith("/responses"):
        return "responses"
    if "/messages" in path:
        return "anthropic"
    if "streamGenerateContent" in path or "generateContent" in path:
        return "gemini"
    return None


def rounds_in(kind, body):
    """Returns the number of tool rounds in the history of a request."""
    if kind == "openai":
        return sum(1 for message in body["messages"] if message.get("tool_calls"))
    if kind == "responses":
        types = [item.get("type") for item in body["input"]]
        return sum(1 for before, item in zip([None, *types], types) if item == "function_call" != before)
    if kind == "anthropic":
        blocks = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
        return sum(1 for block in blocks if isinstance(block, list) and any(b["type"] == "tool_use" for b in block))
    # Gateways write the older names too.
    called = {"functionCall", "function_call"}
    return sum(1 for content in body["contents"] if any(called & part.keys() for part in content["parts"]))


class OpenAi:
    def __init__(self):
        self.calls = 0

    def chunk(self, delta, reason=None, **more):
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return f'data: {dump({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "stub-model", "choices": [choice], **more})}\n\n'

    def begin(self):
        return self.chunk({"role": "assistant", "content": ""})

    def text(self, text):
        return self.chunk({"content": text})

    def reason(self, text):
        return self.chunk({"reasoning_content": text})

    def call(self, name_id, name, arguments):
        index, self.calls = self.calls, self.calls + 1
        head = {"index": index, "id": name_id, "type": "function", "function": {"name": name, "arguments": ""}}
        middle = len(arguments) // 2
        pieces = [{"index": index, "function": {"arguments": arguments[a:b]}} for a, b in ((0, middle), (middle, None))]
        return "".join(self.chunk({"tool_calls": [piece]}) for piece in (head, *pieces))

    def end(self, reason):
        word = {"stop": "stop", "length": "length", "calls": "tool_calls"}[reason]
        usage = {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)}
        return self.chunk({}, word) + f'data: {dump({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "stub-model", "choices": [], "usage": usage})}\n\ndata: [DONE]\n\n'

    def error(self, code):
        return f'data: {dump({"error": {"code": code, "message": "canary-provider"}})}\n\n'

    def whole(self, text, calls, reason):
        word = {"stop": "stop", "length": "length", "calls": "tool_calls"}[reason]
        message = {"role": "assistant", "content": text or None}
        if calls:
            message["tool_calls"] = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
        return {"id": "c1", "object": "chat.completion", "created": 1, "model": "stub-model",
                "choices": [{"index": 0, "message": message, "finish_reason": word}],
                "usage": {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)}}


class Responses:
    def __init__(self):
        self.items, self.open = [], None

    def event(self, kind, **more):
        return f"event: {kind}\ndata: {dump({'type': kind, **more})}\n\n"

    def response(self, status, reason=None):
        usage = {"input_tokens": USAGE[0], "input_tokens_details": {"cached_tokens": 0}, "output_tokens": USAGE[1],
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": sum(USAGE)}
        return {"id": "r1", "object": "response", "created_at": 1, "status": status, "error": None, "model": "stub-model", "output": self.items,
                "incomplete_details": reason and {"reason": reason}, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": usage}

    def begin(self):
        return self.event("response.created", response=self.response("in_progress"))

    def add(self, item):
        self.items.append(item)
        return self.event("response.output_item.added", output_index=len(self.items) - 1, item=item)

    def done(self, item):
        return self.event("response.output_item.done", output_index=len(self.items) - 1, item=item)

    def close(self):
        item, self.open = self.open, None
        return self.done(item) if item else ""

    def text(self, text):
        out = ""
        if self.open is None:
            self.open = {"id": f"msg_{len(self.items)}", "type": "message", "role": "assistant", "status": "completed",
                         "content": [{"type": "output_text", "text": "", "annotations": []}]}
            out = self.add({**self.open, "content": [], "status": "in_progress"})
            self.items[-1] = self.open
        self.open["content"][0]["text"] += text
        where = {"item_id": self.open["id"], "output_index": len(self.items) - 1, "content_index": 0}
        return out + self.event("response.output_text.delta", **where, delta=text, logprobs=[])

    def reason(self, text):
        item = {"id": f"rs_{len(self.items)}", "type": "reasoning", "summary": [], "encrypted_content": "c2ln"}
        out = self.close() + self.add(item)
        where = {"item_id": item["id"], "output_index": len(self.items) - 1, "summary_index": 0}
        return out + self.event("response.reasoning_summary_text.delta", **where, delta=text) + self.done(item)

    def call(self, name_id, name, arguments):
        item = {"id": f"fc_{name_id}", "type": "function_call", "call_id": name_id, "name": name, "arguments": arguments, "status": "completed"}
        return self.close() + self.add({**item, "arguments": ""}) + self.done(item)

    def end(self, reason):
        out = self.close()
        if reason == "length":
            return out + self.event("response.incomplete", response=self.response("incomplete", "max_output_tokens"))
        return out + self.event("response.completed", response=self.response("completed"))

    def error(self, code):
        return self.event("error", code=str(code), message="canary-provider", param=None)

    def whole(self, text, calls, reason):
        if text:
            self.text(text)
        for call in calls:
            self.call(*call)
        return self.response("incomplete", "max_output_tokens") if reason == "length" else self.response("completed")


class Anthropic:
    def __init__(self):
        self.index = -1
        self.open = None

    def event(self, kind, **more):
        return f"event: {kind}\ndata: {dump({'type': kind, **more})}\n\n"

    def begin(self):
        message = {"id": "m1", "type": "message", "role": "assistant", "model": "stub-model", "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": USAGE[0], "output_tokens": 1}}
        return self.event("message_start", message=message) + self.event("ping")

    def block(self, kind, **more):
        if self.open == kind and kind != "tool_use":
            return ""
        out = self.close()
        self.index, self.open = self.index + 1, kind
        return out + self.event("content_block_start", index=self.index, content_block={"type": kind, **more})

    def close(self):
        if self.open is None:
            return ""
        self.open = None
        return self.event("content_block_stop", index=self.index)

    def delta(self, kind, **more):
        return self.event("content_block_delta", index=self.index, delta={"type": kind, **more})

    def text(self, text):
        return self.block("text", text="") + self.delta("text_delta", text=text)

    def reason(self, text):
        return self.block("thinking", thinking="", signature="") + self.delta("thinking_delta", thinking=text) \
            + self.delta("signature_delta", signature="sig==")

    def call(self, name_id, name, arguments):
        out = self.block("tool_use", id=name_id, name=name, input={})
        middle = len(arguments) // 2
        return out + "".join(self.delta("input_json_delta", partial_json=p) for p in (arguments[:middle], arguments[middle:]))

    def end(self, reason):
        word = {"stop": "end_turn", "length": "max_tokens", "calls": "tool_use"}[reason]
        return self.close() + self.event("message_delta", delta={"stop_reason": word, "stop_sequence": None},
                                         usage={"output_tokens": USAGE[1]}) + self.event("message_stop")

    def error(self, code):
        kind = {429: "rate_limit_error", 529: "overloaded_error"}.get(code, "api_error")
        return self.event("error", error={"type": kind, "message": "canary-provider"})

    def whole(self, text, calls, reason):
        word = {"stop": "end_turn", "length": "max_tokens", "calls": "tool_use"}[reason]
        content = [{"type": "text", "text": text}] if text else []
        content += [{"type": "tool_use", "id": i, "name": n, "input": json.loads(a)} for i, n, a in calls]
        return {"id": "m1", "type": "message", "role": "assistant", "model": "stub-model", "content": content,
                "stop_reason": word, "stop_sequence": None, "usage": {"input_tokens": USAGE[0], "output_tokens": USAGE[1]}}


class Gemini:
    def chunk(self, parts, **more):
        candidate = {"content": {"role": "model", "parts": parts}, "index": 0, **more}
        return f'data: {dump({"candidates": [candidate], "modelVersion": "stub-model", "responseId": "r1"})}\r\n\r\n'

    def begin(self):
        return ""

    def text(self, text):
        return self.chunk([{"text": text}])

    def reason(self, text):
        return self.chunk([{"text": text, "thought": True}])

    def part(self, name_id, name, arguments):
        try:
            value = json.loads(arguments or "{}")
        except ValueError:
            value = arguments
        return {"functionCall": {"id": name_id, "name": name, "args": value}, "thoughtSignature": "c2ln"}

    def call(self, *call):
        return self.chunk([self.part(*call)])

    def counts(self):
        return {"promptTokenCount": USAGE[0], "candidatesTokenCount": USAGE[1], "totalTokenCount": sum(USAGE)}

    def end(self, reason):
        candidate = {"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "MAX_TOKENS" if reason == "length" else "STOP", "index": 0}
        return f'data: {dump({"candidates": [candidate], "modelVersion": "stub-model", "usageMetadata": self.counts()})}\r\n\r\n'

    def error(self, code):
        return f'data: {dump({"error": {"code": code, "message": "canary-provider", "status": "INTERNAL"}})}\r\n\r\n'

    def whole(self, text, calls, reason):
        parts = ([{"text": text}] if text else []) + [self.part(*call) for call in calls]
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0,
                                "finishReason": "MAX_TOKENS" if reason == "length" else "STOP"}],
                "usageMetadata": self.counts(), "modelVersion": "stub-model"}


FORMATS = {"openai": OpenAi, "responses": Responses, "anthropic": Anthropic, "gemini": Gemini}


class Model:
    """A fake provider on a free port of the loopback interface."""

    def __init__(self):
        self.rounds = [[("close",)]]
        self.requests = []
        self.closed = asyncio.Semaphore(0)
        self.gate = asyncio.Semaphore(0)

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=4 << 20)
        self.port = self.server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def script(self, *rounds):
        """Sets the script, and clears the recorded requests."""
        self.rounds, self.requests = list(rounds), []
        self.closed, self.gate = asyncio.Semaphore(0), asyncio.Semaphore(0)

    def bodies(self):
        return [body for _, _, body in self.requests]

    async def serve(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, path, _ = head.split("\r\n", 1)[0].split(" ")
        length = re.search(r"(?i)^content-length: *(\d+)", head, re.M)
        if re.search(r"(?i)^transfer-encoding: *chunked", head, re.M):
            payload = await self.chunked(reader)
        else:
            payload = await reader.readexactly(int(length[1]) if length else 0)
        kind = kind_of(path)
        if method != "POST" or kind is None:
            self.answer(writer, 200, {"data": []})
            return True
        body = json.loads(payload)
        self.requests.append((path, head, body))
        fixture = re.search(r"fixture=([a-z-]+)", dump(body))
        if fixture:
            steps = [("raw", (FIXTURES / f"{fixture[1]}.sse").read_text("utf-8")), ("close",)]
        else:
            steps = self.rounds[min(rounds_in(kind, body), len(self.rounds) - 1)]
            steps = steps(body) if callable(steps) else steps
        if steps[0][0] == "status":
            _, status, headers, said = steps[0]
            self.answer(writer, status, said, headers)
            await writer.drain()
            return True
        if not (body.get("stream") or "streamGenerateContent" in path):
            text = "".join(step[1] for step in steps if step[0] == "text")
            calls = [step[1:] for step in steps if step[0] == "call"]
            reason = next((step[1] for step in steps if step[0] == "end"), "stop")
            self.answer(writer, 200, FORMATS[kind]().whole(text, calls, reason))
            await writer.drain()
            return True
        return await self.stream(FORMATS[kind](), steps, reader, writer)

    async def chunked(self, reader):
        payload = b""
        while size := int(await reader.readline(), 16):
            payload += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
        return payload

    def answer(self, writer, status, said, headers=""):
        text = dump(said).encode()
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n{headers}\r\n".encode() + text)

    async def stream(self, form, steps, reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")

        def send(text):
            if text:
                data = text.encode()
                writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

        if steps[0][0] not in ("raw", "error"):
            send(form.begin())
        for step, *rest in steps:
            if step == "gate":
                await self.gate.acquire()
            elif step == "hang":
                await writer.drain()
                await reader.read(1)
                self.closed.release()
                return False
            elif step == "comment":
                send(": still here\n\n")
            elif step == "raw":
                send(rest[0])
            elif step != "close":
                send(getattr(form, step)(*rest))
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True
