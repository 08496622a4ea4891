//! `database copy`, `backup` and `check`: everything moves to another database, or nothing does.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value as Json;

use crate::database::{Database, on_each, postgres};
use crate::helpers::{App, Setup, binary, contact, until};

fn run(database: &Database, arguments: &[&str]) -> Output {
    let mut program = binary(&Setup::default(), &database.url, &database.folder);
    program.args(arguments).output().unwrap()
}

fn copy(from: &Database, to: &Database) -> Output {
    run(from, &["database", "copy", "--to", &to.url])
}

/// What an operator sees of a database.
fn seen(database: &Database) -> Vec<String> {
    let views: [&[&str]; 5] = [
        &["keys", "list"],
        &["subscribers", "export"],
        &["messages", "export", "--format", "json"],
        &["outbox", "status"],
        &["privacy", "export", "ada@example.org"],
    ];
    let view = |arguments: &&[&str]| {
        let output = run(database, arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        // A running server goes on counting: the age of the oldest mail, and the use of keys.
        let lines = text.lines().filter(|line| !line.starts_with("oldest:"));
        let lines = lines.map(|line| match arguments[0] {
            "keys" => line.get(..104).unwrap(),
            _ => line,
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    views.iter().map(view).collect()
}

#[track_caller]
fn refuses(output: &Output, words: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(words), "{said}");
    assert!(output.stdout.is_empty(), "{output:?}");
}

#[tokio::test]
async fn everything_is_copied_to_either_database_and_used_there() {
    on_each(async |source| {
        let key = source.key().await;
        let app = App::start_on(source, Setup::default()).await;
        assert_eq!(app.contact(&contact()).await.status, 200);
        assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
        let repeated = |app: &App| {
            let request = app.post("/contact");
            let request = request.header("x-api-key", &key).header("idempotency-key", "once");
            crate::helpers::Answer::of(request.json(&contact()))
        };
        let first: Json = repeated(&app).await.json();
        app.mail_is_settled().await;
        for target in [Some(Database::sqlite()), postgres().await].into_iter().flatten() {
            let output = copy(source, &target);
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{output:?}");
            assert!(said.starts_with("Copied ") && said.lines().count() == 1, "{said}");
            assert_eq!(seen(&target), seen(source));
            refuses(&copy(source, &target), "the target already has records");
            assert_eq!(seen(&target), seen(source));
            let app = App::start_on(&target, Setup::default()).await;
            assert!(first["id"].is_string(), "{first}");
            assert_eq!(repeated(&app).await.json()["id"], first["id"]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_copy_of_nothing_onto_itself_or_to_no_database_is_refused() {
    on_each(async |source| {
        let empty = Database::sqlite();
        source.store().await.close().await;
        refuses(&copy(source, &empty), "there is nothing to copy");
        source.key().await;
        let before = seen(source);
        refuses(&copy(source, source), "the target already has records");
        let nowhere = Database::at("mysql://localhost/x".to_owned());
        refuses(&copy(source, &nowhere), "must begin with `sqlite:` or `postgres:`");
        let away = Database::at("postgres://toolkit@127.0.0.1:1/x".to_owned());
        refuses(&copy(source, &away), "cannot open the target");
        assert_eq!(seen(source), before);
    })
    .await;
}

#[tokio::test]
async fn a_copy_that_is_killed_has_not_happened_and_can_be_repeated() {
    on_each(async |source| {
        source.key().await;
        source
            .execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) \
                 INSERT INTO contacts (id, name, email, email_key, message, created_at) \
                 SELECT '0000000000000000000' || (i + 1000000), 'n', 'e' || i, 'e' || i, 'a message of some length', 0 FROM n",
            )
            .await;
        let target = Database::sqlite();
        let log = target.folder.path().join("toolkit.db-wal");
        let mut program = binary(&Setup::default(), &source.url, &source.folder);
        let mut copying = program.args(["database", "copy", "--to", &target.url]).spawn().unwrap();
        until("rows of the copy", async || {
            let written = log.metadata().map_or(0, |log| log.len());
            (written > 2 << 20).then_some(())
        })
        .await;
        copying.kill().unwrap();
        assert!(!copying.wait().unwrap().success());
        let none = run(&target, &["messages", "export"]).stdout;
        assert_eq!(none, b"\"id\",\"created_at\",\"app_id\",\"email\",\"subject\",\"mailed_at\",\"name\",\"message\"\r\n");
        let again = copy(source, &target);
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
        assert_eq!(seen(&target), seen(source));
    })
    .await;
}

fn back_up(database: &Database, file: &Path) -> Output {
    run(database, &["database", "backup", file.to_str().unwrap()])
}

#[tokio::test]
async fn a_backup_of_a_running_server_is_one_private_file_on_which_another_server_goes_on() {
    on_each(async |source| {
        let key = source.key().await;
        // A mail server that is not there: what is in the outbox stays.
        let setup = Setup::default().with_mail("127.0.0.1:1".parse().unwrap());
        let app = App::start_on(source, setup.clone()).await;
        let post =
            async || app.post("/contact").header("x-api-key", &key).json(&contact()).send().await;
        assert_eq!(post().await.unwrap().status(), 200);
        assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a backup 100%?.db");
        let program = binary(&Setup::default(), &source.url, &source.folder)
            .args(["database", "backup", file.to_str().unwrap()])
            .stdout(Stdio::piped())
            .spawn();
        let mut backing_up = program.unwrap();
        let mut sent = 1;
        while backing_up.try_wait().unwrap().is_none() {
            assert_eq!(post().await.unwrap().status(), 200);
            sent += 1;
        }
        let output = backing_up.wait_with_output().unwrap();
        assert!(output.status.success() && output.stdout.ends_with(b" records.\n"), "{output:?}");
        let files: Vec<_> =
            folder.path().read_dir().unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(files, ["a backup 100%?.db"]);
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);

        let restored = Database::sqlite();
        std::fs::copy(&file, restored.folder.path().join("toolkit.db")).unwrap();
        let output = run(&restored, &["database", "check"]);
        assert!(
            String::from_utf8(output.stdout)
                .unwrap()
                .starts_with("The sqlite database is intact: ")
        );
        let again = App::start_on(&restored, setup).await;
        let person = again.store.export(&"ada@example.org".parse().unwrap()).await.unwrap();
        assert!((1..=sent).contains(&person.contacts.len()), "{} of {sent}", person.contacts.len());
        assert_eq!(person.subscriptions.len(), 1);
        let (pending, _) = again.outbox().await;
        assert_eq!(pending, person.contacts.len() as u64 + 1);
        let known = again.post("/contact").header("x-api-key", &key).json(&contact()).send();
        assert_eq!(known.await.unwrap().status(), 200);
    })
    .await;
}

#[tokio::test]
async fn a_backup_overwrites_nothing_and_leaves_nothing_when_it_fails() {
    on_each(async |source| {
        source.key().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("backup.db");
        std::fs::write(&file, "mine").unwrap();
        refuses(
            &back_up(source, &file),
            "backup.db: it already exists, and a backup does not overwrite files",
        );
        assert_eq!(std::fs::read(&file).unwrap(), b"mine");
        let nowhere = folder.path().join("no-folder/backup.db");
        refuses(&back_up(source, &nowhere), "cannot be written: No such file or directory");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        let output = run(source, &["database", "check"]);
        assert!(output.status.success(), "{output:?}");
    })
    .await;
}

#[tokio::test]
async fn a_check_finds_a_damaged_database_and_makes_none() {
    let database = Database::sqlite();
    refuses(&run(&database, &["database", "check"]), ": there is no database");
    refuses(&back_up(&database, Path::new("backup.db")), ": there is no database");
    let file = database.folder.path().join("toolkit.db");
    assert!(!file.exists());
    database.key().await;
    let whole = run(&database, &["database", "check"]);
    assert_eq!(whole.stdout, b"The sqlite database is intact: 1 records.\n");
    // The pages after those that every start reads.
    let mut bytes = std::fs::read(&file).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0x5a);
    std::fs::write(&file, bytes).unwrap();
    refuses(&run(&database, &["database", "check"]), "the database is damaged");
    std::fs::write(&file, "no database at all").unwrap();
    refuses(&run(&database, &["database", "check"]), "the database is damaged");
}

#[test]
fn a_database_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{}/no-folder/toolkit.db", folder.path().display());
    let url = format!("sqlite://{file}");
    for arguments in
        [&[][..], &["keys", "create", "--label", "l"], &["subscribers", "rotate-links"]]
    {
        let mut command = binary(&Setup::default(), &url, &folder);
        let output = command.args(arguments).output().unwrap();
        let cause = format!("cannot open {file}: no such file or directory (running as uid ");
        refuses(&output, &cause);
    }
}
