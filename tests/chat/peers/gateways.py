"""LiteLLM proxy: as a provider of the service, alone and in front of our own fake providers."""

import contextlib
import json
import os
import pathlib
import sys
import tempfile

from model import Model
from service import Process, Service, free_port
from walk import END, HASH, SHA, equal

KINDS = ("openai", "anthropic", "gemini")

MASTER_KEY = "sk-0000"


async def litellm(models):
    """Starts the proxy with these models: name, parameters."""
    process, port = Process(), free_port()
    config = {"model_list": [{"model_name": name, "litellm_params": parameters} for name, parameters in models],
              "general_settings": {"master_key": MASTER_KEY}, "litellm_settings": {"num_retries": 0, "telemetry": False},
              "router_settings": {"num_retries": 0, "disable_cooldowns": True}}
    folder = tempfile.mkdtemp(prefix="toolkit-chat-")
    # JSON is YAML.
    pathlib.Path(folder, "config.yaml").write_text(json.dumps(config))
    program = str(pathlib.Path(sys.executable).parent / "litellm")
    environment = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION", "NO_DOCS": "True", "DO_NOT_TRACK": "1",
                   "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    return await process.start("litellm", port, [program, "--config", f"{folder}/config.yaml", "--host", "127.0.0.1", "--port", str(port)],
                               environment, folder)


class Gateway:
    def __init__(self, program):
        self.program, self.proxy, self.models = program, None, {}

    async def start(self):
        if self.proxy:
            return
        self.models = {kind: await Model().start() for kind in KINDS}
        prefix = {"openai": "openai/stub-model", "anthropic": "anthropic/stub-model", "gemini": "gemini/stub-model"}
        base = {"openai": "/v1", "anthropic": "", "gemini": "/v1beta"}
        words = " ".join(f"word{number}" for number in range(30))
        models = [("words", {"model": "openai/mock", "api_key": "k", "mock_response": words}),
                  ("limited", {"model": "openai/mock", "api_key": "k", "mock_response": "litellm.RateLimitError"}),
                  ("broken", {"model": "openai/mock", "api_key": "k", "mock_response": "litellm.InternalServerError"})]
        models += [(kind, {"model": prefix[kind], "api_key": "k", "api_base": self.models[kind].url + base[kind]}) for kind in KINDS]
        self.proxy = await litellm(models)
        self.words = words

    @contextlib.asynccontextmanager
    async def service(self, model):
        await self.start()
        url = f"http://127.0.0.1:{self.proxy.port}/v1"
        service = await Service().run(self.program, [("main", "openai", url, {"model": model, "api_key": MASTER_KEY, "timeout_ms": 20000})])
        try:
            yield service
        finally:
            service.stop()

    async def streams(self):
        async with self.service("words") as service:
            answer = await service.chat(stream=True)
            equal(answer.status, 200)
            equal((answer.kinds()[0], answer.kinds()[-1], answer.reply()), ("start", "done", self.words))
            assert len(answer.all("delta")) > 1, answer.text
            usage = answer.all("done")[0]["usage"]
            assert usage and usage["output_tokens"] > 0, usage
            whole = (await service.chat()).json()
            equal((whole["reply"], whole["finish_reason"]), (self.words, "stop"))

    async def limited(self):
        async with self.service("limited") as service:
            for _ in range(2):
                answer = await service.chat(stream=True)
                equal(answer.status, 503)
                assert int(answer.headers["retry-after"]) >= 1

    async def broken(self):
        async with self.service("broken") as service:
            answer = await service.chat(stream=True)
            equal((answer.status, answer.json()["detail"]), (502, "No language model gave a reply. Try again later."))

    async def before(self, kind):
        async with self.service(kind) as service:
            model = self.models[kind]
            calls = [HASH, ("call", "call-2", "cidr_info", '{"cidr": "10.0.0.0/33"}')]
            model.script([("text", "Let me see."), *calls, ("end", "calls")], [("text", "It is "), ("text", "done."), END])
            answer = await service.chat(stream=True, tools="auto")
            equal(answer.kinds()[-1], "done")
            first, second = answer.all("tool")
            equal((first["ok"], first["result"]["result"], second["ok"]), (True, SHA, False))
            equal(answer.reply(), "Let me see.\n\nIt is done.")
            equal(len(model.requests), 2)
            # One by one: each piece is sent once the one before was seen.
            model.script([("text", "1 "), ("gate",), ("text", "2 "), ("gate",), ("text", "3"), END])
            async with service.open(stream=True) as stream:
                await stream.follow(model.gate, 2)
                equal(stream.reply(), "1 2 3")
            # Cut in the middle: never taken for whole.
            model.script([("text", "Half"), ("error", 500), ("close",)])
            cut = await service.chat(stream=True)
            assert cut.status == 502 or cut.kinds()[-1] == "error", cut.text

    async def stop(self):
        if self.proxy:
            self.proxy.stop()


async def checks(program):
    gateway = Gateway(program)
    yield "LiteLLM streams a reply", gateway.streams
    yield "LiteLLM answers 429", gateway.limited
    yield "LiteLLM answers 500", gateway.broken
    for kind in KINDS:
        yield f"LiteLLM before a server that speaks {kind}", lambda kind=kind: gateway.before(kind)
    yield "LiteLLM stops", gateway.stop
