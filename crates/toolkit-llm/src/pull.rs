//! Generator: turns an async function that sends items into a stream.
//!
//! There is no task and no channel. The function runs only while the stream is polled, and dropping
//! the stream drops whatever the function is waiting for.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;

/// One-item slot between the function and the stream.
struct Slot<T>(Arc<Mutex<Option<T>>>);

impl<T> Slot<T> {
    fn replace(&self, value: Option<T>) -> Option<T> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut slot, value)
    }
}

/// Sends the function's items.
pub(crate) struct Sender<T>(Slot<T>);

impl<T> Sender<T> {
    /// Sends an item. Resumes when the stream is polled for the next one.
    pub(crate) async fn send(&self, item: T) {
        self.0.replace(Some(item));
        let mut handed_over = false;
        poll_fn(|_| {
            if std::mem::replace(&mut handed_over, true) {
                Poll::Ready(())
            } else {
                // No waker is needed, since the stream returns the item and is then polled again.
                Poll::Pending
            }
        })
        .await;
    }
}

/// Stream of the items that a function sends.
pub(crate) struct Pull<T> {
    slot: Slot<T>,
    run: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<T: Send + 'static> Pull<T> {
    pub(crate) fn new<F>(run: impl FnOnce(Sender<T>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let slot = Arc::new(Mutex::new(None));
        let run = run(Sender(Slot(Arc::clone(&slot))));
        Self { slot: Slot(slot), run: Some(Box::pin(run)) }
    }
}

impl<T> Stream for Pull<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(run) = self.run.as_mut() else {
            return Poll::Ready(None);
        };
        let polled = run.as_mut().poll(cx);
        if polled.is_ready() {
            self.run = None;
        }
        match self.slot.replace(None) {
            Some(item) => Poll::Ready(Some(item)),
            None if polled.is_ready() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::*;

    #[tokio::test]
    async fn items_come_in_order_and_the_function_runs_only_while_polled() {
        let made = Arc::new(Mutex::new(0));
        let count = Arc::clone(&made);
        let mut stream = Pull::new(|sender| async move {
            for item in 1..=3 {
                *count.lock().unwrap() = item;
                sender.send(item).await;
            }
        });
        assert_eq!(*made.lock().unwrap(), 0);
        for item in 1..=3 {
            assert_eq!(stream.next().await, Some(item));
            assert_eq!(*made.lock().unwrap(), item);
        }
        assert_eq!(stream.next().await, None);
        assert_eq!(stream.next().await, None);
    }

    #[tokio::test]
    async fn dropping_the_stream_drops_what_the_function_holds() {
        let held = Arc::new(());
        let inner = Arc::clone(&held);
        let mut stream = Pull::new(|sender| async move {
            sender.send(1).await;
            std::future::pending::<()>().await;
            drop(inner);
        });
        assert_eq!(stream.next().await, Some(1));
        drop(stream);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
