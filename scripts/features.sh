#!/usr/bin/env bash
# Checks each feature of the library crates alone, with none and with all, and the crates without a clock,
# threads or files on every other platform whose standard library is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Code that only another feature uses is an error.
check() { cargo rustc -q --lib --profile check "$@" -- -D warnings; }

features=(base64 cidr cron hash ids json jwt os regex serde serde_json timestamp tools url xml yaml)
check -p toolkit-core --no-default-features
for feature in "${features[@]}"; do
    printf 'toolkit-core: %s\n' "$feature"
    check -p toolkit-core --no-default-features --features "$feature"
done
check -p toolkit-core --all-features
# Another crate of a program may enable it: numbers of serde_json are then maps with a private name.
printf 'toolkit-core: serde_json/arbitrary_precision\n'
cargo test -q -p toolkit-core --all-features --features serde_json/arbitrary_precision \
    --lib --test data_converter --test json --test tools --test typed
check -p toolkit-catalog --all-features
check -p toolkit-llm --no-default-features
for feature in ring openai anthropic gemini schemars; do
    printf 'toolkit-llm: %s\n' "$feature"
    check -p toolkit-llm --no-default-features --features "$feature"
done

# Without rustup there is the host's standard library alone.
command -v rustup >/dev/null || exit 0
host=$(rustc -vV | sed -n 's/^host: //p')
for target in $(rustup target list --installed); do
    [ "$target" = "$host" ] && continue
    printf '%s\n' "$target"
    cargo check -q -p toolkit-core --features serde_json --target "$target"
    cargo check -q -p toolkit-catalog --target "$target"
done
