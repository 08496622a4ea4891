//! Builds the npm libraries with Node and lists the files to embed.
//!
//! Writes only below `OUT_DIR`. Rebuilds the libraries only when one of the files in `LISTS`
//! changes; a change of another file only lists the files again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// The folders of `web/` that a browser loads from.
const FOLDERS: [&str; 7] = ["data", "icons", "kit", "lib", "style", "tools", "views"];
/// Files served at a fixed address.
const SERVICE_WORKERS: [&str; 2] = ["sw-off.js", "sw.js"];
const EXTENSIONS: [&str; 4] = ["css", "js", "png", "svg"];
/// Subfolder of the output folder where Node writes the modules.
const LIBRARIES: &str = "libraries";
/// Files that determine the built libraries.
const LISTS: [&str; 4] = [
    "libraries.json",
    "libraries.mjs",
    "package-lock.json",
    "package.json",
];
const NODE_MAJOR_MIN: u32 = 20;
/// The exit code of `libraries.mjs` when packages cannot be fetched; any other failure is an error.
const CANNOT_FETCH: i32 = 3;

/// Whether to build the libraries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Auto,
    Required,
    None,
}

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=TOOLKIT_WEB_LIBRARIES");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?).join("web");
    let web =
        Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?).join("web");
    libraries(&web, &out)?;
    let source = files(&web, &out).map_err(|error| format!("web/: {error}"))?;
    fs::write(out.with_file_name("files.rs"), source).map_err(|error| error.to_string())
}

fn libraries(web: &Path, out: &Path) -> Result<(), String> {
    let wanted = wanted()?;
    let built = out.join(LIBRARIES);
    let stamp = out.join("built");
    let lists = lists(web).map_err(|error| format!("web/: {error}"))?;
    fs::create_dir_all(&built).map_err(|error| error.to_string())?;
    if wanted == Wanted::None {
        return clear(out).map_err(|error| error.to_string());
    }
    if fs::read_to_string(&stamp).is_ok_and(|of| of == lists) {
        return Ok(());
    }
    clear(out).map_err(|error| error.to_string())?;
    match node(web, out)? {
        Ok(()) => fs::write(stamp, lists).map_err(|error| error.to_string()),
        Err(lack) if wanted == Wanted::Required => Err(lack),
        Err(lack) => {
            clear(out).map_err(|error| error.to_string())?;
            println!(
                "cargo::warning=the web pages are built without the libraries that some tools need: {lack}"
            );
            // A file that never exists, so that the next build tries again.
            println!("cargo::rerun-if-changed={}", out.join("never").display());
            Ok(())
        }
    }
}

fn wanted() -> Result<Wanted, String> {
    match env::var("TOOLKIT_WEB_LIBRARIES").as_deref() {
        Err(_) | Ok("" | "auto") => Ok(Wanted::Auto),
        Ok("required") => Ok(Wanted::Required),
        Ok("none") => Ok(Wanted::None),
        Ok(other) => Err(format!(
            "TOOLKIT_WEB_LIBRARIES is `{other}`; use auto, required or none"
        )),
    }
}

/// The text of all files that the libraries are built from.
fn lists(web: &Path) -> io::Result<String> {
    LISTS
        .iter()
        .map(|name| fs::read_to_string(web.join(name)))
        .collect()
}

/// Empties the folder of libraries.
fn clear(out: &Path) -> io::Result<()> {
    let _ = fs::remove_file(out.join("built"));
    fs::remove_dir_all(out.join(LIBRARIES))?;
    fs::create_dir_all(out.join(LIBRARIES))
}

/// Runs `libraries.mjs`. The inner error names what is missing on this machine; the outer one is a
/// failure.
fn node(web: &Path, out: &Path) -> Result<Result<(), String>, String> {
    let Ok(version) = Command::new("node").arg("--version").output() else {
        return Ok(Err(format!(
            "there is no Node; install {NODE_MAJOR_MIN} or newer"
        )));
    };
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    if major(&version) < NODE_MAJOR_MIN {
        return Ok(Err(format!(
            "Node is {version}; install {NODE_MAJOR_MIN} or newer"
        )));
    }
    let run = Command::new("node")
        .arg(web.join("libraries.mjs"))
        .arg(out)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("node: {error}"))?;
    let said = String::from_utf8_lossy(&run.stderr)
        .trim()
        .replace('\n', "; ");
    match run.status.code() {
        Some(0) => Ok(Ok(())),
        Some(CANNOT_FETCH) => Ok(Err(said)),
        _ => Err(format!("libraries.mjs failed: {said}")),
    }
}

fn major(version: &str) -> u32 {
    let number = version.trim_start_matches('v').split('.').next();
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Source text: one `File` for each file that pages load, in the order of their paths.
fn files(web: &Path, out: &Path) -> io::Result<String> {
    let mut found: Vec<_> = SERVICE_WORKERS
        .map(|name| (name.to_owned(), web.join(name)))
        .into();
    for folder in FOLDERS {
        // Notices a folder that appears later.
        println!("cargo::rerun-if-changed={}", web.join(folder).display());
        list(&web.join(folder), folder, &mut found)?;
    }
    for name in LISTS.into_iter().chain(SERVICE_WORKERS) {
        println!("cargo::rerun-if-changed={}", web.join(name).display());
    }
    list(&out.join(LIBRARIES), LIBRARIES, &mut found)?;
    let licenses = out.join(LIBRARIES).join("licenses.txt");
    if licenses.exists() {
        found.push((format!("{LIBRARIES}/licenses.txt"), licenses));
    }
    found.retain(|(_, disk)| disk.exists());
    found.sort();
    let mut source = "&[\n".to_owned();
    for (path, disk) in found {
        let disk = disk.display().to_string();
        let _ = writeln!(
            source,
            "    File {{ path: {path:?}, disk: {disk:?}, embedded: include_bytes!({disk:?}) }},"
        );
    }
    Ok(source + "]")
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
        if disk.is_dir() {
            list(&disk, &path, found)?;
        } else if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
            found.push((path, disk));
        }
    }
    Ok(())
}
