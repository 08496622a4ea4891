"""Checks files for the MCP registry against its own schema, which the linter skillsaw carries.

usage: registry.py SERVER_JSON…
"""

import copy
import importlib.resources
import json
import pathlib
import sys

import jsonschema


def validator(document):
    """The schema of the version that a document names in `$schema`."""
    version = document["$schema"].split("/")[-2]
    folder = importlib.resources.files("skillsaw") / "schemas/mcp_registry" / f"v{version.replace('-', '_')}"
    schema = json.loads((folder / "server.schema.json").read_text())
    assert schema["$id"] == document["$schema"], schema["$id"]
    return jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())


def check(document):
    for error in validator(document).iter_errors(document):
        raise SystemExit(f"{error.json_path}: {error.message}")
    # What the registry demands beyond its schema.
    for package in document.get("packages", []):
        kind = package["registryType"]
        assert (kind == "mcpb") == ("fileSha256" in package), package
        if kind == "mcpb":
            assert package["identifier"].startswith("https://") and ".mcpb" in package["identifier"], package
        if kind == "oci":
            assert ":" in package["identifier"] and "version" not in package, package


def main():
    for file in sys.argv[1:]:
        document = json.loads(pathlib.Path(file).read_text())
        check(document)
        # The schema is in force: it notices a name without a namespace.
        broken = copy.deepcopy(document) | {"name": "toolkit"}
        assert not validator(broken).is_valid(broken), file
        print(f"{file}: {len(document.get('packages', []))} packages, {len(document.get('remotes', []))} remotes")


main()
