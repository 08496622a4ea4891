//! Builds the npm libraries and the minified pages with Node, and lists the files to embed.
//!
//! Writes only below `OUT_DIR`. `libraries.mjs` rebuilds the libraries only when one of the files in `LISTS` changes.
//! Without Node the modules are served as they are written, and the libraries are absent.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// The folders of `web/` that a browser loads from.
const FOLDERS: [&str; 6] = ["data", "icons", "kit", "lib", "style", "tools"];
/// A folder of a tool that no browser loads from.
const TESTS: &str = "tests";
/// Files served at a fixed address.
const SERVICE_WORKERS: [&str; 2] = ["sw-off.js", "sw.js"];
const EXTENSIONS: [&str; 4] = ["css", "js", "png", "svg"];
/// Of these, what is served as it is written in every build.
const UNBUILT: [&str; 1] = ["icons"];
/// Subfolder of the output folder where Node writes the libraries.
const LIBRARIES: &str = "libraries";
/// Subfolder of the output folder where Node writes the minified pages.
const PAGES: &str = "pages";
/// What `pages.mjs` writes about its modules: a line for each, with what it imports at the start.
const MANIFEST: &str = "manifest.txt";
const LACKING: &str = "web pages that need a library do not work in this build";
/// Files that determine the built libraries.
const LISTS: [&str; 4] = ["libraries.json", "libraries.mjs", "package-lock.json", "package.json"];
const NODE_MAJOR_MIN: u32 = 20;
/// The exit code of `libraries.mjs` when packages cannot be fetched; any other failure is an error.
const CANNOT_FETCH: i32 = 3;

/// Whether to build the pages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Unless there is no Node, or no registry.
    Built,
    /// A failure otherwise.
    Required,
    None,
}

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=TOOLKIT_WEB_LIBRARIES");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?).join("web");
    let web =
        Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?).join("web");
    let wanted = wanted()?;
    let is_built = libraries(wanted, &web, &out)?;
    if is_built {
        node(&web, "pages.mjs", &out)??;
    } else {
        let _ = fs::remove_file(out.join(MANIFEST));
    }
    let source = files(&web, &out, is_built).map_err(|error| format!("web/: {error}"))?;
    fs::write(out.with_file_name("files.rs"), source).map_err(|error| error.to_string())
}

/// Builds the libraries; tells whether they are there.
fn libraries(wanted: Wanted, web: &Path, out: &Path) -> Result<bool, String> {
    fs::create_dir_all(out.join(LIBRARIES)).map_err(|error| error.to_string())?;
    if wanted == Wanted::None {
        println!("cargo::warning=TOOLKIT_WEB_LIBRARIES is none: {LACKING}");
        clear(out).map_err(|error| error.to_string())?;
        return Ok(false);
    }
    match node(web, "libraries.mjs", out)? {
        Ok(()) => Ok(true),
        Err(lack) if wanted == Wanted::Required => Err(lack),
        Err(lack) => {
            clear(out).map_err(|error| error.to_string())?;
            println!("cargo::warning={lack}: {LACKING}");
            // A file that never exists, so that the next build tries again.
            println!("cargo::rerun-if-changed={}", out.join("never").display());
            Ok(false)
        }
    }
}

fn wanted() -> Result<Wanted, String> {
    match env::var("TOOLKIT_WEB_LIBRARIES").as_deref() {
        Err(_) | Ok("") => Ok(Wanted::Built),
        Ok("required") => Ok(Wanted::Required),
        Ok("none") => Ok(Wanted::None),
        Ok(other) => Err(format!(
            "TOOLKIT_WEB_LIBRARIES is `{other}`; use required or none, or leave it unset"
        )),
    }
}

/// Empties the folder of libraries.
fn clear(out: &Path) -> io::Result<()> {
    fs::remove_dir_all(out.join(LIBRARIES))?;
    fs::create_dir_all(out.join(LIBRARIES))
}

/// Runs a script of `web/`. The inner error names what is missing on this machine; the outer one is a
/// failure.
fn node(web: &Path, script: &str, out: &Path) -> Result<Result<(), String>, String> {
    let Ok(version) = Command::new("node").arg("--version").output() else {
        return Ok(Err(format!("there is no Node; install {NODE_MAJOR_MIN} or newer")));
    };
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    if major(&version) < NODE_MAJOR_MIN {
        return Ok(Err(format!("Node is {version}; install {NODE_MAJOR_MIN} or newer")));
    }
    let run = Command::new("node")
        .arg(web.join(script))
        .arg(out)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("node: {error}"))?;
    let said = String::from_utf8_lossy(&run.stderr).trim().replace('\n', "; ");
    match run.status.code() {
        Some(0) => Ok(Ok(())),
        Some(CANNOT_FETCH) => Ok(Err(said)),
        _ => Err(format!("{script} failed: {said}")),
    }
}

fn major(version: &str) -> u32 {
    let number = version.trim_start_matches('v').split('.').next();
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Source text: one `File` for each file that pages load, in the order of their paths, whether debug
/// builds read them from disk, and what modules import.
fn files(web: &Path, out: &Path, is_built: bool) -> io::Result<String> {
    let mut found: Vec<_> = SERVICE_WORKERS.map(|name| (name.to_owned(), web.join(name))).into();
    for folder in FOLDERS {
        // Notices a folder that appears later.
        println!("cargo::rerun-if-changed={}", web.join(folder).display());
        let below =
            if is_built && !UNBUILT.contains(&folder) { out.join(PAGES) } else { web.to_owned() };
        list(&below.join(folder), folder, &mut found)?;
    }
    for name in LISTS.into_iter().chain(SERVICE_WORKERS).chain(["pages.mjs"]) {
        println!("cargo::rerun-if-changed={}", web.join(name).display());
    }
    list(&out.join(LIBRARIES), LIBRARIES, &mut found)?;
    let licenses = out.join(LIBRARIES).join("licenses.txt");
    if licenses.exists() {
        found.push((format!("{LIBRARIES}/licenses.txt"), licenses));
    }
    found.retain(|(_, disk)| disk.exists());
    found.sort();
    let reads_disk = !is_built && env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    let mut source = format!(
        "const IS_BUILT: bool = {is_built};\nconst READS_DISK: bool = {reads_disk};\n\
         static FILES: &[File] = &[\n"
    );
    for (path, disk) in found {
        let from = disk.display().to_string();
        let disk = if reads_disk { from.as_str() } else { "" };
        let _ = writeln!(
            source,
            "    File {{ path: {path:?}, disk: {disk:?}, embedded: include_bytes!({from:?}) }},"
        );
    }
    source += "];\npub(crate) static IMPORTS: &[(&str, &[&str])] = &[\n";
    for line in fs::read_to_string(out.join(MANIFEST)).unwrap_or_default().lines() {
        let mut words = line.split(' ');
        let (module, imports) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
        let _ = writeln!(source, "    ({module:?}, &{imports:?}),");
    }
    Ok(source + "];")
}

fn list(folder: &Path, below: &str, found: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let disk = entry?.path();
        let Some(name) = disk.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let path = format!("{below}/{name}");
        let extension = disk.extension().and_then(|extension| extension.to_str());
        if disk.is_dir() && name == TESTS {
            continue;
        }
        if disk.is_dir() {
            list(&disk, &path, found)?;
        } else if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
            found.push((path, disk));
        }
    }
    Ok(())
}
