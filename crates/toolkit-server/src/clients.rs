//! Clients: what each of them may hold of a server at once.
//!
//! A client is what the rate limiter counts: the peer or, behind a trusted proxy, the forwarded
//! address. Its account holds the bytes of its request bodies, from their first byte to the end of
//! the work, the bytes of its responses that it has not taken yet, its connections, and its places
//! in the pools of the runner. Each of these has a share for a client and, memory and connections,
//! a budget for the process.
//!
//! Whatever is sent or asked for waits for room before it takes memory, except a small request of a
//! client that holds little: what others hold does not keep it out. A result is counted when it
//! exists, since nobody knows its size before: it may exceed the share by itself, and then the next
//! one waits. Work on a place of a pool counts as the largest result and what a parser may make of
//! its input.

mod connection;
pub(crate) mod deadlines;
mod exchange;
mod output;
mod request_state;
mod stream;
mod turns;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use actix_web::HttpRequest;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use toolkit_core::limits::RESULT_BYTES_MAX;

pub(crate) use self::connection::{Connection, End, Shared};
pub(crate) use self::exchange::Exchange;
pub use self::exchange::hold;
pub use self::request_state::Waiting;
pub(crate) use self::stream::GuardedStream;
use crate::client_ip::{Client, Proxies, UNKNOWN};
use crate::limits;
use crate::runner::{self, Pool};
use crate::settings::{Http, Limits};

/// Part of a budget that one client may hold.
const SHARE: usize = 16;

/// What a client may hold while the process holds more than its budget, up to twice the budget.
const SMALL: usize = 64 << 10;

/// Memory of a connection without what it has to send.
const CONNECTION_BYTES: usize = 12 << 10;

/// Memory of work on a place of [`Pool::Bulk`] for each byte of its input, beside the largest result:
/// a document of 1 MB and its result take up to 53 MiB, and 24 more in a message of MCP.
const WORK_FACTOR: usize = 64;

/// Interval at which those who wait look for room. Nobody waits unless a client is over its share.
pub(crate) const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// The clients of a server.
#[derive(Clone, Debug)]
pub struct Clients(Arc<Process>);

#[derive(Debug)]
struct Process {
    proxies: Proxies,
    memory_max: usize,
    /// Memory beyond which idle connections are closed: a sixteenth is kept free for requests.
    idle_max: usize,
    connections_max: usize,
    client_connections_max: usize,
    memory: AtomicUsize,
    connections: AtomicUsize,
    /// Accounts of the clients that hold anything.
    accounts: Mutex<HashMap<Client, Weak<Account>>>,
}

impl Default for Clients {
    fn default() -> Self {
        Self::new(&Limits::default(), &Http::default())
    }
}

impl Clients {
    /// The clients of a server with these limits.
    pub fn new(limits: &Limits, http: &Http) -> Self {
        let memory_max = usize::from(limits.memory_mib) << 20;
        let idle_max = memory_max / 16 * 15;
        Self(Arc::new(Process {
            proxies: Proxies::new(http.trusted_proxies.clone()),
            memory_max,
            idle_max,
            connections_max: (idle_max / CONNECTION_BYTES).min(limits::CONNECTIONS_MAX),
            client_connections_max: usize::from(limits.client_connections),
            memory: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            accounts: Mutex::default(),
        }))
    }

    /// The account of a client.
    fn account(&self, client: Client) -> Arc<Account> {
        let mut accounts = self.0.accounts();
        if let Some(account) = accounts.get(&client).and_then(Weak::upgrade) {
            return account;
        }
        let account = Arc::new(Account {
            clients: self.clone(),
            client,
            memory: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            places: runner::places().map(|places| Arc::new(Semaphore::new(places / 2))),
        });
        accounts.insert(client, Arc::downgrade(&account));
        account
    }

    /// Accepts a connection from a peer, unless that has too many. The connections of a trusted
    /// proxy are those of many clients.
    pub(crate) fn accept(&self, peer: IpAddr) -> Option<Arc<Account>> {
        let account = self.account(Client::new(peer));
        let may_open =
            account.connections() < self.0.client_connections_max || self.0.proxies.trusts(peer);
        may_open.then_some(account)
    }

    /// Open connections, and how many may be open.
    pub(crate) fn connections(&self) -> [usize; 2] {
        let open = self.0.connections.load(Ordering::Relaxed);
        [open, self.0.connections_max]
    }

    /// Bytes that are held, and how many may be held.
    pub(crate) fn memory(&self) -> [usize; 2] {
        let held = self.0.memory.load(Ordering::Relaxed);
        [held, self.0.memory_max]
    }

    /// Bytes that idle connections must make room for.
    fn excess(&self) -> usize {
        let [held, _] = self.memory();
        held.saturating_sub(self.0.idle_max)
    }

    /// Whether more is held than the process may hold.
    fn is_over(&self) -> bool {
        let [held, most] = self.memory();
        held > most
    }

    /// Whether there is room for a client to hold so much.
    fn admits(&self, bytes: usize) -> bool {
        let [held, most] = self.memory();
        held <= most || bytes <= SMALL && held <= most * 2
    }

    /// Whether no more connections fit.
    pub(crate) fn is_full(&self) -> bool {
        let [open, most] = self.connections();
        open >= most
    }
}

impl Process {
    fn accounts(&self) -> MutexGuard<'_, HashMap<Client, Weak<Account>>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one client holds. It exists as long as it holds anything.
#[derive(Debug)]
pub struct Account {
    clients: Clients,
    client: Client,
    memory: AtomicUsize,
    connections: AtomicUsize,
    /// Half of the places of each pool, so that one client does not keep all others waiting.
    places: [Arc<Semaphore>; 2],
}

impl Account {
    /// The account of the client of a request.
    pub fn of(request: &HttpRequest) -> Arc<Self> {
        let Some(connection) = Connection::of(request) else {
            return Self::unknown();
        };
        let peer = Arc::clone(&connection.borrow().account);
        match request.peer_addr() {
            Some(address) if peer.clients.0.proxies.trusts(address.ip()) => {
                peer.clients.account(peer.clients.0.proxies.client(request))
            }
            _ => peer,
        }
    }

    /// The account of a client outside our server, as in a unit test.
    fn unknown() -> Arc<Self> {
        Clients::default().account(Client::new(UNKNOWN))
    }

    /// Connections that it has open.
    fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Bytes that it holds.
    fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }

    fn share(&self) -> usize {
        self.clients.0.memory_max / SHARE
    }

    /// Whether there is room for work that needs so much, and for a result of unknown size.
    fn has_room(&self, bytes: usize) -> bool {
        let held = self.memory();
        held < self.share() && self.clients.admits(held + bytes)
    }

    /// Waits until there is room for a result; returns whether there is.
    pub(crate) async fn room(&self, patience: Duration) -> bool {
        eventually(patience, || self.has_room(0).then_some(()))
            .await
            .is_some()
    }

    /// Waits until so many bytes fit, and holds them. A client that holds nothing may exceed its
    /// share.
    pub(crate) async fn reserve(
        self: &Arc<Self>,
        bytes: usize,
        patience: Duration,
    ) -> Option<Held> {
        eventually(patience, || {
            let held = self.memory();
            let more = held.saturating_add(bytes);
            let fits = held == 0 || more <= self.share();
            (fits && self.clients.admits(more)).then(|| self.hold(bytes))
        })
        .await
    }

    /// Holds memory that exists.
    pub(crate) fn hold(self: &Arc<Self>, bytes: usize) -> Held {
        self.memory.fetch_add(bytes, Ordering::Relaxed);
        Held(self.work(bytes))
    }

    /// Opens a connection.
    fn open(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
        let process = &self.clients.0;
        process.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// Closes a connection.
    fn close(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
        let process = &self.clients.0;
        process.connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts bytes in the share alone, instead of those before.
    fn owe(&self, before: usize, bytes: usize) {
        self.memory.fetch_add(bytes, Ordering::Relaxed);
        self.memory.fetch_sub(before, Ordering::Relaxed);
    }

    /// Waits for one of its places in a pool of the runner.
    pub(crate) async fn place(&self, pool: Pool) -> Option<OwnedSemaphorePermit> {
        let [bulk, long] = &self.places;
        let places = match pool {
            Pool::Bulk => bulk,
            Pool::Long => long,
        };
        // It is never closed, so a permit is always granted.
        Arc::clone(places).acquire_owned().await.ok()
    }

    /// Counts what work on a place of a pool may need for an input of so many bytes, if there is room.
    pub(crate) fn begin(self: &Arc<Self>, pool: Pool, input: usize) -> Option<Work> {
        let bytes = match pool {
            Pool::Bulk => RESULT_BYTES_MAX + WORK_FACTOR * input,
            Pool::Long => 0,
        };
        self.has_room(bytes).then(|| self.work(bytes))
    }

    /// Counts memory of work for the client in the budget of the process alone: it may do other work
    /// meanwhile.
    pub fn work(self: &Arc<Self>, bytes: usize) -> Work {
        self.clients.0.memory.fetch_add(bytes, Ordering::Relaxed);
        Work {
            account: Arc::clone(self),
            bytes,
        }
    }
}

/// Looks for something until it is there, or patience ends.
async fn eventually<T>(patience: Duration, look: impl Fn() -> Option<T>) -> Option<T> {
    let found = async {
        loop {
            match look() {
                Some(found) => return found,
                None => sleep(LOOK_INTERVAL).await,
            }
        }
    };
    timeout(patience, found).await.ok()
}

impl Drop for Account {
    fn drop(&mut self) {
        let mut accounts = self.clients.0.accounts();
        // The client may have a new account already.
        if accounts
            .get(&self.client)
            .is_some_and(|known| known.strong_count() == 0)
        {
            accounts.remove(&self.client);
        }
    }
}

/// Memory of the process for work, until it is dropped.
#[derive(Debug)]
pub struct Work {
    account: Arc<Account>,
    bytes: usize,
}

impl Drop for Work {
    fn drop(&mut self) {
        let process = &self.account.clients.0;
        process.memory.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Memory held by a client, until it is dropped.
#[derive(Debug)]
pub(crate) struct Held(Work);

impl Drop for Held {
    fn drop(&mut self) {
        let Work { account, bytes } = &self.0;
        account.memory.fetch_sub(*bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Network;

    const NOW: Duration = Duration::ZERO;

    fn clients(memory_mib: u16, client_connections: u16) -> Clients {
        let limits = Limits {
            memory_mib,
            client_connections,
            ..Limits::default()
        };
        let http = Http {
            trusted_proxies: vec![Network::parse("10.0.0.0/8").unwrap()],
            ..Http::default()
        };
        Clients::new(&limits, &http)
    }

    fn client(clients: &Clients, last: u8) -> Arc<Account> {
        clients.account(Client::new([192, 0, 2, last].into()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_waits_for_its_share_and_no_other_client_does() {
        let clients = clients(160, 1);
        let one = client(&clients, 1);
        let share = 10 << 20;
        let held = one.reserve(share, NOW).await.unwrap();
        assert!(one.reserve(1, NOW).await.is_none());
        assert!(!one.room(NOW).await);
        assert!(client(&clients, 2).reserve(share, NOW).await.is_some());
        let waits = one.reserve(share, Duration::from_secs(1));
        let frees = async {
            sleep(Duration::from_millis(500)).await;
            drop(held);
        };
        let (waited, ()) = tokio::join!(waits, frees);
        assert!(waited.is_some());
        drop(waited);
        assert!(one.room(NOW).await);
    }

    #[tokio::test]
    async fn a_client_that_holds_nothing_may_exceed_its_share_once() {
        let clients = clients(160, 1);
        let one = client(&clients, 1);
        let held = one.reserve(64 << 20, NOW).await;
        assert!(held.is_some());
        assert!(one.reserve(1, NOW).await.is_none());
    }

    #[tokio::test]
    async fn together_clients_wait_for_the_budget_of_the_process() {
        let clients = clients(160, 1);
        let held: Vec<_> = (0..16)
            .map(|last| client(&clients, last).hold(10 << 20))
            .collect();
        let other = client(&clients, 99);
        assert!(other.reserve(SMALL + 1, NOW).await.is_some());
        let _one_more = client(&clients, 98).hold(1);
        assert!(other.reserve(SMALL + 1, NOW).await.is_none());
        drop(held);
        assert!(other.reserve(SMALL + 1, NOW).await.is_some());
    }

    #[tokio::test]
    async fn what_others_hold_does_not_keep_out_a_small_request() {
        let clients = clients(160, 1);
        let large = client(&clients, 1).hold(160 << 20);
        let other = client(&clients, 2);
        let _small = other.reserve(SMALL, NOW).await.unwrap();
        assert!(other.room(NOW).await);
        assert!(other.reserve(1, NOW).await.is_none());
        assert!(!client(&clients, 1).room(NOW).await);
        let _most = client(&clients, 3).hold(160 << 20);
        assert!(!other.room(NOW).await, "it has a bound");
        drop(large);
        assert!(other.room(NOW).await);
    }

    #[tokio::test]
    async fn a_client_has_half_of_the_places_of_a_pool() {
        let clients = clients(160, 1);
        let [one, other] = [1, 2].map(|last| client(&clients, last));
        for (pool, places) in [Pool::Bulk, Pool::Long].into_iter().zip(runner::places()) {
            let mut held = Vec::new();
            for _ in 0..places / 2 {
                held.push(one.place(pool).await);
            }
            assert!(
                timeout(Duration::from_millis(1), one.place(pool))
                    .await
                    .is_err()
            );
            other.place(pool).await;
            held.pop();
            one.place(pool).await;
        }
    }

    #[tokio::test]
    async fn large_work_counts_as_what_it_may_need_until_it_ends() {
        let clients = clients(160, 1);
        let one = client(&clients, 1);
        let work = one.begin(Pool::Bulk, 1 << 20);
        assert_eq!(clients.memory()[0], (8 + 64) << 20);
        assert_eq!(one.memory(), 0, "its own share is for what it is sent");
        drop(work);
        let _long = one.begin(Pool::Long, 1 << 20).unwrap();
        assert_eq!(clients.memory()[0], 0);
        let _others = client(&clients, 2).hold((160 << 20) + 1);
        assert!(one.begin(Pool::Bulk, 1 << 20).is_none());
        assert!(one.begin(Pool::Long, 1 << 20).is_some());
        let _share = one.hold(10 << 20);
        assert!(one.begin(Pool::Long, 1 << 20).is_none());
    }

    #[test]
    fn an_account_lives_as_long_as_something_is_held() {
        let clients = clients(160, 1);
        let held = client(&clients, 1).hold(5);
        assert_eq!(client(&clients, 1).memory(), 5);
        drop(held);
        assert!(clients.0.accounts().is_empty());
    }
}
