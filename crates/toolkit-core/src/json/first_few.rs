//! Bounded list of positions: the first few, and the count of all.

/// Maximum number of positions kept: more are of no use to a reader.
const PLACES_MAX: usize = 8;

/// The first few positions of something, and the total count.
#[derive(Debug, Clone)]
pub(super) struct FirstFew<T> {
    first: Vec<T>,
    count: usize,
}

impl<T> FirstFew<T> {
    /// Creates an empty list.
    pub(super) const fn new() -> Self {
        Self {
            first: Vec::new(),
            count: 0,
        }
    }

    /// Adds a position.
    #[cold]
    pub(super) fn push(&mut self, place: T) {
        self.count += 1;
        if self.first.len() < PLACES_MAX {
            self.first.push(place);
        }
    }

    /// The first few, in the order in which they were found.
    pub(super) fn first(&self) -> &[T] {
        &self.first
    }

    /// Number of positions beyond the first few.
    pub(super) fn others(&self) -> usize {
        self.count - self.first.len()
    }
}
