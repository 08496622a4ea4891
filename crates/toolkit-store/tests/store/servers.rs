//! PostgreSQL servers and `PgBouncer` of a test's own: processes on free ports of loopback, in a temporary folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};
use tempfile::TempDir;
use toolkit_e2e::free_address;

use crate::helpers::PATIENCE;

/// A PostgreSQL server, stopped when this is dropped.
pub(crate) struct Server {
    folder: TempDir,
    port: u16,
}

impl Server {
    /// Starts an empty server.
    pub(crate) fn start() -> Self {
        let server = Self { folder: folder(), port: free_port() };
        let data = server.data();
        let arguments = ["--username=toolkit", "--auth=trust", "--encoding=UTF8", "--no-sync"];
        run(as_owner(&binary("initdb")).arg(format!("--pgdata={data}")).args(arguments));
        server.run();
        server
    }

    /// Starts a standby that follows this server, and makes it wait for each commit.
    pub(crate) async fn standby(&self) -> Self {
        let standby = Self { folder: folder(), port: free_port() };
        let from = format!("host=127.0.0.1 port={} user=toolkit", self.port);
        run(as_owner(&binary("pg_basebackup"))
            .args(["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast"])
            .args(["--no-sync", "--dbname", &from, "--pgdata", &standby.data()]));
        standby.run();
        self.execute("ALTER SYSTEM SET synchronous_standby_names = '*'").await;
        self.execute("SELECT pg_reload_conf()").await;
        standby
    }

    fn run(&self) {
        let folder = self.folder.path().display();
        let options = format!(
            "-c fsync=off -c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories={folder}",
            self.port
        );
        let log = format!("{folder}/log");
        let arguments = ["--wait", "--silent", "--log", &log, "--options", &options];
        run(self.control().args(arguments).arg("start"));
    }

    /// Ends recovery: it takes writes.
    pub(crate) fn promote(&self) {
        run(self.control().args(["--wait", "--silent", "promote"]));
    }

    fn control(&self) -> Command {
        let mut command = as_owner(&binary("pg_ctl"));
        command.arg(format!("--pgdata={}", self.data()));
        command
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    /// Its address.
    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://toolkit@{}/postgres", self.host())
    }

    /// Runs a statement, also while it is read-only by default.
    pub(crate) async fn execute(&self, sql: &str) {
        let mut connection = PgConnection::connect(&self.url()).await.unwrap();
        connection.execute("SET default_transaction_read_only = off").await.unwrap();
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
    }

    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let mut connection = PgConnection::connect(&self.url()).await.unwrap();
        let rows = connection.fetch_all(AssertSqlSafe(sql)).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.control().args(["--mode=immediate", "--silent", "stop"]).status();
    }
}

/// `PgBouncer` in transaction mode with its default settings, ended when this is dropped.
pub(crate) struct PgBouncer {
    child: Child,
    port: u16,
    _folder: TempDir,
}

impl PgBouncer {
    /// Starts one for the databases of a server, with this many connections to it.
    pub(crate) fn start(server: &str, connections: u32) -> Option<Self> {
        let program = Path::new("/usr/sbin/pgbouncer");
        if !program.exists() {
            println!("skipped: PgBouncer is not installed");
            return None;
        }
        let (folder, port) = (folder(), free_port());
        let (host, server_port) = server.split_once(':').unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (settings, users) = (path("pgbouncer.ini"), path("users"));
        std::fs::write(&users, "\"toolkit\" \"\"\n").unwrap();
        let text = format!(
            "[databases]\n* = host={host} port={server_port}\n[pgbouncer]\npool_mode = transaction\n\
             listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = trust\n\
             auth_file = {users}\ndefault_pool_size = {connections}\nlogfile = {}\n",
            path("log")
        );
        std::fs::write(&settings, text).unwrap();
        let mut command = Command::new(program);
        if is_root() {
            command.args(["--user", "postgres"]);
        }
        let child = command.args(["--quiet", &settings]).spawn().unwrap();
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < PATIENCE, "PgBouncer does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(Self { child, port, _folder: folder })
    }

    /// The URL of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://toolkit@127.0.0.1:{}/{database}", self.port)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The newest installed PostgreSQL.
fn binary(name: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").unwrap();
    let folders = versions.map(|version| version.unwrap().path().join("bin"));
    folders.filter(|folder| folder.join(name).exists()).max().unwrap().join(name)
}

/// A command of the user `postgres` where this is the superuser, which the programs refuse.
fn as_owner(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout == b"0\n"
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    if is_root() {
        run(Command::new("chown").arg("postgres").arg(folder.path()));
    }
    folder
}

fn run(command: &mut Command) {
    let output = command.current_dir("/").output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn free_port() -> u16 {
    free_address().unwrap().port()
}
