//! Memory budget for request bodies that have not arrived completely.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits;

static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// The part of one body; it is given back when the body is complete or gone.
#[derive(Default)]
pub(super) struct Reservation(usize);

/// There is no more to take.
#[derive(Debug)]
pub(super) struct Exhausted;

impl Reservation {
    /// Takes more.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.0 += bytes;
        let taken = TAKEN.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if taken > limits::PARTIAL_BODIES_MAX {
            Err(Exhausted)
        } else {
            Ok(())
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        TAKEN.fetch_sub(self.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_given_back() {
        let mut all = Reservation::default();
        all.grow(limits::PARTIAL_BODIES_MAX).unwrap();
        assert!(Reservation::default().grow(1).is_err());
        drop(all);
        assert!(Reservation::default().grow(1).is_ok());
    }
}
