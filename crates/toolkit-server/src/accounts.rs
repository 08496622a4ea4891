//! Accounts: what each client holds of a server, and the gates that a request passes.
//!
//! | Gate | Limit | Past it the caller gets | Setting | Test |
//! | --- | --- | --- | --- | --- |
//! | connections of a client | 512 | closed at once | `limits.client_connections` | `http::accounts` |
//! | connections of the process | descriptors; a quarter of the memory | an incomplete request, or the longest idle connection, makes room | `ulimit -n`, `limits.memory_mib` | `api::honest`, `worker` |
//! | a head | 5 s, 128 KiB | closed; 431 | | `http::stream` |
//! | an idle connection | 30 s | closed | | `connection` |
//! | a body | 15 s | 408 | | `http::body` |
//! | the size of a body | 1 MiB, and so much framing of chunks | 413 | `http.body_limit_bytes` | `http::body`, `http::stream` |
//! | requests of a client or a key | a rate | 429 | `limits.*_per_minute` | `api::limits` |
//! | memory | a sixteenth for each client while half is in use; the whole | a large request waits, then 503 | `limits.memory_mib` | `accounts`, `http::accounts` |
//! | slow clients, over three quarters of the memory | an answer whole within 30 s, or 16 KiB a second | those of the client that holds most are cut, or get 503 | `limits.memory_mib` | `worker`, `http::accounts` |
//! | an answer of which nothing is taken | 60 s | cut | | `connection` |
//! | work on the pool | one for each core, clients in turn | waits, then 503 after 10 s | | `runner::pool` |
//! | chats at once | 1,024 | 503 | | `api::shares` |
//!
//! Accounts form a tree. An IPv4 address has an account of its own; an IPv6 address has that of its
//! /64, which is part of the ones of its /56 and its /48, with 2 and 4 times the share. Whatever a
//! client holds counts in all of them.
//!
//! Memory counts as what exists: a body as it arrives, a result at its length. A small request does
//! not wait for what others hold, nor for what its own client does while the process has room.

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

/// Part of the memory that one client may hold while the process holds more than half of it.
const SHARE: usize = 16;

/// Bytes that a small request needs at most.
pub(crate) const SMALL: usize = 64 << 10;

/// Connections that a client may open even if all others have to make room.
pub(crate) const CONNECTIONS_GUARANTEED: usize = 8;

/// The accounts of a server.
#[derive(Clone, Debug)]
pub struct Accounts(Arc<Process>);

#[derive(Debug)]
struct Process {
    proxies: Proxies,
    memory_max: usize,
    /// Connections past which one makes room for another.
    connections_max: usize,
    /// Connections for which there are descriptors.
    descriptors_max: usize,
    client_connections_max: usize,
    memory: AtomicUsize,
    connections: AtomicUsize,
    /// Turns that clients have had on the pool.
    turns: AtomicU64,
    /// Notified when those who wait for memory are to look again.
    look: Notify,
    /// The accounts of clients that hold anything.
    accounts: Mutex<HashMap<ClientId, Weak<Account>>>,
    /// The last request of `doctor`, by its id.
    seen: Mutex<Option<(String, Seen)>>,
}

impl Default for Accounts {
    fn default() -> Self {
        Self::new(&Limits::default(), &Http::default())
    }
}

impl Accounts {
    /// The accounts of a server with these limits.
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
            connections: AtomicUsize::new(0),
            turns: AtomicU64::new(0),
            look: Notify::new(),
            accounts: Mutex::default(),
            seen: Mutex::default(),
        }))
    }

    /// The account of a client.
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
            // After those who wait already.
            turn: AtomicU64::new(self.0.turns.load(Relaxed)),
        });
        accounts.insert(id, Arc::downgrade(&account));
        account
    }

    /// For whose the request of `doctor` with this id counts, if it was the last one.
    pub(crate) fn seen(&self, id: &str) -> Option<Seen> {
        self.0.seen().clone().filter(|(known, _)| known == id).map(|(_, seen)| seen)
    }

    /// Whether the connections of a peer are those of many clients.
    pub(crate) fn trusts(&self, peer: IpAddr) -> bool {
        self.0.proxies.trusts(peer)
    }

    /// The trusted proxies.
    pub(crate) fn proxies(&self) -> &Proxies {
        &self.0.proxies
    }

    /// Open connections, and how many there may be before one makes room for another.
    pub(crate) fn connections(&self) -> [usize; 2] {
        [self.0.connections.load(Relaxed), self.0.connections_max]
    }

    /// Whether there is no descriptor for another connection.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.0.connections.load(Relaxed) >= self.0.descriptors_max
    }

    /// Bytes that are held, and how many may be held.
    pub(crate) fn memory(&self) -> [usize; 2] {
        [self.0.memory.load(Relaxed), self.0.memory_max]
    }

    /// Bytes that slow clients hold too much: those past three quarters of the memory.
    pub(crate) fn over_budget(&self) -> usize {
        let [held, most] = self.memory();
        held.saturating_sub(most / 4 * 3)
    }

    /// Whether so much memory is free.
    pub(crate) fn fits_process(&self, bytes: usize) -> bool {
        let [held, most] = self.memory();
        held.saturating_add(bytes) <= most
    }

    /// Lets those who wait for memory look for it again. A worker does so at each tick.
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

/// What one client holds. It exists as long as it holds anything.
#[derive(Debug)]
pub struct Account {
    accounts: Accounts,
    id: ClientId,
    /// The account of its prefix.
    parent: Option<Arc<Self>>,
    memory: AtomicUsize,
    connections: AtomicUsize,
    /// Its last turn on the pool.
    turn: AtomicU64,
}

impl Account {
    /// The account of the client of a request. Outside our server, as in a unit test, it is that of
    /// an unknown one.
    pub fn of(request: &HttpRequest) -> Arc<Self> {
        let known = request.extensions().get::<Arc<Self>>().map(Arc::clone);
        known.unwrap_or_else(|| Accounts::default().account(ClientId::new(UNKNOWN)))
    }

    /// The client that a back end made a request for: a visitor of its own.
    pub fn visitor_of(request: &HttpRequest) -> ClientId {
        let peer = request.peer_addr().map_or(UNKNOWN, |address| address.ip());
        let accounts = &Self::of(request).accounts;
        accounts.proxies().visitor(peer, request.headers())
    }

    /// Keeps for whose a request of `doctor` counts.
    pub(crate) fn note(request: &HttpRequest, id: &str) {
        let account = Self::of(request);
        let peer = request.peer_addr().map_or(UNKNOWN, |address| address.ip().to_canonical());
        let accounts = &account.accounts;
        let named = accounts.proxies().visitor(peer, request.headers());
        let seen = Seen {
            client: account.id.address(),
            peer,
            is_named_in_vain: named != account.id && !accounts.trusts(peer),
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

    /// The account and those of its prefixes.
    fn line(&self) -> impl Iterator<Item = &Self> {
        successors(Some(self), |account| account.parent.as_deref())
    }

    /// The most that it or one of its prefixes holds, in terms of the share of one client.
    fn most(&self, held: impl Fn(&Self) -> &AtomicUsize) -> usize {
        let line = self.line();
        let held = line.map(|account| held(account).load(Relaxed) / account.id.shares());
        held.max().unwrap_or_default()
    }

    /// Bytes that it holds.
    pub(crate) fn memory(&self) -> usize {
        self.most(|account| &account.memory)
    }

    /// Connections that it has open.
    pub(crate) fn connections(&self) -> usize {
        self.most(|account| &account.connections)
    }

    /// Whether it may not open another connection.
    pub(crate) fn has_all_connections(&self) -> bool {
        self.connections() >= self.accounts.0.client_connections_max
    }

    /// Opens a connection, or takes over one.
    pub(crate) fn open(&self) {
        for account in self.line() {
            account.connections.fetch_add(1, Relaxed);
        }
        self.accounts.0.connections.fetch_add(1, Relaxed);
    }

    /// Closes a connection, or passes it on.
    pub(crate) fn close(&self) {
        for account in self.line() {
            account.connections.fetch_sub(1, Relaxed);
        }
        self.accounts.0.connections.fetch_sub(1, Relaxed);
    }

    /// When it and its prefixes last had a turn on the pool, the largest prefix first.
    pub(crate) fn turn(&self) -> [u64; 3] {
        let mut turns = [self.turn.load(Relaxed); 3];
        for (turn, account) in turns.iter_mut().rev().zip(self.line()) {
            *turn = account.turn.load(Relaxed);
        }
        turns
    }

    /// Takes a turn on the pool.
    pub(crate) fn take_turn(&self) {
        let turn = self.accounts.0.turns.fetch_add(1, Relaxed) + 1;
        for account in self.line() {
            account.turn.store(turn, Relaxed);
        }
    }

    /// Whether so many bytes stay within its share.
    fn fits_client(&self, bytes: usize) -> bool {
        let share = self.accounts.0.memory_max / SHARE;
        self.memory().saturating_add(bytes) <= share
    }

    /// Whether a request may hold so many bytes more. Those of a small one may exceed the memory by a
    /// quarter; a client over its share leaves half of the memory to the others.
    pub(crate) fn fits(&self, bytes: usize, is_small: bool) -> bool {
        let quarters = match (is_small, self.fits_client(bytes)) {
            (true, true) => 5,
            (false, true) => 4,
            (true, false) => 3,
            (false, false) => 2,
        };
        let [held, most] = self.accounts.memory();
        held.saturating_add(bytes) <= most / 4 * quarters
    }

    /// Waits until a request may hold so many bytes more.
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

impl Drop for Account {
    fn drop(&mut self) {
        let mut accounts = self.accounts.0.accounts();
        // The client may have a new account already.
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
    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Holds so many bytes instead.
    pub(crate) fn set(&mut self, bytes: usize) {
        let process = &self.account.accounts.0;
        let counts = self.account.line().map(|account| &account.memory);
        for count in counts.chain([&process.memory]) {
            // Never less in between, so that no count falls below zero.
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
        /// Accounts of a server with so many MiB, whose clients have a sixteenth of it.
        pub(crate) fn for_test(memory_mib: u16, client_connections: u16) -> Self {
            let limits = Limits { memory_mib, client_connections, ..Limits::default() };
            let http = Http {
                trusted_proxies: vec![crate::settings::Network::parse("10.0.0.0/8").unwrap()],
                ..Http::default()
            };
            Self::new(&limits, &http)
        }

        /// Account of the client at this address.
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
        assert!(!small.fits(1, true), "there is an end");
        drop(large);
        assert!(small.fits(1, false));
    }

    #[test]
    fn networks_of_ipv6_have_a_few_times_the_share_of_a_client() {
        let accounts = Accounts::for_test(160, 10);
        // Each of them as much as one client may, in 64 networks of one /50.
        let all: Vec<_> = (0..64)
            .map(|number| {
                let account = accounts.client(&format!("2001:db8:0:{number:x}::1"));
                (0..10).for_each(|_| account.open());
                let charge = account.charge(2 * MIB);
                (account, charge)
            })
            .collect();
        let address = |text| accounts.client(text);
        // The /56 has 64 of them, the /48 too.
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
