//! Database connection from the pool of either database.

use futures::stream::{BoxStream, StreamExt as _, TryStreamExt as _};
use sqlx::pool::PoolConnection;
use sqlx::{AssertSqlSafe, Connection as _, QueryBuilder};

use super::value::{Row, Value};
use crate::error::StoreError;

pub(crate) enum Connection {
    Sqlite(PoolConnection<sqlx::Sqlite>),
    /// The flag tells whether each transaction may run in another session, which knows no named
    /// statements.
    Postgres(PoolConnection<sqlx::Postgres>, bool),
}

/// Runs a statement with its values bound in order. A macro, since the two query types share no
/// nameable trait.
macro_rules! run {
    ($connection:ident.$method:ident($sql:ident, $values:ident), $is_named:expr) => {
        $values
            .into_iter()
            .fold(sqlx::query($sql).persistent($is_named), |query, value| match value {
                Value::Text(text) => query.bind(text),
                Value::Integer(number) => query.bind(number),
                Value::Bytes(bytes) => query.bind(bytes),
            })
            .$method(&mut **$connection)
            .await?
    };
}

/// Inserts rows with one statement. A macro for the same reason.
macro_rules! insert {
    ($connection:ident: $database:ty, $table:ident, $names:ident, $rows:ident, $is_named:expr) => {
        QueryBuilder::<$database>::new(format!("INSERT INTO {} ({}) ", $table, $names))
            .push_values($rows, |mut line, values| {
                for value in values {
                    match value {
                        Value::Text(text) => line.push_bind(text),
                        Value::Integer(number) => line.push_bind(number),
                        Value::Bytes(bytes) => line.push_bind(bytes),
                    };
                }
            })
            .build()
            .persistent($is_named)
            .execute(&mut **$connection)
            .await
            .map(drop)?
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
            Self::Sqlite(c) => run!(c.execute(sql, values), true).rows_affected(),
            Self::Postgres(c, is_pooled) => {
                run!(c.execute(sql, values), !*is_pooled).rows_affected()
            }
        })
    }

    /// Runs a statement and returns its rows.
    pub(crate) async fn rows<const N: usize>(
        &mut self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<Vec<Row>, StoreError> {
        Ok(match self {
            Self::Sqlite(c) => {
                run!(c.fetch_all(sql, values), true).into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres(c, is_pooled) => {
                let rows = run!(c.fetch_all(sql, values), !*is_pooled);
                rows.into_iter().map(Row::Postgres).collect()
            }
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

    /// Runs a statement and returns its rows as they arrive.
    pub(crate) fn stream(&mut self, sql: String) -> BoxStream<'_, Result<Row, StoreError>> {
        let query = AssertSqlSafe(sql);
        match self {
            Self::Sqlite(c) => {
                sqlx::query(query).fetch(&mut **c).map_ok(Row::Sqlite).err_into().boxed()
            }
            Self::Postgres(c, is_pooled) => {
                let rows = sqlx::query(query).persistent(!*is_pooled).fetch(&mut **c);
                rows.map_ok(Row::Postgres).err_into().boxed()
            }
        }
    }

    /// Inserts rows from either database into a table with the same columns.
    pub(crate) async fn insert(&mut self, table: &str, rows: &[Row]) -> Result<(), StoreError> {
        let names = rows.first().map_or_else(Vec::new, Row::names).join(", ");
        let rows = rows.iter().map(Row::values);
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        match self {
            Self::Sqlite(c) => insert!(c: sqlx::Sqlite, table, names, rows, true),
            Self::Postgres(c, is_pooled) => {
                insert!(c: sqlx::Postgres, table, names, rows, !*is_pooled);
            }
        }
        Ok(())
    }

    /// Lifts the transaction's time limits, for work that grows with the number of rows.
    pub(crate) async fn lift_limits(&mut self) -> Result<(), StoreError> {
        if let Self::Postgres(..) = self {
            let sql = "SELECT set_config('statement_timeout', '0', true), \
                       set_config('lock_timeout', '0', true), \
                       set_config('idle_in_transaction_session_timeout', '0', true)";
            self.execute(sql, []).await?;
        }
        Ok(())
    }

    /// Makes other transactions about the same thing wait for this one to end. SQLite has only one
    /// writer anyway.
    pub(crate) async fn lock(&mut self, thing: &str) -> Result<(), StoreError> {
        if let Self::Postgres(..) = self {
            let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
            self.execute(sql, [thing.into()]).await?;
        }
        Ok(())
    }

    /// Selects the database's statement, where one text does not work for both.
    pub(crate) fn either(&self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => sqlite,
            Self::Postgres(..) => postgres,
        }
    }

    /// Closes the connection and waits for it, after which SQLite has a single file.
    pub(crate) async fn close(self) {
        // An earlier failure has been reported already.
        let _ = match self {
            Self::Sqlite(connection) => connection.detach().close().await,
            Self::Postgres(connection, _) => connection.detach().close().await,
        };
    }

    /// Closes the connection instead of returning it to the pool.
    pub(crate) fn discard(self) {
        match self {
            Self::Sqlite(connection) => drop(connection.detach()),
            Self::Postgres(connection, _) => drop(connection.detach()),
        }
    }
}
