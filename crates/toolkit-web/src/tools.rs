//! Browser tools: the slugs that have a module.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use toolkit_catalog::{ENTRIES, Entry};

use crate::{asset, catalog, imports};

/// The parts of a tool that are in this build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolModule {
    /// The module and every library that it imports.
    Ready(&'static str),
    /// The module, without these libraries: Node or the registry was unavailable at build time.
    LacksLibraries(Vec<String>),
    /// Nothing.
    Absent,
}

/// Finds the module of a tool.
pub fn tool_module(slug: &str) -> ToolModule {
    let Some(module) = asset(&format!("tools/{slug}/tool.js")) else {
        return ToolModule::Absent;
    };
    let lacking = libraries_of(module.path)
        .into_iter()
        .filter(|library| asset(library).is_none())
        .collect::<Vec<_>>();
    if lacking.is_empty() {
        return ToolModule::Ready(module.path);
    }
    ToolModule::LacksLibraries(lacking.iter().map(|path| name(path).to_owned()).collect())
}

/// Whether the page of a tool sends what is entered: the tool runs on the server, and no module of it
/// is in this build.
pub fn asks_server(entry: &Entry) -> bool {
    // Each request of a page asks.
    static IN_BROWSER: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let slugs = ENTRIES.iter().map(|entry| entry.slug);
        slugs
            .filter(|slug| matches!(tool_module(slug), ToolModule::Ready(_)))
            .collect()
    });
    entry.server_side && !IN_BROWSER.contains(entry.slug)
}

/// Libraries needed by a module, its view or one of their imports, at the start or later.
fn libraries_of(module: &str) -> Vec<String> {
    let view = module.replace("/tool.js", "/view.js");
    let mut waiting = vec![module.to_owned(), view];
    let mut seen = BTreeSet::new();
    let mut libraries = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if path.starts_with("libraries/") {
            libraries.insert(path);
        } else if path == catalog::PATH {
            // It imports nothing, and is made of what is found here.
        } else if let Some(asset) = asset(&path).filter(|_| seen.insert(path)) {
            let source = String::from_utf8_lossy(&asset.bytes);
            waiting.extend(imports::of(asset.path, &source));
            waiting.extend(imports::later(asset.path, &source));
        }
    }
    libraries.into_iter().collect()
}

fn name(path: &str) -> &str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.strip_suffix(".js").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_without_libraries_is_there_in_every_build() {
        assert_eq!(
            tool_module("hex-encoder"),
            ToolModule::Ready("tools/hex-encoder/tool.js")
        );
    }

    #[test]
    fn a_slug_without_a_module_is_absent() {
        for slug in ["", "hex", "../kit/tool", "data-converter"] {
            assert_eq!(tool_module(slug), ToolModule::Absent, "{slug}");
        }
    }

    #[test]
    fn a_page_asks_the_server_for_what_only_the_server_can_do() {
        let asks = |slug| asks_server(toolkit_catalog::find(slug).unwrap());
        assert!(asks("cron-explainer"));
        // Their modules need no library; the latter runs nowhere else.
        assert!(!asks("base64-encoder") && !asks("hex-encoder"));
        assert_eq!(asks("uuid-generator"), asset("libraries/uuid.js").is_none());
    }

    #[test]
    fn a_tool_needs_the_libraries_of_its_module_and_of_what_that_imports() {
        let of = |slug: &str| libraries_of(&format!("tools/{slug}/tool.js"));
        assert_eq!(of("hex-encoder"), [""; 0]);
        assert_eq!(
            of("password-generator"),
            ["libraries/eff-large-wordlist.js"]
        );
        assert_eq!(of("url-parser"), ["libraries/punycode.js"]);
        assert_eq!(of("text-diff-checker"), ["libraries/diff.js"]);
    }

    #[test]
    fn a_name_is_without_folder_and_extension() {
        assert_eq!(name("libraries/diff.js"), "diff");
        assert_eq!(name("libraries/licenses.txt"), "licenses.txt");
    }
}
