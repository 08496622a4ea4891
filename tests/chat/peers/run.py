"""Streamed chats against real peers. The last line is `N passed, N failed`.

    run.py --server target/debug/api-server [PART OF A NAME]…
"""

import argparse
import asyncio
import traceback

import examples
import gateways
import proxies
import sdks
import walk


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    passed = failed = 0
    for module in (sdks, walk, examples, proxies, gateways):
        async for name, check in module.checks(arguments.server):
            if arguments.names and not any(part in name for part in arguments.names) and name != "LiteLLM stops":
                continue
            try:
                await asyncio.wait_for(check(), 400)
                passed += 1
                print(f"ok      {name}", flush=True)
            except Exception:  # noqa: BLE001
                failed += 1
                lines = traceback.format_exc().strip().split("\n")
                print(f"FAILED  {name}", *(f"        {line}" for line in lines[-12:]), sep="\n", flush=True)
    print(f"{passed} passed, {failed} failed")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    asyncio.run(main())
