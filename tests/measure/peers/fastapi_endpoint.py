"""The base64 endpoint on FastAPI and uvicorn with uvloop and httptools. usage: python fastapi_endpoint.py PORT"""

import base64
import sys

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel


class Input(BaseModel):
    text: str


class Answer(BaseModel):
    ok: bool
    result: str


app = FastAPI()


@app.post("/base64")
async def encode(body: Input) -> Answer:
    return Answer(ok=True, result=base64.b64encode(body.text.encode()).decode())


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False)
