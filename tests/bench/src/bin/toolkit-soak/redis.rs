//! A Redis that can be killed.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use toolkit_bench::process::free_port;

const PATIENCE: Duration = Duration::from_secs(20);

/// A Redis server of our own; it is ended when this is dropped.
pub(crate) struct Redis {
    pub(crate) address: SocketAddr,
    process: Option<Child>,
}

impl Redis {
    pub(crate) fn start() -> io::Result<Self> {
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let mut redis = Self {
            address,
            process: None,
        };
        redis.start_again()?;
        Ok(redis)
    }

    /// Starts it where it was, unless it runs.
    pub(crate) fn start_again(&mut self) -> io::Result<()> {
        if self.process.is_some() {
            return Ok(());
        }
        let process = Command::new("redis-server")
            .args([
                "--bind",
                "127.0.0.1",
                "--port",
                &self.address.port().to_string(),
            ])
            .args(["--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| {
                io::Error::other(format!("redis-server cannot be started: {error}"))
            })?;
        self.process = Some(process);
        let start = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            if start.elapsed() > PATIENCE {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) -> io::Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill()?;
            process.wait()?;
        }
        Ok(())
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
