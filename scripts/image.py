#!/usr/bin/env python3
"""Builds the images of deploy/docker/Dockerfile without a container engine, and tests them.

usage: image.py [--programs FOLDER]

Each stage is a folder. `COPY` and `WORKDIR` act in it; `RUN` runs with the tools of this machine, which must be
what the stage begins with says. With `--programs` the build itself is left out, and the programs are those in
FOLDER: the rest takes seconds. A finished image is started as a container would be: in its own root, once as
the user of its base and once as a user that the image does not know, of group 0, as OpenShift does. Neither may
write anywhere but in its volumes. Needs root, for that.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "deploy/docker/Dockerfile"
# User and group: `nonroot` of the base image, and one that a platform chose.
USERS = [(65532, 65532), (1000650000, 0)]
BASE_LIBRARIES = {"libc", "libm", "libgcc_s", "libpthread", "libdl", "librt", "ld-linux-x86-64", "ld-linux-aarch64"}
DEADLINE_SECONDS = 20


class Stage:
    """A stage, as far as it is built."""

    def __init__(self, root, base=None):
        self.root = root
        self.directory = base.directory if base else "/"
        self.environment = dict(base.environment) if base else {}
        self.volumes = set(base.volumes) if base else set()
        self.entrypoint = base.entrypoint if base else []
        self.health = base.health if base else []

    def inside(self, path):
        """The place of a path of the image on this machine."""
        return self.root / os.path.join(self.directory, path).lstrip("/")


def instructions():
    """The Dockerfile, an instruction at a time."""
    text = re.sub(r"^\s*#.*\n", "", DOCKERFILE.read_text(), flags=re.M)
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        if line.strip():
            yield line.split(None, 1)


def build(work, programs):
    """Follows the Dockerfile; returns its stages by name."""
    stages, stage = {}, None
    for word, rest in instructions():
        print(f"{word} {rest}", flush=True)
        if word == "FROM":
            source, _, name = rest.partition(" AS ")
            (work / name).mkdir()
            stage = stages[name] = Stage(work / name, stages.get(source))
            if source in stages:
                # With owners, which `shutil` does not copy.
                subprocess.run(["cp", "--archive", f"{stages[source].root}/.", stage.root], check=True)
            elif source.startswith("rust:"):
                stage.environment["RUST_VERSION"] = toolchain(source)
            elif source.startswith("node:"):
                # What is copied from here this machine has in its path.
                subprocess.run(["npm", "--version"], check=True, stdout=subprocess.DEVNULL)
                stage.inside("/usr/local").mkdir(parents=True)
        elif word == "WORKDIR":
            stage.directory = rest
            stage.inside("").mkdir(parents=True, exist_ok=True)
        elif word == "COPY":
            copy(rest.split(), stage, stages)
        elif word == "RUN" and programs and "cargo build" in rest:
            place = stage.inside("target/release")
            place.mkdir(parents=True)
            for name in re.findall(r"-p (\S+)", rest):
                shutil.copy2(programs / name, place)
        elif word == "RUN":
            subprocess.run(rest, shell=True, check=True, cwd=stage.inside(""), env=build_environment(stage))
        elif word == "ENV":
            stage.environment.update(pair.split("=", 1) for pair in shlex.split(rest))
        elif word == "ARG" and rest in os.environ:
            stage.environment[rest] = os.environ[rest]
        elif word == "VOLUME":
            stage.volumes.add(rest)
        elif word == "ENTRYPOINT":
            stage.entrypoint = json.loads(rest)
        elif word == "HEALTHCHECK":
            stage.health = json.loads(rest.split(" CMD ", 1)[1])
        elif word not in ("ARG", "EXPOSE", "LABEL"):
            sys.exit(f"{word} is an instruction that this script does not know")
    return stages


def toolchain(image):
    """The version of Rust on this machine, which must be one that the image may have."""
    wanted = re.match(r"rust:([0-9.]+)", image)[1]
    found = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True, cwd=ROOT).stdout
    if not found.startswith(f"rustc {wanted}."):
        sys.exit(f"the image has Rust {wanted}, this machine {found}")
    return found.split()[1]


def build_environment(stage):
    own = {name: os.environ[name] for name in ("PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME") if name in os.environ}
    return {**own, **stage.environment}


def copy(words, stage, stages):
    options = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
    source, target = [word for word in words if not word.startswith("--")]
    place = stage.inside(target)
    if "from" in options:
        origin = stages[options["from"]].inside(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if origin.is_dir() else shutil.copy2)(origin, place)
    else:
        # What is committed, less what .dockerignore names, which is not.
        archive = subprocess.run(["git", "archive", "HEAD"], check=True, cwd=ROOT, capture_output=True).stdout
        subprocess.run(["tar", "-x"], check=True, cwd=place, input=archive)
    if "chown" in options:
        user, group = map(int, options["chown"].split(":"))
        os.chown(place, user, group)
    if "chmod" in options:
        place.chmod(int(options["chmod"], 8))


def add_base(stage):
    """Adds the libraries that the program links to; the base image must have them."""
    program = stage.root / stage.entrypoint[0].lstrip("/")
    linked = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    for path in re.findall(r"(/\S+) \(0x", linked):
        if pathlib.Path(path).name.split(".so")[0] not in BASE_LIBRARIES:
            sys.exit(f"{program.name} links to {path}, which the base image does not have")
        place = stage.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def enter(stage, user, command, environment):
    """The arguments of a process as a container would start it."""

    def become():
        os.chroot(stage.root)
        os.chdir(stage.directory)
        os.setgroups([])
        os.setgid(user[1])
        os.setuid(user[0])

    return {"args": command, "env": environment, "preexec_fn": become}


def attempt(name, stage, user):
    """Runs an image as a user: it is healthy, answers, and stops when it is told to."""
    for volume in stage.volumes:
        for file in stage.inside(volume).iterdir():
            file.unlink()
    section = "MCP" if name == "mcp-server" else "API"
    address, admin = free_address(), free_address()
    own = {f"TOOLKIT_{section}__BIND": address, f"TOOLKIT_{section}__ADMIN_BIND": admin}
    if not set(own) <= set(stage.environment):
        sys.exit(f"{name} does not say where to listen")
    environment = {**stage.environment, **own}
    server = subprocess.Popen(**enter(stage, user, stage.entrypoint, environment))
    try:
        until(lambda: subprocess.run(**enter(stage, user, stage.health, environment), stderr=subprocess.DEVNULL).returncode == 0)
        connection = http.client.HTTPConnection(address, timeout=DEADLINE_SECONDS)
        connection.request("GET", "/toolkit/api/tools" if section == "API" else "/llms.txt")
        status = connection.getresponse().status
        connection.close()
        server.send_signal(signal.SIGTERM)
        code = server.wait(DEADLINE_SECONDS)
    finally:
        server.kill()
    if (status, code) != (200, 0):
        sys.exit(f"{name} answered {status} and ended with {code}")
    size = (stage.root / stage.entrypoint[0].lstrip("/")).stat().st_size / (1 << 20)
    print(f"{name} as {user[0]}:{user[1]}: healthy, answered, stopped; the program has {size:.1f} MiB", flush=True)


def until(check):
    end = time.monotonic() + DEADLINE_SECONDS
    while not check():
        if time.monotonic() > end:
            sys.exit("the health check did not succeed")
        time.sleep(0.1)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--programs", type=pathlib.Path, metavar="FOLDER")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        work.chmod(0o755)
        stages = build(work, options.programs)
        for name in ("api-server", "mcp-server", "toolkit"):
            add_base(stages[name])
            for user in USERS:
                attempt(name, stages[name], user)


main()
