"""Reverse proxies with the shipped files: events arrive one by one and uncompressed."""

import asyncio

from model import Model
from service import Service, caddy, nginx, trusting
from walk import END, equal


async def singly(program, proxy):
    model = await Model().start()
    service = await Service().run(program, [("main", "openai", model.url + "/v1", {})])
    before = None
    try:
        before = await proxy(service)
        # Each piece is sent only once the client has seen the one before: what is held back never ends.
        pieces = [f"{number} " for number in range(20)]
        model.script([step for piece in pieces for step in (("text", piece), ("gate",))] + [END])
        async with service.open(port=before.port, tls=trusting(), stream=True) as answer:
            equal(answer.status, 200)
            equal(answer.headers["content-type"], "text/event-stream")
            assert "content-encoding" not in answer.headers, answer.headers
            await answer.follow(model.gate, 20)
            equal((answer.reply(), answer.kinds()[-1]), ("".join(pieces), "done"))
        # A client that leaves the proxy closes the connection to the model.
        model.script([("text", "Half"), ("hang",)])
        async with service.open(port=before.port, tls=trusting(), stream=True) as answer:
            await answer.read_until("delta")
        await asyncio.wait_for(model.closed.acquire(), 5)
        # A failure before the first content is not sent to a second replica, nor asked twice.
        model.script([("status", 500, "", {})])
        async with service.open(port=before.port, tls=trusting(), stream=True) as answer:
            equal(answer.status, 502)
        equal(len(model.requests), 1)
    finally:
        if before:
            before.stop()
        service.stop()


async def checks(program):
    yield "nginx with the shipped file", lambda: singly(program, nginx)
    yield "Caddy with the shipped file", lambda: singly(program, caddy)
