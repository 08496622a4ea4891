//! Worker: the connections of one thread. It checks them at each tick, and decides which of them make
//! room when there are too many, or when clients hold too much memory.

use std::cell::RefCell;
use std::net::IpAddr;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use tokio::time::MissedTickBehavior;

use super::clock::{Clock, State, TICK};
use super::connection::{Connection, Shared};
use super::room::Rank;
use crate::accounts::{Account, CONNECTIONS_GUARANTEED, ClientId};

/// Connections that are found at once to make room one after the other.
const FOUND_MAX: usize = 256;

/// The connections of a worker thread.
#[derive(Default)]
pub(crate) struct Worker {
    clock: Rc<Clock>,
    connections: RefCell<Vec<Shared>>,
    /// Connections that may make room for others, the first one last, with their rank.
    found: RefCell<Vec<(Rank, Weak<RefCell<Connection>>)>>,
}

impl Worker {
    /// Starts the clock of the calling worker thread.
    pub(crate) fn start(state: State) -> Rc<Self> {
        let worker = Rc::new(Self { clock: Rc::new(Clock::new(state)), ..Self::default() });
        actix_web::rt::spawn(keep(Rc::downgrade(&worker)));
        worker
    }

    /// Accepts a connection, unless its client has too many, or there is no descriptor for it. In a
    /// full server another one makes room.
    pub(crate) fn accept(&self, peer: IpAddr) -> Option<Shared> {
        let accounts = self.clock.state().accounts();
        let account = accounts.account(ClientId::new(peer));
        let is_proxy = accounts.trusts(peer);
        if !is_proxy && account.has_all_connections() {
            return None;
        }
        let [open, most] = accounts.connections();
        let is_welcome = is_proxy || account.connections() < CONNECTIONS_GUARANTEED;
        let fits = open < most || self.make_room() || is_welcome && !accounts.is_exhausted();
        fits.then(|| self.open(&account))
    }

    /// Ends the connection that comes first; returns whether there is one.
    fn make_room(&self) -> bool {
        let mut found = self.found.borrow_mut();
        if end_first(&mut found) {
            return true;
        }
        *found = self.find();
        end_first(&mut found)
    }

    fn find(&self) -> Vec<(Rank, Weak<RefCell<Connection>>)> {
        let connections = self.connections.borrow();
        let ranks = connections.iter().filter_map(|connection| {
            let rank = connection.borrow().rank()?;
            Some((rank, Rc::downgrade(connection)))
        });
        let mut found: Vec<_> = ranks.collect();
        found.sort_unstable_by_key(|(rank, _)| *rank);
        found.split_off(found.len().saturating_sub(FOUND_MAX))
    }

    /// Registers a new connection.
    fn open(&self, account: &Arc<Account>) -> Shared {
        let mut connections = self.connections.borrow_mut();
        let connection = Connection::new(&self.clock, account, connections.len());
        let connection = Rc::new(RefCell::new(connection));
        connections.push(Rc::clone(&connection));
        connection
    }

    /// Removes a connection.
    pub(super) fn close(&self, slot: usize) {
        let mut connections = self.connections.borrow_mut();
        if slot < connections.len() {
            connections.swap_remove(slot).borrow().close();
            if let Some(moved) = connections.get(slot) {
                moved.borrow_mut().slot = slot;
            }
        }
    }

    fn tick(&self) {
        self.clock.advance();
        for connection in self.connections.borrow().iter() {
            connection.borrow_mut().check();
        }
        self.free();
        self.clock.state().accounts().look_again();
    }

    /// Ends connections of slow clients while the process holds too much: first those of the client
    /// that holds most.
    fn free(&self) {
        let mut over = self.clock.state().accounts().over_budget();
        if over == 0 {
            return;
        }
        let connections = self.connections.borrow();
        let mut slow = Vec::new();
        for connection in connections.iter() {
            let state = connection.borrow();
            if state.end().is_some() {
                over = over.saturating_sub(state.memory());
            } else if state.is_slow() {
                slow.push((state.client_memory(), connection));
            }
        }
        slow.sort_unstable_by_key(|(held, _)| std::cmp::Reverse(*held));
        for (_, connection) in slow {
            if over == 0 {
                return;
            }
            over = over.saturating_sub(connection.borrow().memory());
            connection.borrow_mut().make_room();
        }
    }
}

/// Ends the first that still is as it was found; returns whether there is one.
fn end_first(found: &mut Vec<(Rank, Weak<RefCell<Connection>>)>) -> bool {
    while let Some((rank, connection)) = found.pop() {
        let Some(connection) = connection.upgrade() else {
            continue;
        };
        let now = connection.borrow().rank();
        // The same request as before, or still none.
        if now.is_some_and(|now| now.0 == rank.0 && now.2 >= rank.2) {
            connection.borrow_mut().make_room();
            return true;
        }
    }
    false
}

async fn keep(worker: Weak<Worker>) {
    let mut interval = actix_web::rt::time::interval(TICK);
    // While the thread is busy, time does not pass: connections have not had their turn either.
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        match worker.upgrade() {
            Some(worker) => worker.tick(),
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::Accounts;
    use crate::connections::clock::ticks;
    use crate::connections::connection::End;
    use crate::connections::request_state::Length;
    use crate::limits;

    impl Worker {
        /// A worker of a server with so many MiB.
        pub(in crate::connections) fn for_test(memory_mib: u16, client_connections: u16) -> Self {
            let accounts = Accounts::for_test(memory_mib, client_connections);
            Self { clock: Rc::new(Clock::new(State::new(accounts))), ..Self::default() }
        }

        pub(in crate::connections) fn wait(&self, time: std::time::Duration) {
            (0..ticks(time)).for_each(|_| self.tick());
        }
    }

    fn end(connection: &Shared) -> Option<End> {
        connection.borrow().end()
    }

    #[test]
    fn connections_are_counted_while_they_are_open_and_all_of_them_are_checked() {
        let worker = Worker::default();
        let count = || worker.clock.state().connections();
        let [first, second, third] =
            std::array::from_fn(|_| worker.accept([127, 0, 0, 1].into()).unwrap());
        assert_eq!(count(), 3);
        worker.close(first.borrow().slot);
        worker.close(third.borrow().slot);
        assert_eq!(count(), 1);
        worker.wait(limits::HEAD_DEADLINE);
        assert_eq!(end(&second), Some(End::Idle));
        assert_eq!((end(&first), end(&third)), (None, None));
        worker.close(second.borrow().slot);
        worker.close(second.borrow().slot);
        assert_eq!(count(), 0);
    }

    #[test]
    fn a_client_has_so_many_connections_and_a_trusted_proxy_any_number() {
        let worker = Worker::for_test(160, 3);
        let client: IpAddr = [192, 0, 2, 1].into();
        let mut open: Vec<_> = (0..3).map(|_| worker.accept(client).unwrap()).collect();
        assert!(worker.accept(client).is_none());
        assert!(worker.accept([192, 0, 2, 2].into()).is_some());
        assert!((0..9).all(|_| worker.accept([10, 0, 0, 1].into()).is_some()));
        worker.close(open.pop().unwrap().borrow().slot);
        assert!(worker.accept(client).is_some());
    }

    #[test]
    fn in_a_full_server_the_flood_of_a_network_makes_room_before_a_slow_upload_and_idle_ones() {
        let worker = Worker::for_test(1, 512);
        let places = (1 << 20) / 4 / limits::CONNECTION_BYTES;
        let v6 = |number: usize| format!("2001:db8:0:{number:x}::1").parse().unwrap();
        let upload = worker.accept([192, 0, 2, 1].into()).unwrap();
        upload.borrow_mut().begin_request(Length::Declared(9), None);
        upload.borrow_mut().request.await_body();
        let idle = worker.accept([192, 0, 2, 2].into()).unwrap();
        idle.borrow_mut().begin_request(Length::None, None);
        idle.borrow_mut().end_request();
        worker.tick();
        let flood: Vec<_> = (2..places).map(|number| worker.accept(v6(number)).unwrap()).collect();
        let newcomer = worker.accept([192, 0, 2, 3].into());
        assert!(newcomer.is_some());
        assert_eq!(flood.iter().filter(|it| end(it).is_some()).count(), 1);
        (2..flood.len()).for_each(|_| assert!(worker.accept(v6(1)).is_some()));
        assert_eq!((end(&upload), end(&idle)), (None, None));
    }

    #[test]
    fn room_is_looked_for_again_when_those_that_were_found_have_gone_on() {
        let worker = Worker::for_test(1, 512);
        let places = (1 << 20) / 4 / limits::CONNECTION_BYTES;
        let peer = |last: usize| [192, 0, 2, u8::try_from(last).unwrap()].into();
        let flood: Vec<_> = (0..places).map(|last| worker.accept(peer(last)).unwrap()).collect();
        worker.wait(limits::RATE_GRACE);
        assert!(worker.accept(peer(101)).is_some());
        for connection in flood.iter().filter(|it| end(it).is_none()) {
            connection.borrow_mut().begin_request(Length::None, None);
            connection.borrow_mut().end_request();
        }
        let ended = || flood.iter().filter(|it| end(it).is_some()).count();
        let before = ended();
        assert!(worker.accept(peer(102)).is_some());
        assert_eq!(ended(), before + 1);
    }

    #[test]
    fn a_client_opens_eight_connections_when_nobody_can_make_room_for_them() {
        let worker = Worker::for_test(1, 512);
        let places = (1 << 20) / 4 / limits::CONNECTION_BYTES;
        for last in 0..places {
            let peer = [192, 0, 2, u8::try_from(last).unwrap()];
            let working = worker.accept(peer.into()).unwrap();
            working.borrow_mut().begin_request(Length::None, None);
        }
        let newcomer: IpAddr = [192, 0, 2, 99].into();
        for _ in 0..CONNECTIONS_GUARANTEED {
            let connection = worker.accept(newcomer).unwrap();
            connection.borrow_mut().begin_request(Length::None, None);
        }
        assert!(worker.accept(newcomer).is_none());
    }

    #[test]
    fn past_three_quarters_the_client_that_holds_most_is_cut_unless_it_reads() {
        let worker = Worker::for_test(160, 512);
        let reader = |last, mib: usize, taken: usize| {
            let connection = worker.accept([192, 0, 2, last].into()).unwrap();
            let mut held = connection.borrow_mut();
            held.begin_request(Length::None, None);
            held.hold(mib << 20);
            held.begin_answer(Some((mib as u64) << 20));
            held.end_request();
            held.wrote(1, None);
            held.wrote(1, Some(taken));
            held.wrote(1, None);
            drop(held);
            connection
        };
        let largest = reader(1, 60, 60 << 20);
        let slow = reader(2, 40, 100);
        let slower = reader(3, 30, 0);
        worker.wait(2 * limits::RATE_GRACE);
        assert_eq!(end(&largest), None, "it takes its answer in time");
        assert_eq!((end(&slow), end(&slower)), (Some(End::Stalled), None));
    }
}
