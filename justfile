# Recipes of the project: `just` lists them.

set shell := ["bash", "-euo", "pipefail", "-c"]

[private]
default:
    @just --list --unsorted

# Build and start the REST API on its defaults: SQLite, no settings
run *ARGS:
    cargo run --release --bin api-server -- {{ARGS}}

# With `set -m` Ctrl-C is for the script alone: `just` would call it a failure.
# Start both servers; Ctrl-C stops both
dev:
    cargo build --bins
    set -m; scripts/dev.sh; exit

# Run every test; those of PostgreSQL and Redis only with `TOOLKIT_TEST_POSTGRES` and `TOOLKIT_TEST_REDIS`
test *ARGS:
    cargo test --workspace {{ARGS}}

# Rustdoc takes the examples too: without them its dependencies would have fewer features, and be checked again.
# Check format, lints and documentation; with cargo-machete and cargo-deny, if installed, also unused dependencies, licences and sources
lint:
    cargo fmt --all --check
    rustfmt --check --edition 2024 crates/toolkit-core/src/tools/*.rs
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --lib --examples
    if command -v cargo-machete >/dev/null; then cargo machete; fi
    if command -v cargo-deny >/dev/null; then cargo deny check licenses bans sources; fi

# Check all dependencies against the RustSec database, which it fetches; installs cargo-deny
audit:
    command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
    cargo deny check advisories

# Check the library crates with each feature alone, with none and with all, and on other installed platforms
features:
    scripts/features.sh

# Build and run sample programs against the packages as they would be published
consumers:
    scripts/consumers.sh

# Print the crates and processor seconds of a build of toolkit-core with each feature alone
build-costs:
    scripts/build-costs.sh

# Check the public API of the libraries against a revision, as none is released yet, and every feature alone; installs what it needs
semver REVISION="main":
    command -v cargo-hack >/dev/null || cargo install --locked cargo-hack
    command -v cargo-semver-checks >/dev/null || cargo install --locked cargo-semver-checks
    cargo hack check --each-feature --no-dev-deps -p toolkit-core -p toolkit-catalog -p toolkit-llm
    cargo semver-checks --baseline-rev {{REVISION}} -p toolkit-core -p toolkit-catalog -p toolkit-llm

# Accept changed snapshots and rewrite generated documents
bless:
    BLESS=1 INSTA_UPDATE=always INSTA_FORCE_PASS=1 cargo test --workspace --lib --tests --bins

# Check the web pages: types, format, tools in Node, libraries, a server without them, pages in Chromium; `figures` writes docs/performance.md: [source|libraries|bare|pages|figures]…
web *PARTS:
    .ci/web {{PARTS}}

# Test one browser tool in seconds: its tests and its examples
web-tool SLUG:
    node crates/toolkit-web/web/libraries.mjs "${CARGO_TARGET_DIR:-target}/web" --dev
    cd crates/toolkit-web/web && SLUG={{SLUG}} node --import ./tests/libraries.mjs --test \
        tests/examples.test.js $(grep -ls "tools/{{SLUG}}[./]" tests/*.test.js)

# Test streamed chats with real peers: the vendors' SDKs, LiteLLM, nginx, Caddy: [PART OF A CHECK'S NAME]…
chat *CHECKS:
    .ci/chat {{CHECKS}}

# Measure streamed chats, and print the table of docs/performance.md: [PART OF A ROW'S NAME]
chat-load *ROW:
    cargo build --release -p api-server -p toolkit-chat-load
    "${CARGO_TARGET_DIR:-target}/release/toolkit-chat-load" {{ROW}}

# Measure both servers, alone and against alternatives, and write docs/performance.md: [--quick] [--section NAME]… [PART OF A NAME]
bench *ARGS:
    cargo build --release -p api-server -p mcp-server -p toolkit-bench
    "${CARGO_TARGET_DIR:-target}/release/toolkit-bench" {{ARGS}}

# Count the instructions of the hot paths and fail above the baseline; --bless makes them the baseline
instructions *ARGS: instructions-build
    "${CARGO_TARGET_DIR:-target}/release/toolkit-instructions" {{ARGS}}

[private]
instructions-build:
    cargo build --release -p api-server -p mcp-server -p toolkit-bench --bin api-server --bin mcp-server --bin toolkit-instructions

# Run a SHARD (such as 0/40) of the mutants of a crate against its tests; installs cargo-mutants
mutants CRATE SHARD *ARGS:
    command -v cargo-mutants >/dev/null || cargo install --locked cargo-mutants
    CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target/mutants}" \
        cargo mutants --package {{CRATE}} --shard {{SHARD}} --sharding round-robin --output target {{ARGS}}

# Fuzz every parser for SECONDS each; cargo-fuzz must be installed
fuzz SECONDS="60":
    cd fuzz; for target in $(cargo fuzz list); do \
        cargo fuzz run --sanitizer none "$target" -- -max_total_time={{SECONDS}} -timeout=5; \
    done

# Attack a server, then load both for SECONDS (600) while their dependencies fail: [SECONDS] [PART OF A NAME]
soak *ARGS:
    cargo build --release -p api-server -p mcp-server -p toolkit-soak
    .ci/postgres "${CARGO_TARGET_DIR:-target}/release/toolkit-soak" {{ARGS}}

# Build the images of the Dockerfile without a container engine, and test them; needs root: [--programs FOLDER]
image *ARGS:
    scripts/image.py {{ARGS}}

# Test the shipped files of nginx and Caddy, and the recipes of docs/operating.md, with both: [PART OF A NAME]…
proxies *PARTS:
    cargo test --quiet --workspace --no-run
    tests/proxies/check.py "${CARGO_TARGET_DIR:-target}/debug/api-server" {{PARTS}}

# Write the MCP bundle for this platform, and a complete server.json, into target/mcpb
mcpb *ARGS:
    cargo build --release --bin mcp-server
    scripts/mcpb.py {{ARGS}}

# Write a bill of materials of each crate in CycloneDX format, next to its Cargo.toml
sbom:
    command -v cargo-cyclonedx >/dev/null || cargo install --locked cargo-cyclonedx
    cargo cyclonedx --format json --override-filename bom

# Open the documentation of the library crates
docs:
    cargo doc --workspace --no-deps --open

# Check docs/openapi.json with Redocly's linter, and a generated TypeScript client against a server
openapi:
    .ci/openapi

# Run the checks of continuous integration
ci:
    .ci/run
