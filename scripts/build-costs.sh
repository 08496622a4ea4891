#!/usr/bin/env bash
# Prints the cost of each feature of toolkit-core alone: the crates of its dependency tree, itself
# included, and the processor seconds of a release build of all of them, as rows of the table in its README.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%U

row() {
    local name=$1 crates seconds
    shift
    crates=$(cargo tree -p toolkit-core --no-default-features "$@" -e normal,build --prefix none | cut -d ' ' -f 1,2 | sort -u | wc -l)
    rm -rf "$work/target"
    seconds=$({ time CARGO_TARGET_DIR=$work/target cargo build -q --release -p toolkit-core --no-default-features "$@" 2>&3; } 3>&2 2>&1)
    printf '| %s | %s | %s |\n' "$name" "$crates" "$seconds"
}

row none
for feature in url json cidr xml yaml base64 cron timestamp ids regex timezones hash jwt; do
    row "$feature" --features "$feature"
done
row default --features default
