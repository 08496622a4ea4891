//! Import graph: the modules that a page needs, as reported by the page build.

use std::collections::BTreeSet;

use crate::assets::{IMPORTS, asset};

/// Modules loaded by a page with these entry modules: they and their static imports, each once, in
/// the order in which a browser finds them. Without a Node build, only the entry modules.
pub fn preloads(roots: &[&str]) -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut waiting: Vec<&str> = roots.iter().rev().copied().collect();
    while let Some(path) = waiting.pop() {
        if !seen.insert(path) {
            continue;
        }
        if let Some(asset) = asset(path) {
            found.push(asset.path);
            waiting.extend(imports(path).iter().rev());
        }
    }
    found
}

/// Static imports of a module.
fn imports(path: &str) -> &'static [&'static str] {
    let index = IMPORTS.binary_search_by_key(&path, |(module, _)| module);
    index.ok().and_then(|index| IMPORTS.get(index)).map_or(&[], |(_, imports)| imports)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_brings_what_it_imports_each_once() {
        let modules = preloads(&["tools/hex-encoder/tool.js", "kit/tool.js"]);
        assert_eq!(modules.first(), Some(&"tools/hex-encoder/tool.js"));
        assert!(modules.contains(&"kit/tool.js"), "{modules:?}");
        let distinct: BTreeSet<_> = modules.iter().collect();
        assert_eq!(distinct.len(), modules.len(), "{modules:?}");
    }

    #[test]
    fn a_module_that_does_not_exist_is_left_out() {
        assert!(preloads(&["tools/none/tool.js"]).is_empty());
    }

    #[test]
    fn every_import_is_a_module_and_is_found() {
        for (module, paths) in IMPORTS {
            assert_eq!(imports(module), *paths, "{module}");
            for path in *paths {
                assert!(asset(path).is_some(), "{module} imports {path}");
            }
        }
    }
}
