#!/usr/bin/env bash
# Checks each feature of the library crates alone, with none and with all, and the crates without a clock,
# threads or files on every other platform whose standard library is installed. cargo-hack must be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Code that only another feature uses is an error.
cargo hack clippy --each-feature --no-dev-deps -p toolkit-core -p toolkit-catalog -p toolkit-llm -- -D warnings
# Another crate of a program may enable it: numbers of serde_json are then maps with a private name.
printf 'toolkit-core: serde_json/arbitrary_precision\n'
cargo test -q -p toolkit-core --all-features --features serde_json/arbitrary_precision \
    --lib --test data_converter --test json --test tools --test typed

# Without rustup there is the host's standard library alone.
command -v rustup >/dev/null || exit 0
host=$(rustc -vV | sed -n 's/^host: //p')
for target in $(rustup target list --installed); do
    [ "$target" = "$host" ] && continue
    printf '%s\n' "$target"
    cargo check -q -p toolkit-core --features serde_json --target "$target"
    cargo check -q -p toolkit-catalog --target "$target"
done
