#!/usr/bin/env bash
# Starts both servers and stops both on Ctrl-C, or when one of them ends.
set -euo pipefail
target=${CARGO_TARGET_DIR:-target}
"$target/debug/api-server" "$@" & api=$!
"$target/debug/mcp-server" "$@" & mcp=$!
trap 'kill -TERM "$api" "$mcp" 2>/dev/null; wait' EXIT INT TERM
wait -n "$api" "$mcp"
