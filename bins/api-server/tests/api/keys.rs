//! API keys: which are accepted, which are refused, and the operator's commands.

use std::time::{Duration, Instant};

use serde_json::json;
use toolkit_store::{KeyCache, KeysUnavailable};

use crate::database::{Database, on_each, postgres};
use crate::helpers::{Answer, App, Setup, contact, until};
use crate::process::Process;

const PATHS: [&str; 3] = ["/chat", "/contact", "/subscribe"];

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).unwrap()
}

/// Returns the id and the key that `keys create` prints.
fn created(output: &std::process::Output) -> (String, String) {
    assert!(output.status.success(), "{output:?}");
    let text = text(&output.stdout);
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().to_owned()
    };
    (value("id:"), value("key:"))
}

#[tokio::test]
async fn every_invalid_key_gets_the_same_401() {
    let app = App::start(Setup::default()).await;
    let elsewhere = App::start(Setup::default()).await;
    let (id, revoked) = created(&app.command(&["keys", "create", "--label", "gone"]));
    assert!(app.command(&["keys", "revoke", &id]).status.success());
    until("the revoked key to be refused", async || {
        let request = app.post("/contact").json(&contact()).header("X-Api-Key", &revoked);
        (Answer::of(request).await.status == 401).then_some(())
    })
    .await;
    let mut typo = app.key.clone();
    typo.replace_range(10..11, if &typo[10..11] == "x" { "y" } else { "x" });
    for path in PATHS {
        let plain = || app.post(path).json(&contact());
        let requests = [
            plain(),
            plain().header("X-Api-Key", ""),
            plain().header("X-Api-Key", "tk_short"),
            plain().header("X-Api-Key", "x".repeat(4_000)),
            plain().header("X-Api-Key", &typo),
            plain().header("X-Api-Key", &elsewhere.key),
            plain().header("X-Api-Key", &revoked),
            plain().header("X-Api-Key", &app.key).header("X-Api-Key", &app.key),
            plain().header("X-Api-Key", format!("{0}, {0}", app.key)),
            plain().header("Authorization", format!("Bearer {}", app.key)),
            plain().header("Cookie", format!("X-Api-Key={}", app.key)),
            app.post(&format!("{path}?X-Api-Key={}", app.key)).json(&contact()),
        ];
        let mut first = None;
        for request in requests {
            let mut answer = Answer::of(request).await;
            answer.refuses(401, "`X-Api-Key`");
            assert!(answer.header("www-authenticate").is_some());
            answer.headers.retain(|(name, _)| !matches!(name.as_str(), "x-request-id" | "date"));
            let same = first.get_or_insert((answer.headers.clone(), answer.body.clone()));
            assert_eq!((&answer.headers, &answer.body), (&same.0, &same.1));
        }
    }
}

#[tokio::test]
async fn the_key_is_checked_before_the_body_is_read() {
    let app = App::start(Setup::default()).await;
    for path in PATHS {
        for (kind, body) in [
            ("application/json", "{".to_owned()),
            ("text/plain", "x".to_owned()),
            ("application/json", "x".repeat(2 << 20)),
        ] {
            let request = app.post(path).header("Content-Type", kind);
            Answer::of(request.body(body)).await.refuses(401, "`X-Api-Key`");
        }
    }
}

#[tokio::test]
async fn the_rate_limit_comes_before_the_key() {
    let setup = Setup::new(&[
        ("TOOLKIT_LIMITS__CHAT_PER_MINUTE", "2"),
        ("TOOLKIT_LIMITS__CONTACT_PER_MINUTE", "2"),
        ("TOOLKIT_LIMITS__SUBSCRIBE_PER_MINUTE", "2"),
    ]);
    let app = App::start(setup).await;
    for path in PATHS {
        for _ in 0..2 {
            Answer::of(app.post(path)).await.refuses(401, "`X-Api-Key`");
        }
        let answer = app.send_raw(path, "{").await;
        answer.refuses(429, "Too many requests");
        let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&seconds), "{seconds}");
        assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("x-ratelimit")));
    }
    assert_eq!(app.get("/health").await.status, 200);
}

#[tokio::test]
async fn a_key_works_at_once_and_stops_within_five_seconds_while_the_server_runs() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        let (id, key) = created(&app.command(&["keys", "create", "--label", "new"]));
        let ask = async || Answer::of(app.post("/chat").header("X-Api-Key", &key)).await.status;
        assert_eq!(ask().await, 422);
        assert!(app.command(&["keys", "revoke", &id]).status.success());
        let revoked = Instant::now();
        until("the key to stop working", async || (ask().await == 401).then_some(())).await;
        assert!(revoked.elapsed() < Duration::from_secs(5), "{:?}", revoked.elapsed());
    })
    .await;
}

#[tokio::test]
async fn a_key_revoked_on_one_replica_stops_on_the_other() {
    let Some(database) = postgres().await else {
        return;
    };
    let one = App::start_on(&database, Setup::default()).await;
    let other = App::start_on(&database, Setup::default()).await;
    let (id, key) = created(&one.command(&["keys", "create", "--label", "new"]));
    let ask =
        async |app: &App| Answer::of(app.post("/chat").header("X-Api-Key", &key)).await.status;
    assert_eq!((ask(&one).await, ask(&other).await), (422, 422));
    let id = id.parse().unwrap();
    one.store.keys().revoke(id, time::OffsetDateTime::now_utc()).await.unwrap();
    let revoked = Instant::now();
    until("the key to stop working", async || (ask(&other).await == 401).then_some(())).await;
    assert!(revoked.elapsed() < Duration::from_secs(5), "{:?}", revoked.elapsed());
}

#[tokio::test]
async fn the_commands_issue_list_and_revoke() {
    let app = App::start(Setup::default()).await;
    let (id, key) = created(&app.command(&["keys", "create", "--label", "the web site"]));
    assert!(key.starts_with("tk_") && key.len() == 52, "{key}");
    let list = text(&app.command(&["keys", "list"]).stdout);
    let line = list.lines().find(|line| line.starts_with(&id)).unwrap();
    assert!(line.ends_with("the web site") && line.contains("  -  "), "{line}");
    assert!(!list.contains("tk_"), "{list}");
    let revoked = app.command(&["keys", "revoke", &id]);
    assert!(revoked.status.success() && text(&revoked.stdout).contains("is revoked"));
    let again = app.command(&["keys", "revoke", &id]);
    assert!(again.status.success() && text(&again.stdout).contains("was already revoked"));
}

#[tokio::test]
async fn a_new_key_is_printed_for_a_person_for_a_script_or_as_json() {
    let app = App::start(Setup::default()).await;
    let create = |more: &[&str]| {
        let output = app.command(&[&["keys", "create", "--label", "l"], more].concat());
        assert!(output.status.success(), "{output:?}");
        (text(&output.stdout), text(&output.stderr))
    };
    let (said, advice) = create(&[]);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(advice.contains("cannot be shown again"), "{advice}");
    let (key, advice) = create(&["--quiet"]);
    assert_eq!(advice, "");
    let answer = app.post("/contact").header("X-Api-Key", key.trim_end()).json(&contact());
    until("the server knows the key", async || {
        let answer = Answer::of(answer.try_clone().unwrap()).await;
        (answer.status == 200).then_some(())
    })
    .await;
    let (said, advice) = create(&["--json"]);
    assert!(advice.contains("cannot be shown again"), "{advice}");
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let members: Vec<_> = said.as_object().unwrap().keys().collect();
    assert_eq!(members, ["created_at", "id", "key", "label"]);
    assert_eq!(said["label"], "l");
    let both = app.command(&["keys", "create", "--label", "l", "--json", "--quiet"]);
    assert_eq!(both.status.code(), Some(2));
}

#[tokio::test]
async fn help_is_plain_text() {
    let app = App::start(Setup::default()).await;
    for arguments in [
        &["--help"][..],
        &["config", "--help"],
        &["keys", "--help"],
        &["keys", "create", "--help"],
        &["keys", "revoke", "--help"],
        &["outbox", "--help"],
        &["privacy", "--help"],
        &["privacy", "export", "--help"],
    ] {
        let help = text(&app.command(arguments).stdout);
        assert!(help.contains("Usage:") && !help.contains('`'), "{help}");
    }
}

#[tokio::test]
async fn a_command_that_fails_prints_one_line_and_sets_its_exit_code() {
    let app = App::start(Setup::default()).await;
    for (arguments, code) in [
        (vec!["keys", "revoke", "00000000000000000000000000"], 1),
        (vec!["keys", "revoke", "x"], 2),
        (vec!["keys", "create"], 2),
        (vec!["keys", "create", "--label", ""], 2),
        (vec!["keys"], 2),
        (vec!["privacy", "erase", "not an address"], 2),
    ] {
        let output = app.command(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {output:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[tokio::test]
async fn the_data_of_an_address_is_exported_and_deleted_while_the_server_runs() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        app.contact(&contact()).await;
        app.subscribe("ada@EXAMPLE.org", "docs").await;
        let export = app.command(&["privacy", "export", "ada@Example.org"]);
        let export: serde_json::Value = serde_json::from_slice(&export.stdout).unwrap();
        assert_eq!(export["contacts"][0]["message"], json!("Hello"));
        assert_eq!(export["subscriptions"][0]["app_id"], json!("docs"));
        let erased = app.command(&["privacy", "erase", "ada@example.org"]);
        assert_eq!(
            text(&erased.stdout),
            "deleted: 1 messages, 1 subscriptions; webhooks told: 0\n"
        );
        let export = app.command(&["privacy", "export", "ada@example.org"]);
        assert_eq!(export.status.code(), Some(1));
        assert!(text(&export.stderr).contains("nothing is stored about ada@example.org"));
        // Several at once: one that is unknown keeps back no other.
        app.subscribe("bob@example.org", "docs").await;
        let several = ["privacy", "erase", "ada@example.org", "bob@example.org"];
        let erased = app.command(&several);
        let line = "bob@example.org: deleted: 0 messages, 1 subscriptions; webhooks told: 0\n";
        assert_eq!(text(&erased.stdout), line);
        assert_eq!(erased.status.code(), Some(1));
        assert!(text(&erased.stderr).contains("nothing is stored about ada@example.org"));
    })
    .await;
}

#[tokio::test]
async fn a_person_is_found_under_any_spelling_of_the_address_and_similar_ones_are_named() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        let mut message = contact();
        for email in [
            "Ada.Lovelace@B\u{fc}cher.example",
            "ada.lovelace@xn--bcher-kva.example",
            "ada_b@example.org",
            "adaxb+news@example.org",
        ] {
            message["email"] = json!(email);
            assert_eq!(app.contact(&message).await.status, 200, "{email}");
        }
        app.subscribe("ADA.LOVELACE@b\u{fc}cher.example", "docs").await;
        let export = app.command(&["privacy", "export", "ada.lovelace@XN--BCHER-kva.example"]);
        let found: serde_json::Value = serde_json::from_slice(&export.stdout).unwrap();
        assert_eq!(found["contacts"].as_array().unwrap().len(), 2, "{found}");
        let other = app.command(&["privacy", "erase", "adalovelace+x@b\u{fc}cher.example"]);
        assert_eq!(other.status.code(), Some(1));
        let said = text(&other.stderr);
        assert!(said.contains("Ada.Lovelace@b\u{fc}cher.example"), "{said}");
        // An underscore is not a wildcard.
        let other = text(&app.command(&["privacy", "erase", "a.da_b@example.org"]).stderr);
        assert!(other.contains("ada_b@") && !other.contains("adaxb"), "{other}");
        let erased = app.command(&["privacy", "erase", "ada.lovelace@b\u{fc}cher.example"]);
        assert_eq!(
            text(&erased.stdout),
            "deleted: 2 messages, 1 subscriptions; webhooks told: 0\n"
        );
    })
    .await;
}

#[tokio::test]
async fn an_erasure_that_leaves_text_in_the_log_says_so() {
    use sqlx::{Connection as _, Executor as _};

    let database = Database::sqlite();
    let app = App::start_on(&database, Setup::default()).await;
    app.contact(&contact()).await;
    let mut reader = sqlx::SqliteConnection::connect(&database.url).await.unwrap();
    reader.execute("BEGIN").await.unwrap();
    reader.execute("SELECT * FROM contacts").await.unwrap();
    let erase = || app.command(&["privacy", "erase", "ada@example.org"]);
    let output = erase();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("deleted: 1 messages") && said.contains("write-ahead log"), "{said}");
    reader.close().await.unwrap();
    assert!(text(&erase().stderr).contains("nothing is stored"));
    for file in std::fs::read_dir(database.folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(3).any(|window| window == b"Ada"));
    }
}

#[tokio::test]
async fn a_key_may_expire_and_have_a_limit_of_its_own() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        let limited = ["keys", "create", "--label", "l", "--per-minute", "2"];
        let limited = app.command(&[&limited[..], &["--expires", "2999-01-31"]].concat());
        let (id, key) = created(&limited);
        let send = async |key: &str| {
            let request = app.post("/contact").header("X-Api-Key", key);
            Answer::of(request.json(&contact())).await
        };
        for _ in 0..2 {
            assert_eq!(send(&key).await.status, 200);
        }
        let answer = send(&key).await;
        answer.refuses(429, "Too many requests with this API key");
        let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=30).contains(&seconds), "{seconds}");
        assert_eq!(send(&app.key).await.status, 200);
        let line = until("the uses of the key", async || {
            let list = text(&app.command(&["keys", "list"]).stdout);
            let line = list.lines().find(|line| line.starts_with(&id));
            line.filter(|line| line.contains("  3  l")).map(str::to_owned)
        })
        .await;
        assert!(line.contains("2999-01-31T00:00:00Z"), "{line}");
        let soon = time::OffsetDateTime::now_utc() + Duration::from_secs(2);
        let soon = soon.format(&time::format_description::well_known::Rfc3339);
        let short = ["keys", "create", "--label", "s", "--expires", &soon.unwrap()];
        let (_, key) = created(&app.command(&short));
        assert_eq!(send(&key).await.status, 200);
        until("the end of the key", async || (send(&key).await.status == 401).then_some(())).await;
    })
    .await;
}

#[tokio::test]
async fn a_limit_or_an_end_that_no_request_would_pass_is_named() {
    let app = App::start(Setup::default()).await;
    for (option, value, words) in [
        ("--expires", "2020-01-01", "that is in the past"),
        ("--expires", "tomorrow", "not a date like"),
        ("--expires", "2999-02-30", "not a date like"),
        ("--per-minute", "0", "the key would not work at all"),
        ("--per-minute", "1.5", "not a whole number"),
    ] {
        let output = app.command(&["keys", "create", "--label", "l", option, value]);
        assert_eq!(output.status.code(), Some(2), "{value}");
        let said = text(&output.stderr);
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[tokio::test]
async fn the_id_of_a_key_is_in_the_access_log_and_the_metrics() {
    let database = Database::sqlite();
    let setup = Setup::new(&[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")]);
    let process = Process::start(&setup, &database.url, &database.folder).await;
    let key = database.key().await;
    let id = database.store().await.keys().list().await.unwrap()[0].id;
    assert_eq!(process.contact(&key, &contact()).await.status, 200);
    until("the access line", async || {
        let log = process.log();
        let mut lines = log.lines();
        let field = format!("\"key.id\":\"{id}\"");
        lines.any(|line| line.contains(&field)).then_some(())
    })
    .await;
    let app = App::start_on(&database, setup).await;
    assert_eq!(app.contact(&contact()).await.status, 200);
    let used = app.store.keys().list().await.unwrap().pop().unwrap();
    let line = format!(
        "toolkit_key_requests_total{{key=\"{}\",endpoint=\"contact\",status=\"200\"}} 1",
        used.id
    );
    let metrics = app.metrics().await;
    assert!(metrics.contains(&line), "{metrics}");
}

#[tokio::test]
async fn without_the_database_known_keys_work_for_a_quarter_of_an_hour() {
    let database = Database::sqlite();
    let key = database.key().await;
    let store = database.store().await;
    let cache = KeyCache::load(&store).await.unwrap();
    store.close().await;
    assert!(cache.refresh().await.is_err());
    tokio::time::pause();
    tokio::time::advance(Duration::from_mins(14)).await;
    assert!(matches!(cache.check(&key).await, Ok(Some(_))));
    tokio::time::advance(Duration::from_mins(1)).await;
    assert_eq!(cache.check(&key).await, Err(KeysUnavailable));
}
