//! Runs `examples/every_tool.rs`.

use toolkit_core::registry::TOOLS;

#[path = "../../examples/every_tool.rs"]
#[expect(dead_code, reason = "a test calls what its main function calls")]
mod every_tool;

#[test]
fn the_example_prints_input_and_answer_of_every_tool() {
    let mut out = Vec::new();
    every_tool::print(&mut out).unwrap();
    let printed = String::from_utf8(out).unwrap();
    let inputs = printed.lines().filter(|line| !line.starts_with(' '));
    assert_eq!(inputs.count(), TOOLS.len());
    let first = r#"base64-encoder: {"text": "#;
    assert!(printed.starts_with(first), "{printed}");
}
