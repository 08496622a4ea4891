//! Opening a database: what is created, what is kept, and what is refused and left unchanged.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::{Duration, Instant};

use futures::future::join_all;
use sqlx::{Connection, Executor, SqliteConnection};
use toolkit_store::{Access, Backend, Mismatch, Reason, Store, StoreError};

use crate::helpers::{Fixture, Home, on_each_backend, on_postgres, on_sqlite, postgres_server};

async fn refusal(url: &str) -> StoreError {
    match Store::open(url, 4).await {
        Ok(_) => panic!("opened {url}"),
        Err(error) => error,
    }
}

#[track_caller]
fn assert_unavailable(error: &StoreError, expected: Reason) {
    let is_so = matches!(error, StoreError::Unavailable { reason, .. } if *reason == expected);
    assert!(is_so, "{error:?}");
}

fn sqlite_url(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}

#[tokio::test]
async fn stored_data_is_there_after_reopening() {
    on_each_backend(async |f: &Fixture| {
        f.contact("kept").await;
        let again = f.replica().await;
        assert_eq!(again.outbox().stats(crate::helpers::NOW).await.unwrap().pending, 1);
        assert_eq!(again.backend(), f.store.backend());
        assert_eq!(again.backend() == Backend::Sqlite, f.is_sqlite());
    })
    .await;
}

#[tokio::test]
async fn twelve_replicas_starting_at_once_on_an_empty_database_all_start() {
    for round in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let url = sqlite_url(&folder.path().join("new.db"));
        for opened in join_all((0..12).map(|_| Store::open(&url, 4))).await {
            opened.unwrap_or_else(|error| panic!("{round}: {error} {:?}", error.source()));
        }
    }
    on_postgres(async |f: &Fixture| {
        let mut raw = f.raw().await;
        let Home::Postgres { schema, .. } = &f.home else {
            return;
        };
        let before = f.count("_sqlx_migrations").await;
        raw.execute(&format!("DROP SCHEMA {schema} CASCADE; CREATE SCHEMA {schema}")).await;
        for opened in join_all((0..12).map(|_| Store::open(&f.url, 4))).await {
            opened.unwrap_or_else(|error| panic!("{error} {:?}", error.source()));
        }
        assert_eq!(f.count("_sqlx_migrations").await, before);
    })
    .await;
}

#[tokio::test]
async fn an_older_program_refuses_a_newer_database() {
    on_each_backend(async |f: &Fixture| {
        let before = f.count("_sqlx_migrations").await;
        f.raw()
            .await
            .execute(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 9999, 'from the future', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1",
            )
            .await;
        let error = refusal(&f.url).await;
        assert!(matches!(error, StoreError::Incompatible { misfit: Mismatch::Newer, .. }), "{error:?}");
        assert!(error.to_string().contains("a newer version"), "{error}");
        assert_eq!(f.count("_sqlx_migrations").await, before + 1);
    })
    .await;
}

#[tokio::test]
async fn a_database_from_before_the_first_release_is_refused_and_left_unchanged() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        // Nine steps, of which the first had other tables.
        let mut raw = f.raw().await;
        for version in 2..=9 {
            raw.execute(&format!(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT {version}, 'a step', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1"
            ))
            .await;
        }
        let hex = if f.is_sqlite() { "x'00'" } else { "'\\x00'" };
        raw.execute(&format!("UPDATE _sqlx_migrations SET checksum = {hex} WHERE version = 1")).await;
        // Its log is written back by then: the file stands still.
        raw.close().await;
        f.store.close().await;
        let file = || match &f.home {
            Home::Sqlite(folder) => std::fs::read(folder.path().join("store.db")).unwrap(),
            Home::Postgres { .. } => Vec::new(),
        };
        let before = file();
        for error in [refusal(&f.url).await, Store::open_for(Access::Write, &f.url, 4).await.err().unwrap()] {
            assert!(
                matches!(error, StoreError::Incompatible { misfit: Mismatch::Unreleased, .. }),
                "{error:?}"
            );
            let said = error.to_string();
            for part in ["before 0.1.0", "`subscribers export`", "`subscribers import`"] {
                assert!(said.contains(part), "{said}");
            }
        }
        assert!(file() == before);
        assert_eq!((f.count("_sqlx_migrations").await, f.count("contacts").await), (9, 1));
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_are_readable_by_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;

    on_sqlite(async |f: &Fixture| {
        let Home::Sqlite(folder) = &f.home else {
            return;
        };
        f.contact("m").await;
        let modes = || {
            let files = std::fs::read_dir(folder.path()).unwrap();
            let mode = |file: std::io::Result<std::fs::DirEntry>| {
                file.unwrap().metadata().unwrap().permissions().mode() & 0o777
            };
            files.map(mode).collect::<Vec<_>>()
        };
        assert_eq!(modes(), [0o600; 3]);
        f.store.close().await;
        let open_to_all = std::fs::Permissions::from_mode(0o644);
        let file = folder.path().join("store.db");
        std::fs::set_permissions(&file, open_to_all).unwrap();
        let _store = f.replica().await;
        assert_eq!(modes(), [0o600; 3]);
    })
    .await;
}

#[tokio::test]
async fn tables_created_by_another_program_are_refused() {
    on_each_backend(async |f: &Fixture| {
        f.raw().await.execute("DELETE FROM _sqlx_migrations").await;
        let error = refusal(&f.url).await;
        assert!(
            matches!(error, StoreError::Incompatible { misfit: Mismatch::Altered, .. }),
            "{error:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn an_interrupted_migration_runs_again_on_the_next_start() {
    // State after a kill: SQLite has only the file, PostgreSQL an empty table of migrations.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    std::fs::write(&path, b"").unwrap();
    Store::open(&sqlite_url(&path), 4).await.unwrap();
    on_postgres(async |f: &Fixture| {
        let Home::Postgres { schema, .. } = &f.home else {
            return;
        };
        let mut raw = f.raw().await;
        raw.execute(&format!(
            "DROP SCHEMA {schema} CASCADE; CREATE SCHEMA {schema}; \
             CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
             installed_on TIMESTAMPTZ NOT NULL DEFAULT now(), success BOOLEAN NOT NULL, \
             checksum BYTEA NOT NULL, execution_time BIGINT NOT NULL)"
        ))
        .await;
        Store::open(&f.url, 4).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_refused_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("holiday.txt");
    let text = "Dear diary, ".repeat(1_000);
    std::fs::write(&path, &text).unwrap();
    let error = refusal(&sqlite_url(&path)).await;
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn the_database_of_another_application_is_refused_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    let mut other =
        SqliteConnection::connect(&format!("{}?mode=rwc", sqlite_url(&path))).await.unwrap();
    other.execute("CREATE TABLE contacts (phone TEXT)").await.unwrap();
    other.close().await.unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = refusal(&sqlite_url(&path)).await;
    assert!(
        matches!(error, StoreError::Incompatible { misfit: Mismatch::Foreign, .. }),
        "{error:?}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_damaged_file_is_reported_and_left_unchanged() {
    on_sqlite(async |f: &Fixture| {
        f.contact("soon damaged").await;
        f.store.close().await;
        let Home::Sqlite(folder) = &f.home else {
            return;
        };
        let path = folder.path().join("store.db");
        let mut bytes = std::fs::read(&path).unwrap();
        for byte in bytes.iter_mut().skip(2_000) {
            *byte = 0x5a;
        }
        std::fs::write(&path, &bytes).unwrap();
        let error = refusal(&f.url).await;
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    })
    .await;
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_or_written_is_unavailable() {
    on_sqlite(async |f: &Fixture| {
        let Home::Sqlite(folder) = &f.home else {
            return;
        };
        let inside_a_file = sqlite_url(&folder.path().join("store.db/other.db"));
        let in_no_folder = sqlite_url(&folder.path().join("missing/other.db"));
        let a_folder = sqlite_url(folder.path());
        for url in [inside_a_file, in_no_folder, a_folder] {
            let error = refusal(&url).await;
            assert_unavailable(&error, Reason::Refused);
            assert_eq!(
                error.to_string(),
                "the database is unavailable: it cannot be opened; check that it exists and that access is allowed"
            );
        }
        let error = refusal(&format!("{}?mode=ro", f.url)).await;
        assert_unavailable(&error, Reason::ReadOnly);
    })
    .await;
}

#[tokio::test]
async fn a_url_of_another_kind_is_refused_without_repeating_it() {
    for url in [
        "",
        "toolkit.db",
        "mysql://root:hunter2@localhost/x",
        "sqlite:",
        "sqlite://",
        "sqlite::memory:",
        "sqlite://:memory:",
        "sqlite://x.db?mode=memory",
        "sqlite://x.db?mode=hunter2",
        "sqlite://x.db?hunter2=1",
        "postgres://user:hunter2@host:99999/x",
        "postgres://user:hunter2@[/x",
        "postgres://user:hunter2@localhost/x?sslmode=hunter2",
        "postgres://user:hunter2@a,b/x?target_session_attrs=standby",
    ] {
        let error = refusal(url).await;
        assert!(matches!(error, StoreError::Url(_)), "{url}: {error:?}");
        let texts = format!("{error} {error:?} {:?}", error.source());
        assert!(!texts.contains("hunter2"), "{texts}");
    }
}

#[tokio::test]
async fn a_missing_server_is_reported_unavailable_soon() {
    let started = Instant::now();
    let error = refusal("postgres://user:hunter2@127.0.0.1:1/x").await;
    assert_unavailable(&error, Reason::OutOfReach);
    assert!(started.elapsed() < Duration::from_secs(9));
    assert!(!format!("{error:?}").contains("hunter2"));
}

/// Starts a fake database server that sends a fixed response and closes the connection.
fn server(answers: &'static [&[u8]]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // The thread ends with the test process.
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            for answer in answers {
                let _ = client.read(&mut [0; 1024]);
                let _ = client.write_all(answer);
            }
        }
    });
    address
}

#[tokio::test]
async fn a_server_that_closes_the_connection_without_a_response_is_unreachable() {
    // Like a proxy whose server is down.
    let server = server(&[b""]);
    let error = refusal(&format!("postgres://user@{server}/x")).await;
    assert_unavailable(&error, Reason::OutOfReach);
}

#[tokio::test]
async fn a_server_that_refuses_logins_is_distinguished_from_an_unreachable_one() {
    let Some(server) = postgres_server() else {
        return;
    };
    let (base, _) = server.rsplit_once('/').unwrap();
    let error = refusal(&format!("{base}/no_such_database")).await;
    assert_unavailable(&error, Reason::Refused);
}

#[tokio::test]
async fn a_server_without_tls_is_distinguished_from_an_unreachable_one() {
    for server in [server(&[b"N"]), server(&[b"S", b"HTTP/1.1 400 \r\n\r\n"])] {
        let error = refusal(&format!("postgres://user@{server}/x?sslmode=require")).await;
        assert_unavailable(&error, Reason::Tls);
    }
}
