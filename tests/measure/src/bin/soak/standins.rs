//! Fakes of the servers' dependencies, which fail on request.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, copy_bidirectional};
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

/// The ids of the mails with a text `marker-NUMBER`, by that number.
pub(crate) static MARKED: Mutex<BTreeMap<usize, BTreeSet<String>>> = Mutex::new(BTreeMap::new());

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
            let number = line.strip_prefix("marker-").map(str::parse);
            if let Some(Ok(number)) = number {
                let mut marked = MARKED.lock().unwrap_or_else(PoisonError::into_inner);
                marked.entry(number).or_default().insert(id.clone());
            }
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
