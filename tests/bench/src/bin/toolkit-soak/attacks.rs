//! The ways in which clients misbehave.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::ReadHalf;
use tokio::time::sleep;

const RUN: &str = "POST /toolkit/api/tools/base64-encoder/run HTTP/1.1\r\nHost: abuse\r\n";
const JSON: &str = "Content-Type: application/json\r\n";

/// One way to misbehave.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// Connections that do it at a time.
    pub(crate) connections: usize,
    /// What each begins with.
    first: Vec<u8>,
    /// What it sends then, again and again.
    then: Vec<u8>,
    /// Between two times.
    pause: Duration,
    manners: Manners,
}

/// What a client does about answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manners {
    /// Reads one, and leaves.
    Leaves,
    /// Reads one, and stays until it is sent away.
    Stays,
    /// Reads nothing.
    Ignores,
}

/// All of them.
#[expect(clippy::too_many_lines, reason = "a list")]
pub(crate) fn all() -> io::Result<Vec<Attack>> {
    let slowly = Duration::from_millis(500);
    let body =
        |head: &str, bytes: usize| format!("{RUN}{JSON}{head}Content-Length: {bytes}\r\n\r\n");
    let chunked = format!("{RUN}{JSON}Transfer-Encoding: chunked\r\n\r\n");
    let flags = "GET /toolkit/api/flags HTTP/1.1\r\nHost: abuse\r\n\r\n";
    let catalog = "GET /toolkit/api/tools HTTP/1.1\r\nHost: abuse\r\n\r\n";
    let bomb = bomb()?;
    let attack = |name, connections, first: String, then: String| Attack {
        name,
        connections,
        first: first.into_bytes(),
        then: then.into_bytes(),
        pause: Duration::ZERO,
        manners: Manners::Leaves,
    };
    let nothing = String::new;
    Ok(vec![
        Attack {
            manners: Manners::Stays,
            ..attack("idle connections", 10_000, flags.to_owned(), nothing())
        },
        Attack {
            pause: slowly,
            ..attack("slow heads", 200, format!("{RUN}X-Slow: "), "a".to_owned())
        },
        Attack {
            pause: slowly,
            ..attack("slow bodies", 200, body("", 1_000_000), " ".to_owned())
        },
        attack(
            "bodies that lack their last byte",
            200,
            body("", 1 << 20) + &" ".repeat((1 << 20) - 1),
            nothing(),
        ),
        attack(
            "bodies that are only announced",
            2_000,
            body("", 1 << 20) + " ",
            nothing(),
        ),
        attack(
            "an endless header",
            50,
            format!("{RUN}X-Flood: "),
            "a".repeat(16 << 10),
        ),
        attack(
            "endless headers",
            50,
            RUN.to_owned(),
            "a: b\r\n".repeat(1_000),
        ),
        attack(
            "an endless body in large chunks",
            50,
            chunked.clone(),
            format!("1000\r\n{}\r\n", " ".repeat(0x1000)),
        ),
        attack(
            "an endless body in chunks of a byte",
            50,
            chunked.clone(),
            "1\r\n \r\n".repeat(1_000),
        ),
        attack(
            "an endless extension of a chunk",
            50,
            chunked + "1;x=",
            "a".repeat(16 << 10),
        ),
        attack(
            "both lengths, as smugglers send them",
            50,
            format!(
                "{RUN}{JSON}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{flags}"
            ),
            nothing(),
        ),
        attack(
            "two lengths that differ",
            50,
            format!("{RUN}{JSON}Content-Length: 4\r\nContent-Length: 40\r\n\r\n{{}}  {flags}"),
            nothing(),
        ),
        Attack {
            first: [
                body("Content-Encoding: gzip\r\n", bomb.len()).into_bytes(),
                bomb,
            ]
            .concat(),
            ..attack("gzip bombs of 64 MiB", 50, nothing(), nothing())
        },
        Attack {
            manners: Manners::Ignores,
            ..attack(
                "answers that nobody reads",
                50,
                nothing(),
                catalog.repeat(20),
            )
        },
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
    /// Does it on one connection, until it is answered or cut off; returns the status, or 0.
    pub(crate) async fn once(&self, server: SocketAddr) -> u16 {
        self.connection(server).await.unwrap_or(0)
    }

    async fn connection(&self, server: SocketAddr) -> io::Result<u16> {
        let mut stream = TcpStream::connect(server).await?;
        let (mut reader, mut writer) = stream.split();
        let send = async {
            writer.write_all(&self.first).await?;
            while !self.then.is_empty() {
                writer.write_all(&self.then).await?;
                sleep(self.pause).await;
            }
            std::future::pending::<io::Result<()>>().await
        };
        if self.manners == Manners::Ignores {
            return send.await.map(|()| 0);
        }
        let stays = self.manners == Manners::Stays;
        let read = async {
            let status = read_status(&mut reader).await?;
            while stays && reader.read(&mut [0; 1 << 10]).await? > 0 {}
            io::Result::Ok(status)
        };
        tokio::pin!(read);
        tokio::select! {
            status = &mut read => status,
            // The server reads no more; what it said may still be on its way.
            _ = send => read.await,
        }
    }
}

async fn read_status(reader: &mut ReadHalf<'_>) -> io::Result<u16> {
    let mut head = [0; 12];
    reader.read_exact(&mut head).await?;
    let status = head.get(9..).and_then(|status| str::from_utf8(status).ok());
    Ok(status.and_then(|status| status.parse().ok()).unwrap_or(0))
}
