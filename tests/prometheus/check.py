#!/usr/bin/env python3
"""The shipped dashboard and alerts, with a real Prometheus and real servers.

usage: check.py API_SERVER MCP_SERVER

Both servers are called as their users do, Prometheus reads them as docs/operating/watch.md says (each second in place of each
15, and `$__rate_interval` is four of them, as in Grafana), and every query of the dashboard must find something. promtool tests
the alerts. Needs `prometheus` and `promtool`.
"""

import contextlib
import http.server
import json
import math
import os
import pathlib
import re
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DASHBOARD = json.loads((ROOT / "deploy/grafana/toolkit.json").read_text("utf-8"))
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
MANUAL = (ROOT / "docs/operating/watch.md").read_text("utf-8")
DEADLINE_SECONDS = 30


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def serving(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()


class Model(http.server.BaseHTTPRequestHandler):
    """A model that calls a tool where it may, and fails now and then."""

    asked = 0

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Model.asked += 1
        if Model.asked % 5 == 0:
            self.send_error(500)
            return
        delta, reason = {"role": "assistant", "content": "Hello."}, "stop"
        if body.get("tools") and body["messages"][-1]["role"] != "tool":
            call = {"name": body["tools"][0]["function"]["name"], "arguments": '{"text": "a", "mode": "encode"}'}
            delta, reason = {"role": "assistant", "tool_calls": [{"index": 0, "id": "1", "type": "function", "function": call}]}, "tool_calls"
        chunk = {"id": "1", "created": 0, "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
                 "usage": {"prompt_tokens": 10, "completion_tokens": 20}}
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_):
        pass


class Sink(socketserver.StreamRequestHandler):
    """A mail server that puts off every other mail."""

    asked = 0

    def handle(self):
        self.wfile.write(b"220 sink\r\n")
        data = False
        for line in self.rfile:
            word = line[:4].upper()
            if data:
                data = line != b".\r\n"
                reply = None if data else b"250 ok\r\n"
            elif word == b"DATA":
                data, reply = True, b"354 go on\r\n"
            elif word == b"RCPT":
                Sink.asked += 1
                reply = b"250 ok\r\n" if Sink.asked % 2 else b"451 later\r\n"
            else:
                reply = b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n"
            if reply:
                self.wfile.write(reply)


class Sinks(socketserver.ThreadingTCPServer):
    daemon_threads = True


def send(url, body, key=None):
    """The status of a request, which may be a refusal."""
    headers = {"Content-Type": "application/json"} | ({"X-Api-Key": key} if key else {})
    try:
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=10) as reply:
            reply.read()
            return reply.status
    except urllib.error.HTTPError as error:
        return error.code


def wait_for(what, check):
    end = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < end:
        try:
            if check():
                return
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit(f"in {DEADLINE_SECONDS} s not: {what}")


def use(ports, key, round_):
    """What users of all kinds send in a second."""
    api, mcp = (f"http://127.0.0.1:{ports[name]}/toolkit" for name in ("api", "mcp"))
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "generate_id", "arguments": {"id_type": "ulid"}}}
    chat = {"messages": [{"role": "user", "content": "Hello"}]}
    person = {"name": "Ada", "email": f"ada{round_}@example.org", "message": "Hello"}
    for _ in range(3):
        send(f"{api}/api/tools/ulid-generator/run", {})
    for server in (api, mcp):
        send(f"{server}/mcp", call)
    send(f"{api}/api/chat", chat, key)
    send(f"{api}/api/chat", chat | {"stream": True, "tools": "auto"}, key)
    send(f"{api}/api/contact", person, key)
    send(f"{api}/api/subscribe", {"email": person["email"], "app_id": "docs"}, key)


@contextlib.contextmanager
def started(command, folder, name, environment=None):
    with (folder / f"{name}.log").open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def configuration(ports):
    """The documented one, for these servers, each second."""
    text = re.search(r"^```yaml\n(global:\n.*?)^```$", MANUAL, re.M | re.S)[1]
    assert "scrape_interval: 15s" in text, text
    for documented, own in (("9080", ports["api_admin"]), ("9081", ports["mcp_admin"])):
        text = text.replace(f":{documented}", f":{own}")
    return text.replace("deploy/prometheus/alerts.yml", str(ALERTS)).replace("15s", "1s")


def queries():
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"].replace("$job", ".*").replace("$__rate_interval", "4s")


def finds(prometheus, query):
    now = time.time()
    asked = urllib.parse.urlencode({"query": query, "start": now - 60, "end": now, "step": 1})
    with urllib.request.urlopen(f"{prometheus}/api/v1/query_range?{asked}") as reply:
        series = json.load(reply)["data"]["result"]
    return any(not math.isnan(float(value)) for one in series for _, value in one["values"])


def dashboard(programs):
    """Every query of the dashboard finds something."""
    ports = {name: free_port() for name in ("api", "api_admin", "mcp", "mcp_admin", "prometheus")}
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        model = stack.enter_context(serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)))
        mail = stack.enter_context(serving(Sinks(("127.0.0.1", 0), Sink)))
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder)} | {f"TOOLKIT_{name}": value for name, value in {
            "API__BIND": f"127.0.0.1:{ports['api']}", "API__ADMIN_BIND": f"127.0.0.1:{ports['api_admin']}",
            "MCP__BIND": f"127.0.0.1:{ports['mcp']}", "MCP__ADMIN_BIND": f"127.0.0.1:{ports['mcp_admin']}",
            "LLM__PROVIDERS__0__NAME": "m", "LLM__PROVIDERS__0__KIND": "chat", "LLM__PROVIDERS__0__MODEL": "m",
            "LLM__PROVIDERS__0__BASE_URL": f"http://127.0.0.1:{model}/v1", "LIMITS__CHAT_PER_MINUTE": "0",
            "MAIL__TRANSPORT": "smtp", "MAIL__SMTP_URL": f"smtp://127.0.0.1:{mail}", "MAIL__FROM": "a@example.org",
            "MAIL__OPERATOR": "b@example.org"}.items()}
        for program, name in zip(programs, ("api", "mcp")):
            stack.enter_context(started([program], folder, name, environment))
        for name in ("api_admin", "mcp_admin"):
            wait_for(name, lambda: urllib.request.urlopen(f"http://127.0.0.1:{ports[name]}/readyz"))
        (folder / "prometheus.yml").write_text(configuration(ports))
        prometheus = f"http://127.0.0.1:{ports['prometheus']}"
        stack.enter_context(started(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                                     f"--web.listen-address=127.0.0.1:{ports['prometheus']}"], folder, "prometheus"))
        wait_for("Prometheus is ready", lambda: urllib.request.urlopen(f"{prometheus}/-/ready"))
        key = subprocess.run([programs[0], "keys", "create", "--label", "a", "--quiet"], cwd=folder, env=environment, check=True,
                             stdout=subprocess.PIPE, text=True).stdout.strip()
        missing = list(queries())
        assert len(missing) > 30, missing
        end, round_ = time.monotonic() + DEADLINE_SECONDS, 0
        while missing and time.monotonic() < end:
            until = time.monotonic() + 1
            use(ports, key, round_)
            round_ += 1
            if round_ > 6:
                missing = [(title, query) for title, query in missing if not finds(prometheus, query)]
            time.sleep(max(0, until - time.monotonic()))
        assert not missing, "\n".join(f"{title}: {query}" for title, query in missing)
        return f"{len(list(queries()))} queries"


def intervals(_):
    """No range is shorter than four scrapes, whatever the scrape is."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            ranges = set(re.findall(r"\[([^\]]+)\]", target["expr"]))
            assert ranges <= {"$__rate_interval"}, (panel["title"], ranges)


def promtool(*arguments):
    done = subprocess.run(["promtool", *arguments], cwd=ALERTS.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip().splitlines()[-1]


def rules(_):
    """The alerts are well-formed."""
    return promtool("check", "rules", ALERTS.name)


def alerts(_):
    """The alerts fire when they should, once for what replicas share, and are silent otherwise."""
    return promtool("test", "rules", "alerts.test.yml")


def responses(_):
    """Each alert has its response in the manual, and in a test."""
    names = re.findall(r"^ +- alert: (\w+)$", ALERTS.read_text("utf-8"), re.M)
    assert names == re.findall(r"^\| (Toolkit\w+) \|", MANUAL, re.M), "the manual has other alerts, or another order"
    tested = (ALERTS.parent / "alerts.test.yml").read_text("utf-8")
    for name in names:
        assert f'alertname="{name}"' in tested, f"{name} has no test"
    return f"{len(names)} alerts"


def main():
    programs = [str(pathlib.Path(program).resolve()) for program in sys.argv[1:3]]
    failed = 0
    checks = (rules, alerts, responses, intervals, dashboard)
    for check in checks:
        try:
            print(f"ok      {check.__doc__} {check(programs) or ''}".rstrip(), flush=True)
        except AssertionError as error:
            failed += 1
            print(f"FAILED  {check.__doc__}\n{error}", flush=True)
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
