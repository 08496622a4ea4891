"""A client that openapi-python-client generated from docs/openapi.json, as its users write it, with a running server.

usage: openapi.py ADDRESS    (the generated package `toolkit_client` is importable)
"""

import importlib
import sys

from toolkit_client import Client, models

JWT = ".eyJzdWIiOiJhIn0."
# Tool, input, and a field of the result with its value.
CALLS = [
    ("timestamp_converter", {"value": 1700000000}, "detected", "seconds"),
    ("timestamp_converter", {"value": "1700000000123"}, "detected", "milliseconds"),
    ("timestamp_converter", {"value": "1700000000123456"}, "detected", "microseconds"),
    ("timestamp_converter", {"value": "1", "unit": "ns"}, "detected", "nanoseconds"),
    ("timestamp_converter", {"value": "2023-11-14T22:13:20Z"}, "unix_seconds", 1700000000),
    ("timestamp_converter", {"value": "Tue, 14 Nov 2023 22:13:20 +0000"}, "detected", "rfc2822"),
    ("timestamp_converter", {"value": "now Asia/Tokyo"}, "zone", "Asia/Tokyo"),
    ("cidr_calculator", {"cidr": "10.1.2.3/8"}, "scope", "private"),
    ("cidr_calculator", {"cidr": "127.0.0.1/32"}, "scope", "loopback"),
    ("cidr_calculator", {"cidr": "8.8.8.0/24"}, "usable_hosts", 254),
    ("cidr_calculator", {"cidr": "224.0.0.0/4"}, "scope", "multicast"),
    ("cidr_calculator", {"cidr": "2001:db8::/32"}, "total_addresses", str(2**96)),
    ("cidr_calculator", {"cidr": "fd00::/8"}, "scope", "unique_local"),
    ("jwt_decoder", {"token": "eyJhbGciOiJub25lIn0" + JWT}, "token_type", "unsecured"),
    ("jwt_decoder", {"token": "eyJhbGciOiJIUzI1NiJ9" + JWT + "AA"}, "status", "no_expiry"),
    ("jwt_decoder", {"token": "eyJhbGciOiJub25lIn0.eyJleHAiOjF9."}, "status", "expired"),
    ("jwt_decoder", {"token": "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AA.AA.AA"}, "token_type", "jwe"),
    ("cron_explainer", {"expression": "CRON_TZ=Europe/Paris 0 9 * * 1"}, "zone", "Europe/Paris"),
    ("regex_tester", {"pattern": "(a)(b)?", "text": "a"}, "count", 1),
]


def call(tool, body):
    run = importlib.import_module(f"toolkit_client.api.run.run_{tool}")
    form = getattr(models, "Run" + tool.title().replace("_", "") + "Body")
    return run.sync_detailed(client=client, body=form.from_dict(body))


client = Client(base_url=sys.argv[1])
for tool, body, name, wanted in CALLS:
    answer = call(tool, body)
    assert answer.status_code == 200, (tool, body, answer)
    assert getattr(answer.parsed.result, name) == wanted, (tool, body, answer.parsed.result)
refused = call("cidr_calculator", {"cidr": "10.0.0.0/99"})
assert refused.status_code == 422 and "`cidr`" in refused.parsed.detail, refused
print(f"{len(CALLS) + 1} passed, 0 failed")
