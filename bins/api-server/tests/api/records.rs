//! `subscribers` and `messages`: what operators list and export.

use serde_json::{Value as Json, json};

use crate::database::{Database, on_each};
use crate::helpers::{App, Setup, binary, contact};

fn run(app: &App, arguments: &[&str]) -> String {
    let output = app.command(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn subscribers_are_listed_and_exported_by_app_state_and_time() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        for (email, app_id) in [
            ("=cmd@example.org", "docs"),
            ("b\u{e4}r@example.org", "docs"),
            ("c@example.org", "news"),
        ] {
            assert_eq!(app.subscribe(email, app_id).await.status, 200);
        }
        database
            .execute("UPDATE subscriptions SET state = 'confirmed', confirmed_at = 1780000000000 WHERE app_id = 'docs'")
            .await;
        let list = run(&app, &["subscribers", "list", "--app-id", "news"]);
        assert!(list.lines().count() == 1 && list.ends_with("\tpending\tnews\tc@example.org\n"), "{list}");
        let csv = run(&app, &["subscribers", "export", "--status", "confirmed"]);
        let lines: Vec<_> = csv.split("\r\n").collect();
        assert_eq!(lines.len(), 4, "{csv}");
        let names = "id created_at state app_id email confirmed_at unsubscribed_at unsubscribe_url";
        assert_eq!(lines[0].replace("\",\"", " ").trim_matches('"'), names);
        assert!(lines[1].contains(r#","confirmed","docs","'=cmd@example.org","2026-05-28T"#), "{csv}");
        assert!(lines[2].contains("\"b\u{e4}r@example.org\""), "{csv}");
        let export = ["subscribers", "export", "--format", "json", "--since"];
        let all: Json = serde_json::from_str(&run(&app, &[&export[..], &["2020-01-01"]].concat())).unwrap();
        assert_eq!(all.as_array().unwrap().len(), 3, "{all}");
        assert_eq!(all[2]["email"], "c@example.org");
        let none = run(&app, &[&export[..], &["2999-01-01"]].concat());
        assert_eq!(none, "[]\n");
    })
    .await;
}

#[tokio::test]
async fn messages_are_listed_shown_and_exported() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        let mut message = contact();
        message["subject"] = json!("one, \"two\"");
        message["app_id"] = json!("docs");
        message["message"] = json!("=1+1\nline");
        let id = app.contact(&message).await.json()["id"].as_str().unwrap().to_owned();
        let list = run(&app, &["messages", "list"]);
        assert!(
            list.starts_with(&id)
                && list.ends_with("\tdocs\tada@example.org\t\"one, \"\"two\"\"\"\n"),
            "{list}"
        );
        let shown = run(&app, &["messages", "show", &id]);
        assert!(shown.ends_with("\n\n=1+1\nline\n"), "{shown}");
        let csv = run(&app, &["messages", "export"]);
        let (header, row) = csv.split_once("\r\n").unwrap();
        assert_eq!(
            header,
            r#""id","created_at","app_id","email","subject","mailed_at","name","message""#
        );
        assert!(
            row.contains("\",\"docs\",\"ada@example.org\",\"one, \"\"two\"\"\",\"")
                && row.ends_with("\",\"Ada\",\"'=1+1\nline\"\r\n"),
            "{row}"
        );
        let json: Json =
            serde_json::from_str(&run(&app, &["messages", "export", "--format", "json"])).unwrap();
        assert_eq!(json[0]["message"], "=1+1\nline");
        assert!(run(&app, &["messages", "list", "--app-id", "docs"]).starts_with(&id));
        assert_eq!(run(&app, &["messages", "list", "--app-id", "news"]), "");
        let unknown = app.command(&["messages", "show", "00000000000000000000000000"]);
        assert_eq!(unknown.status.code(), Some(1));
    })
    .await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_export_to_a_full_disk_fails_and_says_so() {
    let database = Database::sqlite();
    let app = App::start_on(&database, Setup::default()).await;
    assert_eq!(app.subscribe("a@example.org", "docs").await.status, 200);
    for arguments in [
        &["subscribers", "export"][..],
        &["subscribers", "export", "--format", "json"],
        &["subscribers", "list"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut program = binary(&Setup::default(), &database.url, &database.folder);
        let output = program.args(arguments).stdout(full.unwrap()).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("the output is incomplete: No space left"), "{said}");
    }
    assert_eq!(run(&app, &["subscribers", "export"]).lines().count(), 2);
}

#[tokio::test]
async fn more_records_than_a_page_has_are_exported_once_each() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        database
            .execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) \
                 INSERT INTO contacts (id, name, email, email_key, message, created_at) \
                 SELECT '0000000000000000000000' || (i + 1000), 'n', 'e' || i, 'e' || i, 'm', 0 FROM n",
            )
            .await;
        let csv = run(&app, &["messages", "export"]);
        assert_eq!(csv.lines().count(), 2_501);
        for number in [1, 999, 1_000, 1_001, 2_500] {
            assert_eq!(csv.matches(&format!(",\"e{number}\",")).count(), 1, "{number}");
        }
        let json: Json =
            serde_json::from_str(&run(&app, &["messages", "export", "--format", "json"])).unwrap();
        assert_eq!(json.as_array().unwrap().len(), 2_500);
    })
    .await;
}
