"""The MCP tool on the Python SDK: uvicorn, stateless, answers as JSON. usage: python python_sdk.py PORT"""

import base64
import sys
from typing import Literal

from mcp.server import MCPServer

server = MCPServer("peer", log_level="ERROR")


@server.tool()
def base64_transform(text: str, mode: Literal["encode", "decode"]) -> str:
    if mode == "encode":
        return base64.b64encode(text.encode()).decode()
    return base64.b64decode(text).decode()


server.run(
    transport="streamable-http",
    host="127.0.0.1",
    port=int(sys.argv[1]),
    stateless_http=True,
    json_response=True,
)
