"""100,000 handshakes, as of clients that never come back. usage: python memory.py URL PID

A server that kept a session for each would grow by gigabytes. Resident memory must stay below 20 MiB.
"""

import json
import pathlib
import socket
import sys
import threading
import urllib.parse

HANDSHAKES = 100_000
CONNECTIONS = 8
LIMIT_MIB = 20

BODY = json.dumps({
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
})


def resident_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def shake_hands(address, path, count, seen):
    request = (
        f"POST {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(BODY)}\r\n\r\n{BODY}"
    ).encode()
    with socket.create_connection(address) as connection, connection.makefile("rb") as answers:
        for _ in range(count):
            connection.sendall(request)
            assert answers.readline().startswith(b"HTTP/1.1 200"), "a handshake was refused"
            length = 0
            while (line := answers.readline()) != b"\r\n":
                name, _, value = line.partition(b":")
                assert name.lower() != b"mcp-session-id", "a session was begun"
                if name.lower() == b"content-length":
                    length = int(value)
            answers.read(length)
            seen.append(None)


def main(url, pid):
    parts = urllib.parse.urlsplit(url)
    address, seen = (parts.hostname, parts.port), []
    before = resident_mib(pid)
    count = HANDSHAKES // CONNECTIONS
    threads = [threading.Thread(target=shake_hands, args=(address, parts.path, count, seen)) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = resident_mib(pid)
    print(f"{len(seen)} handshakes: {before:.1f} MiB before, {after:.1f} MiB after")
    return 0 if len(seen) == HANDSHAKES and after < before + LIMIT_MIB else 1


sys.exit(main(sys.argv[1], int(sys.argv[2])))
