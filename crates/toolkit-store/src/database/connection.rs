//! Database connection from the pool, to either database.

use sqlx::pool::PoolConnection;

use super::value::{Row, Value};
use crate::error::StoreError;

pub(crate) enum Connection {
    Sqlite(PoolConnection<sqlx::Sqlite>),
    Postgres(PoolConnection<sqlx::Postgres>),
}

/// Runs a statement with its values bound in turn; a macro, since the two query types share no
/// nameable trait.
macro_rules! run {
    ($connection:ident.$method:ident($sql:ident, $values:ident)) => {
        $values
            .into_iter()
            .fold(sqlx::query($sql), |query, value| match value {
                Value::Text(text) => query.bind(text),
                Value::Integer(number) => query.bind(number),
                Value::Bytes(bytes) => query.bind(bytes),
            })
            .$method(&mut **$connection)
            .await?
    };
}

impl Connection {
    /// Runs a statement and returns the number of rows changed.
    pub(crate) async fn execute<const N: usize>(
        &mut self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<u64, StoreError> {
        Ok(match self {
            Self::Sqlite(c) => run!(c.execute(sql, values)).rows_affected(),
            Self::Postgres(c) => run!(c.execute(sql, values)).rows_affected(),
        })
    }

    /// Runs a statement and returns its rows.
    pub(crate) async fn rows<const N: usize>(
        &mut self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<Vec<Row>, StoreError> {
        Ok(match self {
            Self::Sqlite(c) => run!(c.fetch_all(sql, values))
                .into_iter()
                .map(Row::Sqlite)
                .collect(),
            Self::Postgres(c) => run!(c.fetch_all(sql, values))
                .into_iter()
                .map(Row::Postgres)
                .collect(),
        })
    }

    /// Runs a statement and returns its first row, if any.
    pub(crate) async fn row<const N: usize>(
        &mut self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// Keeps other transactions about the same thing waiting until this one ends; SQLite has one
    /// writer anyway.
    pub(crate) async fn lock(&mut self, thing: &str) -> Result<(), StoreError> {
        if let Self::Postgres(_) = self {
            let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
            self.execute(sql, [thing.into()]).await?;
        }
        Ok(())
    }

    /// Selects the statement for this database, where one text does not work for both.
    pub(crate) fn either(&self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => sqlite,
            Self::Postgres(_) => postgres,
        }
    }

    /// Closes the connection at once instead of returning it to its pool.
    pub(crate) fn discard(self) {
        match self {
            Self::Sqlite(connection) => drop(connection.detach()),
            Self::Postgres(connection) => drop(connection.detach()),
        }
    }
}
