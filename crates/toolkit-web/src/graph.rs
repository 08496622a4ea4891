//! Import graph: the modules that a page needs.

use std::collections::BTreeSet;

use crate::{asset, imports};

/// Modules loaded by a page that starts with these: they and their static imports, each once, in
/// the order in which a browser finds them.
pub fn preloads(roots: &[&str]) -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut waiting: Vec<String> = roots.iter().rev().map(|root| (*root).to_owned()).collect();
    while let Some(path) = waiting.pop() {
        if seen.contains(&path) {
            continue;
        }
        if let Some(asset) = asset(&path) {
            found.push(asset.path);
            waiting.extend(imported(&asset).into_iter().rev());
        }
        seen.insert(path);
    }
    found
}

/// Static imports of a module. Libraries are single modules.
pub(crate) fn imported(asset: &crate::Asset) -> Vec<String> {
    if asset.path.starts_with("libraries/") || !asset.is_module() {
        return Vec::new();
    }
    imports::of(asset.path, &String::from_utf8_lossy(&asset.bytes))
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
    fn libraries_and_other_files_import_nothing() {
        let asset = |path, content_type| crate::Asset {
            path,
            content_type,
            bytes: b"import './b.js';\n".into(),
        };
        assert_eq!(
            imported(&asset("lib/a.js", "text/javascript")),
            ["lib/b.js"]
        );
        assert!(imported(&asset("libraries/a.js", "text/javascript")).is_empty());
        assert!(imported(&asset("lib/a.txt", "text/plain")).is_empty());
    }
}
