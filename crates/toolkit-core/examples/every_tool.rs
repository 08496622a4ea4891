//! Runs every tool on its first example, and prints the results.

use std::error::Error;
use std::io::Write;

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
        writeln!(out, "{}: {}", name.unwrap_or_default(), example.input)?;
        writeln!(out, "    {}", tool.demonstrate(example.input, Surface::Rest)?)?;
    }
    Ok(())
}
