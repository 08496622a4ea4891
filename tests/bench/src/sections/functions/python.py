"""Does one work on a file again and again, and prints the seconds of CPU time of one time."""

import json
import re
import sys
import time
import uuid
import xml.etree.ElementTree

work, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()


def yaml_to_json():
    import yaml

    return json.dumps(yaml.load(text, yaml.CSafeLoader))


LOG = re.compile(
    r'^(\S+) \S+ (\S+) \[([^\]]+)\] "(GET|POST) ([^"]+) HTTP/1\.\d" (\d{3}) (\d+)$', re.M
)

WORKS = {
    "yaml": yaml_to_json,
    "xml": lambda: xml.etree.ElementTree.fromstring(text),
    "regex": lambda: [match.groups() for match in LOG.finditer(text)],
    "uuid": lambda: [str(uuid.uuid4()) for _ in range(1000)],
}

calls = 0
start = time.process_time()
while calls == 0 or time.process_time() - start < 0.2:
    WORKS[work]()
    calls += 1
print((time.process_time() - start) / calls)
