//! A server under measurement: a child process, its CPU time and its memory.

use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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
}

impl Server {
    /// Starts a program that listens on `address`, and waits until it does.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or ends before it listens.
    pub fn start(command: &mut Command, address: SocketAddr) -> io::Result<Self> {
        let start = Instant::now();
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut server = Self {
            child,
            address,
            start_up: Duration::ZERO,
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
        let directory = tempfile::tempdir()?.keep();
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let section = if name == "api-server" { "API" } else { "MCP" };
        command
            .current_dir(directory)
            .env_clear()
            // As the image and the units have it.
            .env("MIMALLOC_PURGE_DELAY", "0")
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
        Self::start(&mut command, address)
    }

    /// CPU seconds that the process has used, in user and kernel mode.
    ///
    /// # Errors
    ///
    /// When the process is gone.
    pub fn cpu_seconds(&self) -> io::Result<f64> {
        let stat = fs::read_to_string(self.proc("stat"))?;
        // The name in parentheses can hold anything, so the fields are counted behind it.
        let fields = stat
            .rsplit_once(") ")
            .map(|(_, fields)| fields)
            .unwrap_or_default();
        let ticks = |index: usize| {
            fields
                .split(' ')
                .nth(index)
                .and_then(|field| field.parse::<f64>().ok())
                .unwrap_or(0.0)
        };
        Ok((ticks(11) + ticks(12)) / TICKS_PER_SECOND)
    }

    /// Resident memory now and at its highest, in MiB.
    ///
    /// # Errors
    ///
    /// When the process is gone.
    pub fn memory_mib(&self) -> io::Result<(f64, f64)> {
        let status = fs::File::open(self.proc("status"))?;
        let mut values = (0.0, 0.0);
        for line in BufReader::new(status).lines() {
            let line = line?;
            let kib = |line: &str| {
                line.split_whitespace()
                    .nth(1)
                    .and_then(|kib| kib.parse::<f64>().ok())
                    .unwrap_or(0.0)
            };
            match line.split(':').next() {
                Some("VmRSS") => values.0 = kib(&line) / 1024.0,
                Some("VmHWM") => values.1 = kib(&line) / 1024.0,
                _ => {}
            }
        }
        Ok(values)
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
