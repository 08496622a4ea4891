//! A mail server that keeps what it is given, or behaves as badly as it is told.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use data_encoding::BASE64_MIME;

use crate::helpers::until;

/// What the server does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Friendly,
    /// Answers each recipient with this line.
    Recipients(&'static str),
    /// Says nothing at all.
    Silent,
    /// Takes its time before it accepts a mail.
    Slow(Duration),
}

/// A mail as it came: the envelope, and the data after the dots were taken out.
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
    state: Arc<Mutex<State>>,
}

struct State {
    mood: Mood,
    mails: Vec<Received>,
    attempts: usize,
}

impl Sink {
    pub(crate) fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State {
            mood,
            mails: Vec::new(),
            attempts: 0,
        };
        let sink = Self {
            address,
            state: Arc::new(Mutex::new(state)),
        };
        let server = sink.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let server = server.clone();
                thread::spawn(move || server.talk(stream.unwrap()));
            }
        });
        sink
    }

    pub(crate) fn set(&self, mood: Mood) {
        self.state.lock().unwrap().mood = mood;
    }

    pub(crate) fn mails(&self) -> Vec<Received> {
        self.state.lock().unwrap().mails.clone()
    }

    /// How often a client began a mail, or a connection that was met with silence.
    pub(crate) fn attempts(&self) -> usize {
        self.state.lock().unwrap().attempts
    }

    /// Waits for so many mails.
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

    fn mood(&self) -> Mood {
        self.state.lock().unwrap().mood
    }

    /// RFC 5321, as far as a client of ours goes.
    fn talk(&self, mut stream: TcpStream) {
        if self.mood() == Mood::Silent {
            self.state.lock().unwrap().attempts += 1;
            thread::sleep(Duration::from_mins(10));
        }
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut say = |line: &str| stream.write_all(format!("{line}\r\n").as_bytes()).is_ok();
        say("220 sink.example.org ESMTP");
        let (mut from, mut to) = (String::new(), Vec::new());
        while let Some(line) = read_line(&mut reader) {
            let verb = line.to_ascii_uppercase();
            if verb.starts_with("EHLO") {
                say("250-sink.example.org\r\n250-8BITMIME\r\n250 SMTPUTF8");
            } else if verb.starts_with("MAIL FROM:") {
                self.state.lock().unwrap().attempts += 1;
                (from, to) = (address(&line), Vec::new());
                say("250 ok");
            } else if verb.starts_with("RCPT TO:") {
                if let Mood::Recipients(reply) = self.mood() {
                    say(reply);
                } else {
                    to.push(address(&line));
                    say("250 ok");
                }
            } else if verb == "DATA" {
                say("354 go ahead");
                let data = read_data(&mut reader);
                if let Mood::Slow(wait) = self.mood() {
                    thread::sleep(wait);
                }
                let mail = Received {
                    from: from.clone(),
                    to: to.clone(),
                    data,
                };
                self.state.lock().unwrap().mails.push(mail);
                say("250 kept");
            } else if verb == "QUIT" {
                say("221 bye");
                return;
            } else {
                say("250 ok");
            }
        }
    }
}

fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).ok()?;
    (read > 0).then(|| {
        assert!(line.ends_with("\r\n"), "a bare line feed: {line:?}");
        line.trim_end_matches("\r\n").to_owned()
    })
}

fn read_data(reader: &mut impl BufRead) -> String {
    let mut data = String::new();
    while let Some(line) = read_line(reader) {
        if line == "." {
            break;
        }
        assert!(line.len() <= 998, "a line of {} octets", line.len());
        assert!(!line.contains('\r'), "a bare carriage return: {line:?}");
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
        data.push_str("\r\n");
    }
    data
}

fn address(line: &str) -> String {
    let (_, rest) = line.split_once('<').unwrap();
    rest.split_once('>').unwrap().0.to_owned()
}

impl Received {
    /// The value of a header of the mail itself, unfolded.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let head = self.data.split_once("\r\n\r\n").unwrap().0;
        let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        let mut lines = head.split("\r\n");
        lines.find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }

    /// The names of the headers of the mail itself.
    pub(crate) fn header_names(&self) -> Vec<String> {
        let head = self.data.split_once("\r\n\r\n").unwrap().0;
        let lines = head
            .split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']));
        lines
            .map(|line| line.split_once(':').unwrap().0.to_owned())
            .collect()
    }

    pub(crate) fn text(&self) -> String {
        self.part("text/plain")
    }

    pub(crate) fn html(&self) -> String {
        self.part("text/html")
    }

    /// The content of the part of a type, decoded.
    fn part(&self, kind: &str) -> String {
        let boundary = self.header("Content-Type").unwrap();
        let boundary = boundary
            .split_once("boundary=\"")
            .unwrap()
            .1
            .split_once('"')
            .unwrap()
            .0
            .to_owned();
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

    /// The token of the link with this path.
    pub(crate) fn token(&self, path: &str) -> String {
        let text = self.text();
        let (_, rest) = text.split_once(&format!("{path}?token=")).unwrap();
        rest.chars().take_while(|c| !c.is_whitespace()).collect()
    }
}

/// RFC 2045, section 6.7.
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
