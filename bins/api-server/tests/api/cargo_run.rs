//! The program as `cargo run` starts it: `cargo test` sets the same variables.

use std::process::Command;

/// Variables of the tests, which nobody exports for a server.
const OF_TESTS: [&str; 2] = ["TOOLKIT_SUITES", "TOOLKIT_TEST_"];

#[test]
fn no_variable_of_a_build_is_taken_for_a_setting() {
    let is_of_tests = |name: &str| OF_TESTS.iter().any(|start| name.starts_with(start));
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_api-server"))
        .args(["config", "check"])
        .current_dir(&folder)
        .env_clear()
        .envs(std::env::vars().filter(|(name, _)| !is_of_tests(name)))
        .envs([("TOOLKIT_COMMIT", "1234567"), ("TOOLKIT_WEB_LIBRARIES", "none")])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}
