//! Import scanner: finds the imports of a module without a parser, whether it is minified or not.
//!
//! What stands in a string of the same form is found too, and leads nowhere: paths are looked up.
//! Libraries are single modules and import nothing.

/// The paths of a module's static imports, resolved against its own path.
pub(crate) fn of(path: &str, source: &str) -> Vec<String> {
    found(path, source, |before| {
        ["from", "import"].iter().any(|word| {
            let rest = before.strip_suffix(word);
            rest.is_some_and(|rest| !rest.ends_with(|last: char| last.is_alphanumeric()))
        })
    })
}

/// The paths of the modules that a module may import while it runs.
pub(crate) fn later(path: &str, source: &str) -> Vec<String> {
    found(path, source, |before| before.ends_with("import("))
}

/// The relative paths in quotes after a text that `is_import` accepts.
fn found(path: &str, source: &str, is_import: impl Fn(&str) -> bool) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']);
    let code = source
        .lines()
        .filter(is_code)
        .collect::<Vec<_>>()
        .join("\n");
    let quotes = code.match_indices(['\'', '"']);
    quotes
        .map(|(at, quote)| (code.split_at(at), quote))
        .filter(|((before, _), _)| is_import(before.trim_end()))
        .filter_map(|((_, rest), quote)| rest.strip_prefix(quote)?.split_once(quote))
        .map(|(specifier, _)| specifier)
        .filter(|specifier| specifier.starts_with('.'))
        .map(|specifier| resolve(path, specifier))
        .collect()
}

/// Resolves an import: `../../lib/bytes.js` in `tools/hex-encoder/tool.js`.
pub(crate) fn resolve(path: &str, specifier: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "." => {}
            ".." if segments.last().is_some_and(|last| *last != "..") => {
                segments.pop();
            }
            other => segments.push(other),
        }
    }
    let path = segments.join("/");
    // Minified modules name the version of a library too.
    match path.find("libraries/") {
        Some(at) => path.split_at(at).1.to_owned(),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_one_and_of_several_lines_are_found() {
        let source = "\
//! from './not.js'
/** @import * as T from './types.d.ts' */
import { a } from './a.js';
import './b.js';
import {
  c,
} from '../lib/c.js';
export { d } from '../lib/d.js';
const later = await import('./f.js');
/** @typedef {import('./g.js').G} G */
import { readFile } from 'node:fs';
";
        assert_eq!(
            of("kit/page.js", source),
            ["kit/a.js", "kit/b.js", "lib/c.js", "lib/d.js"]
        );
        assert_eq!(later("kit/page.js", source), ["kit/f.js"]);
    }

    #[test]
    fn a_path_outside_the_folder_keeps_its_dots() {
        assert_eq!(resolve("kit/page.js", "../../Cargo.toml"), "../Cargo.toml");
        assert_eq!(
            resolve("tools/x.js", "../libraries/diff.js"),
            "libraries/diff.js"
        );
    }

    #[test]
    fn imports_of_minified_modules_are_found() {
        let source = "import{a as b}from\"../kit/tool.js\";import\"./c.js\";export{d}from\"./d.js\";\
                      var e=()=>import(\"../../0123456789ab/libraries/diff.js\");";
        assert_eq!(
            of("tools/x.js", source),
            ["kit/tool.js", "tools/c.js", "tools/d.js"]
        );
        assert_eq!(later("tools/x.js", source), ["libraries/diff.js"]);
    }

    #[test]
    fn a_later_import_whose_path_stands_on_the_next_line_is_found() {
        let source = "const { a } = await import(\n  '../lib/a.js'\n);\n// import('./no.js')\n";
        assert_eq!(later("tools/x.js", source), ["lib/a.js"]);
    }
}
