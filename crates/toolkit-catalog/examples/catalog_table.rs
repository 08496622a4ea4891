//! Prints the catalog as a table.

use std::io::{self, Write};

use toolkit_catalog::{Category, by_category};

fn main() -> io::Result<()> {
    print(&mut io::stdout().lock())
}

/// A separate function, so that a test can read its output.
pub(crate) fn print(out: &mut impl Write) -> io::Result<()> {
    for category in Category::ALL {
        for entry in by_category(category) {
            let place = if entry.server_side { "server" } else { "browser" };
            writeln!(out, "{category:<10} {place:<7} {:<28} {}", entry.slug, entry.name)?;
        }
    }
    Ok(())
}
