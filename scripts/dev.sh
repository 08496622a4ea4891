#!/usr/bin/env bash
# Starts both servers and stops both on Ctrl-C, or when one of them ends.
set -euo pipefail
# Own process groups: Ctrl-C reaches this script alone, and each server gets one signal. A second one would end it at once.
set -m
target=${CARGO_TARGET_DIR:-target}
"$target/debug/api-server" "$@" & api=$!
"$target/debug/mcp-server" "$@" & mcp=$!
interrupted=
trap 'interrupted=yes' INT TERM
code=0
wait -n "$api" "$mcp" || code=$?
trap '' INT TERM
kill -TERM "$api" "$mcp" 2>/dev/null || true
wait
if [ -n "$interrupted" ]; then code=0; fi
exit "$code"
