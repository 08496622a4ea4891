//! Bounded list of positions: the first few, and the count of all.

/// More places than this say nothing that a reader can use.
const PLACES_MAX: usize = 8;

/// The first few places of something, and how many there are in all.
#[derive(Debug, Clone)]
pub(super) struct FirstFew<T> {
    first: Vec<T>,
    count: usize,
}

impl<T> FirstFew<T> {
    /// Starts with none.
    pub(super) const fn new() -> Self {
        Self {
            first: Vec::new(),
            count: 0,
        }
    }

    /// Adds a place.
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

    /// How many there are beyond the first few.
    pub(super) fn others(&self) -> usize {
        self.count - self.first.len()
    }
}
