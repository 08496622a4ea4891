//! Fake mail server: keeps the mails that it receives, or fails in a chosen way.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use data_encoding::BASE64_MIME;
use rustls::ServerConfig;

use crate::helpers::until;
use crate::tls::Connection;

/// Behavior of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behavior {
    Friendly,
    /// Accepts no address that is not ASCII (RFC 6531 is an extension).
    WithoutSmtputf8,
    /// Answers every `RCPT` with this line.
    Recipients(&'static str),
    /// Greets every client with this line, and goes.
    Greeting(&'static str),
    /// Answers every `MAIL` with this line.
    Senders(&'static str),
    /// Answers every mail with this line.
    Mails(&'static str),
    /// Sends nothing, not even a greeting.
    Silent,
    /// Waits this long before it accepts a mail.
    Slow(Duration),
    /// Receives a mail, and acknowledges it only once the behavior has changed.
    Holding,
}

/// TLS mode of the server.
#[derive(Clone, Default)]
pub(crate) enum Privacy {
    #[default]
    None,
    /// Implicit TLS.
    Tls(Arc<ServerConfig>),
    /// STARTTLS; a login is offered only after it.
    StartTls(Arc<ServerConfig>),
}

/// A received mail: its envelope, and its data without dot-stuffing.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) data: String,
}

/// The server.
#[derive(Clone)]
pub(crate) struct Sink {
    pub(crate) address: SocketAddr,
    privacy: Privacy,
    state: Arc<Mutex<State>>,
}

struct State {
    behavior: Behavior,
    mails: Vec<Received>,
    attempts: usize,
    commands: Vec<Command>,
}

/// A line sent by a client, and whether it was encrypted.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) line: String,
    pub(crate) is_private: bool,
}

impl Sink {
    pub(crate) fn start(behavior: Behavior) -> Self {
        Self::start_with(behavior, Privacy::None)
    }

    pub(crate) fn start_with(behavior: Behavior, privacy: Privacy) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { behavior, mails: Vec::new(), attempts: 0, commands: Vec::new() };
        let sink = Self { address, privacy, state: Arc::new(Mutex::new(state)) };
        let server = sink.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let server = server.clone();
                thread::spawn(move || server.talk(stream.unwrap()));
            }
        });
        sink
    }

    pub(crate) fn set(&self, behavior: Behavior) {
        self.state.lock().unwrap().behavior = behavior;
    }

    pub(crate) fn mails(&self) -> Vec<Received> {
        self.state.lock().unwrap().mails.clone()
    }

    /// Number of mails begun by clients, and of connections left unanswered.
    pub(crate) fn attempts(&self) -> usize {
        self.state.lock().unwrap().attempts
    }

    /// Returns all commands of the clients.
    pub(crate) fn commands(&self) -> Vec<Command> {
        self.state.lock().unwrap().commands.clone()
    }

    /// Waits for this many mails.
    pub(crate) async fn wait(&self, count: usize) -> Vec<Received> {
        until("mail", async || {
            let mails = self.mails();
            (mails.len() >= count).then_some(mails)
        })
        .await
    }

    /// Waits for the first mail to an address.
    pub(crate) async fn mail_to(&self, address: &str) -> Received {
        until("mail to an address", async || {
            let mut mails = self.mails().into_iter();
            mails.find(|mail| mail.to == [address])
        })
        .await
    }

    fn behavior(&self) -> Behavior {
        self.state.lock().unwrap().behavior
    }

    /// Serves RFC 5321, as far as our client uses it.
    fn talk(&self, stream: TcpStream) {
        if self.behavior() == Behavior::Silent {
            self.state.lock().unwrap().attempts += 1;
            thread::sleep(Duration::from_mins(10));
        }
        let mut connection = Connection::Plain(stream);
        if let Privacy::Tls(config) = &self.privacy {
            connection = connection.encrypted(Arc::clone(config));
        }
        let mut client = BufReader::new(connection);
        if let Behavior::Greeting(reply) = self.behavior() {
            say(&mut client, reply);
            return;
        }
        say(&mut client, "220 sink.example.org ESMTP");
        let (mut from, mut to) = (String::new(), Vec::new());
        while let Some(line) = read_line(&mut client) {
            let is_private = client.get_ref().is_private();
            self.note(&line, is_private);
            let verb = line.to_ascii_uppercase();
            if verb.starts_with("EHLO") {
                say(&mut client, &self.extensions(is_private));
            } else if let ("STARTTLS", Privacy::StartTls(config)) = (&*verb, &self.privacy) {
                say(&mut client, "220 go ahead");
                client = BufReader::new(client.into_inner().encrypted(Arc::clone(config)));
            } else if verb.starts_with("AUTH PLAIN ") {
                say(&mut client, "235 welcome");
            } else if verb.starts_with("MAIL FROM:") {
                self.state.lock().unwrap().attempts += 1;
                (from, to) = (address(&line), Vec::new());
                match self.behavior() {
                    Behavior::Senders(reply) => say(&mut client, reply),
                    _ => say(&mut client, "250 ok"),
                }
            } else if verb.starts_with("RCPT TO:") {
                if let Behavior::Recipients(reply) = self.behavior() {
                    say(&mut client, reply);
                } else {
                    to.push(address(&line));
                    say(&mut client, "250 ok");
                }
            } else if verb == "DATA" {
                say(&mut client, "354 go ahead");
                let Some(data) = read_data(&mut client) else {
                    return;
                };
                if let Behavior::Mails(reply) = self.behavior() {
                    say(&mut client, reply);
                    continue;
                }
                self.keep(from.clone(), to.clone(), data);
                say(&mut client, "250 kept");
            } else if verb == "QUIT" {
                say(&mut client, "221 bye");
                return;
            } else {
                say(&mut client, "250 ok");
            }
        }
    }

    fn note(&self, line: &str, is_private: bool) {
        let line = line.to_owned();
        let command = Command { line, is_private };
        self.state.lock().unwrap().commands.push(command);
    }

    fn extensions(&self, is_private: bool) -> String {
        let more = match (is_private, &self.privacy) {
            (false, Privacy::StartTls(_)) => "250 STARTTLS",
            _ => "250 AUTH PLAIN",
        };
        let smtputf8 = match self.behavior() {
            Behavior::WithoutSmtputf8 => "",
            _ => "250-SMTPUTF8\r\n",
        };
        format!("250-sink.example.org\r\n250-8BITMIME\r\n{smtputf8}{more}")
    }

    fn keep(&self, from: String, to: Vec<String>, data: String) {
        if let Behavior::Slow(wait) = self.behavior() {
            thread::sleep(wait);
        }
        let mail = Received { from, to, data };
        self.state.lock().unwrap().mails.push(mail);
        while self.behavior() == Behavior::Holding {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Sends a line to a client that may have disconnected.
fn say(client: &mut BufReader<Connection>, line: &str) {
    let connection = client.get_mut();
    let _ =
        connection.write_all(format!("{line}\r\n").as_bytes()).and_then(|()| connection.flush());
}

/// A line without its end; `None` if the client has gone, also in the middle of one.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    line.ends_with('\n').then(|| {
        assert!(line.ends_with("\r\n"), "a bare line feed: {line:?}");
        line.trim_end_matches("\r\n").to_owned()
    })
}

/// The data of a mail; `None` if the client has gone before the final dot, since such a mail was
/// not sent (RFC 5321, section 4.1.1.4).
fn read_data(reader: &mut impl BufRead) -> Option<String> {
    let mut data = String::new();
    loop {
        let line = read_line(reader)?;
        if line == "." {
            return Some(data);
        }
        assert!(line.len() <= 998, "a line of {} octets", line.len());
        assert!(!line.contains('\r'), "a bare carriage return: {line:?}");
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
        data.push_str("\r\n");
    }
}

fn address(line: &str) -> String {
    let (_, rest) = line.split_once('<').unwrap();
    rest.split_once('>').unwrap().0.to_owned()
}

impl Received {
    /// Returns the value of a header of the mail, unfolded.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let head = self.data.split_once("\r\n\r\n").unwrap().0;
        let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        let mut lines = head.split("\r\n");
        lines.find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }

    /// Returns the names of the headers of the mail.
    pub(crate) fn header_names(&self) -> Vec<String> {
        let head = self.data.split_once("\r\n\r\n").unwrap().0;
        let lines = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
        lines.map(|line| line.split_once(':').unwrap().0.to_owned()).collect()
    }

    pub(crate) fn text(&self) -> String {
        self.part("text/plain")
    }

    pub(crate) fn html(&self) -> String {
        self.part("text/html")
    }

    /// Returns the content of the part with this type, decoded.
    fn part(&self, kind: &str) -> String {
        let boundary = self.header("Content-Type").unwrap();
        let boundary =
            boundary.split_once("boundary=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
        let part = self.data.split(&format!("--{boundary}")).find(|part| {
            let head = part.split_once("\r\n\r\n").map_or("", |(head, _)| head);
            head.contains(&format!("Content-Type: {kind}"))
        });
        let (head, content) = part.unwrap().split_once("\r\n\r\n").unwrap();
        let content = content.strip_suffix("\r\n").unwrap_or(content);
        if head.contains("base64") {
            String::from_utf8(BASE64_MIME.decode(content.as_bytes()).unwrap()).unwrap()
        } else if head.contains("quoted-printable") {
            unquote(content)
        } else {
            content.to_owned()
        }
    }

    /// Returns the token of the link with this path.
    pub(crate) fn token(&self, path: &str) -> String {
        let text = self.text();
        let (_, rest) = text.split_once(&format!("{path}?token=")).unwrap();
        rest.chars().take_while(|c| !c.is_whitespace()).collect()
    }
}

/// Decodes quoted-printable text (RFC 2045, section 6.7).
fn unquote(text: &str) -> String {
    let text = text.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        if let (b'=', [high, low, tail @ ..]) = (first, tail) {
            let digits = [*high, *low];
            bytes.push(u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap());
            rest = tail;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap()
}
