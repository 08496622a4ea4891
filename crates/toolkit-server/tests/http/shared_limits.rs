//! Rate limits that several processes share in Redis.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use toolkit_server::accounts::ClientId;
use toolkit_server::rate_limiter::{Limiter, Redis};
use toolkit_server::settings::RedisUrl;

fn client(number: u8) -> ClientId {
    ClientId::new(Ipv4Addr::new(192, 0, 2, number).into())
}

/// The Redis server of the tests; without one they print a note and pass.
fn redis_url() -> Option<String> {
    let url = std::env::var("TOOLKIT_TEST_REDIS").ok();
    if url.is_none() {
        println!("skipped: TOOLKIT_TEST_REDIS is not set");
    }
    url
}

fn connect(url: &str) -> Redis {
    Redis::connect(&RedisUrl::parse(url).unwrap()).unwrap()
}

/// Returns a limit that no other test uses: three requests at once, then one per minute.
fn limiter(redis: &Redis, name: &'static str) -> Limiter {
    Limiter::new(name, 1, 3).shared(Some(redis.clone()))
}

async fn admitted(limiter: &Limiter, client: ClientId, attempts: usize) -> usize {
    let mut admitted = 0;
    for _ in 0..attempts {
        admitted += usize::from(limiter.check(client, Instant::now()).await.is_ok());
    }
    admitted
}

/// Waits until a limit is counted in Redis: then two limiters of one name share it.
async fn wait_until_shared(redis: &Redis, shared: bool, run: u64) {
    let deadline = Instant::now() + Duration::from_secs(40);
    for attempt in 0.. {
        let name: &'static str = format!("probe-{run}-{attempt}").leak();
        let (first, second) = (limiter(redis, name), limiter(redis, name));
        let sum = admitted(&first, client(1), 4).await + admitted(&second, client(1), 4).await;
        if (sum == 3) == shared {
            return;
        }
        assert!(Instant::now() < deadline, "still not {shared}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Names that no earlier test run has used.
fn run() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(now.as_nanos()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_count_together_in_redis() {
    let Some(url) = redis_url() else { return };
    let (one, other) = (connect(&url), connect(&url));
    on_redis([&one, &other], async |run| {
        let name: &'static str = format!("together-{run}").leak();
        let (first, second) = (limiter(&one, name), limiter(&other, name));
        let before = Instant::now();
        let ours = (admitted(&first, client(1), 2).await, admitted(&second, client(1), 2).await);
        let wait = first.check(client(1), Instant::now()).await.err()?;
        let most = Duration::from_mins(1);
        let is_right = wait <= most && wait + before.elapsed() + Duration::from_millis(1) > most;
        let theirs = admitted(&second, client(2), 4).await;
        (ours == (2, 1) && theirs == 3 && is_right).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_in_redis_recovers_at_its_rate() {
    let Some(url) = redis_url() else { return };
    let redis = connect(&url);
    on_redis([&redis], async |run| {
        let name: &'static str = format!("rate-{run}").leak();
        // One per second.
        let fast = Limiter::new(name, 60, 1).shared(Some(redis.clone()));
        let at_once = admitted(&fast, client(1), 2).await;
        tokio::time::sleep(Duration::from_millis(1_050)).await;
        let later = admitted(&fast, client(1), 2).await;
        ((at_once, later) == (1, 1)).then_some(())
    })
    .await;
}

/// Repeats an action, with a name for the attempt, until it has the expected outcome, a few times
/// at most: on a busy machine Redis may answer so late that it counts as unreachable.
async fn on_redis<const N: usize>(redis: [&Redis; N], attempt: impl AsyncFn(u64) -> Option<()>) {
    for _ in 0..5 {
        for redis in redis {
            wait_until_shared(redis, true, run()).await;
        }
        if attempt(run()).await.is_some() {
            return;
        }
    }
    panic!("never the expected outcome");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_redis_is_unreachable_each_process_counts_alone() {
    let Some(url) = redis_url() else { return };
    let target = url.trim_start_matches("redis://").split('/').next().unwrap().to_owned();
    let open = Arc::new(AtomicBool::new(true));
    let proxy = proxy(target, Arc::clone(&open));
    let redis = connect(&format!("redis://{proxy}"));
    let run = run();
    wait_until_shared(&redis, true, run).await;
    open.store(false, Ordering::Relaxed);
    wait_until_shared(&redis, false, run + 1).await;
    let before = Instant::now();
    let alone = limiter(&redis, format!("alone-{run}").leak());
    assert_eq!(admitted(&alone, client(1), 100).await, 3);
    // With an attempt to reach Redis for each of them it would take over 25 seconds.
    assert!(before.elapsed() < Duration::from_secs(8), "{:?}", before.elapsed());
    open.store(true, Ordering::Relaxed);
    wait_until_shared(&redis, true, run + 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_was_never_reachable_delays_nothing() {
    let redis = connect("redis://127.0.0.1:1");
    let before = Instant::now();
    let alone = limiter(&redis, "never");
    assert_eq!(admitted(&alone, client(1), 1_000).await, 3);
    // Waiting for the next attempt to reach Redis would take a second.
    assert!(before.elapsed() < Duration::from_secs(8), "{:?}", before.elapsed());
}

#[test]
fn an_invalid_redis_url_is_refused_without_showing_its_password() {
    let url = RedisUrl::parse("redis://:c4n4ry@host:port:7/x").unwrap();
    let error = Redis::connect(&url).err().unwrap().to_string();
    assert!(error.contains("limits.redis_url") && !error.contains("c4n4ry"), "{error}");
}

/// Starts a fake Redis that admits everything until it is told to be silent.
fn redis_that_falls_silent(answers: Arc<AtomicBool>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = BufReader::new(connection.unwrap());
            let answers = Arc::clone(&answers);
            std::thread::spawn(move || {
                while let Some(command) = command(&mut connection) {
                    let answer = if command.starts_with("EVALSHA") { ":0\r\n" } else { "+OK\r\n" };
                    if answers.load(Ordering::Relaxed) {
                        let _ = connection.get_mut().write_all(answer.as_bytes());
                    }
                }
            });
        }
    });
    address
}

/// Reads a command: an array of strings, each on a line after its length.
fn command(input: &mut impl BufRead) -> Option<String> {
    let mut line = || {
        let mut line = String::new();
        input.read_line(&mut line).ok().filter(|&bytes| bytes > 0)?;
        Some(line.trim_end().to_owned())
    };
    let count: usize = line()?.strip_prefix('*')?.parse().ok()?;
    let words: Option<Vec<_>> = (0..count).map(|_| line().and_then(|_| line())).collect();
    Some(words?.join(" "))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_does_not_answer_is_abandoned_and_requests_are_counted_in_memory() {
    let answers = Arc::new(AtomicBool::new(true));
    let address = redis_that_falls_silent(Arc::clone(&answers));
    let redis = connect(&format!("redis://{address}"));
    let limiter = limiter(&redis, "silent");
    let patience = Duration::from_secs(40);
    let shared = async {
        // In memory the fourth would be refused.
        while admitted(&limiter, client(1), 4).await < 4 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(patience, shared).await.unwrap();
    answers.store(false, Ordering::Relaxed);
    let alone = admitted(&limiter, client(2), 10);
    assert_eq!(tokio::time::timeout(patience, alone).await.unwrap(), 3);
}

/// Forwards bytes while open, and cuts all connections when closed.
fn proxy(target: String, open: Arc<AtomicBool>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let client = client.unwrap();
            if !open.load(Ordering::Relaxed) {
                continue;
            }
            let server = TcpStream::connect(&target).unwrap();
            for (from, to) in [(&client, &server), (&server, &client)] {
                let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                let open = Arc::clone(&open);
                std::thread::spawn(move || hand_on(from, to, &open));
            }
        }
    });
    address
}

fn hand_on(mut from: TcpStream, mut to: TcpStream, open: &AtomicBool) {
    from.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let mut buffer = [0; 4096];
    while open.load(Ordering::Relaxed) {
        match from.read(&mut buffer) {
            Ok(bytes) if bytes > 0 && to.write_all(&buffer[..bytes]).is_ok() => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            _ => break,
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}
