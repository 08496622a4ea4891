//! Servers under measurement: child processes, their CPU time and their memory.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Result;

/// Clock ticks per second in `/proc`, on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

/// A limit that no load reaches.
const UNREACHED: &str = "1000000000";

/// Longer than any server takes to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server; killed on drop.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Its address.
    pub address: SocketAddr,
    /// From the start of the process to its first accepted connection.
    pub start_up: Duration,
    /// Its working directory, removed on drop.
    directory: TempDir,
}

impl Server {
    /// Starts a program that listens on `address`, and waits for it.
    pub fn start(directory: TempDir, command: &mut Command, address: SocketAddr) -> Result<Self> {
        let start = Instant::now();
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let program = command.get_program().display();
        let child = child.map_err(|error| format!("{program} cannot be started: {error}"))?;
        let mut server = Self { child, address, start_up: Duration::ZERO, directory };
        while TcpStream::connect(address).is_err() {
            if let Some(status) = server.child.try_wait()? {
                return Err(format!("the server ended: {status}").into());
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("{program} does not listen").into());
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        server.start_up = start.elapsed();
        Ok(server)
    }

    /// Starts one of our servers in a separate directory, with limits that no load reaches and with
    /// these settings, whose names omit `TOOLKIT_`.
    pub fn ours(name: &str, settings: &[(&str, &str)]) -> Result<Self> {
        Self::ours_by(Command::new(sibling(name)?), name, settings)
    }

    /// The same, with a command that runs the program, such as a profiler.
    pub fn ours_by(mut command: Command, name: &str, settings: &[(&str, &str)]) -> Result<Self> {
        let (directory, address) = (tempfile::tempdir()?, free_address()?);
        let section = if name == "api-server" { "API" } else { "MCP" };
        command
            .env_clear()
            .env(format!("TOOLKIT_{section}__BIND"), address.to_string())
            .env(format!("TOOLKIT_{section}__ADMIN_BIND"), "")
            .env("TOOLKIT_LIMITS__CLIENT_CONNECTIONS", "65535")
            .env("TOOLKIT_LIMITS__SUBSCRIBE_PER_DAY", UNREACHED);
        for limit in ["RUN", "MCP", "CHAT", "CONTACT", "SUBSCRIBE"] {
            command.env(format!("TOOLKIT_LIMITS__{limit}_PER_MINUTE"), UNREACHED);
        }
        for limit in ["RUN", "MCP"] {
            command.env(format!("TOOLKIT_LIMITS__{limit}_BURST"), UNREACHED);
        }
        set(&mut command, &directory, settings);
        Self::start(directory, &mut command, address)
    }

    /// Starts the bare handler, which answers each request with this head (`name: value` lines) and
    /// body.
    pub fn bare(head: &str, body: &[u8]) -> Result<Self> {
        let (directory, address) = (tempfile::tempdir()?, free_address()?);
        let answer = directory.path().join("answer");
        fs::write(&answer, [head.as_bytes(), b"\r\n\r\n", body].concat())?;
        let mut command = Command::new(sibling("toolkit-bench")?);
        let port = address.port().to_string();
        command.arg("--serve").arg(port).arg(answer);
        Self::start(directory, &mut command, address)
    }

    /// Starts a Redis without persistence.
    pub fn redis(address: SocketAddr) -> Result<Self> {
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        command.args(["--port", &address.port().to_string()]);
        Self::start(tempfile::tempdir()?, &mut command, address)
    }

    /// Issues a key with the command of `api-server`, which has these settings.
    pub fn issue_key(&self, settings: &[(&str, &str)]) -> Result<String> {
        let mut command = Command::new(sibling("api-server")?);
        command.args(["keys", "create", "--label", "bench", "--quiet"]).env_clear();
        set(&mut command, &self.directory, settings);
        output(&mut command)
    }

    /// CPU seconds used by the process, in user and kernel mode.
    pub fn cpu_seconds(&self) -> Result<f64> {
        seconds(self.id())
    }

    /// Its memory in MiB: `VmRSS` is resident now, `RssAnon` the part of it not backed by files,
    /// and `VmHWM` the peak.
    pub fn memory(&self, what: &str) -> Result<f64> {
        let status = fs::read_to_string(self.proc("status"))?;
        let kib = status.lines().find_map(|line| {
            let kib = line.strip_prefix(what)?.strip_prefix(':')?;
            kib.trim_end_matches(" kB").trim().parse::<f64>().ok()
        });
        Ok(kib.ok_or_else(|| format!("{what} is not known"))? / 1024.0)
    }

    /// Resets the peak memory to the current value.
    pub fn forget_highest(&self) -> Result<()> {
        Ok(fs::write(self.proc("clear_refs"), "5")?)
    }

    /// Open descriptors.
    pub fn descriptors(&self) -> Result<usize> {
        Ok(fs::read_dir(self.proc("fd"))?.count())
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn proc(&self, file: &str) -> String {
        format!("/proc/{}/{file}", self.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes a command run in a directory, with these settings.
fn set(command: &mut Command, directory: &TempDir, settings: &[(&str, &str)]) {
    command.current_dir(directory.path());
    for (key, value) in settings {
        command.env(format!("TOOLKIT_{key}"), value);
    }
}

/// CPU seconds of a process, including its ended children.
fn seconds(pid: u32) -> Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in parentheses can contain anything, so the fields are counted after it.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').skip(11).take(4);
    let ticks = ticks.filter_map(|field| field.parse::<f64>().ok());
    Ok(ticks.sum::<f64>() / TICKS_PER_SECOND)
}

/// The trimmed output of a program.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = complaint.trim().lines().take(3).collect();
    Err(format!("{}: {}", output.status, lines.join(" ")).into())
}

/// A free address of this machine.
pub fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// The path of another program in the directory of this one.
pub fn sibling(name: &str) -> Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}
