//! Bounded list of positions: the first few, and the count of all.

use crate::warnings::Warnings;

/// Maximum number of positions kept: more are of no use to a reader.
const PLACES_MAX: usize = 8;

/// The first few positions of something, and the total count.
#[derive(Debug, Default)]
pub(super) struct FirstFew<T> {
    first: Vec<T>,
    count: usize,
}

impl<T> FirstFew<T> {
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

    /// Warns of each of the first few, and of the number of the others.
    pub(super) fn warn(
        &self,
        warnings: &mut Warnings,
        sentence: impl Fn(&T) -> String,
        one_more: &'static str,
        more: &str,
    ) {
        for place in &self.first {
            warnings.push(sentence(place));
        }
        match self.count - self.first.len() {
            0 => {}
            1 => warnings.push(one_more),
            others => warnings.push(format!("{others} {more}")),
        }
    }
}
