//! Measured process: its CPU time, memory and descriptors, from `/proc`.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::model::Model;

/// Time limit for a program to start listening.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running program; killed on drop.
pub(crate) struct Program {
    child: Child,
    _directory: TempDir,
    /// Its address.
    pub(crate) address: SocketAddr,
    /// A valid API key.
    pub(crate) key: String,
}

impl Program {
    /// Starts `api-server` with one worker and `model` as its only provider.
    pub(crate) fn server(model: &Model, settings: &[(&str, &str)]) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let file = directory.path().join("toolkit.toml");
        let provider = format!(
            "[[llm.providers]]\nname = \"main\"\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"{}/v1\"\n",
            model.url()
        );
        fs::write(&file, provider)?;
        let address = free_address()?;
        let program = sibling("api-server")?;
        let command = |arguments: &[&str]| {
            let mut command = Command::new(&program);
            command
                .args(arguments)
                .arg("--config")
                .arg(&file)
                .current_dir(directory.path())
                .env_clear()
                .env("TOOLKIT_API__BIND", address.to_string())
                .env("TOOLKIT_API__ADMIN_BIND", "")
                .env("TOOLKIT_HTTP__WORKERS", "1")
                .env("TOOLKIT_LIMITS__CHAT_PER_MINUTE", "0")
                .envs(settings.iter().copied());
            command
        };
        let child = start(&mut command(&[]), address)?;
        let mut issue = command(&["keys", "create", "--label", "load"]);
        let issued = issue.output()?;
        let text = String::from_utf8_lossy(&issued.stdout);
        let key = text.lines().find_map(|line| line.strip_prefix("key:"));
        let key = key.ok_or_else(|| io::Error::other(format!("no key was issued: {issued:?}")))?;
        Ok(Self {
            child,
            _directory: directory,
            address,
            key: key.trim().to_owned(),
        })
    }

    /// Starts this program as a relay, which forwards the bytes of `model`.
    pub(crate) fn relay(model: &Model) -> io::Result<Self> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["relay", &address.to_string(), &model.url()]);
        Ok(Self {
            child: start(&mut command, address)?,
            _directory: tempfile::tempdir()?,
            address,
            key: String::new(),
        })
    }

    /// CPU time used by its threads.
    pub(crate) fn cpu(&self) -> io::Result<Duration> {
        let mut sum = 0;
        for thread in fs::read_dir(self.proc("task"))? {
            let line = fs::read_to_string(thread?.path().join("schedstat")).unwrap_or_default();
            let first = line.split(' ').next().unwrap_or_default();
            sum += first.parse::<u64>().unwrap_or_default();
        }
        Ok(Duration::from_nanos(sum))
    }

    /// Resident memory not backed by files, in KiB.
    pub(crate) fn memory_kib(&self) -> io::Result<f64> {
        let status = fs::read_to_string(self.proc("status"))?;
        let mut lines = status
            .lines()
            .filter_map(|line| line.strip_prefix("RssAnon:"));
        let value = lines.next().unwrap_or_default().trim();
        let kib = value.trim_end_matches(" kB").parse();
        kib.map_err(io::Error::other)
    }

    /// Number of open descriptors.
    pub(crate) fn descriptors(&self) -> io::Result<usize> {
        Ok(fs::read_dir(self.proc("fd"))?.count())
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) -> io::Result<()> {
        let pid = i32::try_from(self.child.id()).ok();
        let pid = pid.and_then(rustix::process::Pid::from_raw);
        let pid = pid.ok_or(io::ErrorKind::NotFound)?;
        Ok(rustix::process::kill_process(
            pid,
            rustix::process::Signal::TERM,
        )?)
    }

    fn proc(&self, file: &str) -> String {
        format!("/proc/{}/{file}", self.child.id())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(command: &mut Command, address: SocketAddr) -> io::Result<Child> {
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    while TcpStream::connect(address).is_err() {
        if let Some(status) = child.try_wait()? {
            return Err(io::Error::other(format!("the program ended: {status}")));
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(child)
}

fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}

/// Returns the path of another program of the same build.
fn sibling(name: &str) -> io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let directory = own.parent().ok_or(io::ErrorKind::NotFound)?;
    Ok(directory.join(name))
}
