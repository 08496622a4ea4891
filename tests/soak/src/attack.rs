//! Attacks of `attacks.toml`: kinds of misbehaving clients.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::sleep;
use toolkit_bench::{Result, list};

/// One attack.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attack {
    pub(crate) name: String,
    /// Connections attacking at a time.
    pub(crate) connections: usize,
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

/// All attacks.
pub(crate) fn all() -> Result<Vec<Attack>> {
    let get = |path| format!("GET /toolkit/api/{path} HTTP/1.1\r\nHost: abuse\r\n\r\n");
    let run = "POST /toolkit/api/tools/base64-encoder/run HTTP/1.1\r\nHost: abuse\r\n";
    let json = format!("{run}Content-Type: application/json\r\n");
    let chunked = format!("{json}Transfer-Encoding: chunked\r\n\r\n");
    let bomb = bomb()?;
    let words = [
        ("{run}", run.to_owned()),
        ("{chunked}", chunked),
        ("{chunk}", format!("1000\r\n{}\r\n", " ".repeat(0x1000))),
        ("{all but a byte}", " ".repeat((1 << 20) - 1)),
        ("{json}", json),
        ("{flags}", get("flags")),
        ("{catalog}", get("tools")),
    ];
    let mut attacks: Vec<Attack> = list(include_str!("attacks.toml"))?;
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

fn bomb() -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..64 {
        encoder.write_all(&zeros)?;
    }
    encoder.finish()
}

/// Attacks on one connection, until it is answered or cut off; returns the status.
pub(crate) async fn once(attack: &Attack, server: SocketAddr) -> io::Result<u16> {
    let mut stream = TcpStream::connect(server).await?;
    let (mut reader, mut writer) = stream.split();
    let send = async {
        writer.write_all(attack.first.as_bytes()).await?;
        writer.write_all(&attack.bomb).await?;
        while !attack.then.is_empty() {
            writer.write_all(attack.then.as_bytes()).await?;
            sleep(Duration::from_millis(attack.pause_ms)).await;
        }
        std::future::pending::<io::Result<()>>().await
    };
    if attack.manners == Manners::Ignores {
        return send.await.map(|()| 0);
    }
    let read = async {
        let mut head = [0; 12];
        reader.read_exact(&mut head).await?;
        while attack.manners == Manners::Stays && reader.read(&mut [0; 1 << 10]).await? > 0 {}
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
