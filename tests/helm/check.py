#!/usr/bin/env python3
"""The chart of deploy/helm/toolkit, with Helm's own library and the schemas of Kubernetes.

usage: check.py [--bless] API_SERVER

deploy/kubernetes/toolkit.yaml is the chart's output for values.plain.yaml, below a head of its own; `--bless` rewrites it. The
program reads the settings that the chart makes. Needs the packages helm-python-sdk, kubernetes-validate and PyYAML.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import helm_python
import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHART = ROOT / "deploy/helm/toolkit"
PLAIN = ROOT / "deploy/kubernetes/toolkit.yaml"
# The first version that the chart is for, and the newest that the package knows.
VERSIONS = ("1.30.0", "1.37.0")
# Kinds of other projects: their schemas are in the cluster.
FOREIGN = ("HTTPRoute", "PodMonitor")
CALLER = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "shop"}}, "podSelector": {"matchLabels": {"app": "web"}}}
EVERYTHING = {
    "settings": {"TOOLKIT_LIMITS__RUN_PER_MINUTE": "60", "TOOLKIT_PUBLIC__BASE_URL": "https://tools.example.org/dev"},
    "settingsFile": '[[apps]]\nid = "docs"\n',
    "secrets": {"names": ["toolkit", "mail"], "values": {"TOOLKIT_MAIL__TRANSPORT": "log"}, "mcpTokens": "tokens"},
    "image": {"tag": "1.2.3", "pullSecrets": ["registry"]},
    "restart": "again",
    "pods": {"annotations": {"a": "b"}, "labels": {"c": "d"}, "nodeSelector": {"disk": "fast"}, "tolerations": [{"operator": "Exists"}]},
    "route": {"kind": "Ingress", "ingressClassName": "traefik", "annotations": {"e": "f"}},
    "networkPolicy": {"callers": [CALLER]},
    "podMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
    "backup": {"enabled": True},
}
STILL = {"enabled": False, "minReplicas": 2, "maxReplicas": 3, "cpuPercent": 100}
REFUSED = [
    {"hots": "tools.example.org"}, {"host": "https://tools.example.org"}, {"trustedProxies": ["the gateway"]},
    {"settings": {"log.format": "json"}}, {"settings": {"TOOLKIT_LIMITS__RUN_PER_MINUTE": 60}}, {"route": {"kind": "Route"}},
    {"apiServer": {"replica": 3}}, {"networkPolicy": {"callers": [{"from": "shop"}]}}, {"secrets": {"names": "toolkit"}},
]


class Output:
    """What the chart makes of values."""

    def __init__(self, chart, values):
        chart.validate_schema(values)
        parts = chart.render(values, name="toolkit", namespace="toolkit")
        self.text = "".join(f"---\n{text}\n" for _, part in sorted(parts.items()) if (text := part.strip().removeprefix("---\n")))
        self.documents = list(yaml.safe_load_all(self.text))

    def of(self, kind):
        return {document["metadata"]["name"]: document for document in self.documents if document["kind"] == kind}

    def pods(self):
        return {name: document["spec"]["template"] for name, document in self.of("Deployment").items()}

    def backends(self):
        """The servers of the route, by path."""
        found = {}
        for route in self.of("HTTPRoute").values():
            for rule in route["spec"]["rules"]:
                (backend,) = rule["backendRefs"]
                found |= {match["path"]["value"]: (backend["name"], backend["port"]) for match in rule["matches"]}
        for ingress in self.of("Ingress").values():
            for path in ingress["spec"]["rules"][0]["http"]["paths"]:
                service = path["backend"]["service"]
                found[path["path"]] = (service["name"], service["port"]["name"])
        return found


def fits(labels, selector):
    assert selector.items() <= labels.items(), (labels, selector)


def valid(output):
    """Every document is one of Kubernetes, and what it names is there."""
    for document in output.documents:
        assert document["metadata"]["namespace"] == "toolkit", document
        if document["kind"] not in FOREIGN:
            for version in VERSIONS:
                kubernetes_validate.validate(document, version, strict=True)
    services, pods = output.of("Service"), output.pods()
    for name, document in output.of("Deployment").items():
        fits(pods[name]["metadata"]["labels"], document["spec"]["selector"]["matchLabels"])
        for other, template in pods.items():
            chosen = services[name]["spec"]["selector"].items() <= template["metadata"]["labels"].items()
            assert chosen == (name == other), (name, other)
        assert ("replicas" in document["spec"]) != (name in output.of("HorizontalPodAutoscaler")), name
        fits(pods[name]["metadata"]["labels"], output.of("PodDisruptionBudget")[name]["spec"]["selector"]["matchLabels"])
    for path, (name, port) in output.backends().items():
        ports = services[name]["spec"]["ports"]
        assert any(port in (own["port"], own["name"]) for own in ports), (path, name, port)


def settings(output, program):
    """The program takes the settings of the ConfigMaps."""
    environment = output.of("ConfigMap")["toolkit"]["data"]
    assert all(isinstance(value, str) for value in environment.values()), environment
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "toolkit.toml")
        file.write_text(output.of("ConfigMap").get("toolkit-file", {"data": {"toolkit.toml": ""}})["data"]["toolkit.toml"])
        if "TOOLKIT_MCP__TOKENS_FILE" in environment:
            tokens = pathlib.Path(folder, "tokens")
            tokens.write_text("a" * 64 + "\n")
            environment = environment | {"TOOLKIT_MCP__TOKENS_FILE": str(tokens)}
        done = subprocess.run([program, "--config", file, "config", "check"], env=environment, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
    return done.stdout


def defaults(chart, program):
    output = Output(chart, {})
    valid(output)
    settings(output, program)
    backends = output.backends()
    for path in ("/toolkit/mcp", "/.well-known/ai-catalog.json", "/.well-known/mcp.json", "/.well-known/mcp", "/llms.txt"):
        assert backends.pop(path) == ("toolkit-mcp-server", 80), path
    assert backends == {"/": ("toolkit-api-server", 80)}


def everything(chart, program):
    output = Output(chart, EVERYTHING)
    valid(output)
    printed = settings(output, program)
    assert "run_per_minute = 60" in printed and "https://tools.example.org/dev" in printed, printed
    assert output.of("Ingress")["toolkit"]["spec"]["ingressClassName"] == "traefik"
    incoming = output.of("NetworkPolicy")["toolkit"]["spec"]["ingress"]
    assert CALLER in incoming[0]["from"] and incoming[0]["ports"] == [{"port": "http"}], incoming
    (api, mcp) = (output.pods()[f"toolkit-{name}"]["spec"]["containers"][0] for name in ("api-server", "mcp-server"))
    secrets = [source["secretRef"]["name"] for source in api["envFrom"] if "secretRef" in source]
    assert secrets == ["toolkit", "mail", "toolkit-values"], secrets
    assert not any("secretRef" in source for source in mcp["envFrom"]), mcp
    (job,) = (cron["spec"]["jobTemplate"]["spec"]["template"] for cron in output.of("CronJob").values())
    assert job["spec"]["containers"][0]["envFrom"] == api["envFrom"], "a backup reads the database of the server"
    out = output.of("NetworkPolicy")["toolkit-api-server-out"]["spec"]["podSelector"]["matchExpressions"][0]
    assert job["metadata"]["labels"][out["key"]] in out["values"], "a backup reaches the database"
    (monitor,) = output.of("PodMonitor").values()
    for template in output.pods().values():
        labels = template["metadata"]["labels"]
        fits(labels, monitor["spec"]["selector"]["matchLabels"])
        rename = monitor["spec"]["podMetricsEndpoints"][0]["relabelings"][0]
        job = re.sub(rename["regex"], rename["replacement"].replace("$1", r"\1"), labels["app.kubernetes.io/name"])
        assert job in ("toolkit-api", "toolkit-mcp"), job


def fixed_replicas(chart, _):
    output = Output(chart, {"apiServer": {"replicas": 3, "autoscaling": STILL}})
    valid(output)
    assert output.of("Deployment")["toolkit-api-server"]["spec"]["replicas"] == 3


def without_mcp_server(chart, _):
    output = Output(chart, {"mcpServer": {"enabled": False}})
    valid(output)
    assert set(output.backends().values()) == {("toolkit-api-server", 80)}
    assert "mcp-server" not in output.text


def pods_restart(chart, _):
    """A change of what a pod reads at start changes the pod."""
    before = Output(chart, {}).pods()
    for values in ({"settings": {"TOOLKIT_LOG__LEVEL": "debug"}}, {"settingsFile": "[log]\n"}, {"secrets": {"values": {"A": "b"}}}, {"restart": "1"}):
        after = Output(chart, values).pods()
        assert all(after[name]["metadata"] != template["metadata"] for name, template in before.items()), values


def wrong_values(chart, _):
    for values in REFUSED:
        try:
            chart.validate_schema(values)
        except helm_python.HelmError:
            continue
        raise AssertionError(f"accepted: {values}")


def plain(chart, _):
    values = yaml.safe_load((CHART / "values.plain.yaml").read_text())
    output = Output(chart, values)
    head, mark, found = PLAIN.read_text().partition("# What follows is the output of the chart.\n")
    if "--bless" in sys.argv:
        PLAIN.write_text(head + mark + output.text)
    elif found != output.text:
        raise AssertionError(f"{PLAIN} is stale: run tests/helm/check.py --bless")
    (namespace,) = yaml.safe_load_all(head)
    kubernetes_validate.validate(namespace, VERSIONS[0], strict=True)


def lint(chart, _):
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    assert (chart.version, chart.metadata["appVersion"]) == (version, version), "the chart has another version than the programs"
    for values in ({}, EVERYTHING):
        report = helm_python.lint(CHART, values, strict=True)
        found = [message for message in report["messages"] if message["severity"] > 1]
        assert not found and not report["errors"], report


def manual(*_):
    """The documents that operators apply by hand."""
    found = 0
    for file in (ROOT / "docs/operating").glob("*.md"):
        for block in re.findall(r"^```yaml\n(apiVersion:.*?)^```$", file.read_text("utf-8"), re.M | re.S):
            found += 1
            for version in VERSIONS:
                kubernetes_validate.validate(yaml.safe_load(block), version, strict=True)
    assert found > 0, "the manual has no document"


CHECKS = {
    "helm lint": lint,
    "the defaults are valid, and MCP has its server": defaults,
    "all values together are valid, and the program takes the settings": everything,
    "without an autoscaler the replicas are fixed": fixed_replicas,
    "without mcp-server everything goes to api-server": without_mcp_server,
    "pods restart when their settings or secrets change": pods_restart,
    "wrong values are refused": wrong_values,
    "the plain manifest is the chart's output": plain,
    "the documents of the manual are valid": manual,
}


def main():
    program = str(pathlib.Path(sys.argv[-1]).resolve())
    failed = 0
    with helm_python.Chart.load(CHART) as chart:
        for name, check in CHECKS.items():
            try:
                check(chart, program)
                print(f"ok      {name}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAILED  {name}: {type(error).__name__}: {error}", flush=True)
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
