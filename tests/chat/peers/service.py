"""Server under test, reverse proxies, and a client that records when each event arrives."""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[3]
PATIENCE = 30


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


async def listens(port, process, name):
    for _ in range(6000):
        if process.poll() is not None:
            raise RuntimeError(f"{name} ended with {process.returncode}")
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.05)
    raise RuntimeError(f"{name} does not listen")


class Process:
    """A program with its own folder and log."""

    async def start(self, name, port, command, environment=None, folder=None):
        self.folder = folder or tempfile.mkdtemp(prefix="toolkit-chat-")
        self.log_file = pathlib.Path(self.folder, f"{name}.log")
        self.port = port
        with open(self.log_file, "wb") as log:
            environment = {"PATH": os.environ["PATH"], "HOME": self.folder, **(environment or {})}
            self.process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        try:
            await listens(port, self.process, name)
        except RuntimeError as error:
            self.stop()
            raise RuntimeError(f"{error}: {self.log()[-2000:]}") from None
        return self

    def log(self):
        return self.log_file.read_text("utf-8", errors="replace")

    async def logged(self, words):
        """Waits until the log contains these words, up to a deadline."""
        for _ in range(PATIENCE * 20):
            if words in self.log():
                return
            await asyncio.sleep(0.05)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Service(Process):
    """`api-server` with providers of these kinds at these addresses."""

    async def run(self, program, providers, **settings):
        folder = tempfile.mkdtemp(prefix="toolkit-chat-")
        lines = []
        for name, kind, url, more in providers:
            lines += ["[[llm.providers]]", f'name = "{name}"', f'kind = "{kind}"', f'base_url = "{url}"',
                      *(f"{key} = {json.dumps(value)}" for key, value in ({"model": "stub-model", "api_key": "canary-provider-key"} | more).items())]
        file = pathlib.Path(folder, "toolkit.toml")
        file.write_text("\n".join(lines))
        port, admin = free_port(), free_port()
        self.admin = admin
        environment = {
            "TOOLKIT_API__BIND": f"127.0.0.1:{port}",
            "TOOLKIT_API__ADMIN_BIND": f"127.0.0.1:{admin}",
            "TOOLKIT_DATABASE__URL": f"sqlite://{folder}/toolkit.db",
            "TOOLKIT_LIMITS__CHAT_PER_MINUTE": "0",
            "TOOLKIT_LOG__FORMAT": "json",
            "TOOLKIT_LOG__LEVEL": "trace,hyper=trace,reqwest=trace,sqlx=trace,rustls=trace,actix_http=trace",
            "TOOLKIT_HTTP__TRUSTED_PROXIES": "127.0.0.1",
            "TOOLKIT_LLM__SYSTEM_PROMPT": "canary-prompt",
            **{f"TOOLKIT_{name}": str(value) for name, value in settings.items()},
        }
        arguments = ["--config", str(file)]
        await self.start("api-server", port, [program, *arguments], environment, folder)
        created = subprocess.run([program, "keys", *arguments, "create", "--label", "peers"], cwd=folder, text=True,
                                 env={"PATH": os.environ["PATH"], **environment}, capture_output=True)
        found = re.search(r"^key: +(\S+)", created.stdout, re.M)
        if not found:
            raise RuntimeError(f"no key: {created.stdout} {created.stderr}")
        self.key = found[1]
        return self

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    async def chat(self, content="Hi", port=None, **more):
        """Sends a chat and waits for the whole answer."""
        async with self.open(content, port, **more) as answer:
            await answer.read_all()
            return answer

    @contextlib.asynccontextmanager
    async def open(self, content="Hi", port=None, tls=None, host="tools.example.org", headers="", **body):
        body = json.dumps({"messages": [{"role": "user", "content": content}], **body}).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", port or self.port, ssl=tls, limit=4 << 20,
                                                       server_hostname=host if tls else None)
        try:
            writer.write(f"POST /toolkit/api/chat HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {self.key}\r\nContent-Type: application/json\r\n"
                         f"Accept: application/json\r\nAccept-Encoding: gzip, br, zstd\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = Answer(reader)
            await answer.read_head()
            yield answer
        finally:
            writer.transport.abort()

    async def get(self, path, port=None):
        reader, writer = await asyncio.open_connection("127.0.0.1", port or self.port, limit=4 << 20)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        text = (await reader.read()).decode()
        writer.close()
        return text.split("\r\n\r\n", 1)[1]


class Answer:
    """A response: head, bytes, and the events with their times of arrival."""

    def __init__(self, reader):
        self.reader, self.bytes, self.events, self.buffer = reader, b"", [], b""

    @property
    def text(self):
        return self.bytes.decode()

    async def read_head(self):
        head = (await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode()
        line, *fields = head.strip().split("\r\n")
        self.status = int(line.split(" ")[1])
        self.headers = {name.lower(): value for name, value in (field.split(": ", 1) for field in fields)}
        self.chunked = self.headers.get("transfer-encoding") == "chunked"
        self.over = False

    async def read_some(self):
        """Reads a chunk; empty at the end of the body."""
        if self.over:
            return ""
        if self.chunked:
            line = await asyncio.wait_for(self.reader.readline(), PATIENCE)
            size = int(line, 16) if line else None
            if size is None:
                raise ConnectionError("cut")
            data = await asyncio.wait_for(self.reader.readexactly(size + 2), PATIENCE)
            data = data[:-2]
            self.over = size == 0
        else:
            data = await asyncio.wait_for(self.reader.readexactly(int(self.headers.get("content-length", 0))), PATIENCE)
            self.over = True
        self.buffer += data
        self.bytes += data
        while b"\n\n" in self.buffer and self.headers.get("content-type") == "text/event-stream":
            event, self.buffer = self.buffer.split(b"\n\n", 1)
            lines = [line for line in event.decode().split("\n") if not line.startswith(":")]
            if lines:
                name, data_line = lines
                said = json.loads(data_line.removeprefix("data: "))
                assert name == f"event: {said['type']}", event
                self.events.append((time.monotonic(), said))
        return data

    async def read_until(self, kind):
        """Reads until an event of this kind, and returns it."""
        seen = 0
        while True:
            for _, event in self.events[seen:]:
                seen += 1
                if event["type"] == kind:
                    return event
            if not await self.read_some() and self.over:
                raise AssertionError(f"no {kind} in {self.text}")

    async def read_all(self):
        while not self.over:
            await self.read_some()

    async def follow(self, gate, count):
        """Opens the gate of a model's script after each piece of text, once that has arrived."""
        for number in range(1, count + 1):
            while len(self.all("delta")) < number:
                await self.read_some()
            gate.release()
        await self.read_all()

    def kinds(self):
        return [event["type"] for _, event in self.events]

    def all(self, kind):
        return [event for _, event in self.events if event["type"] == kind]

    def reply(self):
        return "".join(event["text"] for event in self.all("delta"))

    def json(self):
        return json.loads(self.text)


async def nginx(service):
    """nginx with the shipped file, other ports and a self-signed certificate."""
    folder, port = tempfile.mkdtemp(prefix="toolkit-chat-"), free_port()
    certificate = pathlib.Path(folder, "own.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=tools.example.org", "-days", "2",
                    "-addext", "subjectAltName=DNS:tools.example.org", "-keyout", f"{folder}/own.key", "-out", certificate],
                   check=True, capture_output=True)
    shipped = (ROOT / "deploy/proxy/nginx.conf").read_text()
    for old, new in (("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;\nssl_certificate {certificate};\nssl_certificate_key {folder}/own.key;"),
                     ("listen [::]:443 ssl http2;", ""), ("listen 80;", f"listen 127.0.0.1:{free_port()};"), ("listen [::]:80;", ""),
                     ("access_log /var/log/nginx/toolkit.log", f"access_log {folder}/access.log"),
                     ("127.0.0.1:8080", f"127.0.0.1:{service.port}"), ("127.0.0.1:8081", f"127.0.0.1:{service.port}")):
        assert shipped.count(old) == 1, old
        shipped = shipped.replace(old, new)
    # As most installations have it: compression is on, for everything.
    around = (f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n"
              "gzip on;\ngzip_types *;\ngzip_min_length 1;\ngzip_proxied any;\n"
              + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) + shipped + "\n}\n")
    file = pathlib.Path(folder, "nginx.conf")
    file.write_text(around)
    return await Process().start("nginx", port, ["nginx", "-p", folder, "-e", "start.log", "-c", str(file)], folder=folder)


async def caddy(service):
    """Caddy with the unchanged shipped file; variables give the addresses of the servers."""
    folder, port = tempfile.mkdtemp(prefix="toolkit-chat-"), free_port()
    options = f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tauto_https disable_redirects\n\tlocal_certs\n\tskip_install_trust\n\tstorage file_system {folder}/data\n}}\n"
    file = pathlib.Path(folder, "Caddyfile")
    file.write_text(options + (ROOT / "deploy/proxy/Caddyfile").read_text())
    environment = {"SITE_ADDRESS": f"https://tools.example.org:{port}", "API_UPSTREAM": f"127.0.0.1:{service.port}",
                   "API_ADMIN_PORT": str(service.admin), "MCP_ADMIN_PORT": str(service.admin)}
    return await Process().start("caddy", port, ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"], environment, folder)


def trusting():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
