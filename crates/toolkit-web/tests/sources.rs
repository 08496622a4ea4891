//! Rules of the own code below `web/`, which no compiler checks. Each fault names its file and
//! line.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by a panic"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use toolkit_catalog::ENTRIES;

/// The libraries that can be imported, whether this build has them or not.
fn libraries() -> BTreeSet<String> {
    let list: serde_json::Value =
        serde_json::from_str(include_str!("../web/libraries.json")).unwrap();
    let names = list["libraries"].as_object().unwrap().keys();
    names.map(|name| format!("libraries/{name}.js")).collect()
}

/// A module or style sheet that is written here.
struct Source {
    /// Its path below `web/`.
    path: String,
    text: String,
}

impl Source {
    fn is_module(&self) -> bool {
        self.is_a("js")
    }

    fn is_a(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|own| own == extension)
    }
}

/// The modules and style sheets that are written here, whatever a build makes of them.
fn own() -> &'static [Source] {
    static OWN: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let folders = ["data", "kit", "lib", "style", "tools"];
        let mut waiting: Vec<_> = folders.map(|folder| web.join(folder)).into();
        waiting.extend(["sw-off.js", "sw.js"].map(|file| web.join(file)));
        let mut found = Vec::new();
        while let Some(path) = waiting.pop() {
            if path.ends_with("tests") {
                continue;
            }
            if path.is_dir() {
                waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            } else if [".css", ".js"].iter().any(|end| path.to_str().unwrap().ends_with(end)) {
                found.push(Source {
                    path: path.strip_prefix(&web).unwrap().to_str().unwrap().to_owned(),
                    text: fs::read_to_string(&path).unwrap(),
                });
            }
        }
        found.sort_by(|left, right| left.path.cmp(&right.path));
        found
    });
    &OWN
}

/// One of them, by its path.
fn source(path: &str) -> Option<&'static Source> {
    own().iter().find(|source| source.path == path)
}

/// Every line of own code that `is_wrong` objects to, with its place.
fn faults(is_wrong: impl Fn(&Source, &str) -> bool) -> Vec<String> {
    let lines = own()
        .iter()
        .flat_map(|source| (1..).zip(source.text.lines()).map(move |line| (source, line)));
    lines
        .filter(|(source, (_, line))| is_wrong(source, line))
        .map(|(source, (number, line))| format!("{}:{number}: {}", source.path, line.trim()))
        .collect()
}

/// A line without its comment, as far as one can tell without a parser.
fn code(line: &str) -> &str {
    let line = line.trim_start();
    if line.starts_with("//") || line.starts_with('*') || line.starts_with("/*") {
        return "";
    }
    line.split_once(" // ").map_or(line, |(code, _)| code)
}

#[test]
fn a_tool_module_has_the_slug_of_an_entry() {
    let slugs: BTreeSet<_> = ENTRIES.iter().map(|entry| entry.slug).collect();
    let strangers: Vec<_> = own()
        .iter()
        .filter_map(|source| owner(&source.path))
        .filter(|owner| !slugs.contains(owner))
        .collect();
    assert!(strangers.is_empty(), "{strangers:?} are not slugs of the catalog");
}

/// The tool that a path belongs to: `hex-encoder` for `tools/hex-encoder/hex.js`.
fn owner(path: &str) -> Option<&str> {
    path.strip_prefix("tools/")?.split('/').next()
}

/// What two tools share is in `lib/`.
#[test]
fn the_parts_of_a_tool_are_its_own() {
    let is_foreign = |source: &Source, line: &str| {
        let quoted = code(line).split('\'').skip(1).step_by(2);
        source.is_module()
            && quoted
                .filter(|text| text.starts_with("./") || text.starts_with("../"))
                .map(|path| resolve(&source.path, path))
                .filter(|path| self::source(path).is_some())
                .any(|path| owner(&path).is_some_and(|of| Some(of) != owner(&source.path)))
    };
    let faults = faults(is_foreign);
    assert!(faults.is_empty(), "parts of other tools:\n{}", faults.join("\n"));
}

#[test]
fn every_tool_has_a_module_of_its_page() {
    let missing: Vec<_> = ENTRIES
        .iter()
        .map(|entry| format!("tools/{}/tool.js", entry.slug))
        .filter(|path| source(path).is_none())
        .collect();
    assert!(missing.is_empty(), "no module for {missing:?}");
}

#[test]
fn every_import_leads_to_a_module_or_to_a_library_of_the_list() {
    let libraries = libraries();
    let leads_nowhere = |source: &Source, line: &str| {
        let code = code(line);
        let imports =
            code.contains(" from '") || code.contains("import(") || code.starts_with("import '");
        let quoted = code.split('\'').skip(1).step_by(2);
        let mut paths = quoted.filter(|text| text.starts_with('.') && !text.ends_with(".d.ts"));
        source.is_module()
            && imports
            && paths.any(|path| {
                let path = resolve(&source.path, path);
                self::source(&path).is_none() && path != "catalog.js" && !libraries.contains(&path)
            })
    };
    let faults = faults(leads_nowhere);
    assert!(faults.is_empty(), "imports of nothing:\n{}", faults.join("\n"));
}

/// Third-party code runs in workers: a tool's module is loaded by the page too, for its fields. Views
/// and previews are the page's own.
#[test]
fn no_tool_reaches_a_library_by_a_static_import() {
    let tools = own()
        .iter()
        .map(|source| source.path.as_str())
        .filter(|path| path.starts_with("tools/") && path.ends_with("/tool.js"));
    let faults: Vec<_> = tools
        .flat_map(|tool| {
            let loaded = loaded(tool).into_iter();
            loaded
                .filter(|path| path.starts_with("libraries/") || path == "lib/temporal.js")
                .map(move |library| format!("{tool}: {library}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What a module imports, and what that imports, without what is imported later.
fn loaded(path: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![path.to_owned()];
    while let Some(path) = waiting.pop() {
        let Some(source) = source(&path).filter(|_| !found.contains(&path)) else {
            found.insert(path);
            continue;
        };
        waiting.extend(
            source
                .text
                .lines()
                .map(code)
                .filter_map(|line| line.rsplit_once(" from '"))
                .filter_map(|(_, rest)| rest.strip_suffix("';"))
                .map(|specifier| resolve(&source.path, specifier)),
        );
        found.insert(path);
    }
    found
}

#[test]
fn own_modules_import_only_each_other_and_libraries() {
    let is_bare = |source: &Source, line: &str| {
        let code = code(line);
        let statement = code.starts_with("import ")
            || code.starts_with("export ")
            || code.starts_with("} from ");
        let specifier = code.rsplit_once(" from '").map(|(_, specifier)| specifier);
        source.is_module()
            && (statement && specifier.is_some_and(|specifier| !specifier.starts_with('.'))
                || code.contains("import('http")
                || code.contains("from 'http"))
    };
    let faults = faults(is_bare);
    assert!(faults.is_empty(), "imports from elsewhere:\n{}", faults.join("\n"));
}

#[test]
fn our_modules_create_no_code_and_no_markup_from_text() {
    const FORBIDDEN: [&str; 9] = [
        "eval(",
        "Function(",
        "innerHTML",
        "outerHTML",
        "document.write",
        "insertAdjacentHTML",
        "setAttribute('style'",
        "cssText",
        "srcdoc",
    ];
    let faults = faults(|source, line| {
        source.is_module() && FORBIDDEN.iter().any(|word| has_word(code(line), word))
    });
    assert!(faults.is_empty(), "forbidden constructs:\n{}", faults.join("\n"));
}

#[test]
fn randomness_comes_from_the_system_and_style_sheets_load_nothing_but_their_parts() {
    let faults = faults(|source, line| {
        let is_tool = ["tools/", "lib/"].iter().any(|folder| source.path.starts_with(folder));
        is_tool && code(line).contains("Math.random")
            || source.is_a("css")
                && (line.contains("@import")
                    && !line.starts_with("@import \"parts/")
                    && !line.starts_with("@import \"../../style/parts/")
                    || line.contains("//"))
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn libraries_have_the_licenses_of_the_crates_and_four_more() {
    let deny = include_str!("../../../deny.toml");
    let (_, rest) = deny.split_once("allow = [").unwrap();
    let mut crates: BTreeSet<_> =
        rest.split_once(']').unwrap().0.split('"').skip(1).step_by(2).collect();
    // isbot, the word list for passphrases, and the color spaces, partly from drafts of the W3C.
    crates.extend(["Unlicense", "CC-BY-3.0-US", "MIT-0", "W3C-20150513"]);
    let list: serde_json::Value =
        serde_json::from_str(include_str!("../web/libraries.json")).unwrap();
    let libraries = list["licenses"].as_array().unwrap().iter();
    assert_eq!(libraries.map(|name| name.as_str().unwrap()).collect::<BTreeSet<_>>(), crates);
}

/// Whether a construct stands in the code, and not as the end of a longer name (`isFunction(`).
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|before| before.is_alphanumeric() || before == '_' || before == '$')
    })
}

fn resolve(path: &str, specifier: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "." => {}
            ".." => drop(segments.pop()),
            other => segments.push(other),
        }
    }
    segments.join("/")
}

/// What the HTML of a page names is an entry of the minified build, or a file of its own in it.
#[test]
fn the_minified_build_has_every_module_that_pages_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let build = fs::read_to_string(root.join("web/pages.mjs")).unwrap();
    let (_, groups) = build.split_once("const GROUPS = {").unwrap();
    let (groups, _) = groups.split_once("};").unwrap();
    let entries = groups.lines().filter_map(|line| line.split_once(": ["));
    let entries: BTreeSet<_> = entries.map(|(name, _)| name.trim().trim_matches('\'')).collect();
    let pages = root.join("../toolkit-api/src/tools/pages");
    let mut named = BTreeSet::new();
    for file in fs::read_dir(pages).unwrap() {
        let path = file.unwrap().path();
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let quoted = text.split('"').filter_map(|part| {
            let name = part.strip_prefix("kit/")?.strip_suffix(".js")?;
            Some(name.to_owned())
        });
        named.extend(quoted);
    }
    assert!(named.len() > 4, "{named:?}");
    let absent: Vec<_> = named
        .iter()
        .filter(|name| !entries.contains(name.as_str()))
        .filter(|name| !build.contains(&format!("'kit/{name}.js'")))
        .collect();
    assert!(absent.is_empty(), "GROUPS of pages.mjs lacks {absent:?}");
}
