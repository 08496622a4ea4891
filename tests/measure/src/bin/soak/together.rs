//! All attacks at once on a server with default settings, while other addresses send small runs, read
//! large answers and load pages.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, getrlimit};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};
use toolkit_measure::Result;
use toolkit_measure::cases::{self, Case};
use toolkit_measure::client::{head_length, runtime};
use toolkit_measure::load::Seen;
use toolkit_measure::process::{Server, free_address};
use toolkit_measure::table::{figure, table, times};

use crate::abuse::{IDLE_MIB_MAX, LONGEST, MEMORY_MIB_MAX, strike};
use crate::attack::{self, Attack, Target, connect};
use crate::honest;
use crate::site;
use crate::standins::listen;

/// Addresses that send small runs.
const OTHERS: u8 = 20;
/// Pause of each before a request, within its rate limit.
const PAUSE: Duration = Duration::from_millis(550);
/// For an answer to a small run.
const PATIENCE: Duration = Duration::from_secs(10);
/// For the latency without attacks.
const QUIET: Duration = Duration::from_mins(1);
/// For the attacks to start before anything is measured.
const BUILD_UP: Duration = Duration::from_secs(5);
/// Longest wait for the memory after the attacks.
const RECOVERY: Duration = Duration::from_mins(3);
/// Descriptors for all but the attacks.
const RESERVED: u64 = 1_500;
const LOOK: Duration = Duration::from_millis(500);

/// Tolerated effects.
const BACK_AT_MOST: Duration = Duration::from_mins(1);

const HEADS: &str = "Server | highest memory, MiB | small runs of others | errors | longest, ms | p99, ms | without attacks, ms \
                     | ratio | a bystander's p99, ms | without attacks, ms | ratio | answers read slowly | put off \
                     | pages | uploads | cut or refused | below 96 MiB after, s";

/// Attacks both servers, one after the other, each for half of the time; returns whether all
/// effects are tolerable.
pub(crate) fn run(time: Duration) -> Result<bool> {
    let (mut rows, mut is_well) = (Vec::new(), true);
    for name in ["api-server", "mcp-server"] {
        let (row, is_tolerable) = one(name, time / 2)?;
        is_well &= is_tolerable;
        println!("  {row}");
        rows.push(row);
    }
    println!("\n{}", table(HEADS, rows));
    Ok(is_well)
}

fn one(name: &str, time: Duration) -> Result<(String, bool)> {
    let mut fakes = tokio::runtime::Builder::new_multi_thread();
    let fakes = fakes.worker_threads(1).enable_all().build()?;
    // A model that accepts connections and never answers.
    let model = fakes.block_on(listen(|stream| async move {
        let _open = stream;
        std::future::pending().await
    }))?;
    let model_url = format!("http://{model}/v1");
    let proxy = attack::PROXY.to_string();
    let settings = [
        ("HTTP__TRUSTED_PROXIES", &*proxy),
        ("LLM__PROVIDERS__0__NAME", "stalled"),
        ("LLM__PROVIDERS__0__KIND", "openai"),
        ("LLM__PROVIDERS__0__MODEL", "m"),
        ("LLM__PROVIDERS__0__BASE_URL", &*model_url),
    ];
    let is_mcp = name == "mcp-server";
    let server = site::start(name, free_address()?, &settings)?;
    let target = Target {
        address: server.address,
        is_mcp,
        key: (!is_mcp).then(|| server.issue_key(&settings)).transpose()?,
    };
    let case =
        if is_mcp { cases::calls(false).swap_remove(0) } else { cases::runs().swap_remove(0) };
    let bystander = Server::bare("content-type: application/json", b"{}")?;
    let ask_both = |time| ask_both([server.address, bystander.address], &case, time);
    let [quiet, quiet_bystander] = ask_both(QUIET)?;
    server.forget_highest()?;
    let mut attacks = attack::all(&target)?;
    fit(&mut attacks)?;
    let names = attacks.iter();
    let names =
        names.map(|attack| format!("{}, on {} connections", attack.name, attack.connections));
    let names: Vec<_> = names.collect();
    let over = AtomicBool::new(false);
    let (seen, answers) = thread::scope(|scope| {
        let attackers = scope.spawn(|| strike(attacks, server.address, &over));
        thread::sleep(BUILD_UP);
        let honest = scope.spawn(|| honest::ask(server.address, is_mcp, time));
        let seen = ask_both(time);
        let honest = honest.join();
        over.store(true, Ordering::Relaxed);
        ((seen, honest), attackers.join())
    });
    let (seen, honest) = seen;
    let (left, [seen, seen_bystander]) = (Instant::now(), seen?);
    let honest = honest.map_err(|_| "the honest clients panicked")??;
    let answers = answers.map_err(|_| "the attackers panicked")??;
    let highest = server.memory("VmHWM")?;
    while server.memory("VmRSS")? > IDLE_MIB_MAX && left.elapsed() < RECOVERY {
        thread::sleep(LOOK);
    }
    let back = left.elapsed();
    println!("{name}: answers by status, 0 for none");
    for (name, answers) in names.iter().zip(answers) {
        println!("  {name}: {answers}");
    }
    let all = [&quiet, &seen, &quiet_bystander, &seen_bystander];
    for (failure, count) in all.iter().flat_map(|seen| &seen.failures) {
        println!("  small runs: {count} x {failure}");
    }
    for (fault, count) in &honest.faults {
        println!("  {count} x {fault}");
    }
    let errors: usize = seen.failures.values().sum();
    let hurt: usize = honest.faults.values().sum();
    let longest = seen.latencies.last().copied().unwrap_or_default();
    let p99 = |[quiet, seen]: [&Seen; 2]| [quiet, seen].map(|seen| seen.micros(0.99) / 1e3);
    let [before, during] = p99([&quiet, &seen]);
    let [bystander_before, bystander_during] = p99([&quiet_bystander, &seen_bystander]);
    let slower = during / before;
    let row = format!(
        "{name} | {highest:.0} | {} | {errors} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} \
         | {hurt} | {:.0}",
        seen.latencies.len(),
        figure(longest.as_secs_f64() * 1e3),
        figure(during),
        figure(before),
        times(slower),
        figure(bystander_during),
        figure(bystander_before),
        times(bystander_during / bystander_before),
        honest.answers,
        honest.put_off,
        honest.pages,
        honest.uploads,
        back.as_secs_f64(),
    );
    let is_tolerable = highest <= MEMORY_MIB_MAX
        && errors == 0
        && quiet.failures.is_empty()
        && hurt == 0
        && longest <= LONGEST
        && back <= BACK_AT_MOST;
    Ok((row, is_tolerable))
}

/// Shortens the largest attacks until the descriptors suffice for all of them.
fn fit(attacks: &mut [Attack]) -> Result<()> {
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let limit = usize::try_from(limit.saturating_sub(RESERVED))?;
    let needed = |most| -> usize { attacks.iter().map(|it| it.connections.min(most)).sum() };
    let most = (0..=limit).rev().step_by(100).find(|most| needed(*most) <= limit).unwrap_or(0);
    for attack in attacks {
        attack.connections = attack.connections.min(most);
    }
    Ok(())
}

/// Sends the request to two servers at the same time.
fn ask_both(servers: [SocketAddr; 2], case: &Case, time: Duration) -> Result<[Seen; 2]> {
    let [server, bystander] = servers;
    thread::scope(|scope| {
        let other = scope.spawn(|| ask(bystander, case, time));
        let seen = ask(server, case, time);
        let other = other.join().map_err(|_| "the bystander's client panicked")?;
        Ok([seen?, other?])
    })
}

/// Sends the request from all the other addresses for the given time.
fn ask(server: SocketAddr, case: &Case, time: Duration) -> Result<Seen> {
    let (seen, tasks) = (Rc::new(RefCell::new(Seen::default())), LocalSet::new());
    let request: Rc<[u8]> = case.request(server).into();
    let end = Instant::now() + time;
    for number in 1..=OTHERS {
        let source = Ipv4Addr::new(127, 2, 0, number);
        let (seen, request) = (Rc::clone(&seen), Rc::clone(&request));
        tasks.spawn_local(async move {
            let mut stream = None;
            // Not all at the same time.
            sleep(PAUSE * u32::from(number) / u32::from(OTHERS)).await;
            while Instant::now() < end {
                let start = Instant::now();
                let answer = timeout(PATIENCE, exchange(&mut stream, source, server, &request));
                let answer = answer.await.unwrap_or_else(|_| Err("no answer in time".into()));
                match answer {
                    Ok(()) => seen.borrow_mut().latencies.push(start.elapsed()),
                    Err(error) => {
                        stream = None;
                        let mut seen = seen.borrow_mut();
                        *seen.failures.entry(error.to_string()).or_default() += 1;
                    }
                }
                sleep(PAUSE).await;
            }
        });
    }
    runtime()?.block_on(tasks);
    let mut seen = seen.take();
    seen.latencies.sort_unstable();
    Ok(seen)
}

/// Sends a request as an HTTP client does: a kept connection that was closed meanwhile, which a full
/// server does to idle ones, is replaced by a new one.
async fn exchange(
    kept: &mut Option<TcpStream>,
    source: Ipv4Addr,
    server: SocketAddr,
    request: &[u8],
) -> Result<()> {
    if let Some(stream) = kept.take()
        && let Ok(stream) = exchange_on(stream, request).await
    {
        *kept = Some(stream);
        return Ok(());
    }
    let stream = connect(source, server).await?;
    *kept = Some(exchange_on(stream, request).await?);
    Ok(())
}

/// Sends a request, and reads its response, which must be a 200.
async fn exchange_on(mut stream: TcpStream, request: &[u8]) -> Result<TcpStream> {
    stream.set_nodelay(true)?;
    stream.write_all(request).await?;
    let mut answer = Vec::new();
    let mut length = None;
    while length.is_none_or(|length| answer.len() < length) {
        if stream.read_buf(&mut answer).await? == 0 {
            return Err("the connection was closed".into());
        }
        let head = head_length(&answer);
        if head > 0 {
            let text = String::from_utf8_lossy(answer.get(..head).unwrap_or_default());
            let text = text.to_ascii_lowercase();
            let mut lines = text.lines();
            let body = lines.find_map(|line| line.strip_prefix("content-length:"));
            length = Some(head + body.unwrap_or("0").trim().parse::<usize>()?);
        }
    }
    if !answer.starts_with(b"HTTP/1.1 200 ") {
        return Err(String::from_utf8_lossy(answer.get(9..12).unwrap_or_default()).into());
    }
    Ok(stream)
}
