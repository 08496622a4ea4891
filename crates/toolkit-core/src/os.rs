//! Operating system context: its clock and its randomness.

use std::sync::Arc;

use time::OffsetDateTime;

use crate::context::Context;
use crate::ids::{OsRandom, SEQUENCE};

impl Context {
    /// Creates the context of a call now, with the randomness of the operating system.
    ///
    /// ```
    /// let mut ctx = toolkit_core::Context::system();
    /// let (sequence, random) = ctx.sequence();
    /// assert_eq!(toolkit_core::ids::uuids_v4(random, 2).len(), 2);
    /// ```
    pub fn system() -> Self {
        Self::new(OffsetDateTime::now_utc(), OsRandom, Arc::clone(&SEQUENCE))
    }
}
