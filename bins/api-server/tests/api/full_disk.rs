//! Commands that read, where nothing can be written: as on a full disk, every file has reached its limit.

use std::process::{Command, Output};

use time::OffsetDateTime;
use toolkit_store::NewContact;

use crate::database::Database;
use crate::helpers::{Setup, binary};

fn without_space(database: &Database, arguments: &[&str]) -> Output {
    let program = binary(&Setup::default(), &database.url, &database.folder);
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(program.get_program()).args(program.get_args()).args(arguments);
    shell.env_clear();
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.output().unwrap()
}

async fn fill(database: &Database) {
    database.key().await;
    let store = database.store().await;
    let now = OffsetDateTime::now_utc();
    let ada = "ada@example.org".parse().unwrap();
    let message = NewContact::new("Ada", ada, None, "what must be saved").unwrap();
    store.contacts().receive(message, None, now).await.unwrap();
    let list = vec![("ada@example.org".parse().unwrap(), "docs".parse().unwrap())];
    store.subscriptions().import(list, "a form".to_owned(), false, now).await.unwrap();
    store.close().await;
}

fn reads(database: &Database) {
    for (arguments, expected) in [
        (&["messages", "export"][..], "what must be saved"),
        (&["messages", "list"], "ada@example.org"),
        (&["subscribers", "list"], "ada@example.org"),
        (&["subscribers", "export"], "unsubscribe?token="),
        (&["privacy", "export", "ada@example.org"], "what must be saved"),
        (&["keys", "list"], "test"),
        (&["outbox", "status"], "pending: 1"),
        (&["outbox", "list"], "contact"),
        (&["audit", "list"], ""),
        (&["database", "check"], "is intact"),
    ] {
        let output = without_space(database, arguments);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(expected), "{arguments:?}: {output:?}");
        let is_audited = arguments.contains(&"export");
        assert_eq!(!output.stderr.is_empty(), is_audited, "{output:?}");
    }
}

#[tokio::test]
async fn commands_that_read_work_on_a_full_disk_beside_a_server_and_without_one() {
    let database = Database::sqlite();
    fill(&database).await;
    reads(&database);
    // As a server has it open.
    let store = database.store().await;
    reads(&database);
    store.close().await;
    let erased = without_space(&database, &["privacy", "erase", "ada@example.org"]);
    assert_eq!(erased.status.code(), Some(1), "{erased:?}");
    // There is space again, and nothing has changed.
    let mut check = binary(&Setup::default(), &database.url, &database.folder);
    let check = check.args(["privacy", "export", "ada@example.org"]).output().unwrap();
    assert!(check.status.success() && check.stderr.is_empty(), "{check:?}");
}

#[test]
fn a_command_that_reads_makes_no_database() {
    let database = Database::sqlite();
    let mut program = binary(&Setup::default(), &database.url, &database.folder);
    let output = program.args(["keys", "list"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && said.contains("there is no database"), "{said}");
    assert!(!database.folder.path().join("toolkit.db").exists());
}
