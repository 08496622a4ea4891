#!/usr/bin/env bash
# Builds and runs the programs of tests/consumers against the packages as they would be published.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

patches=()
for package in toolkit-catalog toolkit-core toolkit-llm; do
    cargo package -q --no-verify --allow-dirty -p "$package"
    archive=$(ls -t "$target"/package/"$package"-*.crate | head -n 1)
    tar -xzf "$archive" -C "$work"
    folder=$work/$(basename "$archive" .crate)
    for file in README.md LICENSE-MIT LICENSE-APACHE CHANGELOG.md; do
        [ -f "$folder/$file" ] || { echo "$package lacks $file" >&2; exit 1; }
    done
    printf '%s: %s KiB\n' "$(basename "$archive")" "$(($(stat -c %s "$archive") / 1024))"
    patches+=(--config "patch.crates-io.$package.path='$folder'")
done

for consumer in tests/consumers/*/; do
    cp -r "$consumer" "$work/"
    name=$(basename "$consumer")
    CARGO_TARGET_DIR=$target/consumers cargo run -q "${patches[@]}" \
        --manifest-path "$work/$name/Cargo.toml"
done
