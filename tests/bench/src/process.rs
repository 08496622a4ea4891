//! A server under measurement: a child process, its CPU time and its memory.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Clock ticks a second in `/proc`, on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

/// A limit that no load reaches.
const UNREACHED: &str = "1000000000";

/// A running server; it is ended when this is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    /// From the start of the process until it took a connection.
    pub start_up: Duration,
    /// Where it keeps its data, which goes with it.
    directory: Option<TempDir>,
}

/// Memory of a process, in MiB.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// What is in memory now, with what the program's file backs.
    pub resident: f64,
    /// Of that, what no file backs.
    pub private: f64,
    /// What was resident at the most.
    pub highest: f64,
}

impl Server {
    /// Starts a program that listens on `address`, and waits until it does.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or ends before it listens.
    pub fn start(command: &mut Command, address: SocketAddr) -> io::Result<Self> {
        Self::start_in(None, command, address)
    }

    fn start_in(
        directory: Option<TempDir>,
        command: &mut Command,
        address: SocketAddr,
    ) -> io::Result<Self> {
        let start = Instant::now();
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut server = Self {
            child,
            address,
            start_up: Duration::ZERO,
            directory,
        };
        while TcpStream::connect(address).is_err() {
            if let Some(status) = server.child.try_wait()? {
                return Err(io::Error::other(format!("the server ended: {status}")));
            }
            if start.elapsed() > Duration::from_secs(20) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        server.start_up = start.elapsed();
        Ok(server)
    }

    /// Starts one of our servers in a directory of its own, with limits that no load reaches and with these
    /// settings, whose names go without `TOOLKIT_`.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or ends before it listens.
    pub fn ours(name: &str, settings: &[(String, String)]) -> io::Result<Self> {
        Self::ours_by(Command::new(sibling(name)?), name, settings)
    }

    /// The same, with the command that starts the program: a profiler's, for one.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or ends before it listens.
    pub fn ours_by(
        mut command: Command,
        name: &str,
        settings: &[(String, String)],
    ) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let section = if name == "api-server" { "API" } else { "MCP" };
        command
            .current_dir(directory.path())
            .env_clear()
            .env(format!("TOOLKIT_{section}__BIND"), address.to_string())
            .env(format!("TOOLKIT_{section}__ADMIN_BIND"), "");
        for limit in ["RUN", "MCP", "CHAT", "CONTACT", "SUBSCRIBE"] {
            command.env(format!("TOOLKIT_LIMITS__{limit}_PER_MINUTE"), UNREACHED);
        }
        for limit in ["RUN", "MCP"] {
            command.env(format!("TOOLKIT_LIMITS__{limit}_BURST"), UNREACHED);
        }
        for (key, value) in settings {
            command.env(format!("TOOLKIT_{key}"), value);
        }
        Self::start_in(Some(directory), &mut command, address)
    }

    /// Issues a key with the command of `api-server`, whose settings these are.
    ///
    /// # Errors
    ///
    /// When the command fails.
    pub fn issue_key(&self, settings: &[(String, String)]) -> io::Result<String> {
        let mut command = Command::new(sibling("api-server")?);
        command
            .args(["keys", "create", "--label", "bench"])
            .env_clear();
        if let Some(directory) = &self.directory {
            command.current_dir(directory.path());
        }
        for (key, value) in settings {
            command.env(format!("TOOLKIT_{key}"), value);
        }
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let key = text.lines().find_map(|line| line.strip_prefix("key: "));
        key.map(str::to_owned)
            .ok_or_else(|| io::Error::other(format!("no key was issued: {output:?}")))
    }

    /// CPU seconds that the process and its children have used, in user and kernel mode.
    ///
    /// # Errors
    ///
    /// When the process is gone.
    pub fn cpu_seconds(&self) -> io::Result<f64> {
        cpu_ticks(self.id()).map(|ticks| ticks / TICKS_PER_SECOND)
    }

    /// Its memory.
    ///
    /// # Errors
    ///
    /// When the process is gone.
    pub fn memory(&self) -> io::Result<Memory> {
        let status = fs::read_to_string(self.proc("status"))?;
        let mib = |name: &str| {
            let lines = status.lines().filter_map(|line| line.split_once(':'));
            let mut values = lines.filter(|(key, _)| *key == name);
            let (_, value) = values.next()?;
            let kib: f64 = value.trim().trim_end_matches(" kB").parse().ok()?;
            Some(kib / 1024.0)
        };
        Ok(Memory {
            resident: mib("VmRSS").unwrap_or(0.0),
            private: mib("RssAnon").unwrap_or(0.0),
            highest: mib("VmHWM").unwrap_or(0.0),
        })
    }

    /// Lets the highest memory be what it is now.
    ///
    /// # Errors
    ///
    /// When the process is gone.
    pub fn forget_highest(&self) -> io::Result<()> {
        fs::write(self.proc("clear_refs"), "5")
    }

    /// Descriptors that are open.
    ///
    /// # Errors
    ///
    /// When the process is gone.
    pub fn descriptors(&self) -> io::Result<usize> {
        Ok(fs::read_dir(self.proc("fd"))?.count())
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn proc(&self, file: &str) -> String {
        format!("/proc/{}/{file}", self.id())
    }
}

/// CPU seconds of all processes of a name: of those that run, and of those that they have outlived.
///
/// # Errors
///
/// When processes cannot be listed.
pub fn cpu_seconds_of(name: &str) -> io::Result<f64> {
    let mut ticks = 0.0;
    for process in fs::read_dir("/proc")? {
        let Some(pid) = process?
            .file_name()
            .to_str()
            .and_then(|pid| pid.parse().ok())
        else {
            continue;
        };
        // It may have ended since.
        let comm = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        if comm.trim() == name {
            ticks += own_ticks(pid).unwrap_or(0.0);
        }
    }
    Ok(ticks / TICKS_PER_SECOND)
}

/// Clock ticks that a process has used, with those of its children that have ended and that run.
fn cpu_ticks(pid: u32) -> io::Result<f64> {
    let own = own_ticks(pid)?;
    let mut children = String::new();
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        // A thread may have ended since; its children are then another's.
        children += &fs::read_to_string(thread?.path().join("children")).unwrap_or_default();
    }
    let children = children
        .split_whitespace()
        .filter_map(|pid| pid.parse().ok());
    let theirs: f64 = children.filter_map(|pid| cpu_ticks(pid).ok()).sum();
    Ok(own + theirs)
}

/// The same without its children that run.
fn own_ticks(pid: u32) -> io::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in parentheses can hold anything, so the fields are counted after it.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let times = fields.split(' ').skip(11).take(4);
    Ok(times.filter_map(|field| field.parse::<f64>().ok()).sum())
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port of this machine that is free now.
///
/// # Errors
///
/// When there is none.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// The directory of a program beside this one.
///
/// # Errors
///
/// When this one has no place.
pub fn sibling(name: &str) -> io::Result<std::path::PathBuf> {
    let me = std::env::current_exe()?;
    Ok(me.parent().unwrap_or_else(|| Path::new(".")).join(name))
}
