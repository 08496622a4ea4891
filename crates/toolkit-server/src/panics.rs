//! Panic handling: a panic becomes one log line, and a 500 if a request is waiting. The process
//! continues.
//!
//! Only the location is logged, and the message if it is a constant. A formatted message could
//! contain the input that caused it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind};
use std::pin::pin;
use std::task::Poll;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A caught panic.
#[derive(Debug)]
pub struct Panic {
    /// File and line. Empty when panics are not logged.
    pub place: String,
    /// The message, if it is a constant.
    pub reason: &'static str,
}

/// Runs a closure that may panic.
///
/// State that it touches must be dropped, or still be valid, after a panic.
///
/// # Errors
///
/// On a panic. It is not logged here, because the caller knows the context.
pub fn catch<R>(run: impl FnOnce() -> R) -> Result<R, Panic> {
    let before = CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(before);
    result.map_err(|payload| Panic { place: PLACE.take(), reason: constant(&*payload) })
}

/// Awaits a future that may panic.
///
/// State that it touches must be dropped, or still be valid, after a panic.
///
/// # Errors
///
/// On a panic. It is not logged here, because the caller knows the context.
pub async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Panic> {
    let mut future = pin!(future);
    poll_fn(|cx| match catch(|| future.as_mut().poll(cx)) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

/// Logs uncaught panics instead of printing them.
pub(crate) fn log_them() {
    std::panic::set_hook(Box::new(|info| {
        metrics::counter!("toolkit_panics_total").increment(1);
        let place = place(info);
        if CATCHING.get() {
            PLACE.set(place);
        } else {
            tracing::error!(place, reason = constant(info.payload()), "a thread panicked");
        }
    }));
}

fn place(info: &PanicHookInfo<'_>) -> String {
    let file_and_line = |place: &Location<'_>| format!("{}:{}", place.file(), place.line());
    info.location().map(file_and_line).unwrap_or_default()
}

fn constant(payload: &(dyn Any + Send)) -> &'static str {
    payload.downcast_ref::<&'static str>().copied().unwrap_or("(not shown)")
}

#[cfg(test)]
mod tests {
    use super::{catch, caught};

    fn fail(input: Option<&str>) -> u8 {
        match input {
            None => panic!("out of luck"),
            Some(input) => panic!("bad input {input}"),
        }
    }

    #[test]
    fn a_constant_text_is_kept_and_a_formatted_one_is_not() {
        assert_eq!(catch(|| fail(None)).err().unwrap().reason, "out of luck");
        assert_eq!(catch(|| fail(Some("c4n4ry"))).err().unwrap().reason, "(not shown)");
        assert_eq!(catch(|| 1).ok(), Some(1));
    }

    #[tokio::test]
    async fn a_panic_after_a_wait_is_caught_too() {
        let late = async {
            tokio::task::yield_now().await;
            panic!("out of luck")
        };
        let caught_panic = caught::<()>(late).await.unwrap_err();
        assert_eq!(caught_panic.reason, "out of luck");
        assert_eq!(caught(async { 1 }).await.unwrap(), 1);
    }
}
