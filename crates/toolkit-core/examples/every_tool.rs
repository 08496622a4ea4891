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
        let (mut ctx, mut result) = (Context::fixed(), Vec::new());
        tool.run_json(
            example.input.as_bytes(),
            Surface::Rest,
            &mut ctx,
            &mut result,
        )?;
        writeln!(out, "{}: {}", name.unwrap_or_default(), example.input)?;
        writeln!(out, "    {}", String::from_utf8_lossy(&result))?;
        for warning in ctx.warnings.iter() {
            writeln!(out, "    {:?}: {}", warning.kind, warning.text)?;
        }
    }
    Ok(())
}
