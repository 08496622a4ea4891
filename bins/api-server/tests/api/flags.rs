//! Feature flags: their defaults, and the operator's settings.

use serde_json::json;

use crate::database::Database;
use crate::helpers::{App, Setup};
use crate::process::Process;

#[tokio::test]
async fn chat_is_offered_if_a_model_is_configured() {
    let bare = App::start(Setup::default()).await;
    let flags = bare.get("/flags").await;
    let expected = json!({"backendEnabled": true, "aiEnabled": false, "paidEnabled": false});
    assert_eq!((flags.status, flags.json()), (200, expected));
    assert_eq!(flags.header("content-type"), Some("application/json"));
    let with_model = Setup::default().with_provider("main", "http://127.0.0.1:9");
    let with_model = App::start(with_model).await;
    let expected = json!({"backendEnabled": true, "aiEnabled": true, "paidEnabled": false});
    assert_eq!(with_model.get("/flags").await.json(), expected);
}

#[tokio::test]
async fn a_setting_overrides_the_default() {
    let variables = [
        ("TOOLKIT_FLAGS__BACKEND_ENABLED", "false"),
        ("TOOLKIT_FLAGS__AI_ENABLED", "false"),
        ("TOOLKIT_FLAGS__PAID_ENABLED", "true"),
    ];
    let setup = Setup::new(&variables).with_provider("main", "http://127.0.0.1:9");
    let app = App::start(setup).await;
    let expected = json!({"backendEnabled": false, "aiEnabled": false, "paidEnabled": true});
    assert_eq!(app.get("/flags").await.json(), expected);
}

#[tokio::test]
async fn a_database_that_is_new_is_logged_and_one_that_was_found_is_not() {
    let database = Database::sqlite();
    for is_new in [true, false] {
        let mut process = Process::start(&Setup::default(), &database.url, &database.folder).await;
        let log = process.stop().await;
        assert_eq!(log.contains("a new database was created"), is_new, "{log}");
    }
}

#[tokio::test]
async fn what_the_settings_turn_off_is_logged_at_start_up() {
    let database = Database::sqlite();
    let notices = [
        "no `llm.providers` configured: chat is off",
        "no mail server configured: mail is written to this log",
    ];
    let secret = ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary");
    let everything = Setup::new(&[secret])
        .with_provider("main", "http://127.0.0.1:9")
        .with_mail(([127, 0, 0, 1], 9).into());
    for (setup, is_off) in [(Setup::default(), true), (everything, false)] {
        let mut process = Process::start(&setup, &database.url, &database.folder).await;
        let log = process.stop().await;
        for notice in notices {
            assert_eq!(log.contains(notice), is_off, "{notice}: {log}");
        }
    }
}
