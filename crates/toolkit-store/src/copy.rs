//! Copy: all records to another database, to move from SQLite to PostgreSQL or back.
//!
//! The source is read in one snapshot and the target written in one transaction, so an interrupted
//! copy leaves nothing behind. Rows are streamed in constant memory. Leaves out records that arrive
//! meanwhile, so stop the servers first.

use futures::TryStreamExt as _;

use crate::Store;
use crate::database::Connection;
use crate::error::StoreError;
use crate::limits::COPY_ROWS;

/// Tables with records. Each comes after those it refers to.
pub(crate) const TABLES: [&str; 10] = [
    "api_keys",
    "contacts",
    "subscriptions",
    "subscription_tokens",
    "outbox",
    "spent_challenges",
    "idempotency_keys",
    "secrets",
    "webhooks_off",
    "audit",
];

/// The reason nothing was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source has no records.
    #[error("there is nothing to copy: the configured database has no records")]
    Nothing,
    /// The target is in use.
    #[error("the target already has records, so nothing was copied. It must be an empty database")]
    NotEmpty,
    /// A table in the target has other rows than those copied.
    #[error(
        "another program has written to `{0}` in the target meanwhile, so nothing was copied. Stop that program"
    )]
    Changed(&'static str),
    /// One of the databases failed.
    #[error("nothing was copied: {0}")]
    Database(#[from] StoreError),
}

impl Store {
    /// Copies all records to an empty database and returns their number. `may_be_empty` allows a
    /// source without records.
    ///
    /// # Errors
    ///
    /// The cause. The target is unchanged then.
    pub async fn copy_to(&self, target: &Self, may_be_empty: bool) -> Result<i64, CopyError> {
        let mut from = self.database().connection(true).await?;
        let mut to = target.database().connection(false).await?;
        let copied = transfer(&mut from, &mut to, may_be_empty).await;
        // Also ends transactions that are still open.
        from.close().await;
        to.close().await;
        copied
    }
}

async fn transfer(
    from: &mut Connection,
    to: &mut Connection,
    may_be_empty: bool,
) -> Result<i64, CopyError> {
    let snapshot = from.either("BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    from.execute(snapshot, []).await?;
    to.execute(to.either("BEGIN IMMEDIATE", "BEGIN"), []).await?;
    from.lift_limits().await?;
    to.lift_limits().await?;
    to.lock("copy").await?;
    // A program may have created these in an otherwise empty database.
    to.execute("DELETE FROM secrets", []).await?;
    to.execute("DELETE FROM audit", []).await?;
    for table in TABLES {
        if count(to, table).await? > 0 {
            return Err(CopyError::NotEmpty);
        }
    }
    to.execute("DELETE FROM clock", []).await?;
    rows(from, to, "clock").await?;
    let mut all = 0;
    for table in TABLES {
        rows(from, to, table).await?;
        let copied = count(to, table).await?;
        if copied != count(from, table).await? {
            return Err(CopyError::Changed(table));
        }
        all += copied;
    }
    if all == 0 && !may_be_empty {
        return Err(CopyError::Nothing);
    }
    to.execute("COMMIT", []).await.map_err(StoreError::of_commit)?;
    Ok(all)
}

async fn rows(
    from: &mut Connection,
    to: &mut Connection,
    table: &'static str,
) -> Result<(), StoreError> {
    let mut chunks = from.stream(format!("SELECT * FROM {table}")).try_chunks(COPY_ROWS);
    while let Some(rows) = chunks.try_next().await.map_err(|failed| failed.1)? {
        to.insert(table, &rows).await?;
    }
    Ok(())
}

pub(crate) async fn count(connection: &mut Connection, table: &str) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) AS count FROM {table}");
    let row = connection.stream(sql).try_next().await?;
    row.map_or(Ok(0), |row| row.get("count"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_table_is_copied_but_those_of_the_program_itself() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/store.db", folder.path().display());
        let store = Store::open(&url, 1).await.unwrap();
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
        let rows = store.database().rows(sql, []).await.unwrap();
        let names = rows.iter().map(|row| row.get::<String>("name").unwrap());
        let mut known = TABLES.to_vec();
        known.extend(["_sqlx_migrations", "clock", "heartbeat"]);
        known.sort_unstable();
        assert_eq!(names.collect::<Vec<_>>(), known);
    }
}
