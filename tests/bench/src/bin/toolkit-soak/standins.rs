//! Stand-ins for what the servers need, which fail when they are told to.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
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

async fn pass(near: TcpStream, to: SocketAddr, mut mood: watch::Receiver<Mood>) -> io::Result<()> {
    let gone = |mood: &Mood| *mood == Mood::Closed;
    if gone(&mood.borrow()) {
        return Ok(());
    }
    let far = TcpStream::connect(to).await?;
    let (near_reader, near_writer) = near.into_split();
    let (far_reader, far_writer) = far.into_split();
    let there = copy(near_reader, far_writer, mood.clone());
    let back = copy(far_reader, near_writer, mood.clone());
    tokio::select! {
        end = there => end,
        end = back => end,
        _ = mood.wait_for(gone) => Ok(()),
    }
}

async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut mood: watch::Receiver<Mood>,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let read = from.read(&mut buffer).await?;
        let _ = mood.wait_for(|mood| *mood != Mood::Frozen).await;
        match buffer.get(..read) {
            Some(bytes) if read > 0 => to.write_all(bytes).await?,
            _ => return Ok(()),
        }
    }
}

/// A mail server that takes everything and counts.
pub(crate) struct MailServer {
    pub(crate) address: SocketAddr,
    taken: Arc<AtomicUsize>,
}

impl MailServer {
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let taken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&taken);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(take_mail(stream, Arc::clone(&count)));
            }
        });
        Ok(Self { address, taken })
    }

    /// Mails so far.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
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

/// A language model after OpenAI's protocol that always has the same to say.
pub(crate) async fn model() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(reply(stream));
        }
    });
    Ok(address)
}

async fn reply(stream: TcpStream) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let body = r#"{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}"#;
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).await?;
        writer.write_all(answer.as_bytes()).await?;
    }
}
