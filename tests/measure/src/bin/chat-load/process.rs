//! Measured process: the server or the relay, and what it uses.

use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use toolkit_measure::Result;
use toolkit_measure::process::{Server, free_address, sibling};

use crate::model::Model;

/// A running program; killed on drop.
pub(crate) struct Program {
    process: Server,
    /// Its address.
    pub(crate) address: SocketAddr,
    /// A valid API key.
    pub(crate) key: String,
}

impl Program {
    /// Starts `api-server` with one worker and `model` as its only provider.
    pub(crate) fn server(model: &Model, settings: &[(&str, &str)]) -> Result<Self> {
        let (directory, address) = (tempfile::tempdir()?, free_address()?);
        let provider = format!(
            "[[llm.providers]]\nname = \"main\"\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"{}/v1\"\n",
            model.url()
        );
        // The server and the command that issues the key read it from their working directory.
        fs::write(directory.path().join("toolkit.toml"), provider)?;
        let mut command = Command::new(sibling("api-server")?);
        command
            .current_dir(directory.path())
            .env_clear()
            .env("TOOLKIT_API__BIND", address.to_string())
            .env("TOOLKIT_API__ADMIN_BIND", "")
            .env("TOOLKIT_HTTP__WORKERS", "1")
            .env("TOOLKIT_LIMITS__CHAT_PER_MINUTE", "0")
            .env("TOOLKIT_LIMITS__CLIENT_CONNECTIONS", "4096")
            .envs(settings.iter().copied());
        let process = Server::start(directory, &mut command, address)?;
        Ok(Self { key: process.issue_key(&[])?, process, address })
    }

    /// Starts this program as a relay, which forwards the bytes of `model`.
    pub(crate) fn relay(model: &Model) -> Result<Self> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["relay", &address.to_string(), &model.url()]);
        Ok(Self {
            process: Server::start(tempfile::tempdir()?, &mut command, address)?,
            address,
            key: String::new(),
        })
    }

    /// CPU time used by its threads, which the scheduler counts more finely than in ticks.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        let mut sum = 0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.process.id()))? {
            let line = fs::read_to_string(thread?.path().join("schedstat")).unwrap_or_default();
            let first = line.split(' ').next().unwrap_or_default();
            sum += first.parse::<u64>().unwrap_or_default();
        }
        Ok(Duration::from_nanos(sum))
    }

    /// Resident memory not backed by files, in KiB.
    pub(crate) fn memory_kib(&self) -> Result<f64> {
        Ok(self.process.memory("RssAnon")? * 1024.0)
    }

    /// Number of open descriptors.
    pub(crate) fn descriptors(&self) -> Result<usize> {
        self.process.descriptors()
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) -> Result<()> {
        let pid = i32::try_from(self.process.id()).ok();
        let pid = pid.and_then(Pid::from_raw).ok_or("no such process")?;
        Ok(kill_process(pid, Signal::TERM)?)
    }
}
