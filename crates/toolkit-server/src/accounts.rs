//! Accounts: the memory, connections and pool turns that each client holds, and the limits on a
//! request.
//!
//! | What | Limit | Over the limit | Setting | Test |
//! | --- | --- | --- | --- | --- |
//! | connections per client | 512 | its longest-idle connection is closed, or the new one if none is idle | `limits.client_connections` | `http::accounts`, `api::honest` |
//! | connections per process | descriptors; a quarter of the memory | another connection is closed | `ulimit -n`, `limits.memory_mib` | `api::honest`, `worker` |
//! | request head | 5 s, 128 KiB | closed; 431 | | `http::stream` |
//! | idle connection | 30 s | closed | | `connection` |
//! | request body | 15 s | 408 | | `http::body` |
//! | body size | 1 MiB, plus chunk framing | 413 | `http.body_limit_bytes` | `http::body`, `http::stream` |
//! | requests per client or key | rate | 429 | `limits.*_per_minute` | `api::limits` |
//! | memory | a sixteenth per client while half is in use; the total | large requests wait, then get 503 | `limits.memory_mib` | `accounts`, `http::accounts` |
//! | slow clients, while over three quarters of the memory is in use | whole response within 30 s, or 16 KiB/s | the heaviest client's connections are cut or get 503 | `limits.memory_mib` | `worker`, `http::accounts` |
//! | response the client does not read | 60 s | cut | | `connection` |
//! | pool work | one job per core, clients in turn | 503 after waiting 10 s | | `runner::pool` |
//! | concurrent chats | 1,024 | 503 | | `api::shares` |
//!
//! Accounts form a tree. An IPv4 address has its own account. An IPv6 address uses the account of
//! its /64, which belongs to those of its /56 and /48, with 2 and 4 times the share. Usage counts
//! at every level.
//!
//! Memory counts what exists: a body as it arrives, a result at its length. A small request waits
//! neither for other clients nor, while the process has room, for its own client's other requests.

mod client_id;
mod seen;

use std::collections::HashMap;
use std::iter::successors;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use actix_web::{HttpMessage, HttpRequest};
use tokio::sync::Notify;

pub(crate) use self::client_id::UNKNOWN;
pub use self::client_id::{ClientId, Proxies};
pub use self::seen::{DOCTOR, Seen};
use crate::limits::{self, CONNECTION_BYTES};
use crate::settings::{Http, Limits};

/// Fraction of the memory that one client may hold while more than half is in use.
const SHARE: usize = 16;

/// Maximum memory of a small request.
pub(crate) const SMALL: usize = 64 << 10;

/// Connections guaranteed to every client, even when all others have to make room.
pub(crate) const CONNECTIONS_GUARANTEED: usize = 8;

/// The accounts of all clients.
#[derive(Clone, Debug)]
pub struct Accounts(Arc<Process>);

#[derive(Debug)]
struct Process {
    proxies: Proxies,
    memory_max: usize,
    /// Above this, a new connection closes another.
    connections_max: usize,
    /// Connections that the descriptors suffice for.
    descriptors_max: usize,
    client_connections_max: usize,
    memory: AtomicUsize,
    /// The part of it that running jobs may need.
    jobs: AtomicUsize,
    /// Memory of connections being closed because the process holds too much.
    ending: AtomicUsize,
    connections: AtomicUsize,
    /// Pool turns given out so far.
    turns: AtomicU64,
    /// Wakes requests that wait for memory.
    look: Notify,
    /// Clients that hold anything.
    accounts: Mutex<HashMap<ClientId, Weak<Account>>>,
    /// The last `doctor` request, by its id.
    seen: Mutex<Option<(String, Seen)>>,
}

impl Default for Accounts {
    fn default() -> Self {
        Self::new(&Limits::default(), &Http::default())
    }
}

impl Accounts {
    /// Creates the accounts of a server with these limits.
    pub fn new(limits: &Limits, http: &Http) -> Self {
        let memory_max = usize::from(limits.memory_mib) << 20;
        let descriptors_max = limits::connections_max();
        Self(Arc::new(Process {
            proxies: Proxies::new(http.trusted_proxies.clone()),
            memory_max,
            connections_max: (memory_max / 4 / CONNECTION_BYTES).min(descriptors_max),
            descriptors_max,
            client_connections_max: usize::from(limits.client_connections),
            memory: AtomicUsize::new(0),
            jobs: AtomicUsize::new(0),
            ending: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            turns: AtomicU64::new(0),
            look: Notify::new(),
            accounts: Mutex::default(),
            seen: Mutex::default(),
        }))
    }

    /// Returns the client's account.
    pub(crate) fn account(&self, id: ClientId) -> Arc<Account> {
        let parent = id.prefix().map(|id| self.account(id));
        let mut accounts = self.0.accounts();
        if let Some(account) = accounts.get(&id).and_then(Weak::upgrade) {
            return account;
        }
        let account = Arc::new(Account {
            accounts: self.clone(),
            id,
            parent,
            memory: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            // A new client queues after those already waiting.
            turn: AtomicU64::new(self.0.turns.load(Relaxed)),
        });
        accounts.insert(id, Arc::downgrade(&account));
        account
    }

    /// Returns which client the `doctor` request with this id was counted for, if it was the last.
    pub(crate) fn seen(&self, id: &str) -> Option<Seen> {
        self.0.seen().clone().filter(|(known, _)| known == id).map(|(_, seen)| seen)
    }

    /// Whether the peer is a trusted proxy, which carries many clients.
    pub(crate) fn trusts(&self, peer: IpAddr) -> bool {
        self.0.proxies.trusts(peer)
    }

    /// The trusted proxies.
    pub(crate) fn proxies(&self) -> &Proxies {
        &self.0.proxies
    }

    /// The number of open connections, and the number above which one is closed for another.
    pub(crate) fn connections(&self) -> [usize; 2] {
        [self.0.connections.load(Relaxed), self.0.connections_max]
    }

    /// Whether the process has run out of descriptors for connections.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.0.connections.load(Relaxed) >= self.0.descriptors_max
    }

    /// Bytes held, and the maximum.
    pub(crate) fn memory(&self) -> [usize; 2] {
        [self.0.memory.load(Relaxed), self.0.memory_max]
    }

    /// Whether more than three quarters of the memory is in use, so that slow clients are cut.
    pub(crate) fn is_over_budget(&self) -> bool {
        self.is_over_budget_without(self.0.ending.load(Relaxed))
    }

    fn is_over_budget_without(&self, ending: usize) -> bool {
        let [held, most] = self.memory();
        held.saturating_sub(ending) > most / 4 * 3
    }

    /// If too much memory is in use, counts `bytes` as free until [`freed`](Self::freed), so that
    /// no other worker frees them too. Returns whether it was.
    pub(crate) fn frees(&self, bytes: usize) -> bool {
        let ending = &self.0.ending;
        let add = |ending| self.is_over_budget_without(ending).then_some(ending + bytes);
        ending.fetch_update(Relaxed, Relaxed, add).is_ok()
    }

    /// Ends the reservation of [`frees`](Self::frees).
    pub(crate) fn freed(&self, bytes: usize) {
        self.0.ending.fetch_sub(bytes, Relaxed);
    }

    /// Whether this much memory is free.
    pub(crate) fn fits_process(&self, bytes: usize) -> bool {
        let [held, most] = self.memory();
        held.saturating_add(bytes) <= most
    }

    /// Lets waiting requests check for memory again. Each worker calls it once per tick.
    pub(crate) fn look_again(&self) {
        self.0.look.notify_waiters();
    }
}

impl Process {
    fn accounts(&self) -> MutexGuard<'_, HashMap<ClientId, Weak<Account>>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seen(&self) -> MutexGuard<'_, Option<(String, Seen)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One client's holdings. The account exists as long as the client holds anything.
#[derive(Debug)]
pub struct Account {
    accounts: Accounts,
    id: ClientId,
    /// The account of the enclosing prefix.
    parent: Option<Arc<Self>>,
    memory: AtomicUsize,
    connections: AtomicUsize,
    /// Number of the client's last pool turn.
    turn: AtomicU64,
}

impl Account {
    /// Returns the account of the request's client, or of an unknown client outside our server, as
    /// in unit tests.
    pub fn of(request: &HttpRequest) -> Arc<Self> {
        let known = request.extensions().get::<Arc<Self>>().map(Arc::clone);
        known.unwrap_or_else(|| Accounts::default().account(ClientId::new(UNKNOWN)))
    }

    /// Returns the end client of a request that a back end forwards.
    pub fn visitor_of(request: &HttpRequest) -> ClientId {
        let peer = request.peer_addr().map_or(UNKNOWN, |address| address.ip());
        let accounts = &Self::of(request).accounts;
        accounts.proxies().visitor(peer, request.headers())
    }

    /// Remembers which client a `doctor` request was counted for.
    pub(crate) fn note(request: &HttpRequest, id: &str) {
        let account = Self::of(request);
        let peer = request.peer_addr().map_or(UNKNOWN, |address| address.ip().to_canonical());
        let accounts = &account.accounts;
        let named = accounts.proxies().visitor(peer, request.headers());
        let seen = Seen {
            client: account.id.address(),
            peer,
            ignored_forwarded_for: named != account.id && !accounts.trusts(peer),
        };
        *accounts.0.seen() = Some((id.to_owned(), seen));
    }

    /// The client.
    pub fn client(&self) -> ClientId {
        self.id
    }

    /// The accounts of all clients.
    pub(crate) fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// This account and those of its prefixes.
    fn line(&self) -> impl Iterator<Item = &Self> {
        successors(Some(self), |account| account.parent.as_deref())
    }

    /// The largest usage of this account and its prefixes, scaled to one client's share.
    fn most(&self, held: impl Fn(&Self) -> &AtomicUsize) -> usize {
        let line = self.line();
        let held = line.map(|account| held(account).load(Relaxed) / account.id.shares());
        held.max().unwrap_or_default()
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.most(|account| &account.memory)
    }

    /// Open connections.
    pub(crate) fn connections(&self) -> usize {
        self.most(|account| &account.connections)
    }

    /// The account or prefix that has reached its connection limit, if any.
    pub(crate) fn full(&self) -> Option<&Self> {
        let most = self.accounts.0.client_connections_max;
        self.line().find(|it| it.connections.load(Relaxed) / it.id.shares() >= most)
    }

    /// Whether this is `account` or one below it.
    pub(crate) fn is_within(&self, account: &Self) -> bool {
        self.line().any(|it| std::ptr::eq(it, account))
    }

    /// Counts a connection that was opened or taken over.
    pub(crate) fn open(&self) {
        for account in self.line() {
            account.connections.fetch_add(1, Relaxed);
        }
        self.accounts.0.connections.fetch_add(1, Relaxed);
    }

    /// Counts a connection that was closed or passed on.
    pub(crate) fn close(&self) {
        for account in self.line() {
            account.connections.fetch_sub(1, Relaxed);
        }
        self.accounts.0.connections.fetch_sub(1, Relaxed);
    }

    /// The last pool turns of this account and its prefixes, largest prefix first.
    pub(crate) fn turn(&self) -> [u64; 3] {
        let mut turns = [self.turn.load(Relaxed); 3];
        for (turn, account) in turns.iter_mut().rev().zip(self.line()) {
            *turn = account.turn.load(Relaxed);
        }
        turns
    }

    /// Counts a turn on the pool.
    pub(crate) fn take_turn(&self) {
        let turn = self.accounts.0.turns.fetch_add(1, Relaxed) + 1;
        for account in self.line() {
            account.turn.store(turn, Relaxed);
        }
    }

    /// Whether `bytes` more stay within the client's share.
    fn fits_client(&self, bytes: usize) -> bool {
        let share = self.accounts.0.memory_max / SHARE;
        self.memory().saturating_add(bytes) <= share
    }

    /// Whether a request may hold `bytes` more. Small requests may exceed the memory by a quarter, and
    /// do not wait for a running job to end. A client over its share leaves half of the memory to
    /// others.
    pub(crate) fn fits(&self, bytes: usize, is_small: bool) -> bool {
        let quarters = match (is_small, self.fits_client(bytes)) {
            (true, true) => 5,
            (false, true) => 4,
            (true, false) => 3,
            (false, false) => 2,
        };
        let [held, most] = self.accounts.memory();
        let jobs = if is_small { self.accounts.0.jobs.load(Relaxed) } else { 0 };
        held.saturating_sub(jobs).saturating_add(bytes) <= most / 4 * quarters
    }

    /// Waits until the request may hold `bytes` more.
    pub(crate) async fn room(&self, bytes: usize, is_small: bool) {
        loop {
            let looks_again = self.accounts.0.look.notified();
            if self.fits(bytes, is_small) {
                return;
            }
            looks_again.await;
        }
    }

    /// Holds memory.
    pub fn charge(self: &Arc<Self>, bytes: usize) -> Charge {
        let mut charge = Charge { account: Arc::clone(self), bytes: 0 };
        charge.set(bytes);
        charge
    }
}

/// Memory that a running job may need, until it is dropped.
#[derive(Debug)]
pub(crate) struct JobCharge(Charge);

impl JobCharge {
    pub(crate) fn new(account: &Arc<Account>, bytes: usize) -> Self {
        account.accounts.0.jobs.fetch_add(bytes, Relaxed);
        Self(account.charge(bytes))
    }
}

impl Drop for JobCharge {
    fn drop(&mut self) {
        self.0.account.accounts.0.jobs.fetch_sub(self.0.bytes, Relaxed);
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        let mut accounts = self.accounts.0.accounts();
        // The client may already have a new account.
        if accounts.get(&self.id).is_some_and(|known| known.strong_count() == 0) {
            accounts.remove(&self.id);
        }
    }
}

/// Memory held by a client, until it is dropped.
#[derive(Debug)]
pub struct Charge {
    account: Arc<Account>,
    bytes: usize,
}

impl Charge {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Changes the number of bytes held.
    pub(crate) fn set(&mut self, bytes: usize) {
        let process = &self.account.accounts.0;
        let counts = self.account.line().map(|account| &account.memory);
        for count in counts.chain([&process.memory]) {
            // Add first, so that no counter drops below zero in between.
            count.fetch_add(bytes, Relaxed);
            count.fetch_sub(self.bytes, Relaxed);
        }
        self.bytes = bytes;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Accounts {
        /// Accounts of a server with this much memory. Each client gets a sixteenth.
        pub(crate) fn for_test(memory_mib: u16, client_connections: u16) -> Self {
            let limits = Limits { memory_mib, client_connections, ..Limits::default() };
            let http = Http {
                trusted_proxies: vec![crate::settings::Network::parse("10.0.0.0/8").unwrap()],
                ..Http::default()
            };
            Self::new(&limits, &http)
        }

        /// The account of the client at this address.
        pub(crate) fn client(&self, address: &str) -> Arc<Account> {
            self.account(ClientId::new(address.parse().unwrap()))
        }
    }

    const MIB: usize = 1 << 20;

    #[test]
    fn a_client_may_hold_half_of_the_memory_alone_and_its_share_beside_others() {
        let accounts = Accounts::for_test(160, 1);
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|it| accounts.client(it));
        let half = one.charge(80 * MIB);
        assert!(!one.fits(1, false));
        assert!(one.fits(1, true), "a small request does not wait");
        assert!(other.fits(10 * MIB, false));
        assert!(!other.fits(11 * MIB, false));
        drop(half);
        assert!(one.fits(80 * MIB, false));
    }

    #[test]
    fn small_requests_go_on_for_a_while_when_the_memory_is_used_up() {
        let accounts = Accounts::for_test(160, 1);
        let large = accounts.client("192.0.2.1").charge(160 * MIB);
        let small = accounts.client("192.0.2.2");
        assert!(small.fits(SMALL, true) && !small.fits(1, false));
        assert!(!accounts.client("192.0.2.1").fits(1, true));
        let _more = accounts.client("192.0.2.3").charge(40 * MIB);
        assert!(!small.fits(1, true), "small requests are limited too");
        drop(large);
        assert!(small.fits(1, false));
    }

    #[test]
    fn small_requests_do_not_wait_for_a_running_job_and_large_ones_do() {
        let accounts = Accounts::for_test(160, 1);
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|it| accounts.client(it));
        let _results = one.charge(160 * MIB);
        let job = JobCharge::new(&one, 60 * MIB);
        assert!(other.fits(SMALL, true) && !other.fits(1, false));
        drop(job);
        assert_eq!(accounts.memory()[0], 160 * MIB);
        let _more = one.charge(40 * MIB);
        assert!(!other.fits(1, true), "small requests are limited too");
    }

    #[test]
    fn networks_of_ipv6_have_a_few_times_the_share_of_a_client() {
        let accounts = Accounts::for_test(160, 10);
        // Each holds a full client share, in 64 networks of one /50.
        let all: Vec<_> = (0..64)
            .map(|number| {
                let account = accounts.client(&format!("2001:db8:0:{number:x}::1"));
                (0..10).for_each(|_| account.open());
                let charge = account.charge(2 * MIB);
                (account, charge)
            })
            .collect();
        let address = |text| accounts.client(text);
        // 64 of them are in the /56, and so in the /48.
        assert_eq!(address("2001:db8:0:1::2").connections(), 320);
        assert_eq!(address("2001:db8:0:1:1::").memory(), 64 * MIB);
        assert_eq!(address("2001:db8:0:ff::1").connections(), 320);
        assert_eq!(address("2001:db8:0:100::1").connections(), 160);
        assert!(!address("2001:db8:0:ffff::1").fits(1, false));
        assert!(address("2001:db8:1::1").fits(10 * MIB, false));
        assert_eq!(address("2001:db8:1::1").connections(), 0);
        drop(all);
    }

    #[tokio::test]
    async fn whoever_waits_for_memory_gets_it_when_it_is_free() {
        let accounts = Accounts::for_test(160, 1);
        let one = accounts.client("192.0.2.1");
        let held = one.charge(100 * MIB);
        let waits = one.room(MIB, false);
        let frees = async {
            tokio::task::yield_now().await;
            drop(held);
            accounts.look_again();
        };
        tokio::join!(waits, frees);
        assert!(one.fits(MIB, false));
    }

    #[test]
    fn an_account_lives_as_long_as_something_is_held() {
        let accounts = Accounts::for_test(160, 1);
        let held = accounts.client("2001:db8::1").charge(5);
        assert_eq!(accounts.client("2001:db8::2").memory(), 5);
        drop(held);
        assert!(accounts.0.accounts().is_empty());
    }
}
