//! Runs every tool on its first example, and prints the results.

use std::error::Error;
use std::io::Write;

use toolkit_core::Context;
use toolkit_core::input::Surface;
use toolkit_core::registry::TOOLS;

fn main() -> Result<(), Box<dyn Error>> {
    print(&mut std::io::stdout().lock())
}

/// A separate function, so that a test can read its output.
pub(crate) fn print(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for tool in TOOLS {
        let spec = tool.spec();
        let name = spec.slug.or(spec.mcp.as_ref().map(|mcp| mcp.name));
        let Some(example) = spec.examples.first() else {
            continue;
        };
        let (mut ctx, mut answer) = (Context::fixed(), b"{".to_vec());
        let input = example.input.as_bytes();
        tool.run_json(input, Surface::Rest, &mut ctx, &mut answer)?;
        answer.push(b'}');
        writeln!(out, "{}: {}", name.unwrap_or_default(), example.input)?;
        writeln!(out, "    {}", String::from_utf8_lossy(&answer))?;
    }
    Ok(())
}
