# The front door: `just` lists what there is.

set shell := ["bash", "-euo", "pipefail", "-c"]

[private]
default:
    @just --list --unsorted

# Build and start the REST API on its defaults: SQLite, no settings
run *ARGS:
    cargo run --release --bin api-server -- {{ARGS}}

# Start both servers; Ctrl-C stops both
dev:
    cargo build --bins
    scripts/dev.sh

# Run every test. PostgreSQL, Redis and SMTP parts run where `just services` has them
test *ARGS:
    cargo test --workspace {{ARGS}}

# Check format, lints and documentation and, where they are installed, with cargo-machete for unused dependencies and with cargo-deny for licences and sources of all
lint:
    cargo fmt --all --check
    rustfmt --check --edition 2024 crates/toolkit-core/src/tools/*.rs
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps
    if command -v cargo-machete >/dev/null; then cargo machete; fi
    if command -v cargo-deny >/dev/null; then cargo deny check licenses bans sources; fi

# Check the library crates with each feature alone, with none and with all, and on other installed platforms; and mcp-server without its features
features:
    scripts/features.sh

# Build other projects' programs from the packages as they would be published, and run them
consumers:
    scripts/consumers.sh

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

# Ask for streamed chats with real peers: the vendors' SDKs, LiteLLM, nginx, Caddy: [PART OF A CHECK'S NAME]…
chat *CHECKS:
    .ci/chat {{CHECKS}}

# Measure streamed chats, and print the table of docs/performance.md: [PART OF A ROW'S NAME]
chat-load *ROW:
    cargo build --release -p api-server -p toolkit-chat-load
    "${CARGO_TARGET_DIR:-target}/release/toolkit-chat-load" {{ROW}}

# Measure both servers, alone and against others, and write docs/performance.md: [--quick] [--section NAME]… [PART OF A NAME]
bench *ARGS:
    cargo build --release -p api-server -p mcp-server -p toolkit-bench
    "${CARGO_TARGET_DIR:-target}/release/toolkit-bench" {{ARGS}}

# Count the instructions of the hot paths, which fails above the baseline; with --bless they become the baseline
instructions *ARGS:
    cargo build --release -p api-server -p mcp-server -p toolkit-bench
    "${CARGO_TARGET_DIR:-target}/release/toolkit-instructions" {{ARGS}}

# Change a crate in a SHARD (such as 0/40) of all the small ways that a test must notice; installs cargo-mutants
mutants CRATE SHARD *ARGS:
    command -v cargo-mutants >/dev/null || cargo install --locked cargo-mutants
    CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target/mutants}" \
        cargo mutants --package {{CRATE}} --shard {{SHARD}} --sharding round-robin --output target {{ARGS}}

# Fuzz every parser for so many seconds; cargo-fuzz must be installed
fuzz SECONDS="60":
    cd fuzz; for target in $(cargo fuzz list); do \
        cargo fuzz run --sanitizer none "$target" -- -max_total_time={{SECONDS}} -timeout=5; \
    done

# Abuse a server, then keep both under load for so many seconds (600) while what they need fails
soak *ARGS:
    cargo build --release -p api-server -p mcp-server -p toolkit-bench
    .ci/postgres "${CARGO_TARGET_DIR:-target}/release/toolkit-soak" {{ARGS}}

# Do what the Dockerfile does, without a container engine, and try the result; needs root
image:
    scripts/image.py

# Write the MCP bundle for this platform, and a complete server.json, into target/mcpb
mcpb *ARGS:
    cargo build --release --bin mcp-server
    scripts/mcpb.py {{ARGS}}

# Write a bill of materials of each crate in CycloneDX's form, beside its Cargo.toml
sbom:
    command -v cargo-cyclonedx >/dev/null || cargo install --locked cargo-cyclonedx
    cargo cyclonedx --format json --override-filename bom

# Open the documentation of the library crates
docs:
    cargo doc --workspace --no-deps --open

# Check docs/openapi.json with Redocly's linter, and a TypeScript client that is generated from it against a server
openapi:
    .ci/openapi

# What continuous integration runs
ci:
    .ci/run
