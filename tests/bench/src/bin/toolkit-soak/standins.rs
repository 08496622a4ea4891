//! Stand-ins for what the servers need, which fail when they are told to.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What a gate does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Open,
    /// Accepts and answers nothing, as a process that was stopped.
    Frozen,
    /// Hangs up at once, as a process that is gone.
    Closed,
}

/// A way to another server, which can be barred.
pub(crate) struct Gate {
    pub(crate) address: SocketAddr,
    mood: watch::Sender<Mood>,
}

impl Gate {
    /// Opens one.
    pub(crate) async fn open(to: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (mood, seen) = watch::channel(Mood::Open);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, to, seen.clone()));
            }
        });
        Ok(Self { address, mood })
    }

    pub(crate) fn set(&self, mood: Mood) {
        self.mood.send_replace(mood);
    }
}

async fn pass(
    mut near: TcpStream,
    to: SocketAddr,
    mut mood: watch::Receiver<Mood>,
) -> io::Result<()> {
    let mut far = TcpStream::connect(to).await?;
    loop {
        let now = mood.wait_for(|mood| *mood != Mood::Frozen).await;
        if *now.map_err(io::Error::other)? == Mood::Closed {
            return Ok(());
        }
        tokio::select! {
            end = copy_bidirectional(&mut near, &mut far) => return end.map(drop),
            _ = mood.wait_for(|mood| *mood != Mood::Open) => {}
        }
    }
}

/// A mail server that takes everything and counts; where it listens, and the count.
pub(crate) async fn mail_server() -> io::Result<(SocketAddr, Arc<AtomicUsize>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(take_mail(stream, Arc::clone(&count)));
        }
    });
    Ok((address, taken))
}

/// RFC 5321, as far as a client goes that finds no fault.
async fn take_mail(stream: TcpStream, taken: Arc<AtomicUsize>) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 soak\r\n").await?;
    let mut in_data = false;
    while let Some(line) = lines.next_line().await? {
        if in_data {
            if line != "." {
                continue;
            }
            in_data = false;
            taken.fetch_add(1, Ordering::Relaxed);
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
