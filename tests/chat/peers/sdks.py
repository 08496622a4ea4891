"""Vendors' SDKs: they read the fixtures of the wire formats from a server that sends them."""

import asyncio
import json

from model import FIXTURES, Model


def openai(url, name):
    from openai import OpenAI

    client = OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0)
    with client.chat.completions.stream(model="m", messages=[{"role": "user", "content": f"fixture={name}"}],
                                        stream_options={"include_usage": True}) as stream:
        final = stream.get_final_completion()
    message = final.choices[0].message
    calls = [{"id": call.id, "name": call.function.name, "arguments": json.loads(call.function.arguments)} for call in message.tool_calls or []]
    return message.content or "", calls, final.usage.prompt_tokens, final.usage.completion_tokens


def responses(url, name):
    from openai import OpenAI

    client = OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0)
    with client.responses.stream(model="m", input=f"fixture={name}") as stream:
        final = stream.get_final_response()
    calls = [{"id": item.call_id, "name": item.name, "arguments": json.loads(item.arguments)} for item in final.output if item.type == "function_call"]
    return final.output_text, calls, final.usage.input_tokens, final.usage.output_tokens


def anthropic(url, name):
    from anthropic import Anthropic

    client = Anthropic(api_key="k", base_url=url, max_retries=0)
    with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": f"fixture={name}"}]) as stream:
        final = stream.get_final_message()
    text = "".join(block.text for block in final.content if block.type == "text")
    calls = [{"id": block.id, "name": block.name, "arguments": block.input} for block in final.content if block.type == "tool_use"]
    usage = final.usage
    cached = (usage.cache_read_input_tokens or 0) + (usage.cache_creation_input_tokens or 0)
    return text, calls, usage.input_tokens + cached, usage.output_tokens


def gemini(url, name):
    from google import genai

    client = genai.Client(api_key="k", http_options={"base_url": url})
    text, calls, usage = "", [], None
    for chunk in client.models.generate_content_stream(model="m", contents=f"fixture={name}"):
        parts = chunk.candidates[0].content.parts or []
        text += "".join(part.text for part in parts if part.text and not part.thought)
        calls += [{"id": part.function_call.id, "name": part.function_call.name, "arguments": part.function_call.args}
                  for part in parts if part.function_call]
        usage = chunk.usage_metadata or usage
    return text, calls, usage.prompt_token_count, usage.candidates_token_count + (usage.thoughts_token_count or 0)


READERS = {"openai": openai, "responses": responses, "anthropic": anthropic, "gemini": gemini}


async def read(name, expected):
    model = await Model().start()
    text, calls, input_tokens, output_tokens = await asyncio.to_thread(READERS[name.split("-")[0]], model.url, name)
    found = {"text": text, "calls": calls, "input_tokens": input_tokens, "output_tokens": output_tokens}
    assert found == expected, f"{found} is not {expected}"


async def checks(_program):
    for name, expected in json.loads((FIXTURES / "expected.json").read_text("utf-8")).items():
        yield f"the {name.split('-')[0]} SDK reads {name}.sse", lambda name=name, expected=expected: read(name, expected)
