//! Import scanner: finds the imports of a module without a parser.
//!
//! Our code is formatted, so a statement ends in `from '…';` or is `import '…';` on one line.
//! Libraries are single modules and import nothing.

/// The paths of a module's static imports, resolved against its own path.
pub(crate) fn of(path: &str, source: &str) -> Vec<String> {
    source
        .lines()
        .filter_map(|line| specifier(line.trim_start()))
        .filter(|specifier| specifier.starts_with('.'))
        .map(|specifier| resolve(path, specifier))
        .collect()
}

/// The paths of the modules that a module may import while it runs.
pub(crate) fn later(path: &str, source: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']);
    let code: Vec<_> = source.lines().filter(is_code).collect();
    code.join("\n")
        .split("import(")
        .skip(1)
        // A long one has its path on the next line.
        .filter_map(|rest| rest.trim_start().strip_prefix('\'')?.split_once('\''))
        .filter(|(specifier, _)| specifier.starts_with('.'))
        .map(|(specifier, _)| resolve(path, specifier))
        .collect()
}

/// The module named by a line that ends an import statement.
fn specifier(line: &str) -> Option<&str> {
    let is_statement = ["import ", "export ", "} from "]
        .iter()
        .any(|start| line.starts_with(start));
    let quoted = match line.strip_prefix("import ") {
        Some(rest) if rest.starts_with(['\'', '"']) => rest,
        _ if is_statement => line.rsplit_once(" from ")?.1,
        _ => return None,
    };
    let quote = quoted
        .chars()
        .next()
        .filter(|quote| matches!(quote, '\'' | '"'))?;
    let (specifier, rest) = quoted.get(1..)?.split_once(quote)?;
    matches!(rest, ";" | "").then_some(specifier)
}

/// Resolves an import: `../lib/bytes.js` in `tools/hex-encoder.js`.
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
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_one_and_of_several_lines_are_found_and_nothing_else() {
        let source = "\
//! from './not.js'
/** @import * as T from './types.d.ts' */
import { a } from './a.js';
import './b.js';
import {
  c,
} from '../lib/c.js';
export { d } from '../lib/d.js';
const text = \"import { e } from './e.js';\";
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
    fn a_later_import_whose_path_stands_on_the_next_line_is_found() {
        let source = "const { a } = await import(\n  '../lib/a.js'\n);\n// import('./no.js')\n";
        assert_eq!(later("tools/x.js", source), ["lib/a.js"]);
    }
}
