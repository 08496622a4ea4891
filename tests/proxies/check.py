#!/usr/bin/env python3
"""The shipped files for nginx and Caddy, and the recipes of docs/operating/proxies.md, with real proxies.

usage: check.py API-SERVER [PART OF A CHECK'S NAME]…

Both proxies run with TLS on free ports of this machine, in front of an `api-server`. The last line is
`N passed, N failed`.
"""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = "tools.example.org"
DEADLINE_SECONDS = 20
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
# What must not stand in a log of a proxy.
CANARY = "canary-token"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def running(folder, name, port, command, environment=None):
    """A program, once it listens on the port."""
    log = folder / f"{name}.log"
    with log.open("wb") as out:
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **(environment or {})}
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
    try:
        end = time.monotonic() + DEADLINE_SECONDS
        while True:
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"{name} does not listen: {log.read_text()[-2000:]}")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        yield
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def api_server(program, folder, **settings):
    """An `api-server`; gives its port and that of its probes."""
    port, admin = free_port(), free_port()
    environment = {
        "TOOLKIT_API__BIND": f"127.0.0.1:{port}",
        "TOOLKIT_API__ADMIN_BIND": f"127.0.0.1:{admin}",
        "TOOLKIT_HTTP__TRUSTED_PROXIES": "127.0.0.1",
        **{f"TOOLKIT_{name}": value for name, value in settings.items()},
    }
    with running(folder, "api-server", port, [program], environment):
        yield port, admin


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers as its server's function says, which takes a request and gives a status."""

    def do_GET(self):
        length = int(self.headers.get("Content-Length", 0))
        if length:
            self.rfile.read(length)
        status = self.server.answer(self)
        if status:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.close_connection = True

    do_POST = do_GET

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def stub(answer):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.answer = answer
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def substitute(text, replacements):
    """Replaces texts each of which occurs once."""
    for old, new in replacements:
        assert text.count(old) == 1, f"`{old}` should occur once"
        text = text.replace(old, new)
    return text


@contextlib.contextmanager
def nginx(folder, api, mcp, change=lambda text: text):
    """nginx with the shipped file; gives its ports with and without TLS."""
    port, plain = free_port(), free_port()
    key, certificate = folder / "own.key", folder / "own.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={SITE}", "-days", "2", "-keyout", key,
                    "-out", certificate], check=True, capture_output=True)
    own = f"listen 127.0.0.1:{port} ssl http2;\nssl_certificate {certificate};\nssl_certificate_key {key};"
    servers = lambda ports: " max_fails=0;\nserver ".join(f"127.0.0.1:{port}" for port in ports)
    text = change((ROOT / "deploy/proxy/nginx.conf").read_text())
    text = substitute(text, [
        ("listen 443 ssl http2;", own), ("listen [::]:443 ssl http2;", f"listen [::1]:{port} ssl http2;"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"), ("listen [::]:80;", f"listen [::1]:{plain};"),
        ("/var/log/nginx/toolkit.log", f"{folder}/access.log"),
        ("127.0.0.1:8080", servers(api)), ("127.0.0.1:8081", servers(mcp)),
    ])
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    file = folder / "nginx.conf"
    file.write_text(f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n")
    with running(folder, "nginx", port, ["nginx", "-p", folder, "-e", folder / "error.log", "-c", file]):
        yield port, plain


@contextlib.contextmanager
def caddy(folder, api, mcp, admin=None, change=lambda text: text):
    """Caddy with the shipped file; gives its ports with and without TLS."""
    port, plain = free_port(), free_port()
    options = ("{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tlocal_certs\n\tskip_install_trust\n"
               f"\thttp_port {plain}\n\thttps_port {port}\n\tstorage file_system {folder}/data\n}}\n")
    file = folder / "Caddyfile"
    file.write_text(options + change((ROOT / "deploy/proxy/Caddyfile").read_text()))
    environment = {"SITE_ADDRESS": SITE, "API_UPSTREAM": f"127.0.0.1:{api[0]}", "MCP_UPSTREAM": f"127.0.0.1:{mcp[0]}",
                   "API_ADMIN_PORT": str(admin), "MCP_ADMIN_PORT": str(admin)}
    with running(folder, "caddy", port, ["caddy", "run", "--config", file, "--adapter", "caddyfile"], environment):
        yield port, plain


def ask(port, path, method="GET", tls=True, body=None, host="127.0.0.1", **headers):
    """Sends a request; gives status, headers and body."""
    raw = socket.create_connection((host, port), DEADLINE_SECONDS)
    if tls:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        raw = context.wrap_socket(raw, server_hostname=SITE)
    connection = http.client.HTTPConnection(SITE)
    connection.sock = raw
    try:
        headers = {"Host": SITE, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, dict((name.lower(), value) for name, value in answer.getheaders()), answer.read().decode()
    finally:
        connection.close()


def ready(port, base=""):
    """Waits until the proxy has its certificate, and has found the servers healthy."""
    end = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(ssl.SSLError):
            if ask(port, f"{base}/toolkit/api/flags")[0] not in (502, 503):
                return
        time.sleep(0.05)


def equal(found, expected):
    assert found == expected, f"{found!r}, expected {expected!r}"


def recipe(language, section="A login in front"):
    """A block of a section of docs/operating/proxies.md."""
    text = (ROOT / "docs/operating/proxies.md").read_text().split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]


def shipped(port, plain, log):
    """What holds for both proxies."""
    equal(ask(port, "/toolkit/api/tools")[0], 200)
    equal(ask(port, "/no-such-page")[1].get("strict-transport-security"), "max-age=31536000")
    status, headers, _ = ask(plain, "/toolkit/docs?a=b", tls=False)
    equal((status, re.sub(r":\d+/", "/", headers["location"])), (308, f"https://{SITE}/toolkit/docs?a=b"))
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(("127.0.0.1", port)) as raw, context.wrap_socket(raw, server_hostname=SITE) as stream:
        equal(stream.selected_alpn_protocol(), "h2")
    path = "/toolkit/api/subscribe/confirm"
    ask(port, f"{path}?token={CANARY}", X_Api_Key=CANARY, Referer=f"https://{SITE}{path}?token={CANARY}")
    end = time.monotonic() + DEADLINE_SECONDS
    while path not in log.read_text() and time.monotonic() < end:
        time.sleep(0.02)
    text = log.read_text()
    assert path in text and CANARY not in text, text[-1000:]


def shipped_nginx(program, folder):
    with api_server(program, folder) as (api, _), nginx(folder, [api], [api]) as (port, plain):
        shipped(port, plain, folder / "access.log")
        equal(ask(port, "/toolkit/api/tools", host="::1")[0], 200)
        equal(ask(plain, "/", tls=False, host="::1")[0], 308)


def shipped_caddy(program, folder):
    with api_server(program, folder) as (api, admin), caddy(folder, [api], [api], admin) as (port, plain):
        ready(port)
        shipped(port, plain, folder / "caddy.log")


def sent_once(_, folder):
    """What was sent to a replica that then broke off is sent to another one only if that may be repeated."""
    seen = []
    breaking = lambda request: seen.append(request.path)
    with stub(breaking) as first, stub(breaking) as second, nginx(folder, [first, second], [first]) as (port, _):
        for path, times in (("chat", 1), ("contact", 1), ("subscribe", 1), ("unsubscribe", 1), ("tools/url-encoder/run", 2)):
            seen.clear()
            equal(ask(port, f"/toolkit/api/{path}", "POST", body="{}")[0], 502)
            equal(len(seen), times)


def limits_nginx(_, folder):
    """So many requests at once of an address, and of an IPv6 /56; others go on."""
    going, done = threading.Semaphore(0), threading.Event()

    def slow(request):
        if request.path == "/slow":
            going.release()
            done.wait(DEADLINE_SECONDS)
        return 204

    def change(text):
        text = substitute(text, [("toolkit_address 128;", "toolkit_address 2;"), ("toolkit_network 256;", "toolkit_network 3;")])
        return f"set_real_ip_from 127.0.0.1;\nreal_ip_header X-Client;\n{text}"

    # The first three differ in the eighth byte alone, so that they are one /56; the fourth differs in the seventh.
    one, two, three, other = (f"2001:db8:0:{part}::1" for part in ("100", "101", "1ff", "200"))
    with stub(slow) as api, nginx(folder, [api], [api], change) as (port, _):
        status = lambda client: ask(port, "/toolkit/docs", X_Client=client)[0]
        held = [threading.Thread(target=ask, args=(port, "/slow"), kwargs={"X_Client": client}) for client in (one, one, two, "192.0.2.1", "192.0.2.1")]
        try:
            for thread in held:
                thread.start()
                assert going.acquire(timeout=DEADLINE_SECONDS)
            for client, expected in ((one, 429), (two, 429), (three, 429), (other, 204), ("192.0.2.1", 429), ("192.0.2.2", 204)):
                equal((client, status(client)), (client, expected))
            _, headers, body = ask(port, "/toolkit/docs", X_Client=one)
            equal((headers["content-type"], headers["retry-after"], list(json.loads(body))), ("application/json", "1", ["detail"]))
        finally:
            done.set()
            for thread in held:
                thread.join()
        equal(status(one), 204)


def network_in_front(port):
    """Visitors are counted one by one, though all come from a machine of the network."""
    sent = {"method": "POST", "body": "{}", "Content_Type": "application/json"}
    status = lambda visitor: ask(port, "/toolkit/api/tools/ulid-generator/run", **sent, CF_Connecting_IP=visitor, X_Forwarded_For=visitor)[0]
    for visitor, expected in (("192.0.2.1", 200), ("192.0.2.1", 429), ("192.0.2.2", 200)):
        equal((visitor, status(visitor)), (visitor, expected))


ONE_RUN = {"LIMITS__RUN_PER_MINUTE": "1", "LIMITS__RUN_BURST": "1"}


def network_nginx(program, folder):
    own = recipe("nginx", "Cloudflare or another network in front").replace("173.245.48.0/20", "127.0.0.1")
    with api_server(program, folder, **ONE_RUN) as (api, _), nginx(folder, [api], [api], lambda text: own + text) as (port, _):
        network_in_front(port)


def network_caddy(program, folder):
    own = recipe("caddy", "Cloudflare or another network in front").replace("173.245.48.0/20", "127.0.0.1")
    change = lambda text: text.replace("\t\t\timport upstream\n", "\t\t\timport upstream\n" + own)
    with api_server(program, folder, **ONE_RUN) as (api, admin), caddy(folder, [api], [api], admin, change) as (port, _):
        ready(port)
        network_in_front(port)


def login(port):
    """What is behind the login and what is beside it."""
    page, run = "/toolkit/docs", "/toolkit/api/tools/url-encoder/run"
    sent = {"method": "POST", "body": '{"text": "a b"}', "Content_Type": "application/json"}
    status, headers, _ = ask(port, page)
    sign_in = f"/oauth2/sign_in?rd={page}"
    equal((status, headers["location"].endswith(sign_in)), (302, True))
    equal(ask(port, run, **sent)[0], 401)
    equal(ask(port, page, Cookie="session=ada")[0], 200)
    equal(ask(port, run, **sent, Cookie="session=ada")[0], 200)
    equal(ask(port, sign_in)[0], 203)
    # A key of its own: the refusal is the server's.
    for path in ("chat", "contact", "subscribe"):
        assert '"detail"' in ask(port, f"/toolkit/api/{path}", **sent)[2], path
    for path in ("subscribe/confirm", "unsubscribe"):
        equal(ask(port, f"/toolkit/api/{path}?token=x")[0], 422)
    for path in ("/toolkit/mcp", "/llms.txt", "/.well-known/mcp.json"):
        equal(ask(port, path, MCP="yes")[0], 204)


def login_stub(request):
    """An oauth2-proxy, as far as the recipes need it."""
    if request.path == "/oauth2/auth":
        return 202 if request.headers.get("Cookie") == "session=ada" else 401
    return 203


def login_nginx(program, folder):
    with stub(login_stub) as gate, stub(lambda _: 204) as mcp, api_server(program, folder) as (api, _):
        last = "    location / {\n        proxy_pass http://toolkit_api;\n    }\n"
        own = recipe("nginx").replace("127.0.0.1:4180", f"127.0.0.1:{gate}")
        with nginx(folder, [api], [mcp], lambda text: substitute(text, [(last, own)])) as (port, _):
            login(port)


def login_caddy(program, folder):
    with stub(login_stub) as gate, stub(lambda _: 204) as mcp, api_server(program, folder) as (api, admin):
        after = "\tencode zstd gzip\n"
        own = recipe("caddy").replace("127.0.0.1:4180", f"127.0.0.1:{gate}")
        with caddy(folder, [api], [mcp], admin, lambda text: substitute(text, [(after, after + own)])) as (port, _):
            ready(port)
            login(port)


def below_a_path(port):
    """Everything is below /dev, whether the proxy passes that on or not."""
    base = f"https://{SITE}/dev"
    sent = {"method": "POST", "Content_Type": "application/json"}
    catalog = json.loads(ask(port, "/dev/toolkit/api/tools")[2])
    equal((catalog["mcp"], catalog["docs"]), (f"{base}/toolkit/mcp", f"{base}/toolkit/docs/mcp"))
    equal(ask(port, "/dev/toolkit/api/tools/url-encoder/run", **sent, body='{"text": "a b"}')[0], 200)
    equal(ask(port, "/dev/toolkit/mcp", **sent, body='{"jsonrpc": "2.0", "id": 1, "method": "ping"}')[0], 200)
    status, headers, _ = ask(port, "/dev/")
    equal((status, headers["location"]), (302, "/dev/toolkit/"))
    home = ask(port, "/dev/toolkit/")[2]
    paths = set(re.findall(r'(?:href|src|data-[a-z]+)="(/[^"]*)"', home))
    assert len(paths) > 60, paths
    for path in paths:
        assert path.startswith("/dev/"), path
    style = next(path for path in paths if path.endswith(".css"))
    for path in (style, "/dev/toolkit/tools/url-encoder", "/dev/toolkit/sw.js"):
        equal(ask(port, path)[0], 200)
    equal(ask(port, "/dev/toolkit/none")[0], 404)


def path_nginx(program, folder):
    last = "    location / {\n        proxy_pass http://toolkit_api;\n    }\n"
    for target in ("http://toolkit_api", "http://toolkit_api/"):
        own = f"    location /dev/ {{\n        proxy_pass {target};\n    }}\n"
        with api_server(program, folder, PUBLIC__BASE_URL=f"https://{SITE}/dev") as (api, _):
            with nginx(folder, [api], [api], lambda text: substitute(text, [(last, own)])) as (port, _):
                below_a_path(port)


def path_caddy(program, folder):
    for directive in ("handle", "handle_path"):
        change = lambda text: substitute(text, [("\thandle {\n", f"\t{directive} /dev/* {{\n")])
        with api_server(program, folder, PUBLIC__BASE_URL=f"https://{SITE}/dev") as (api, admin):
            with caddy(folder, [api], [api], admin, change) as (port, _):
                ready(port, "/dev")
                below_a_path(port)


CHECKS = {
    "nginx with the shipped file": shipped_nginx,
    "Caddy with the shipped file": shipped_caddy,
    "nginx sends a message once": sent_once,
    "nginx limits what an address and a network send at once": limits_nginx,
    "nginx with a network in front": network_nginx,
    "Caddy with a network in front": network_caddy,
    "nginx with a login in front": login_nginx,
    "Caddy with a login in front": login_caddy,
    "nginx with a path that it passes on or takes off": path_nginx,
    "Caddy with a path that it passes on or takes off": path_caddy,
}


def main():
    program, *parts = sys.argv[1:]
    program = str(pathlib.Path(program).resolve())
    failed = passed = 0
    for name, check in CHECKS.items():
        if parts and not any(part in name for part in parts):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(program, pathlib.Path(folder))
                passed += 1
                print(f"ok      {name}", flush=True)
            except (AssertionError, OSError, http.client.HTTPException) as error:
                failed += 1
                print(f"FAILED  {name}: line {error.__traceback__.tb_next.tb_lineno}: {error}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
