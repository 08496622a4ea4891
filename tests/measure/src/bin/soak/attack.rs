//! Attacks of `attacks.toml`: kinds of misbehaving clients.

use std::io::{self, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};
use toolkit_measure::samples::sample;
use toolkit_measure::{Result, cases, list};

/// For an answer that its client ignores to stay unread: longer than a server waits.
const IGNORED_FOR: Duration = Duration::from_secs(12);

/// Interval between attempts of one attacking connection: each is cut off and reconnects.
const BETWEEN_MS: u64 = 100;

/// The proxy that the servers trust, for clients that this machine has no addresses for.
pub(crate) const PROXY: Ipv4Addr = Ipv4Addr::new(127, 4, 0, 1);

/// What is attacked.
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    pub(crate) is_mcp: bool,
    /// A key for chat, if a model is configured.
    pub(crate) key: Option<String>,
}

/// One attack.
#[expect(clippy::unsafe_derive_deserialize, reason = "a macro of tokio expands to it")]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attack {
    pub(crate) name: String,
    /// Connections attacking at a time.
    pub(crate) connections: usize,
    /// Addresses from which they come.
    pub(crate) addresses: Option<usize>,
    /// Milliseconds until one that was cut off reconnects.
    between_ms: Option<u64>,
    /// The first bytes of each.
    #[serde(default)]
    first: String,
    /// Bytes sent repeatedly after that.
    #[serde(default)]
    then: String,
    times: Option<usize>,
    #[serde(default)]
    pause_ms: u64,
    #[serde(default)]
    manners: Manners,
    /// Binary data after `first`.
    #[serde(skip)]
    bomb: Vec<u8>,
}

/// How a client treats responses.
#[derive(Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Manners {
    #[default]
    Leaves,
    Stays,
    Ignores,
}

/// All attacks on a target; without a key those without chats.
pub(crate) fn all(target: &Target) -> Result<Vec<Attack>> {
    let bomb = bomb()?;
    let words = words(target)?;
    let mut attacks: Vec<Attack> = list(include_str!("attacks.toml"))?;
    attacks.retain(|attack| !attack.first.contains("{chat}") || target.key.is_some());
    for attack in &mut attacks {
        for (word, text) in &words {
            attack.first = attack.first.replace(word, text);
            attack.then = attack.then.replace(word, text);
        }
        attack.then = attack.then.repeat(attack.times.unwrap_or(1));
        if attack.first.contains("{bomb}") {
            attack.first = attack.first.replace("{bomb}", &bomb.len().to_string());
            attack.bomb.clone_from(&bomb);
        }
    }
    Ok(attacks)
}

/// What stands for the words in braces.
fn words(target: &Target) -> Result<Vec<(&'static str, String)>> {
    let get = |path| format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let [post, flags, catalog] = if target.is_mcp {
        let accept = "Accept: application/json, text/event-stream\r\n";
        [
            format!("POST /toolkit/mcp HTTP/1.1\r\nHost: localhost\r\n{accept}"),
            get("/llms.txt"),
            get("/toolkit/mcp/server-card"),
        ]
    } else {
        let path = "/toolkit/api/tools/base64-encoder/run";
        [
            format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n"),
            get("/toolkit/api/flags"),
            get("/toolkit/api/tools"),
        ]
    };
    let call = |slug, tool, input: &Json| {
        let case = if target.is_mcp {
            cases::call(tool, input, false)
        } else {
            cases::run(tool, slug, input)
        };
        String::from_utf8(case.request(target.address))
    };
    // 4 KB that become 8 MiB.
    let deep = format!("{}{}1{}", "[".repeat(500), "1,".repeat(1_500), "]".repeat(500));
    let deep = json!({"text": deep, "from_format": "json", "indent": 8});
    let yaml = json!({"text": sample("yaml", 900_000), "from_format": "yaml", "to_format": "json"});
    let regex = json!({"pattern": "(?=.*z)q", "text": "a".repeat(100_000)});
    let key = target.key.as_deref().unwrap_or_default();
    let hi = json!({"messages": [{"role": "user", "content": "Hi"}]});
    let chat = cases::keyed("chat", &hi, key).request(target.address);
    let json = format!("{post}Content-Type: application/json\r\n");
    Ok(vec![
        ("{run}", post),
        ("{chunked}", format!("{json}Transfer-Encoding: chunked\r\n\r\n")),
        ("{chunk}", format!("1000\r\n{}\r\n", " ".repeat(0x1000))),
        ("{all but a byte}", " ".repeat((1 << 20) - 1)),
        ("{json}", json),
        ("{flags}", flags),
        ("{catalog}", catalog),
        ("{deep}", call("data-converter", "format_data", &deep)?),
        ("{megabyte}", call("data-converter", "format_data", &yaml)?),
        ("{regex}", call("regex-tester", "regex_test", &regex)?),
        ("{chat}", String::from_utf8(chat)?),
    ])
}

fn bomb() -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..64 {
        encoder.write_all(&zeros)?;
    }
    encoder.finish()
}

impl Attack {
    /// The address of one of its connections. Each attack has addresses of its own, or comes through
    /// `PROXY`, each connection for another /64 of one IPv6 /50.
    pub(crate) fn source(&self, number: u8, connection: usize) -> Ipv4Addr {
        if self.first.contains("{client}") {
            return PROXY;
        }
        let last = u32::try_from(connection % self.addresses.unwrap_or(1)).unwrap_or_default();
        Ipv4Addr::from_bits(Ipv4Addr::new(127, 16 + number, 0, 1).to_bits() + last)
    }

    /// Whether its connections are in the middle of nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.manners == Manners::Stays && self.first.starts_with("GET ")
    }

    /// The time until a connection that was cut off reconnects.
    pub(crate) fn between(&self) -> Duration {
        Duration::from_millis(self.between_ms.unwrap_or(BETWEEN_MS))
    }

    /// Attacks on one connection, until it is answered or cut off; returns the status.
    pub(crate) async fn once(
        &self,
        connection: usize,
        source: Ipv4Addr,
        server: SocketAddr,
    ) -> io::Result<u16> {
        let mut stream = connect(source, server).await?;
        let (mut reader, mut writer) = stream.split();
        let client = format!("2001:db8:0:{connection:x}::1");
        let send = async {
            writer.write_all(self.first.replace("{client}", &client).as_bytes()).await?;
            writer.write_all(&self.bomb).await?;
            while !self.then.is_empty() {
                writer.write_all(self.then.as_bytes()).await?;
                sleep(Duration::from_millis(self.pause_ms)).await;
            }
            std::future::pending::<io::Result<()>>().await
        };
        if self.manners == Manners::Ignores {
            return timeout(IGNORED_FOR, send).await.map_or(Ok(0), |end| end.map(|()| 0));
        }
        let read = async {
            let mut head = [0; 12];
            reader.read_exact(&mut head).await?;
            while self.manners == Manners::Stays && reader.read(&mut [0; 1 << 10]).await? > 0 {}
            let status = str::from_utf8(&head).ok().and_then(|head| head.get(9..));
            Ok(status.and_then(|status| status.parse().ok()).unwrap_or(0))
        };
        tokio::pin!(read);
        tokio::select! {
            status = &mut read => status,
            // The server has stopped reading; its response may still be in transit.
            _ = send => read.await,
        }
    }
}

/// Connects from an address of this machine.
pub(crate) async fn connect(source: Ipv4Addr, server: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((source, 0).into())?;
    socket.connect(server).await
}
