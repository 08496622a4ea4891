//! HTTP proxy of the environment, between the server and the models of clouds: what is asked of it,
//! and what reaches the model.

use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::json;

use crate::database::Database;
use crate::helpers::{Answer, Setup};
use crate::model::{asked, delta, end};
use crate::process::Process;
use crate::tls::{Certificate, Connection};

const BEDROCK: &str = "bedrock-runtime.eu-central-1.amazonaws.com";
const VERTEX: &str = "europe-west1-aiplatform.googleapis.com";
/// Not a loopback address, but a connection to it reaches this machine on Linux and macOS.
const ANY: &str = "0.0.0.0";

/// A proxy that answers as every model itself, also without being asked for one.
struct Proxy {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn start(certificate: &Certificate) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let (seen, config) = (Arc::clone(&heads), certificate.config());
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let mut stream = stream;
                if !starts_tls(&stream) {
                    let head = read_head(&mut stream);
                    seen.lock().unwrap().push(head);
                    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
                }
                let mut stream = Connection::Plain(stream).encrypted(Arc::clone(&config));
                let head = read_head(&mut stream);
                let (_, length) = head.split_once("content-length: ").unwrap();
                let length = length.lines().next().unwrap().parse().unwrap();
                stream.read_exact(&mut vec![0; length]).unwrap();
                seen.lock().unwrap().push(head);
                let body = [delta("Hello"), end()].concat();
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close";
                let length = body.len();
                write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
                stream.flush().unwrap();
            }
        });
        Self { address, heads }
    }
}

/// Whether a connection begins with a record of TLS: a handshake (RFC 8446, section 5.1).
fn starts_tls(stream: &TcpStream) -> bool {
    let mut first = [0];
    stream.peek(&mut first).unwrap();
    first == [22]
}

fn read_head(stream: &mut impl Read) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    String::from_utf8(head).unwrap()
}

#[tokio::test]
async fn models_of_clouds_are_reached_through_the_proxy_of_the_environment_unless_it_excludes_them()
{
    let certificate = Certificate::of(&[BEDROCK, VERTEX, ANY]);
    let proxy = Proxy::start(&certificate);
    let (url, port) = (format!("http://{}", proxy.address), proxy.address.port());
    let own = format!("{ANY}:{port}");
    let bedrock = format!("{BEDROCK}:443");
    let vertex = format!("{VERTEX}:443");
    let endpoint = "/v1/projects/p/locations/europe-west1/endpoints/openapi";
    let others = "example.org,.googleapis.com.example";
    for (host, base, direct, asked_for) in [
        (BEDROCK, "/openai/v1", "", Some(&bedrock)),
        (VERTEX, endpoint, others, Some(&vertex)),
        (&own, "/v1", others, Some(&own)),
        (&own, "/v1", "example.org, 0.0.0.0", None),
    ] {
        let provider = format!(
            "[[llm.providers]]\nname = \"main\"\nkind = \"chat\"\nmodel = \"m\"\napi_key = \"k\"\n\
             base_url = \"https://{host}{base}\"\n"
        );
        let trusted = certificate.file().display().to_string();
        let variables = [("HTTPS_PROXY", &*url), ("NO_PROXY", direct), ("SSL_CERT_FILE", &trusted)];
        let (setup, database) = (Setup::new(&variables).with_file(&provider), Database::sqlite());
        let process = Process::start(&setup, &database.url, &database.folder).await;
        let chat = reqwest::Client::new()
            .post(format!("http://{}/toolkit/api/chat", process.address()))
            .header("X-Api-Key", database.key().await)
            .json(&asked(&json!({})));
        let answer = Answer::of(chat).await;
        assert_eq!((answer.status, &answer.json()["reply"]), (200, &json!("Hello")), "{host}");
        let mut heads = std::mem::take(&mut *proxy.heads.lock().unwrap());
        let head = heads.pop().unwrap();
        assert!(head.starts_with(&format!("POST {base}/chat/completions HTTP/1.1\r\n")), "{head}");
        assert!(head.contains("\r\nauthorization: Bearer k\r\n"), "{head}");
        let lines = heads.iter().map(|head| head.lines().next().unwrap());
        let expected = asked_for.map(|address| format!("CONNECT {address} HTTP/1.1"));
        assert!(lines.eq(expected.as_deref()), "{heads:?}");
        // What the model is sent is not for the proxy.
        assert!(heads.iter().all(|head| !head.contains("Bearer")), "{heads:?}");
    }
}
