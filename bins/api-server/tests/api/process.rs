//! Server process: one that a test can stop or kill.

use std::io::{BufRead, BufReader, PipeReader};
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use reqwest::Client;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::helpers::{Answer, Setup, binary, until};

/// A running server. It is killed when this value is dropped, also when a test fails.
pub(crate) struct Process {
    child: Child,
    log: Log,
    address: String,
}

impl Process {
    /// Starts the binary and waits until it reports its address.
    pub(crate) async fn start(setup: &Setup, database: &str, folder: &TempDir) -> Self {
        // For the clients of the tests: the server is another process.
        toolkit_server::tls::install_crypto_provider();
        let mut with_log =
            Setup::new(&[("TOOLKIT_LOG__LEVEL", "info"), ("TOOLKIT_LOG__FORMAT", "json")])
                .with_file(&setup.file);
        with_log.variables.extend(setup.variables.clone());
        with_log.descriptors = setup.descriptors;
        let (reader, writer) = std::io::pipe().unwrap();
        // The command also holds the writing end and must be dropped, or the log never ends.
        let child = {
            let mut command = binary(&with_log, database, folder);
            if with_log.file.contains("[log]") {
                command.env_remove("TOOLKIT_LOG__LEVEL");
            }
            command.stdout(writer.try_clone().unwrap()).stderr(writer);
            command.spawn().unwrap()
        };
        let mut process = Self { child, log: Log::read(reader), address: String::new() };
        process.address =
            until("the address of the server", async || process.log.place("address")).await;
        process
    }

    /// Sends a contact message on a connection of its own.
    pub(crate) async fn contact(&self, key: &str, body: &Json) -> Answer {
        self.contacts(key).send(body).await.unwrap()
    }

    /// Returns a client for contact messages that does not fail when the process ends.
    pub(crate) fn contacts(&self, key: &str) -> Contacts {
        Contacts {
            client: Client::builder().pool_max_idle_per_host(0).build().unwrap(),
            url: format!("http://{}/toolkit/api/contact", self.address),
            key: key.to_owned(),
        }
    }

    /// Asks the process to stop.
    pub(crate) fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    /// Asks the process to read its settings again.
    pub(crate) fn hang_up(&self) {
        kill_process(Pid::from_child(&self.child), Signal::HUP).unwrap();
    }

    /// Returns the exit status once the process has ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Stops it gracefully and returns its whole log, which another thread writes.
    pub(crate) async fn stop(&mut self) -> String {
        self.terminate();
        until("the end of the process", async || self.ended()).await;
        self.log.finish()
    }

    /// Kills the process and returns its log.
    pub(crate) fn kill(&mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.log.finish()
    }

    /// The URL of its admin port.
    pub(crate) fn admin(&self) -> String {
        self.log.place("admin").unwrap()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Resident memory, in MiB.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    pub(crate) fn memory_mib(&self) -> u32 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let mut words = status.split_ascii_whitespace();
        words.find(|word| *word == "VmRSS:").unwrap();
        words.next().unwrap().parse::<u32>().unwrap() / 1024
    }

    pub(crate) fn log(&self) -> String {
        self.log.text()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let ended = self.child.try_wait();
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            println!("server {} (ended: {ended:?}) logged:\n{}", self.address, self.log());
        }
    }
}

/// Sends contact messages to a process.
pub(crate) struct Contacts {
    client: Client,
    url: String,
    key: String,
}

impl Contacts {
    /// Returns the answer, or an error if the process ends before it is complete.
    pub(crate) async fn send(&self, body: &Json) -> Option<Answer> {
        let request = self.client.post(&self.url).header("X-Api-Key", &self.key);
        Answer::try_of(request.json(body)).await
    }
}

/// Output of a process, read continuously: otherwise the process would block on a full pipe.
struct Log {
    text: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Log {
    fn read(pipe: PipeReader) -> Self {
        let text = Arc::new(Mutex::new(String::new()));
        let shared = Arc::clone(&text);
        let reader = thread::spawn(move || {
            for line in BufReader::new(pipe).lines() {
                let mut text = shared.lock().unwrap();
                text.push_str(&line.unwrap());
                text.push('\n');
            }
        });
        Self { text, reader: Some(reader) }
    }

    fn text(&self) -> String {
        self.text.lock().unwrap().clone()
    }

    /// Returns the whole log once the process has ended.
    fn finish(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        self.text()
    }

    /// An address that the server says it listens on.
    fn place(&self, name: &str) -> Option<String> {
        let text = self.text();
        let line = text.lines().find(|line| line.contains("\"listening\""))?;
        let line: Json = serde_json::from_str(line).ok()?;
        Some(line[name].as_str()?.to_owned())
    }
}
