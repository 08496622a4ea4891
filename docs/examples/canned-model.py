"""A model with one fixed reply, for trials of chat: the OpenAI protocol on 127.0.0.1:4000, or the address given."""

import http.server
import json
import sys


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = {"role": "assistant", "content": "Good day. This is a canned answer."}
        streams = asked.get("stream", False)
        choice = {"index": 0, "delta" if streams else "message": said, "finish_reason": "stop"}
        answer = json.dumps({"id": "canned", "created": 0, "model": asked["model"], "choices": [choice],
                             "usage": {"prompt_tokens": 10, "completion_tokens": 20}})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
        self.end_headers()
        self.wfile.write((f"data: {answer}\n\ndata: [DONE]\n\n" if streams else answer).encode())


host, port = (sys.argv[1] if sys.argv[1:] else "127.0.0.1:4000").split(":")
http.server.ThreadingHTTPServer((host, int(port)), Model).serve_forever()
