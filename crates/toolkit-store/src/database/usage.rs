//! Connection pool usage.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::Pool;
use sqlx::pool::PoolConnection;

use crate::error::StoreError;

/// Usage of a store's connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Open connections.
    pub open: u32,
    /// Open connections in use.
    pub in_use: u32,
    /// Operations since the store was opened that had to wait for a connection.
    pub waits: u64,
}

/// Counts operations that had to wait.
#[derive(Debug, Clone, Default)]
pub(super) struct Waits(Arc<AtomicU64>);

impl Waits {
    /// Takes a connection, and counts a wait for another operation.
    pub(super) async fn acquire<D: sqlx::Database>(
        &self,
        pool: &Pool<D>,
    ) -> Result<PoolConnection<D>, StoreError> {
        self.note(is_busy(pool));
        Ok(pool.acquire().await?)
    }

    /// Counts a new operation if it has to wait.
    pub(super) fn note(&self, has_to_wait: bool) {
        self.0.fetch_add(u64::from(has_to_wait), Ordering::Relaxed);
    }

    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Whether all of a pool's connections are in use.
pub(super) fn is_busy<D: sqlx::Database>(pool: &Pool<D>) -> bool {
    pool.size() >= pool.options().get_max_connections() && pool.num_idle() == 0
}

/// A pool's open connections, and those in use.
pub(super) fn connections<D: sqlx::Database>(pool: &Pool<D>) -> (u32, u32) {
    let open = pool.size();
    let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
    (open, open.saturating_sub(idle))
}
