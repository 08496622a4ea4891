//! Site: two replicas of each server, on a separate schema in PostgreSQL.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::net::SocketAddr;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use toolkit_e2e::{Answer, Program, Proxy, Request, SITE, finish, free_address, get, until};

/// Time limit for background work of the site.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

type Settings = Vec<(String, String)>;

/// Two replicas of each server behind nginx.
pub(crate) struct Site {
    pub(crate) api: [Replica; 2],
    pub(crate) mcp: [Replica; 2],
    proxy: Proxy,
    settings: Settings,
    ended: Vec<serde_json::Value>,
}

/// One process of a server, restartable at the same address.
pub(crate) struct Replica {
    name: &'static str,
    settings: Settings,
    program: Option<Program>,
    address: SocketAddr,
    admin: SocketAddr,
}

/// Returns settings under which no client exceeds a limit.
pub(crate) fn no_limits() -> [(&'static str, &'static str); 4] {
    [
        ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0"),
        ("TOOLKIT_LIMITS__MCP_PER_MINUTE", "0"),
        ("TOOLKIT_LIMITS__SUBSCRIBE_PER_MINUTE", "0"),
        ("TOOLKIT_LIMITS__SUBSCRIBE_PER_DAY", "0"),
    ]
}

/// Returns a client address not yet used in Redis.
pub(crate) fn stranger() -> String {
    let random = RandomState::new().hash_one(());
    format!("2001:db8:{:x}:{:x}::1", random & 0xffff, random >> 48)
}

impl Site {
    /// Starts the site, if PostgreSQL and Redis are configured.
    pub(crate) fn start(settings: &[(&str, &str)]) -> Option<Self> {
        let variables = ["TOOLKIT_TEST_POSTGRES", "TOOLKIT_TEST_REDIS"].map(std::env::var);
        let [Ok(postgres), Ok(redis)] = variables else {
            println!("skipped: TOOLKIT_TEST_POSTGRES and TOOLKIT_TEST_REDIS are not both set");
            return None;
        };
        let own: [(&str, &str); 7] = [
            ("TOOLKIT_PUBLIC__BASE_URL", &format!("https://{SITE}")),
            ("TOOLKIT_PUBLIC__MCP_URL", &format!("https://{SITE}/toolkit/mcp")),
            ("TOOLKIT_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
            ("TOOLKIT_HTTP__WORKERS", "2"),
            ("TOOLKIT_DATABASE__URL", &schema(&postgres)),
            ("TOOLKIT_DATABASE__MAX_CONNECTIONS", "4"),
            ("TOOLKIT_LIMITS__REDIS_URL", &redis),
        ];
        let all: Settings = own
            .iter()
            .chain(settings)
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        let api = [(); 2].map(|()| Replica::start("api-server", "API", &all));
        let mcp = [(); 2].map(|()| Replica::start("mcp-server", "MCP", &all));
        let proxy = Proxy::start(
            &api.each_ref().map(Replica::address),
            &mcp.each_ref().map(Replica::address),
        );
        Some(Self { api, mcp, proxy: proxy.unwrap(), settings: all, ended: Vec::new() })
    }

    /// Returns the common address.
    pub(crate) fn proxy(&self) -> SocketAddr {
        self.proxy.address
    }

    /// Sends a request through the proxy.
    pub(crate) fn ask(&self, request: &Request) -> Answer {
        let request = request.clone().header("Host", SITE);
        request.send(self.proxy()).unwrap()
    }

    /// Issues a key, as an operator does; returns its id and the key.
    pub(crate) fn issue_key(&self, options: &[&str]) -> (String, String) {
        let said = self.keys(&[&["create", "--label", "test"], options].concat());
        let value = |name| {
            let mut lines = said.lines().filter_map(|line| line.strip_prefix(name));
            lines.next().unwrap().trim().to_owned()
        };
        (value("id:"), value("key:"))
    }

    /// Revokes a key.
    pub(crate) fn revoke_key(&self, id: &str) {
        self.keys(&["revoke", id]);
    }

    fn keys(&self, arguments: &[&str]) -> String {
        let arguments = [&["keys"], arguments].concat();
        let output = finish("api-server", &arguments, &pairs(&self.settings)).unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the texts of all mails sent, which are written to the logs.
    pub(crate) fn mails(&mut self) -> Vec<String> {
        let running = self.api.iter_mut().filter_map(|replica| replica.program.as_mut());
        let lines = running.flat_map(|program| program.log().to_vec());
        lines
            .chain(self.ended.iter().cloned())
            .filter_map(|line| Some(line.get("mail.text")?.as_str()?.to_owned()))
            .collect()
    }

    /// Returns how often a replica lost its connection to Redis, which may be too slow on a busy
    /// machine.
    pub(crate) fn redis_losses(&mut self) -> usize {
        let replicas = self.api.iter_mut().chain(&mut self.mcp);
        let running = replicas.filter_map(|replica| replica.program.as_mut());
        running.flat_map(Program::log).filter(|line| tells_of_redis(line)).count()
    }

    /// Stops the API, and keeps its logs.
    pub(crate) fn stop_api(&mut self) {
        for replica in &mut self.api {
            self.ended.extend(replica.stop());
        }
    }
}

impl Replica {
    fn start(name: &'static str, section: &str, settings: &Settings) -> Self {
        let [address, admin] = [(); 2].map(|()| free_address().unwrap());
        let mut settings = settings.clone();
        settings.push((format!("TOOLKIT_{section}__BIND"), address.to_string()));
        settings.push((format!("TOOLKIT_{section}__ADMIN_BIND"), admin.to_string()));
        let mut replica = Self { name, settings, program: None, address, admin };
        replica.start_again();
        until(PATIENCE, "limits in Redis", || {
            (replica.metric("toolkit_limiter_shared ") > 0.0).then_some(())
        });
        replica
    }

    fn start_again(&mut self) {
        self.program = Some(Program::start(self.name, &pairs(&self.settings)).unwrap());
        until(PATIENCE, "a replica to be ready", || {
            let ready = get(self.admin, "/readyz").ok()?;
            (ready.status == 200).then_some(())
        });
    }

    /// Stops the server, and starts it at the same address.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.start_again();
    }

    /// Stops the server; returns its log.
    fn stop(&mut self) -> Vec<serde_json::Value> {
        let ended = self.program.take().unwrap().stop().unwrap();
        assert_eq!(ended.code, Some(0), "{}: {}", self.name, ended.errors);
        let unusual = ended.log.iter().filter(|line| line["level"] != "INFO");
        let unusual: Vec<_> = unusual.filter(|line| !tells_of_redis(line)).collect();
        assert!(unusual.is_empty(), "{}: {unusual:?}", self.name);
        ended.log
    }

    /// Returns its address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the number of requests answered with a status.
    pub(crate) fn answered(&self, status: u16) -> u64 {
        let status = format!("status=\"{status}\"");
        let text = self.metrics();
        let lines = text.lines().filter(|line| {
            line.starts_with("toolkit_http_requests_total{") && line.contains(&status)
        });
        lines.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok()).sum()
    }

    /// Returns how many requests all of them answered with a status.
    pub(crate) fn answered_by_all(replicas: &[Self], status: u16) -> u64 {
        replicas.iter().map(|replica| replica.answered(status)).sum()
    }

    fn metric(&self, name: &str) -> f64 {
        let text = self.metrics();
        let value = text.lines().find_map(|line| line.strip_prefix(name));
        value.and_then(|value| value.parse().ok()).unwrap_or(0.0)
    }

    fn metrics(&self) -> String {
        String::from_utf8(get(self.admin, "/metrics").unwrap().body).unwrap()
    }
}

fn tells_of_redis(line: &serde_json::Value) -> bool {
    line["level"] == "WARN"
        && line["message"].as_str().is_some_and(|text| text.starts_with("Redis"))
}

/// Creates an empty schema, which is removed together with the server.
fn schema(server: &str) -> String {
    let name = format!("site_{:x}", RandomState::new().hash_one(()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let mut connection = PgConnection::connect(server).await.unwrap();
        let sql = format!("CREATE SCHEMA {name}");
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
    });
    let separator = if server.contains('?') { '&' } else { '?' };
    format!("{server}{separator}options[search_path]={name}")
}

fn pairs(settings: &Settings) -> Vec<(&str, &str)> {
    settings.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}
