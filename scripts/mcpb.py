#!/usr/bin/env python3
"""Writes the MCP bundle for this platform, and a complete `server.json` for registries.

usage: mcpb.py [--program FILE] [--out FOLDER] [--address URL] [--check]

The bundle (a ZIP archive, MCP bundle specification 0.3) has fixed times and a fixed order, so its SHA-256 is that
of its content. `--check` builds it twice, unpacks it as a host does that drops all modes, starts it as its manifest
says, and has it list its tools.
"""

import argparse
import hashlib
import json
import pathlib
import platform
import subprocess
import sys
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "deploy/mcpb/manifest.json"
# The earliest time that the format can hold.
TIME = (1980, 1, 1, 0, 0, 0)
PLATFORMS = {"linux": "linux", "darwin": "darwin", "win32": "win32"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def version():
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def machine():
    name = platform.machine().lower()
    return MACHINES.get(name, name)


def manifest(program):
    """The manifest for this platform: where the program is a `.exe`, it is started without a shell."""
    data = json.loads(MANIFEST.read_text())
    data["compatibility"]["platforms"] = [PLATFORMS[sys.platform]]
    if sys.platform == "win32":
        data["server"]["entry_point"] = f"server/{program.name}"
        command = {"command": f"${{__dirname}}/server/{program.name}", "args": ["stdio"]}
        data["server"]["mcp_config"] = command
    return json.dumps(data, indent=2) + "\n"


def files(program):
    """What is in the bundle: name, content, mode."""
    yield "manifest.json", manifest(program).encode(), 0o644
    yield "icon.png", (ROOT / "deploy/mcpb/icon.png").read_bytes(), 0o644
    for name in ("LICENSE", "LICENSE-APACHE", "LICENSE-MIT"):
        yield name, (ROOT / name).read_bytes(), 0o644
    yield f"server/{program.name}", program.read_bytes(), 0o755
    if sys.platform != "win32":
        yield "server/start", (ROOT / "deploy/mcpb/start").read_bytes(), 0o755


def write(program, bundle):
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, mode in files(program):
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whatever the machine
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def registry_manifest(bundles, address):
    """`server.json` with the packages beside the remote: each bundle, and the image."""
    data = json.loads((ROOT / "server.json").read_text())
    transport = {"type": "stdio"}
    packages = [
        {
            "registryType": "mcpb",
            "identifier": f"{address}/{bundle.name}",
            "fileSha256": digest(bundle),
            "transport": transport,
        }
        for bundle in bundles
    ]
    host = address.split("//", 1)[-1].split("/", 1)[0]
    packages.append(
        {
            "registryType": "oci",
            "identifier": f"{host}/toolkit-mcp-server:{data['version']}",
            "transport": transport,
            "packageArguments": [{"type": "positional", "value": "stdio"}],
        }
    )
    meta = data.pop("_meta", None)
    data["packages"] = packages
    if meta:
        data["_meta"] = meta
    return json.dumps(data, indent=2) + "\n"


def ask(folder, messages):
    """Starts an unpacked bundle as its manifest says, and gives its answers."""
    server = json.loads((folder / "manifest.json").read_text())["server"]["mcp_config"]
    place = lambda text: text.replace("${__dirname}", str(folder))
    command = [place(server["command"]), *map(place, server["args"])]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=True, env={"PATH": "/usr/bin:/bin"})
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(program, bundle):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        again = folder / "again.mcpb"
        write(program, again)
        assert digest(again) == digest(bundle), "two builds differ"
        host = folder / "host"
        with zipfile.ZipFile(bundle) as archive:
            archive.extractall(host)
        for file in host.rglob("*"):
            if file.is_file():
                file.chmod(0o600)
        described = json.loads((host / "manifest.json").read_text())
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
        answers = ask(
            host,
            [
                {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
                {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            ],
        )
        listed = next(answer for answer in answers if answer["id"] == 2)["result"]["tools"]
        expected = [(tool["name"], tool["description"]) for tool in described["tools"]]
        assert [(tool["name"], tool["description"]) for tool in listed] == expected, "the manifest lists other tools"
        print(f"{bundle.name}: {len(listed)} tools, {bundle.stat().st_size} bytes, SHA-256 {digest(bundle)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    suffix = ".exe" if sys.platform == "win32" else ""
    arguments.add_argument("--program", type=pathlib.Path, default=ROOT / f"target/release/mcp-server{suffix}")
    arguments.add_argument("--out", type=pathlib.Path, default=ROOT / "target/mcpb")
    arguments.add_argument("--address", default="https://tools.example.org/releases", help="where the bundles will be")
    arguments.add_argument("--check", action="store_true")
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    bundle = options.out / f"toolkit-{version()}-{PLATFORMS[sys.platform]}-{machine()}.mcpb"
    write(options.program, bundle)
    bundles = sorted(options.out.glob(f"toolkit-{version()}-*.mcpb"))
    (options.out / "server.json").write_text(registry_manifest(bundles, options.address.rstrip("/")))
    if options.check:
        check(options.program, bundle)
    else:
        print(bundle)


main()
