# Recipes of the project: `just` lists them.

set shell := ["bash", "-euo", "pipefail", "-c"]

[private]
default:
    @just --list --unsorted

# Build and start the REST API on its defaults: SQLite, no settings
[group('every day')]
run *ARGS:
    cargo run --release --bin api-server -- {{ARGS}}

# With `set -m` Ctrl-C is for the script alone: `just` would call it a failure.
# Start both servers; Ctrl-C stops both
[group('every day')]
dev:
    cargo build --bins
    set -m; scripts/dev.sh; exit

# Run every test, and say which were skipped and what they need
[group('every day')]
test *ARGS:
    scripts/test {{ARGS}}

# Rustdoc takes the examples too: without them its dependencies would have fewer features, and be checked again.
# Check format, lints, documentation, dependencies and licences
[group('every day')]
lint:
    cargo fmt --all --check
    rustfmt --check --edition 2024 crates/toolkit-core/src/tools/*.rs
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --lib --examples
    if command -v cargo-machete >/dev/null; then cargo machete; fi
    if command -v cargo-deny >/dev/null; then cargo deny check licenses bans sources; fi

# Check dependencies: RustSec database, licences, sources; installs cargo-deny
[group('releases')]
audit:
    command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
    cargo deny check

# Check each feature alone, with none, with all; other platforms
[group('library crates')]
features:
    command -v cargo-hack >/dev/null || cargo install --locked cargo-hack
    scripts/features.sh

# Check toolkit-core for browsers (WebAssembly); adds the target
[group('library crates')]
wasm:
    rustup target add wasm32-unknown-unknown
    for feature in $(sed -n "/^\[features\]/,/^\[dependencies\]/s/^\([a-z0-9_]*\) = .*/\1/p" crates/toolkit-core/Cargo.toml | grep -vx -e default -e os); do \
        cargo check --locked -p toolkit-core --target wasm32-unknown-unknown --no-default-features --features "$feature"; \
    done

# Build and run sample programs against the packages
[group('library crates')]
consumers:
    scripts/consumers.sh

# Print what a build of toolkit-core costs with each feature
[group('library crates')]
build-costs:
    scripts/build-costs.sh

# Check the public API against a revision
[group('library crates')]
semver REVISION="main":
    command -v cargo-hack >/dev/null || cargo install --locked cargo-hack
    command -v cargo-semver-checks >/dev/null || cargo install --locked cargo-semver-checks
    cargo hack check --each-feature --no-dev-deps -p toolkit-core -p toolkit-catalog -p toolkit-llm
    cargo semver-checks --baseline-rev {{REVISION}} -p toolkit-core -p toolkit-catalog -p toolkit-llm

# Accept changed snapshots and rewrite generated documents; [CARGO TEST OPTION]… such as `-p mcp-server`
[group('every day')]
bless *ARGS="--workspace":
    BLESS=1 INSTA_UPDATE=always INSTA_FORCE_PASS=1 cargo test --no-fail-fast {{ARGS}} --lib --tests --bins generated

# Check the web pages: [source|libraries|bare|pages|figures]…
[group('parts with real peers')]
web *PARTS:
    .ci/web {{PARTS}}

# Test one browser tool in seconds: its tests and its examples
[group('parts with real peers')]
web-tool SLUG:
    test -d crates/toolkit-web/web/tools/{{SLUG}} || { echo "web/tools/{{SLUG}} does not exist" >&2; exit 1; }
    node crates/toolkit-web/web/libraries.mjs "${CARGO_TARGET_DIR:-target}/web" --dev
    cd crates/toolkit-web/web && SLUG={{SLUG}} node --import ./tests/libraries.mjs --test \
        tests/examples.test.js $(grep -ls "/{{SLUG}}/" tests/*.test.js) $(find tools/{{SLUG}}/tests -name '*.test.js')

# Try every page in Firefox and WebKitGTK; installs them
[group('parts with real peers')]
browsers:
    .ci/web browsers

# Test chats with SDKs, LiteLLM, nginx, Caddy: [PART OF A NAME]…
[group('parts with real peers')]
chat *CHECKS:
    .ci/chat {{CHECKS}}

# Measure streamed chats: [PART OF A ROW'S NAME]
[group('measurements')]
chat-load *ROW:
    cargo build --release -p api-server -p toolkit-measure
    "${CARGO_TARGET_DIR:-target}/release/toolkit-chat-load" {{ROW}}

# Measure both servers: [--quick] [--section NAME]… [PART]
[group('measurements')]
bench *ARGS:
    cargo build --release -p api-server -p mcp-server -p toolkit-measure
    "${CARGO_TARGET_DIR:-target}/release/toolkit-bench" {{ARGS}}

# Count the instructions of hot paths; --bless makes them the baseline
[group('measurements')]
instructions *ARGS: instructions-build
    "${CARGO_TARGET_DIR:-target}/release/toolkit-instructions" {{ARGS}}

[private]
instructions-build:
    cargo build --release -p api-server -p mcp-server -p toolkit-measure --bin api-server --bin mcp-server --bin toolkit-instructions

# Run a SHARD (such as 0/40) of the mutants of a crate
[group('library crates')]
mutants CRATE SHARD *ARGS:
    command -v cargo-mutants >/dev/null || cargo install --locked cargo-mutants
    CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target/mutants}" \
        cargo mutants --package {{CRATE}} --shard {{SHARD}} --sharding round-robin --output target {{ARGS}}

# Run every fuzz target for SECONDS on stable Rust, without coverage
[group('library crates')]
fuzz-stable SECONDS="20":
    scripts/fuzz {{SECONDS}}

# Update each dependency to releases at least 3 days old; run all tests
[group('releases')]
update:
    scripts/update

# Fuzz every parser for SECONDS each; cargo-fuzz must be installed
[group('library crates')]
fuzz SECONDS="60":
    cd fuzz; for target in $(cargo fuzz list); do \
        mkdir -p "corpus/$target"; \
        cargo fuzz run --sanitizer none "$target" "corpus/$target" "seeds/$target" -- -max_total_time={{SECONDS}} -timeout=5; \
    done

# Attack a server, then load both: [SECONDS] [PART OF A NAME]
[group('measurements')]
soak *ARGS:
    cargo build --release -p api-server -p mcp-server -p toolkit-measure
    .ci/postgres "${CARGO_TARGET_DIR:-target}/release/toolkit-soak" {{ARGS}}

# Build and test the images, as root: [--programs FOLDER]
[group('parts with real peers')]
image *ARGS:
    scripts/image.py {{ARGS}}

# Test nginx and Caddy with the shipped files: [PART OF A NAME]…
[group('parts with real peers')]
proxies *PARTS:
    cargo test --quiet --workspace --no-run
    tests/proxies/check.py "${CARGO_TARGET_DIR:-target}/debug/api-server" {{PARTS}}

# Test the dashboard and the alerts with Prometheus
[group('parts with real peers')]
dashboard:
    cargo build --quiet --bins
    tests/prometheus/check.py "${CARGO_TARGET_DIR:-target}"/debug/{api-server,mcp-server}

# Check the Helm chart; --bless rewrites the plain manifest
[group('parts with real peers')]
chart *ARGS:
    cargo build --quiet -p api-server
    python3 -m venv target/chart
    target/chart/bin/pip install --quiet helm-python-sdk==0.2.2 kubernetes-validate==1.37.0 PyYAML
    target/chart/bin/python tests/helm/check.py {{ARGS}} "${CARGO_TARGET_DIR:-target}/debug/api-server"

# Write the MCP bundle for this platform, and server.json
[group('releases')]
mcpb *ARGS:
    cargo build --release --bin mcp-server
    scripts/mcpb.py {{ARGS}}

# Write the bills of materials (CycloneDX) into target/materials
[group('releases')]
sbom:
    command -v cargo-cyclonedx >/dev/null || cargo install --locked cargo-cyclonedx@0.5.9
    scripts/sbom target/materials

# Open the documentation of the library crates
[group('every day')]
docs:
    cargo doc --workspace --no-deps --open

# Lint docs/openapi.json, and check a generated client
[group('parts with real peers')]
openapi:
    .ci/openapi

# Run the checks of continuous integration: [push|merge|nightly]…
[group('every day')]
ci *TIERS:
    .ci/run {{TIERS}}
