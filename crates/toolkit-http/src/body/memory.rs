//! Memory budget for request bodies that have not arrived completely.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits;

static RESERVED: AtomicUsize = AtomicUsize::new(0);

/// The share of one body; returned when the body is complete or dropped.
#[derive(Default)]
pub(super) struct Reservation(usize);

/// The budget is exhausted.
#[derive(Debug)]
pub(super) struct Exhausted;

impl Reservation {
    /// Reserves more.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.0 += bytes;
        let taken = RESERVED.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if taken > limits::PARTIAL_BODIES_MAX {
            Err(Exhausted)
        } else {
            Ok(())
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        RESERVED.fetch_sub(self.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_memory_is_returned() {
        let mut all = Reservation::default();
        all.grow(limits::PARTIAL_BODIES_MAX).unwrap();
        assert!(Reservation::default().grow(1).is_err());
        drop(all);
        assert!(Reservation::default().grow(1).is_ok());
    }
}
