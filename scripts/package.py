#!/usr/bin/env python3
"""Writes the archive of a release for this platform, and its SHA-256 beside it, into target/packages.

usage: package.py --target TRIPLE [--programs FOLDER] [--out FOLDER] [PROGRAM]…

On Windows a `.zip`, elsewhere a `.tar.gz`, with fixed times, owners and order: the same content gives the same archive.
`package.py --notes VERSION` prints the section of CHANGELOG.md on a version, and fails if it has none or Cargo.toml has
another version.
"""

import argparse
import gzip
import hashlib
import io
import pathlib
import sys
import tarfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "CHANGELOG.md", "LICENSE", "LICENSE-APACHE", "LICENSE-MIT", "toolkit.example.toml",
             "docs/configuration.md", "docs/mcp.md", *sorted(f"docs/operating/{file.name}" for file in ROOT.glob("docs/operating/*.md")))
SERVICE = ("deploy/systemd/toolkit-api", "deploy/systemd/toolkit-api.service", "deploy/systemd/toolkit-mcp.service",
           "deploy/systemd/toolkit-backup.service", "deploy/systemd/toolkit-backup.timer",
           "deploy/proxy/Caddyfile", "deploy/proxy/nginx.conf")
# The earliest time that a `.zip` can hold.
TIME = (1980, 1, 1, 0, 0, 0)


def version():
    return tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]["version"]


def notes(wanted):
    """The section of a version in CHANGELOG.md."""
    if wanted != version():
        sys.exit(f"the tag says {wanted}, Cargo.toml {version()}")
    sections = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1:]
    for section in sections:
        heading, _, text = section.partition("\n")
        if heading.split()[0].strip("[]") == wanted:
            return text.strip()
    sys.exit(f"CHANGELOG.md has no section {wanted}")


def files(options):
    """What is in the archive: name, content, mode."""
    suffix = ".exe" if "windows" in options.target else ""
    for name in options.program:
        yield name + suffix, (options.programs / (name + suffix)).read_bytes(), 0o755
    for name in DOCUMENTS + (SERVICE if "linux" in options.target else ()):
        file = ROOT / name
        yield name, file.read_bytes(), 0o755 if file.name == "toolkit-api" else 0o644


def write(archive, folder, entries):
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
            for name, content, _ in entries:
                out.writestr(zipfile.ZipInfo(f"{folder}/{name}", TIME), content, zipfile.ZIP_DEFLATED)
        return
    with gzip.GzipFile(archive, "wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as out:
        for name, content, mode in entries:
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode = len(content), mode
            out.addfile(entry, io.BytesIO(content))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--notes", metavar="VERSION")
    arguments.add_argument("--target", metavar="TRIPLE")
    arguments.add_argument("--programs", type=pathlib.Path, default=ROOT / "target/release")
    arguments.add_argument("--out", type=pathlib.Path, default=ROOT / "target/packages")
    arguments.add_argument("program", nargs="*", metavar="PROGRAM")
    options = arguments.parse_args()
    if options.notes:
        print(notes(options.notes))
        return
    if not options.target or not options.program:
        arguments.error("a target and programs are needed")
    options.out.mkdir(parents=True, exist_ok=True)
    # An archive with one program has its name.
    name = options.program[0] if len(options.program) == 1 else "toolkit"
    folder = f"{name}-{version()}-{options.target}"
    archive = options.out / f"{folder}{'.zip' if 'windows' in options.target else '.tar.gz'}"
    write(archive, folder, files(options))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    archive.with_name(archive.name + ".sha256").write_text(f"{digest}  {archive.name}\n")
    print(archive)


main()
