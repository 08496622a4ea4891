//! Prints the catalog as a table.

use std::io::Write as _;

use toolkit_catalog::{Category, by_category};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for category in Category::ALL {
        for entry in by_category(category) {
            let place = if entry.server_side {
                "server"
            } else {
                "browser"
            };
            writeln!(
                out,
                "{category:<10} {place:<7} {:<28} {}",
                entry.slug, entry.name
            )?;
        }
    }
    Ok(())
}
