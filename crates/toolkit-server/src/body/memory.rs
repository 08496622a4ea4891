//! Memory budget for request bodies that have not arrived completely.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits;

static RESERVED: AtomicUsize = AtomicUsize::new(0);

/// The share of one body; returned when the body is complete or dropped.
#[derive(Default)]
pub(super) struct Reservation(usize);

impl Reservation {
    /// Reserves more; returns whether the budget suffices.
    pub(super) fn grow(&mut self, bytes: usize) -> bool {
        self.0 += bytes;
        let before = RESERVED.fetch_add(bytes, Ordering::Relaxed);
        before + bytes <= limits::PARTIAL_BODIES_MAX
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
        assert!(all.grow(limits::PARTIAL_BODIES_MAX));
        assert!(!Reservation::default().grow(1));
        drop(all);
        assert!(Reservation::default().grow(1));
    }
}
