#!/usr/bin/env bash
# Checks each feature of toolkit-core alone, with none and with all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
features=(base64 cidr cron hash ids json jwt os regex serde serde_json timestamp tools url xml yaml)
cargo check -q -p toolkit-core --no-default-features
for feature in "${features[@]}"; do
    printf '%s\n' "$feature"
    cargo check -q -p toolkit-core --no-default-features --features "$feature"
done
cargo check -q -p toolkit-core --all-features
