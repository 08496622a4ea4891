//! Reverse proxy: nginx in front of the servers, configured by the shipped file.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::port::free_address;

/// The shipped file, and the addresses in it that an operator replaces.
const SHIPPED: &str = "deploy/proxy/nginx.conf";
const API: &str = "127.0.0.1:8080";
const MCP: &str = "127.0.0.1:8081";
const LISTEN: &str = "listen 443 ssl http2;";
const LISTEN_PLAIN: &str = "listen 80;";
/// What has no place here: other listeners and the log.
const LEFT_OUT: [&str; 3] = ["listen [::]:443", "listen [::]:80", "access_log "];

/// The name that the shipped file serves.
pub const SITE: &str = "tools.example.org";

const PATIENCE: Duration = Duration::from_secs(20);

/// A running nginx; killed on drop.
#[derive(Debug)]
pub struct Proxy {
    nginx: Child,
    directory: TempDir,
    /// Its address.
    pub address: SocketAddr,
}

impl Proxy {
    /// Starts nginx in front of these replicas, and waits until it listens.
    ///
    /// # Errors
    ///
    /// When nginx is not installed, or rejects its configuration.
    pub fn start(api: &[SocketAddr], mcp: &[SocketAddr]) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let address = free_address()?;
        let file = directory.path().join("nginx.conf");
        fs::write(&file, configuration(address, api, mcp)?)?;
        let nginx = Command::new("nginx")
            .arg("-p")
            .arg(directory.path())
            .args(["-e", "error.log", "-c"])
            .arg(&file)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| io::Error::other(format!("nginx cannot be started: {error}")))?;
        let mut proxy = Self { nginx, directory, address };
        proxy.wait_until_it_listens()?;
        Ok(proxy)
    }

    fn wait_until_it_listens(&mut self) -> io::Result<()> {
        let end = Instant::now() + PATIENCE;
        while TcpStream::connect(self.address).is_err() {
            if let Some(status) = self.nginx.try_wait()? {
                let log = self.directory.path().join("error.log");
                let log = fs::read_to_string(log).unwrap_or_default();
                return Err(io::Error::other(format!("nginx ended: {status}: {log}")));
            }
            if Instant::now() > end {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.nginx.kill();
        let _ = self.nginx.wait();
    }
}

/// Returns a complete nginx configuration that has the shipped file, with other addresses and
/// without TLS.
fn configuration(own: SocketAddr, api: &[SocketAddr], mcp: &[SocketAddr]) -> io::Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shipped = fs::read_to_string(root.join(SHIPPED))?;
    let plain = format!("listen {};", free_address()?);
    let mut shipped = replace(&shipped, LISTEN, &[format!("listen {own};")])?;
    shipped = replace(&shipped, LISTEN_PLAIN, &[plain])?;
    for line in LEFT_OUT {
        shipped = replace(&shipped, line, &[])?;
    }
    let shipped = replace(&shipped, API, &texts(api))?;
    let shipped = replace(&shipped, MCP, &texts(mcp))?;
    // One process, so that killing it leaves nothing behind.
    Ok(format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nevents {{}}\n\
         http {{\naccess_log off;\nclient_body_temp_path body;\nproxy_temp_path proxy;\n\
         fastcgi_temp_path fastcgi;\nuwsgi_temp_path uwsgi;\nscgi_temp_path scgi;\n{shipped}\n}}\n"
    ))
}

fn texts(addresses: &[SocketAddr]) -> Vec<String> {
    addresses.iter().map(SocketAddr::to_string).collect()
}

/// Repeats the one line with `old`, once for each of `new`.
fn replace(text: &str, old: &str, new: &[String]) -> io::Result<String> {
    let mut lines = text.lines().filter(|line| line.contains(old));
    let (Some(line), None) = (lines.next(), lines.next()) else {
        let text = format!("{SHIPPED} should have one line with `{old}`");
        return Err(io::Error::other(text));
    };
    let lines: Vec<String> = new.iter().map(|new| line.replace(old, new)).collect();
    Ok(text.replace(line, &lines.join("\n")))
}
