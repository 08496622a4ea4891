//! Turns of a worker thread: new connections, and connections that have read a burst, go on a few at a
//! time.
//!
//! A worker thread polls its tasks in the order of their events, so a small request on an open
//! connection would wait for all connections and bodies that arrived with it. Turns are first come,
//! first served; that no client takes all of them is for its account and the rate limiter.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::yield_now;

/// Turns between two looks for new events.
const TURNS: usize = 4;

/// The queue of a worker thread. Each connection is in it once at most.
#[derive(Default)]
pub(crate) struct Turns(Option<UnboundedSender<oneshot::Sender<()>>>);

impl Turns {
    /// Gives turns on the calling worker thread until the queue is dropped.
    pub(super) fn start() -> Self {
        let (queue, waiting) = unbounded_channel();
        actix_web::rt::spawn(give(waiting));
        Self(Some(queue))
    }

    /// Ready when it is the caller's turn, and, with an error, when nobody gives turns.
    pub(crate) fn next(&self) -> oneshot::Receiver<()> {
        let (turn, ready) = oneshot::channel();
        if let Some(queue) = &self.0 {
            let _ = queue.send(turn);
        }
        ready
    }
}

async fn give(mut waiting: UnboundedReceiver<oneshot::Sender<()>>) {
    let mut turns = Vec::new();
    while waiting.recv_many(&mut turns, TURNS).await > 0 {
        for turn in turns.drain(..) {
            // Its connection may be closed.
            let _ = turn.send(());
        }
        // Until new events have been looked for.
        yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    #[actix_web::test]
    async fn others_run_after_every_few_turns() {
        let (turns, taken) = (Turns::start(), Rc::new(Cell::new(0)));
        for _ in 0..10 * TURNS {
            let (turn, taken) = (turns.next(), Rc::clone(&taken));
            actix_web::rt::spawn(async move {
                turn.await.unwrap();
                taken.set(taken.get() + 1);
            });
        }
        let mut last = 0;
        while taken.get() < 10 * TURNS {
            yield_now().await;
            assert!(taken.get() - last <= TURNS, "{last}, then {}", taken.get());
            last = taken.get();
        }
    }

    #[actix_web::test]
    async fn turns_come_in_order_and_none_is_lost_to_those_who_left() {
        let turns = Turns::start();
        let [first, left, last] = [turns.next(), turns.next(), turns.next()];
        drop(left);
        let order = Rc::new(Cell::new([0; 2]));
        let waits = [(first, 1), (last, 2)].map(|(turn, name)| {
            let order = Rc::clone(&order);
            actix_web::rt::spawn(async move {
                turn.await.unwrap();
                let [_, before] = order.get();
                order.set([before, name]);
            })
        });
        for wait in waits {
            wait.await.unwrap();
        }
        assert_eq!(order.get(), [1, 2]);
    }

    #[actix_web::test]
    async fn nobody_waits_where_nobody_gives_turns() {
        assert!(Turns::default().next().await.is_err());
    }
}
