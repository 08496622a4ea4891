//! Fakes of the servers' dependencies, which fail on request.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;
use tokio::io::{
    AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, copy_bidirectional,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::{self, Receiver};

/// State of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behavior {
    Open,
    /// Accepts and answers nothing, like a stopped process.
    Frozen,
    /// Closes at once, like a dead process.
    Closed,
}

/// Serves connections to a new address, which is returned.
pub(crate) async fn listen<F>(
    serve: impl Fn(TcpStream) -> F + Send + 'static,
) -> io::Result<SocketAddr>
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    Ok(address)
}

/// A proxy to another server, which can be blocked.
pub(crate) struct Gate {
    pub(crate) address: SocketAddr,
    behavior: watch::Sender<Behavior>,
}

impl Gate {
    /// Starts one.
    pub(crate) async fn open(to: SocketAddr) -> io::Result<Self> {
        let (behavior, seen) = watch::channel(Behavior::Open);
        let address = listen(move |near| pass(near, to, seen.clone())).await?;
        Ok(Self { address, behavior })
    }

    pub(crate) fn set(&self, behavior: Behavior) {
        self.behavior.send_replace(behavior);
    }
}

async fn pass(mut near: TcpStream, to: SocketAddr, mut gate: Receiver<Behavior>) -> io::Result<()> {
    let mut far = TcpStream::connect(to).await?;
    loop {
        let now = gate.wait_for(|now| *now != Behavior::Frozen).await;
        if *now.map_err(io::Error::other)? == Behavior::Closed {
            return Ok(());
        }
        tokio::select! {
            end = copy_bidirectional(&mut near, &mut far) => return end.map(drop),
            _ = gate.wait_for(|now| *now != Behavior::Open) => {}
        }
    }
}

/// The mails that the mail server has accepted.
pub(crate) static MAILS: AtomicUsize = AtomicUsize::new(0);

/// Ids of what was received about a text `marker-NUMBER`, by that number.
pub(crate) type Marked = Mutex<BTreeMap<usize, BTreeSet<String>>>;

/// Mails, and events of webhooks.
pub(crate) static MARKED: Marked = Mutex::new(BTreeMap::new());
pub(crate) static EVENTS: Marked = Mutex::new(BTreeMap::new());

/// Keeps the id of a message with this text, if the text is a mark.
fn keep(marked: &Marked, text: &str, id: &str) {
    if let Some(Ok(number)) = text.strip_prefix("marker-").map(str::parse) {
        let mut marked = marked.lock().unwrap_or_else(PoisonError::into_inner);
        marked.entry(number).or_default().insert(id.to_owned());
    }
}

/// A mail server that accepts and counts everything, of RFC 5321 what a client without errors needs.
pub(crate) async fn take_mail(stream: TcpStream) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 soak\r\n").await?;
    let (mut in_data, mut id) = (false, String::new());
    while let Some(line) = lines.next_line().await? {
        if in_data {
            if let Some(value) = line.strip_prefix("Message-ID: ") {
                value.clone_into(&mut id);
            }
            keep(&MARKED, &line, &id);
            if line != "." {
                continue;
            }
            in_data = false;
            MAILS.fetch_add(1, Ordering::Relaxed);
        }
        let reply: &[u8] = match line.get(..4) {
            Some("EHLO") => b"250-soak\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
            Some("DATA") => {
                in_data = true;
                b"354 go ahead\r\n"
            }
            _ => b"250 ok\r\n",
        };
        writer.write_all(reply).await?;
    }
    Ok(())
}

/// A receiver of webhooks that accepts every event, of HTTP what our client sends.
pub(crate) async fn take_events(stream: TcpStream) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let (mut line, mut length, mut id) = (String::new(), 0, String::new());
    while reader.read_line(&mut line).await? > 0 {
        match line.trim_end().split_once(": ") {
            Some(("content-length", value)) => length = value.parse().map_err(io::Error::other)?,
            Some(("webhook-id", value)) => value.clone_into(&mut id),
            None if line == "\r\n" => {
                let mut body = vec![0; length];
                reader.read_exact(&mut body).await?;
                let event: Json = serde_json::from_slice(&body)?;
                let text = event.pointer("/data/message").and_then(Json::as_str);
                keep(&EVENTS, text.unwrap_or_default(), &id);
                writer.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await?;
            }
            _ => {}
        }
        line.clear();
    }
    Ok(())
}
