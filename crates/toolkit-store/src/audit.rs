//! Audit: who issued, revoked, exported, imported and erased, and when.
//!
//! Entries name IDs, apps and numbers, but no person whose data was involved.

use time::OffsetDateTime;

use crate::Store;
use crate::database::{Row, new_id};
use crate::error::StoreError;
use crate::limits::PAGE_ROWS;

/// An action by the operator or a key holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Time of the action.
    pub at: OffsetDateTime,
    /// The operating system's user, or the key.
    pub actor: String,
    /// The action.
    pub action: String,
    /// The object of the action, with amounts.
    pub about: String,
}

impl Store {
    /// Records an action.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn audit(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        let sql = "INSERT INTO audit (id, at, actor, action, about) VALUES ($1, $2, $3, $4, $5)";
        let values = [
            new_id(entry.at).into(),
            entry.at.into(),
            entry.actor.as_str().into(),
            entry.action.as_str().into(),
            entry.about.as_str().into(),
        ];
        self.database().execute(sql, values).await.map(drop)
    }

    /// Lists the last thousand actions, oldest first.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn audited(&self) -> Result<Vec<AuditEntry>, StoreError> {
        let sql = "SELECT * FROM audit ORDER BY at DESC, id DESC LIMIT $1";
        let rows = self.database().rows(sql, [PAGE_ROWS.into()]).await?;
        rows.iter().rev().map(entry).collect()
    }

    /// Returns the actions that no server has logged yet, and marks them as logged.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn take_unlogged(&self) -> Result<Vec<AuditEntry>, StoreError> {
        if self
            .database()
            .rows("SELECT id FROM audit WHERE logged = 0 LIMIT 1", [])
            .await?
            .is_empty()
        {
            return Ok(Vec::new());
        }
        let sql = "UPDATE audit SET logged = 1 WHERE logged = 0 RETURNING *";
        let rows = self.database().write(move |c| Box::pin(c.rows(sql, [])));
        rows.await?.iter().map(entry).collect()
    }
}

fn entry(row: &Row) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        at: row.time("at")?,
        actor: row.get("actor")?,
        action: row.get("action")?,
        about: row.get("about")?,
    })
}
