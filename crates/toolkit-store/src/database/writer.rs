//! SQLite writer: one task that commits waiting operations together.
//!
//! SQLite lets one connection write at a time, and a commit waits for the disk. So operations queue
//! here and are committed together: fifty cost one flush instead of fifty. Each still succeeds or
//! fails separately, in its own savepoint, and none is answered before the commit.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::FutureExt;
use sqlx::SqlitePool;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::Work;
use super::connection::Connection;
use super::file::File;
use crate::error::{Reason, StoreError};
use crate::limits::{BATCH_MAX, OPERATION_TIMEOUT, WRITE_QUEUE_MAX};

pub(super) struct Writer {
    queue: mpsc::Sender<Box<dyn Job>>,
}

impl Writer {
    /// Starts the writer task. It ends with the last sender.
    pub(super) fn start(pool: SqlitePool, file: Arc<File>) -> Self {
        let (queue, jobs) = mpsc::channel(WRITE_QUEUE_MAX);
        tokio::spawn(run(pool, file, jobs));
        Self { queue }
    }

    /// Whether operations are queued.
    pub(super) fn has_queue(&self) -> bool {
        self.queue.capacity() < self.queue.max_capacity()
    }

    /// Runs an operation in a transaction and returns once it is committed.
    pub(super) async fn write<T, F>(&self, operation: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let begun = Arc::new(AtomicBool::new(false));
        let task =
            Task { operation: Some(operation), outcome: None, answer, begun: Arc::clone(&begun) };
        self.queue.try_send(Box::new(task)).map_err(|_| StoreError::unavailable(Reason::Busy))?;
        match timeout(OPERATION_TIMEOUT, answered).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(StoreError::internal("the writer has stopped")),
            Err(_) => {
                let error = StoreError::unavailable(Reason::TimedOut);
                // Withdraws the operation if the writer has not begun it.
                Err(if begun.swap(true, Ordering::Relaxed) { error.of_commit() } else { error })
            }
        }
    }
}

/// A queued operation, independent of its result type.
trait Job: Send {
    /// Whether to run it: its caller is still waiting and can no longer withdraw it.
    fn begin(&self) -> bool;
    /// Runs it, stores its outcome, and returns its failure.
    fn run<'c>(&'c mut self, connection: &'c mut Connection) -> Work<'c, ()>;
    /// Sends the caller the outcome, or the commit's failure.
    fn answer(self: Box<Self>, commit: Result<(), StoreError>);
}

struct Task<F, T> {
    operation: Option<F>,
    outcome: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
    /// Set by the writer that begins it or the caller that withdraws it, whichever comes first.
    begun: Arc<AtomicBool>,
}

impl<F, T> Job for Task<F, T>
where
    T: Send + 'static,
    F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send,
{
    fn begin(&self) -> bool {
        !self.answer.is_closed() && !self.begun.swap(true, Ordering::Relaxed)
    }

    fn run<'c>(&'c mut self, connection: &'c mut Connection) -> Work<'c, ()> {
        Box::pin(async move {
            let Some(operation) = self.operation.take() else {
                return Ok(());
            };
            let outcome = operation(connection).await;
            let failure = outcome.as_ref().err().cloned();
            self.outcome = Some(outcome);
            failure.map_or(Ok(()), Err)
        })
    }

    fn answer(self: Box<Self>, commit: Result<(), StoreError>) {
        let result = match (self.outcome, commit) {
            // An operation's own failure is more specific than the batch's.
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (Some(outcome), Ok(())) => outcome,
            (None, Ok(())) => Err(StoreError::unavailable(Reason::TimedOut)),
        };
        // The caller may have gone.
        let _ = self.answer.send(result);
    }
}

async fn run(pool: SqlitePool, file: Arc<File>, mut queue: mpsc::Receiver<Box<dyn Job>>) {
    while let Some(first) = queue.recv().await {
        let mut batch = vec![first];
        let result = match pool.acquire().await {
            Ok(connection) => {
                let mut connection = Connection::Sqlite(connection);
                let work = commit_together(&mut connection, &mut batch, &mut queue);
                // A panic must not end the task, since writes would stop.
                let result = AssertUnwindSafe(work)
                    .catch_unwind()
                    .await
                    .unwrap_or_else(|_| Err(StoreError::internal("an operation panicked")))
                    // Writes to a file that is gone by now must not be acknowledged.
                    .and_then(|()| file.check().map_err(StoreError::of_commit));
                if result.is_err() {
                    // Also ends a transaction that is still open.
                    connection.discard();
                }
                result
            }
            Err(error) => Err(error.into()),
        };
        if result.is_err() {
            // Queued operations would only run into the same lock or disk, one after the other.
            while let Ok(job) = queue.try_recv() {
                batch.push(job);
            }
        }
        for job in batch {
            job.answer(result.clone());
        }
    }
}

/// Runs the batch's jobs, and those queued meanwhile, in one transaction.
async fn commit_together(
    connection: &mut Connection,
    batch: &mut Vec<Box<dyn Job>>,
    queue: &mut mpsc::Receiver<Box<dyn Job>>,
) -> Result<(), StoreError> {
    connection.execute("BEGIN IMMEDIATE", []).await?;
    while let Some(job) = batch.last_mut() {
        if job.begin() {
            run_in_savepoint(connection, &mut **job).await?;
        }
        if batch.len() >= BATCH_MAX {
            break;
        }
        match queue.try_recv() {
            Ok(next) => batch.push(next),
            Err(_) => break,
        }
    }
    let committed = connection.execute("COMMIT", []).await;
    committed.map(drop).map_err(StoreError::of_commit)
}

async fn run_in_savepoint(
    connection: &mut Connection,
    job: &mut dyn Job,
) -> Result<(), StoreError> {
    connection.execute("SAVEPOINT job", []).await?;
    if let Err(error) = job.run(connection).await {
        // If SQLite has rolled back the whole transaction (full disk, I/O error), the savepoint is
        // gone and the cause has failed the batch.
        connection.execute("ROLLBACK TO job", []).await.map_err(|_| error)?;
    }
    connection.execute("RELEASE job", []).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::sleep;

    use super::*;
    use crate::database::{Access, Database};

    #[tokio::test]
    async fn a_panic_fails_its_operation_and_the_next_one_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/store.db", folder.path().display());
        let database = Database::new(&url, 2.into()).unwrap();
        database.open(Access::Migrate).await.unwrap();
        let sql = "UPDATE heartbeat SET beats = beats + 1";
        for _ in 0..3 {
            let panicked: Result<(), _> = database
                .write(move |c| {
                    Box::pin(async move {
                        c.execute(sql, []).await?;
                        panic!("as if by a bug")
                    })
                })
                .await;
            assert!(matches!(panicked, Err(StoreError::Internal { .. })), "{panicked:?}");
            database.write(move |c| Box::pin(c.execute(sql, []))).await.unwrap();
        }
        let row = database.read(|c| Box::pin(c.row("SELECT beats FROM heartbeat", []))).await;
        assert_eq!(row.unwrap().unwrap().get::<i64>("beats").unwrap(), 3);
    }

    #[tokio::test]
    async fn a_write_that_takes_too_long_may_be_stored_and_one_that_has_not_begun_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/store.db", folder.path().display());
        let database = Database::new(&url, 2.into()).unwrap();
        database.open(Access::Migrate).await.unwrap();
        let slow = database.write(|c| {
            Box::pin(async move {
                sleep(OPERATION_TIMEOUT + Duration::from_secs(2)).await;
                c.execute("UPDATE heartbeat SET beats = 10", []).await
            })
        });
        let queued = async {
            sleep(Duration::from_millis(500)).await;
            let sql = "UPDATE heartbeat SET beats = beats + 100";
            database.execute(sql, []).await
        };
        let (slow, queued) = futures::future::join(slow, queued).await;
        assert!(matches!(slow, Err(StoreError::Uncertain { .. })), "{slow:?}");
        let reason = Reason::TimedOut;
        assert!(
            matches!(queued, Err(StoreError::Unavailable { reason: it, .. }) if it == reason),
            "{queued:?}"
        );
        let one_more = "UPDATE heartbeat SET beats = beats + 1";
        database.execute(one_more, []).await.unwrap();
        let row = database.read(|c| Box::pin(c.row("SELECT beats FROM heartbeat", []))).await;
        assert_eq!(row.unwrap().unwrap().get::<i64>("beats").unwrap(), 11);
    }
}
