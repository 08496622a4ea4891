//! Lists that can be mailed: exports and imports, links that can be made again, and apps.

use std::io::Write as _;
use std::process::Output;

use serde_json::{Value as Json, json};
use toolkit_store::{KeyTerms, Scope, SubscriptionState};

use crate::database::on_each;
use crate::helpers::{Answer, App, Setup, contact};
use crate::sink::{Behavior, Sink};

const APPS: &str = r#"
[[apps]]
id = "docs"
name = "Die Doku"
language = "de"
from = "Doku <doku@example.org>"
operator = "team@example.org"
after_confirm_url = "https://site.example.org/willkommen"
after_unsubscribe_url = "https://site.example.org/tschuess"

[[apps]]
id = "news"
confirm_subject = "One more step"
confirm_text = "For {{app}}, {{address}}: {{link}} <b>"
"#;

fn run(app: &App, arguments: &[&str]) -> String {
    let output = app.command(arguments);
    assert!(output.status.success(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn fails(app: &App, arguments: &[&str], code: i32, words: &str) {
    let output = app.command(arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?} {said}");
    assert!(said.contains(words), "{words:?} in {said:?}");
}

async fn key(app: &App, terms: KeyTerms) -> String {
    let now = time::OffsetDateTime::now_utc();
    let issued = app.store.keys().issue(&"k".parse().unwrap(), &terms, now).await;
    issued.unwrap().1.expose().to_owned()
}

async fn state(app: &App, email: &str) -> SubscriptionState {
    let data = app.store.export(&email.parse().unwrap()).await.unwrap();
    data.subscriptions[0].state
}

/// The part of an address after the path of the API.
fn path(url: &str) -> &str {
    url.split_once("/toolkit/api").unwrap().1
}

#[tokio::test]
async fn an_exported_link_unsubscribes_also_after_a_rotation_and_a_stranger() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Friendly);
        let app = App::start_on(database, Setup::default().with_mail(sink.address)).await;
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().write_all(b"email\nada@example.org\n").unwrap();
        let path_of_file = file.path().to_str().unwrap();
        run(
            &app,
            &[
                "subscribers",
                "import",
                path_of_file,
                "--app-id",
                "docs",
                "--confirmed-by",
                "a form",
            ],
        );
        let exported = |format: &str| {
            let lines = run(&app, &["subscribers", "export", "--format", format]);
            lines.lines().last().unwrap().to_owned()
        };
        let one: Json = serde_json::from_str(&exported("jsonl")).unwrap();
        let url = one["unsubscribe_url"].as_str().unwrap();
        assert!(exported("csv").contains(url));
        assert_eq!((&one["state"], &one["confirmed_by"]), (&json!("confirmed"), &json!("a form")));
        run(&app, &["subscribers", "rotate-links"]);
        assert!(!exported("csv").contains(url));
        assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
        let one_click = |body: &'static str| {
            let form = "application/x-www-form-urlencoded";
            Answer::of(app.post(path(url)).header("Content-Type", form).body(body))
        };
        for _ in 0..2 {
            assert_eq!(one_click("List-Unsubscribe=One-Click").await.status, 200);
            assert_eq!(state(&app, "ada@example.org").await, SubscriptionState::Unsubscribed);
        }
        // A stranger subscribes the address again: it gets a mail, and is as it was.
        assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
        sink.mail_to("ada@example.org").await;
        assert_eq!(state(&app, "ada@example.org").await, SubscriptionState::Unsubscribed);
        let again = run(
            &app,
            &["subscribers", "import", path_of_file, "--app-id", "docs", "--confirmed-by", "x"],
        );
        assert!(again.contains("unsubscribed, kept: 1\n"), "{again}");
        // Nothing is left of the address, and the link says so.
        run(&app, &["privacy", "erase", "ada@example.org"]);
        let page = app.get(path(url)).await;
        assert!(page.status == 200 && page.body.contains("You are unsubscribed"), "{page:?}");
        assert_eq!(one_click("List-Unsubscribe=One-Click").await.status, 200);
    })
    .await;
}

#[tokio::test]
async fn a_key_for_subscribers_reads_them_page_by_page_and_nothing_else() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        database
            .execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) \
                 INSERT INTO subscriptions (id, email, email_key, app_id, state, created_at, requested_at) \
                 SELECT '0000000000000000000000' || (i + 1000), 'e' || i || '@example.org', 'e' || i || '@example.org', \
                 CASE WHEN i % 3 = 0 THEN 'docs' ELSE 'news' END, 'confirmed', 0, 0 FROM n",
            )
            .await;
        let reads =
            key(&app, KeyTerms { scopes: vec![Scope::SubscribersRead], ..KeyTerms::default() })
                .await;
        let get = async |query: &str, key: &str| {
            let url = app.url(&format!("/subscribers{query}"));
            Answer::of(app.client.get(url).header("X-Api-Key", key)).await
        };
        let first = get("", &reads).await.json();
        assert_eq!(first["subscribers"].as_array().unwrap().len(), 1_000);
        let next = first["next"].as_str().unwrap();
        let second = get(&format!("?after={next}"), &reads).await.json();
        assert_eq!(
            (second["subscribers"].as_array().unwrap().len(), &second["next"]),
            (500, &Json::Null)
        );
        let docs = get("?app_id=docs&status=confirmed", &reads).await.json();
        assert_eq!(docs["subscribers"].as_array().unwrap().len(), 500);
        let link = docs["subscribers"][0]["unsubscribe_url"].as_str().unwrap();
        assert!(app.get(path(link)).await.body.contains("e3@example.org"));
        for (query, words) in [
            ("?status=gone", "`status` must be pending, confirmed"),
            ("?app_id=a%20b", "`app_id` must be 1 to 64"),
            ("?after=x", "`after` must be the `next`"),
            ("?limit=5", "Unknown input `limit`"),
            ("?app_id=a&app_id=b", "`app_id` is given twice"),
        ] {
            get(query, &reads).await.refuses(422, words);
        }
        get("", &app.key).await.refuses(403, "does not open `subscribers:read`");
        get("", "tk_x").await.refuses(401, "`X-Api-Key`");
        let request = app.post("/contact").header("X-Api-Key", &reads).json(&contact());
        Answer::of(request).await.refuses(403, "does not open `contact`");
    })
    .await;
}

/// Imports a file of this content.
fn import(app: &App, text: &[u8], more: &[&str]) -> Output {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text).unwrap();
    let arguments =
        ["subscribers", "import", file.path().to_str().unwrap(), "--confirmed-by", "paper"];
    app.command(&[&arguments[..], more].concat())
}

#[tokio::test]
async fn a_file_that_another_program_wrote_is_imported_line_by_line() {
    let app = App::start(Setup::default()).await;
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let many = (1..=4_999).map(|i| match i {
        1 => "\"oops\n".to_owned(),
        i => format!("a{i}@example.org,x\n"),
    });
    let slip = format!("email,name\n{}", many.collect::<String>());
    let mailchimp =
        "Email Address,First Name,OPTIN_TIME\r\nb1@example.org,\"A, \"\"B\"\"\",2024-01-01\r\n\r\n";
    let kit =
        "id,first_name,email,status\n1,Ann,c1@example.org,active\n2,Bob,c2@example.org,cancelled\n";
    let excel = "Name;E-Mail;Ort\r\nJ\u{fc}rgen;d1@example.org;K\u{f6}ln\r\n;;\r\n";
    let latin =
        |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<_>>();
    for (file, counts, note, is_whole) in [
        (slip.into_bytes(), (4_998, 0, 1, 4_999), "line 2: a quote is not closed", false),
        (mailchimp.into(), (1, 0, 0, 1), "", true),
        (kit.into(), (1, 1, 0, 2), "", true),
        (latin(excel), (1, 0, 0, 1), "not UTF-8, imported by their addresses: 1", true),
        (latin("email\n\u{fc}@example.org\n"), (0, 0, 1, 1), "line 2: `email` is not UTF-8", false),
        (utf_16("\u{feff}Name\tE-mail\r\nÄda\te1@example.org\r\n"), (1, 0, 0, 1), "", true),
    ] {
        let output = import(&app, &file, &["--app-id", "docs"]);
        let report = String::from_utf8(output.stdout).unwrap();
        let (confirmed, others, refused, all) = counts;
        let expected = format!(
            "confirmed: {confirmed}\nconfirmed before: 0\nunsubscribed, kept: 0\n\
             not confirmed in the file, skipped: {others}\nrefused: {refused}\nlines: {all}\n"
        );
        assert!(report.starts_with(&expected) && report.contains(note), "{report}");
        assert_eq!(output.status.code(), Some(i32::from(!is_whole)), "{report}");
    }
    let audit = run(&app, &["audit", "list"]);
    let steps: Vec<_> = audit.lines().filter(|line| line.contains("subscribers.import")).collect();
    assert_eq!(steps.len(), 12, "{audit}");
    assert!(steps[0].ends_with("begun: 0 confirmed by paper, 0 refused"), "{audit}");
    assert!(steps[1].ends_with("ended: 4998 confirmed by paper, 1 refused"), "{audit}");
}

#[tokio::test]
async fn a_file_is_imported_and_every_line_that_is_not_is_named() {
    let app = App::start(Setup::default()).await;
    let import = |text: &str, more: &[&str]| import(&app, text.as_bytes(), more);
    let semicolons = "\u{feff}Name;EMail;app_id\r\nAda;\"'=ada@example.org\";docs\r\nBob;bob;docs\r\nEve;eve@example.org;a b\r\n";
    let report = import(semicolons, &["--dry-run"]);
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(
        report.starts_with("would be confirmed: 1\n") && report.contains("refused: 2\n"),
        "{report}"
    );
    assert!(
        report.contains("line 3: `email` must") && report.contains("line 4: `app_id` must"),
        "{report}"
    );
    assert_eq!(run(&app, &["subscribers", "list"]), "");
    let output = import(semicolons, &[]);
    assert_eq!(output.status.code(), Some(1), "not all lines were taken");
    assert!(String::from_utf8_lossy(&output.stderr).contains("lines refused: 2"), "{output:?}");
    assert!(run(&app, &["subscribers", "list"]).ends_with("\tdocs\t=ada@example.org\n"));
    // Our own export says who is not confirmed. The app of the command wins.
    let own =
        "email,state,app_id\nann@example.org,confirmed,docs\nleft@example.org,unsubscribed,docs\n";
    let report = String::from_utf8(import(own, &["--app-id", "news"]).stdout).unwrap();
    assert!(report.contains("not confirmed in the file, skipped: 1\n"), "{report}");
    assert!(run(&app, &["subscribers", "list", "--app-id", "news"]).contains("ann@example.org"));
    for (text, more, words) in [
        ("mail\na@example.org\n", &["--app-id", "docs"][..], "no column `email`"),
        ("email\na@example.org\n", &[], "no column `app_id`. Name the app"),
        ("", &["--app-id", "docs"], "no column `email`"),
        ("email\n\u{0}", &["--app-id", "a b"], "must be 1 to 64"),
    ] {
        let output = import(text, more);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{said}");
    }
    fails(
        &app,
        &["subscribers", "import", "/nowhere", "--app-id", "d", "--confirmed-by", "x"],
        1,
        "/nowhere: ",
    );
    fails(&app, &["subscribers", "import", "x", "--app-id", "d"], 2, "--confirmed-by");
    fails(&app, &["subscribers", "unsubscribe"], 2, "ADDRESSES");
    fails(&app, &["subscribers", "unsubscribe", "ada"], 2, "must have exactly one `@`");
    fails(
        &app,
        &["subscribers", "unsubscribe", "x@example.org"],
        1,
        "no subscription has x@example.org",
    );
    let ended = run(&app, &["subscribers", "unsubscribe", "ANN@example.org", "=ada@example.org"]);
    assert_eq!(ended, "ended: 2, ended before: 0, unknown: 0\n");
    let ended = run(&app, &["subscribers", "unsubscribe", "ann@example.org", "--app-id", "news"]);
    assert_eq!(ended, "ended: 0, ended before: 1, unknown: 0\n");
}

#[tokio::test]
async fn an_app_has_its_language_texts_sender_operator_and_pages() {
    let sink = Sink::start(Behavior::Friendly);
    let app = App::start(Setup::default().with_mail(sink.address).with_file(APPS)).await;
    assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
    let mail = sink.mail_to("ada@example.org").await;
    assert_eq!(mail.header("From").unwrap(), "Doku <doku@example.org>");
    assert!(mail.text().contains("den Newsletter „Die Doku“"), "{}", mail.text());
    let (confirm, unsubscribe) = (mail.token("/subscribe/confirm"), mail.token("/unsubscribe"));
    let page = app.get(&format!("/subscribe/confirm?token={confirm}")).await;
    assert!(
        page.body.contains("<html lang=\"de\">") && page.body.contains("Soll ada@example.org"),
        "{page:?}"
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action 'self' https://site.example.org;"), "{policy}");
    for (path, token, after) in [
        ("/subscribe/confirm", &confirm, "https://site.example.org/willkommen"),
        ("/unsubscribe", &unsubscribe, "https://site.example.org/tschuess"),
    ] {
        let pressed = Answer::of(app.post(path).form(&[("token", token)])).await;
        assert_eq!((pressed.status, pressed.header("location")), (303, Some(after)));
        let json = Answer::of(app.post(path).json(&json!({"token": token}))).await;
        assert_eq!(json.status, 200);
    }
    // One click in a mail program is never led elsewhere.
    for (query, form) in [
        (format!("?token={unsubscribe}"), vec![("List-Unsubscribe", "One-Click")]),
        (String::new(), vec![("List-Unsubscribe", "One-Click"), ("token", &unsubscribe)]),
    ] {
        let clicked = Answer::of(app.post(&format!("/unsubscribe{query}")).form(&form)).await;
        assert_eq!((clicked.status, clicked.header("location")), (200, None));
    }
    assert_eq!(app.subscribe("bob@example.org", "news").await.status, 200);
    let mail = sink.mail_to("bob@example.org").await;
    assert_eq!(mail.header("Subject").unwrap(), "One more step");
    assert!(mail.text().starts_with("For news, bob@example.org: http://"), "{}", mail.text());
    assert!(
        mail.html().contains("&lt;b&gt;") && mail.html().contains("href=\"http://"),
        "{}",
        mail.html()
    );
    let mut message = contact();
    message["app_id"] = json!("docs");
    assert_eq!(app.contact(&message).await.status, 200);
    let mail = sink.mail_to("team@example.org").await;
    assert!(mail.text().contains("the contact form of Die Doku"));
    for (path, body) in [
        ("/subscribe", json!({"email": "ada@example.org", "app_id": "other"})),
        (
            "/contact",
            json!({"name": "A", "email": "ada@example.org", "message": "m", "app_id": "Docs"}),
        ),
    ] {
        app.send(path, &body)
            .await
            .refuses(422, "`app_id` must be an app of this service: `docs`, `news`.");
    }
}

#[tokio::test]
async fn an_invented_app_that_looks_like_an_address_is_not_repeated_in_a_mail() {
    let sink = Sink::start(Behavior::Friendly);
    let app = App::start(Setup::default().with_mail(sink.address)).await;
    assert_eq!(app.subscribe("ada@example.org", "www.win-a-prize.example.com").await.status, 200);
    let mail = sink.mail_to("ada@example.org").await;
    assert!(!mail.text().contains("prize") && !mail.html().contains("prize"), "{}", mail.text());
    assert!(mail.text().contains("signed this address up for the newsletter."), "{}", mail.text());
    let page = app.get(&format!("/unsubscribe?token={}", mail.token("/unsubscribe"))).await;
    assert!(page.status == 200 && !page.body.contains("prize"), "{page:?}");
}

#[test]
fn faults_of_apps_are_named_at_start() {
    for (file, words) in [
        ("[[apps]]\nname = \"x\"", "`apps[0]` has no `id`"),
        ("[[apps]]\nid = \"a b\"", "`apps[0].id` in toolkit.toml is `a b`; expected 1 to 64"),
        ("[[apps]]\nid = \"a\"\n[[apps]]\nid = \"a\"", "two apps have the id `a`"),
        ("[[apps]]\nid = \"a\"\nlanguage = \"es\"", "expected one of en, de, fr"),
        ("[[apps]]\nid = \"a\"\nconfirm_text = \"Hello\"", "contains {{link}}"),
        ("[apps]\nid = \"a\"", "expected a list of tables"),
    ] {
        let error = toolkit_server::settings::Settings::parse(file, []).unwrap_err();
        assert!(error.to_string().contains(words), "{words:?} in {error}");
    }
    let variable = |name: &str, value: &str| (name.into(), value.into());
    let variables =
        [variable("TOOLKIT_APPS__0__ID", "docs"), variable("TOOLKIT_APPS__0__LANGUAGE", "fr")];
    let settings = toolkit_server::settings::Settings::parse("", variables).unwrap();
    assert_eq!(settings.apps[0].id.as_str(), "docs");
    assert!(settings.effective(None).contains("[[apps]]\nid = \"docs\"\n"));
    for name in ["TOOLKIT_APPS__ID", "TOOLKIT_API__0__BIND", "TOOLKIT_APPS__X__ID"] {
        let error =
            toolkit_server::settings::Settings::parse("", [variable(name, "x")]).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
    }
}
