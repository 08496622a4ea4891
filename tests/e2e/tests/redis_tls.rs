//! Rate limits in a Redis that requires TLS, with a certificate of a private authority.
//!
//! Runs if `TOOLKIT_TEST_REDIS` is set, since `redis-server` is installed then.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value as Json;
use tempfile::TempDir;
use toolkit_e2e::{Program, Request, free_address, until};

const PATIENCE: Duration = Duration::from_secs(20);

/// A running Redis; killed on drop.
struct Redis {
    process: Child,
    folder: TempDir,
    address: SocketAddr,
}

impl Redis {
    /// Starts Redis, if tests may use it.
    fn start() -> Option<Self> {
        if std::env::var_os("TOOLKIT_TEST_REDIS").is_none() {
            println!("skipped: TOOLKIT_TEST_REDIS is not set");
            return None;
        }
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::write(file("certificate.pem"), own.cert.pem()).unwrap();
        std::fs::write(file("key.pem"), own.key_pair.serialize_pem()).unwrap();
        let address = free_address().unwrap();
        let process = Command::new("redis-server")
            .current_dir(&folder)
            .args(["--bind", "127.0.0.1", "--port", "0", "--tls-port"])
            .arg(address.port().to_string())
            .args(["--tls-cert-file", "certificate.pem"])
            .args(["--tls-key-file", "key.pem", "--tls-auth-clients", "no"])
            .args(["--requirepass", "secret", "--save", ""])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let redis = Self { process, folder, address };
        until(PATIENCE, "Redis to listen", || TcpStream::connect(address).ok());
        Some(redis)
    }

    /// Starts an API server that counts its limits in this Redis, and trusts the authorities in a
    /// file.
    fn api_server(&self, trusted: &str) -> Program {
        let url = format!("rediss://:secret@localhost:{}", self.address.port());
        let settings = [
            ("SSL_CERT_FILE", trusted),
            ("TOOLKIT_LIMITS__REDIS_URL", &url),
            ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "1"),
            ("TOOLKIT_LIMITS__RUN_BURST", "1"),
        ];
        Program::start("api-server", &settings).unwrap()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits for the log line that tells whether limits are counted in Redis.
fn told_of_redis(server: &mut Program) -> Json {
    until(PATIENCE, "a log line about Redis", || {
        let mut lines = server.log().iter();
        let line = lines.find(|line| line["target"] == "toolkit_server::rate_limiter::redis");
        line.cloned()
    })
}

fn run(server: &Program) -> u16 {
    let request = Request::post("/toolkit/api/tools/base64-encoder/run", r#"{"text": "Hi"}"#);
    request.send(server.address).unwrap().status
}

#[test]
fn replicas_that_trust_its_certificate_count_together() {
    let Some(redis) = Redis::start() else { return };
    let trusted = redis.folder.path().join("certificate.pem");
    let mut replicas = [(); 2].map(|()| redis.api_server(trusted.to_str().unwrap()));
    for replica in &mut replicas {
        let line = told_of_redis(replica);
        assert_eq!(line["message"], "limits are counted in Redis", "{line}");
    }
    assert_eq!(replicas.each_ref().map(run), [200, 429]);
}

#[test]
fn a_replica_that_does_not_trust_it_counts_alone_and_logs_the_reason() {
    let Some(redis) = Redis::start() else { return };
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let trusted = redis.folder.path().join("other.pem");
    std::fs::write(&trusted, other.cert.pem()).unwrap();
    let mut server = redis.api_server(trusted.to_str().unwrap());
    let line = told_of_redis(&mut server);
    let reason = line["reason"].as_str().unwrap();
    assert!(line["level"] == "WARN" && reason.contains("certificate"), "{line}");
    assert!(!line.to_string().contains("secret"), "{line}");
    assert_eq!([run(&server), run(&server)], [200, 429]);
}
