//! Worker: the connections of one thread. Checks them every tick, and decides which to close when
//! there are too many or clients hold too much memory.

use std::cell::RefCell;
use std::net::IpAddr;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use tokio::time::MissedTickBehavior;

use super::clock::{Clock, State, TICK};
use super::connection::{Connection, Shared};
use super::room::Rank;
use crate::accounts::{Account, CONNECTIONS_GUARANTEED, ClientId};

/// Candidates collected in one search.
const FOUND_MAX: usize = 256;

/// The connections of a worker thread.
#[derive(Default)]
pub(crate) struct Worker {
    clock: Rc<Clock>,
    connections: RefCell<Vec<Shared>>,
    /// Connections that may be closed to make room, best last, with their rank when found in this
    /// tick.
    found: RefCell<Vec<(Rank, Weak<RefCell<Connection>>)>>,
}

impl Worker {
    /// Starts the clock of the calling worker thread.
    pub(crate) fn start(state: State) -> Rc<Self> {
        let worker = Rc::new(Self { clock: Rc::new(Clock::new(state)), ..Self::default() });
        actix_web::rt::spawn(keep(Rc::downgrade(&worker)));
        worker
    }

    /// Accepts a connection if a descriptor is free. In a full server another connection is closed
    /// for it. A client at its own limit loses its longest-idle one.
    pub(crate) fn accept(&self, peer: IpAddr) -> Option<Shared> {
        let accounts = self.clock.state().accounts();
        let account = accounts.account(ClientId::new(peer));
        let is_proxy = accounts.trusts(peer);
        let [open, most] = accounts.connections();
        let is_welcome = is_proxy || account.connections() < CONNECTIONS_GUARANTEED;
        let fits = match account.full().filter(|_| !is_proxy) {
            Some(full) => self.make_room_in(full),
            None => open < most || self.make_room() || is_welcome && !accounts.is_exhausted(),
        };
        fits.then(|| self.open(&account, is_proxy))
    }

    /// Ends the longest-idle connection of an account. Returns whether there was one.
    fn make_room_in(&self, account: &Account) -> bool {
        let connections = self.connections.borrow();
        let idle = connections.iter().filter_map(|it| Some((it.borrow().idle_in(account)?, it)));
        let longest = idle.max_by_key(|(age, _)| *age);
        longest.inspect(|(_, it)| it.borrow_mut().make_room()).is_some()
    }

    /// Ends the best candidate. Returns whether there was one.
    fn make_room(&self) -> bool {
        let mut found = self.found.borrow_mut();
        if end_first(&mut found) {
            return true;
        }
        *found = self.find();
        end_first(&mut found)
    }

    /// The best candidates, all of one class.
    fn find(&self) -> Vec<(Rank, Weak<RefCell<Connection>>)> {
        let connections = self.connections.borrow();
        let ranks = connections.iter().filter_map(|connection| {
            let rank = connection.borrow().rank()?;
            Some((rank, Rc::downgrade(connection)))
        });
        let mut found: Vec<_> = ranks.collect();
        found.sort_unstable_by_key(|(rank, _)| *rank);
        let class = found.last().map(|(rank, _)| rank.0);
        let first = found.partition_point(|(rank, _)| Some(rank.0) < class);
        found.split_off(first.max(found.len().saturating_sub(FOUND_MAX)))
    }

    /// Registers a new connection.
    fn open(&self, account: &Arc<Account>, is_proxy: bool) -> Shared {
        let mut connections = self.connections.borrow_mut();
        let connection = Connection::new(&self.clock, account, is_proxy, connections.len());
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
        self.found.borrow_mut().clear();
        self.free();
        self.clock.state().accounts().look_again();
    }

    /// While the process holds too much, ends connections of slow clients, heaviest client first.
    fn free(&self) {
        if !self.clock.state().accounts().is_over_budget() {
            return;
        }
        let connections = self.connections.borrow();
        let slow = connections.iter().filter(|it| it.borrow().may_be_freed());
        let mut slow: Vec<_> = slow.map(|it| (it.borrow().client_memory(), it)).collect();
        slow.sort_unstable_by_key(|(held, _)| std::cmp::Reverse(*held));
        let _ = slow.iter().take_while(|(_, connection)| connection.borrow_mut().free()).count();
    }
}

/// Ends the first candidate that has not changed since it was ranked. Returns whether there was
/// one.
fn end_first(found: &mut Vec<(Rank, Weak<RefCell<Connection>>)>) -> bool {
    while let Some((rank, connection)) = found.pop() {
        let Some(connection) = connection.upgrade() else {
            continue;
        };
        let now = connection.borrow().rank();
        // Still on the same request, or still idle.
        if now.is_some_and(|now| now.0 >= rank.0 && now.2 >= rank.2) {
            connection.borrow_mut().make_room();
            return true;
        }
    }
    false
}

async fn keep(worker: Weak<Worker>) {
    let mut interval = actix_web::rt::time::interval(TICK);
    // While the thread is busy the clock stands still, since connections have not had their turn
    // either.
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
    use std::time::Duration;

    use super::*;
    use crate::accounts::Accounts;
    use crate::connections::clock::{self, ticks};
    use crate::connections::connection::End;
    use crate::connections::request_state::Length;
    use crate::limits;

    impl Worker {
        /// A worker of a server with this much memory.
        pub(in crate::connections) fn for_test(memory_mib: u16, client_connections: u16) -> Self {
            let accounts = Accounts::for_test(memory_mib, client_connections);
            Self { clock: Rc::new(Clock::new(State::new(accounts))), ..Self::default() }
        }

        pub(in crate::connections) fn wait(&self, time: Duration) {
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

    /// A connection that has had one request answered.
    fn idle(worker: &Worker, peer: impl Into<IpAddr>) -> Shared {
        let connection = worker.accept(peer.into()).unwrap();
        connection.borrow_mut().begin_request(Length::None, None);
        connection.borrow_mut().end_request();
        connection
    }

    /// A connection with a body arriving.
    fn upload(worker: &Worker, peer: impl Into<IpAddr>) -> Shared {
        let connection = worker.accept(peer.into()).unwrap();
        let mut begun = connection.borrow_mut();
        begun.begin_request(Length::Declared(9), None);
        let now = begun.clock.now();
        begun.request.wait(now);
        drop(begun);
        connection
    }

    fn ended(connections: &[Shared]) -> usize {
        connections.iter().filter(|it| end(it).is_some()).count()
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
    fn the_longest_idle_connection_of_a_client_or_a_network_makes_room_for_its_next_one() {
        let address = |last: usize| [192, 0, 2, u8::try_from(last).unwrap()].into();
        let v6 = |number: usize| format!("2001:db8:0:{number:x}::1").parse().unwrap();
        // A /56 gets twice the share of one client.
        let networks: [(usize, &dyn Fn(usize) -> IpAddr); 2] =
            [(9, &|_| address(1)), (18, &|number| v6(number % 3))];
        for (places, peer) in networks {
            let worker = Worker::for_test(160, 9);
            let stranger = idle(&worker, address(9));
            worker.tick();
            let upload = upload(&worker, peer(0));
            let own = (1..places).map(|number| {
                worker.tick();
                idle(&worker, peer(number))
            });
            let own: Vec<_> = own.collect();
            for number in 1..9 {
                assert!(worker.accept(peer(number)).is_some());
                assert_eq!((ended(&own), ended(&own[..number])), (number, number));
            }
            assert_eq!((end(&upload), end(&stranger)), (None, None));
        }
    }

    #[test]
    fn idle_connections_make_room_before_any_upload_even_of_an_office() {
        // Of browsers a second after a page, and of a client with more than the office just now.
        for (of_each, waited) in [(6, Duration::from_secs(1)), (18, Duration::ZERO)] {
            let worker = Worker::for_test(4, 512);
            let places = (4 << 20) / 4 / limits::CONNECTION_BYTES;
            let mut uploads = vec![upload(&worker, [192, 0, 2, 1])];
            uploads.extend((0..12).map(|_| upload(&worker, [192, 0, 2, 2])));
            let others = (0..places - uploads.len())
                .map(|number| idle(&worker, [192, 0, 3, u8::try_from(number / of_each).unwrap()]));
            let others: Vec<_> = others.collect();
            worker.wait(waited);
            for number in 1..=others.len() / 2 {
                idle(&worker, [192, 0, 4, u8::try_from(number).unwrap()]);
                assert_eq!((ended(&others), ended(&uploads)), (number, 0));
            }
        }
    }

    #[test]
    fn uploads_of_an_office_outlive_connections_just_used_by_others() {
        let worker = Worker::for_test(1, 512);
        let places = (1 << 20) / 4 / limits::CONNECTION_BYTES;
        let uploads: Vec<_> = (0..12).map(|_| upload(&worker, [192, 0, 2, 1])).collect();
        worker.wait(limits::RATE_GRACE);
        let others =
            (12..places).map(|last| idle(&worker, [192, 0, 3, u8::try_from(last).unwrap()]));
        let others: Vec<_> = others.collect();
        for number in 1..=others.len() {
            assert!(worker.accept([192, 0, 2, 2].into()).is_some());
            assert_eq!((ended(&others), ended(&uploads)), (number, 0));
        }
    }

    #[test]
    fn an_upload_that_arrives_makes_room_for_nobody_and_one_that_stopped_does() {
        let worker = Worker::for_test(1, 512);
        let places = (1 << 20) / 4 / limits::CONNECTION_BYTES;
        let peer = |last: usize| [192, 0, 2, u8::try_from(last).unwrap()].into();
        let uploads: Vec<_> = (0..places).map(|last| upload(&worker, peer(last))).collect();
        let [stopped, arriving @ ..] = &uploads[..] else { panic!("no places") };
        let a_tick = usize::try_from(clock::bytes(limits::TAKEN_PER_SECOND_MIN, 1)).unwrap();
        for _ in 0..ticks(limits::RATE_GRACE) {
            worker.tick();
            for upload in arriving {
                let mut upload = upload.borrow_mut();
                let now = upload.clock.now();
                upload.request.declared = Some(1 << 20);
                upload.request.arrived(a_tick, now);
                upload.request.wait(now);
            }
        }
        for last in 0..9 {
            assert!(worker.accept(peer(100 + last)).is_some());
            assert_eq!((ended(arriving), end(stopped)), (0, Some(End::Full)));
        }
    }

    #[test]
    fn in_a_full_server_the_flood_of_a_network_makes_room_before_a_slow_upload_and_idle_ones() {
        let worker = Worker::for_test(4, 512);
        let places = (4 << 20) / 4 / limits::CONNECTION_BYTES;
        let v6 = |number: usize| format!("2001:db8:0:{number:x}::1").parse().unwrap();
        let upload = upload(&worker, [192, 0, 2, 1]);
        let idle = idle(&worker, [192, 0, 2, 2]);
        worker.tick();
        let flood: Vec<_> = (2..places).map(|number| worker.accept(v6(number)).unwrap()).collect();
        let newcomer = worker.accept([192, 0, 2, 3].into());
        assert!(newcomer.is_some());
        assert_eq!(ended(&flood), 1);
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
        let before = ended(&flood);
        assert!(worker.accept(peer(102)).is_some());
        assert_eq!(ended(&flood), before + 1);
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

    /// A connection whose client has read `taken` bytes of its response.
    fn reader(worker: &Worker, last: u8, mib: usize, taken: usize) -> Shared {
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
    }

    #[test]
    fn all_workers_together_cut_what_the_process_holds_too_much_and_no_more() {
        let worker = Worker::for_test(160, 512);
        let clock = Rc::new(Clock::new(worker.clock.state().clone()));
        let other = Worker { clock, ..Worker::default() };
        let slow: Vec<_> = (1..=8)
            .map(|last| reader(if last % 2 == 0 { &worker } else { &other }, last, 16, 0))
            .collect();
        for _ in 0..=clock::ticks(limits::RATE_GRACE) + 1 {
            worker.tick();
            other.tick();
        }
        assert_eq!(ended(&slow), 1, "128 MiB are one too many");
        // It counts as free while it is closing.
        let more = reader(&other, 9, 16, 0);
        worker.tick();
        other.tick();
        assert_eq!(ended(&slow), 2);
        for connection in slow.iter().filter(|it| end(it).is_some()) {
            connection.borrow_mut().held = None;
            connection.borrow().close();
        }
        worker.tick();
        other.tick();
        assert_eq!((ended(&slow), end(&more)), (2, None));
    }

    #[test]
    fn past_three_quarters_the_client_that_holds_most_is_cut_unless_it_reads() {
        let worker = Worker::for_test(160, 512);
        let largest = reader(&worker, 1, 60, 60 << 20);
        let slow = reader(&worker, 2, 40, 100);
        let slower = reader(&worker, 3, 30, 0);
        worker.wait(2 * limits::RATE_GRACE);
        assert_eq!(end(&largest), None, "its client reads fast enough");
        assert_eq!((end(&slow), end(&slower)), (Some(End::Stalled), None));
    }
}
