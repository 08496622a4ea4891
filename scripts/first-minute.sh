#!/usr/bin/env bash
# Plays the first minute of a newcomer in a clean clone, and prints the seconds and the disk that each step takes: build, start,
# first answers, and the tests. Registry crates may be cached; nothing else is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap finish EXIT
unset CARGO_TARGET_DIR

step() {
    local name=$1 started=$SECONDS
    shift
    "$@"
    printf '%-36s %5d s %8s\n' "$name" $((SECONDS - started)) "$(du -sh "$work/toolkit" | cut -f1)"
}

start() {
    TOOLKIT_API__BIND=127.0.0.1:0 TOOLKIT_API__ADMIN_BIND='' TOOLKIT_LOG__FORMAT=json \
        cargo run --quiet --release --bin api-server >"$work/log" &
    server=$!
    until address=$(grep -o '"address":"[^"]*"' "$work/log" | cut -d'"' -f4) && [ -n "$address" ]; do
        kill -0 "$server"
        sleep 0.05
    done
}

answers() {
    curl --silent --fail --output /dev/null "http://$address/toolkit/"
    curl --silent --fail --output /dev/null "http://$address/toolkit/api/tools/cidr-calculator/run" \
        -H 'Content-Type: application/json' -d '{"cidr": "192.0.2.10/24"}'
    curl --silent --fail --output /dev/null "http://$address/toolkit/mcp" -H 'Content-Type: application/json' \
        -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
}

# What failed is shown: the log goes with the clone.
tests() { cargo test --quiet --workspace >"$work/tests" 2>&1 || { tail -n 60 "$work/tests"; return 1; }; }

git clone --quiet . "$work/toolkit"
cd "$work/toolkit"
step 'cargo build --release (api-server)' cargo build --quiet --release --bin api-server
step 'start' start
step "a page, a run, a call of MCP" answers
step 'cargo test --workspace' tests
