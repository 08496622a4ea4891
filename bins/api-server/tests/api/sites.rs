//! Forms of web sites without a back end: public keys, origins, captchas, traps; and back ends that
//! name their visitors.

use data_encoding::{BASE64, HEXLOWER};
use reqwest::RequestBuilder;
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};
use toolkit_store::{KeyTerms, Scope};

use crate::database::on_each;
use crate::helpers::{Answer, App, Setup, contact, until};

const SITE: &str = "https://site.example.org";
const APP: &str = r#"
[[apps]]
id = "docs"
language = "de"
after_contact_url = "https://site.example.org/danke"
"#;

fn altcha() -> Setup {
    Setup::new(&[
        ("TOOLKIT_CAPTCHA__KIND", "altcha"),
        ("TOOLKIT_PUBLIC__BASE_URL", "https://tools.example.org"),
    ])
}

/// Issues the key of a web site with the command.
fn site_key(app: &App) -> String {
    let output = app.command(&["keys", "create", "--site", SITE, "--quiet"]);
    assert!(output.status.success(), "{output:?}");
    let key = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    assert!(key.starts_with("pk_"), "{key}");
    key
}

/// A solution of a new challenge, as the widget sends it.
async fn solve(app: &App) -> String {
    let answer = app.get("/captcha").await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let challenge = answer.json();
    let salt = challenge["salt"].as_str().unwrap();
    let digest = |number: u64| HEXLOWER.encode(&Sha256::digest(format!("{salt}{number}")));
    let number = (0..=challenge["maxnumber"].as_u64().unwrap())
        .find(|&number| digest(number) == challenge["challenge"].as_str().unwrap());
    let mut solution = challenge.clone();
    solution["number"] = json!(number.unwrap());
    BASE64.encode(solution.to_string().as_bytes())
}

fn form(app: &App, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
    app.post(path).header("Origin", SITE).form(fields)
}

async fn stored(app: &App) -> usize {
    app.store.messages(None, None, None).await.unwrap().len()
}

#[tokio::test]
async fn a_form_is_stored_and_answered_with_the_page_of_its_app_or_a_plain_one() {
    on_each(async |database| {
        let app = App::start_on(database, altcha().with_file(APP)).await;
        let key = site_key(&app);
        let proof = solve(&app).await;
        let fields = [
            ("key", &*key),
            ("app_id", "docs"),
            ("name", "Ada"),
            ("email", "ada@example.org"),
            ("message", "Hello\r\nthere"),
            ("subject", ""),
            ("website", ""),
            ("altcha", &proof),
        ];
        let sent = Answer::of(form(&app, "/contact", &fields)).await;
        assert_eq!(
            (sent.status, sent.header("location")),
            (303, Some("https://site.example.org/danke"))
        );
        assert_eq!(app.store.messages(None, None, None).await.unwrap()[0].message, "Hello\nthere");
        // The same proof again.
        let again = Answer::of(form(&app, "/contact", &fields)).await;
        assert!(again.status == 422 && again.body.contains("Prüfung"), "{again:?}");
        let proof = solve(&app).await;
        let parts =
            [("key", &*key), ("app_id", "docs"), ("email", "ada@example.org"), ("altcha", &proof)];
        // Repeated by the script of a page: a browser invents a boundary each time.
        for boundary in ["b", "other"] {
            let parts = parts.map(|(name, value)| {
                let head = format!("Content-Disposition: form-data; name=\"{name}\"");
                format!("--{boundary}\r\n{head}\r\n\r\n{value}\r\n")
            });
            let kind = format!("multipart/form-data; boundary={boundary}");
            let request =
                app.post("/subscribe").header("Origin", SITE).header("Content-Type", kind);
            let request = request.header("Idempotency-Key", "one");
            let body = format!("{}--{boundary}--\r\n", parts.concat());
            let asked = Answer::of(request.body(body)).await;
            assert!(asked.status == 200 && asked.body.contains("Postfach"), "{asked:?}");
        }
        assert_eq!(
            app.store
                .export(&"ada@example.org".parse().unwrap())
                .await
                .unwrap()
                .subscriptions
                .len(),
            1
        );
        assert_eq!(stored(&app).await, 1);
    })
    .await;
}

#[tokio::test]
async fn an_error_is_shown_with_what_was_typed_and_can_be_corrected_there() {
    let app = App::start(altcha()).await;
    let key = site_key(&app);
    let proof = solve(&app).await;
    let mut fields = vec![
        ("key", &*key),
        ("name", "<Ada>"),
        ("email", "ada"),
        ("message", "Hello"),
        ("altcha", &proof),
    ];
    let wrong = Answer::of(form(&app, "/contact", &fields)).await;
    assert_eq!(wrong.status, 422);
    for part in [
        "Enter an e-mail address",
        "&lt;Ada&gt;",
        "name=\"email\" value=\"ada\" aria-invalid=\"true\"",
        "action=\"/toolkit/api/contact\"",
        &format!("name=\"key\" value=\"{key}\""),
    ] {
        assert!(wrong.body.contains(part), "{part} in {}", wrong.body);
    }
    assert_eq!(wrong.header("referrer-policy"), Some("same-origin"));
    // From the page of the error, with the proof that was not spent.
    fields[2].1 = "ada@example.org";
    let request = app.post("/contact").header("Origin", "https://tools.example.org").form(&fields);
    let sent = Answer::of(request).await;
    assert!(sent.status == 200 && sent.body.contains("Your message was sent"), "{sent:?}");
    assert_eq!(stored(&app).await, 1);
}

#[tokio::test]
async fn what_a_site_may_not_do_is_refused_with_a_sentence() {
    let app = App::start(altcha()).await;
    let key = site_key(&app);
    let valid =
        [("key", &*key), ("name", "Ada"), ("email", "ada@example.org"), ("message", "Hello")];
    for origin in
        ["https://evil.example", "null", "https://site.example.org:8443", "http://site.example.org"]
    {
        let request = app.post("/contact").header("Origin", origin).form(&valid);
        let answer = Answer::of(request).await;
        assert!(
            answer.status == 403 && answer.body.contains("pages of its web site"),
            "{answer:?}"
        );
        let request = app.post("/contact").header("Origin", origin).header("X-Api-Key", &key);
        Answer::of(request.json(&contact())).await.refuses(403, "pages of its web site");
    }
    let request = app.post("/contact").form(&valid);
    assert_eq!(Answer::of(request).await.status, 403);
    // No proof, by form and by script; it is required of subscribe too.
    let answer = Answer::of(form(&app, "/contact", &valid)).await;
    assert!(answer.status == 422 && answer.body.contains("It needs JavaScript"), "{answer:?}");
    let script = |path: &str, body: &Json| {
        let request = app.post(path).header("Origin", SITE).header("X-Api-Key", &key);
        Answer::of(request.json(body))
    };
    script("/contact", &contact()).await.refuses(422, "`altcha` is required");
    let subscription = json!({"email": "ada@example.org", "app_id": "docs"});
    script("/subscribe", &subscription).await.refuses(422, "`altcha` is required");
    script("/chat", &json!({"messages": []})).await.refuses(403, "does not open `chat`");
    let subscribers =
        app.client.get(app.url("/subscribers")).header("Origin", SITE).header("X-Api-Key", &key);
    Answer::of(subscribers).await.refuses(403, "does not open `subscribers:read`");
    let many: Vec<_> = (0..65).map(|number| format!("f{number}")).collect();
    let many: Vec<_> = many.iter().map(|name| (&**name, "")).collect();
    for (fields, words) in [
        (&[("mesage", "Hello")][..], "The form has no field `mesage`. It takes `name`"),
        (&[("name", "Ada"), ("name", "Bob")], "the field `name` twice"),
        (&many, "more than 64 fields"),
    ] {
        let fields = [&[("key", &*key)][..], fields].concat();
        let odd = Answer::of(form(&app, "/contact", &fields)).await;
        assert!(odd.status == 422 && odd.body.contains(words), "{odd:?}");
    }
    assert_eq!(stored(&app).await, 0);
    // Forms with the key of a server are as they were.
    let request = app.post("/contact").header("X-Api-Key", &app.key).form(&valid);
    Answer::of(request).await.refuses(415, "application/json");
    assert_eq!(app.contact(&contact()).await.status, 200);
}

#[tokio::test]
async fn a_form_without_a_valid_key_is_401_whatever_else_is_wrong_with_it() {
    let app = App::start(altcha()).await;
    let urlencoded = "application/x-www-form-urlencoded";
    let multipart = "multipart/form-data; boundary=b";
    // Such a form once took a worker for a minute: each field was compared with all others.
    let many = (0..60_000).map(|number| format!("f{number}")).collect::<Vec<_>>().join("&");
    let servers = format!("key={}&name=Ada", app.key);
    for (kind, body) in [
        (urlencoded, &b"name=Ada"[..]),
        (urlencoded, servers.as_bytes()),
        (urlencoded, b"key=pk_nobody&name=Ada"),
        (urlencoded, b"name=Ada&name=Bob"),
        (urlencoded, b"name=\xff"),
        (urlencoded, many.as_bytes()),
        ("multipart/form-data", b"x"),
        (multipart, b"--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda"),
    ] {
        for path in ["/contact", "/subscribe"] {
            let request = || app.post(path).header("Content-Type", kind).body(body.to_vec());
            for request in [
                request(),
                request().header("X-Api-Key", "x"),
                request().header("Accept", "text/html"),
                request().header("Idempotency-Key", ""),
            ] {
                let answer = Answer::of(request).await;
                assert_eq!(answer.status, 401, "{path} {answer:?}");
                assert!(answer.header("www-authenticate").is_some(), "{path} {answer:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_script_of_the_site_gets_json_and_the_key_of_a_server_has_no_trap() {
    let setup = altcha();
    let listed = ("TOOLKIT_HTTP__CORS_ORIGINS".to_owned(), "https://other.example.org".to_owned());
    let app =
        App::start(Setup { variables: [setup.variables, vec![listed]].concat(), ..setup }).await;
    let key = site_key(&app);
    // A server learns of a new key within a second, or by its first use.
    until("the origin of the key", async || {
        let request = app.client.request(reqwest::Method::OPTIONS, app.url("/contact"));
        let request =
            request.header("Origin", SITE).header("Access-Control-Request-Method", "POST");
        let preflight = Answer::of(request).await;
        preflight.header("access-control-allow-origin").map(|_| ())
    })
    .await;
    let mut body = contact();
    body["altcha"] = json!(solve(&app).await);
    let send = async |body: &Json| {
        let request = app.post("/contact").header("Origin", SITE).header("X-Api-Key", &key);
        Answer::of(request.json(body)).await
    };
    let first = send(&body).await;
    assert_eq!((first.status, &first.json()["status"]), (200, &json!("received")));
    assert_eq!(first.header("access-control-allow-origin"), Some(SITE));
    send(&body).await.refuses(422, "`altcha` was refused");
    assert_eq!(stored(&app).await, 1);
    body["website"] = json!("https://spam.example");
    app.contact(&body).await.refuses(422, "`website` is a trap");
    for (path, allowed) in [("/contact", Some(SITE)), ("/captcha", Some(SITE)), ("/tools", None)] {
        let request =
            app.client.request(reqwest::Method::OPTIONS, app.url(path)).header("Origin", SITE);
        let preflight = Answer::of(request.header("Access-Control-Request-Method", "POST")).await;
        assert_eq!(preflight.header("access-control-allow-origin"), allowed, "{path}");
    }
}

#[tokio::test]
async fn strangers_without_origin_or_proof_do_not_use_up_the_limit_of_a_site() {
    let app = App::start(altcha()).await;
    let create = ["keys", "create", "--site", SITE, "--per-minute", "2", "--quiet"];
    let key = String::from_utf8(app.command(&create).stdout).unwrap().trim().to_owned();
    let send = async |origin: &str, proof: Option<&str>| {
        let mut body = contact();
        body["altcha"] = json!(proof);
        let request = app.post("/contact").header("Origin", origin).header("X-Api-Key", &key);
        Answer::of(request.json(&body)).await
    };
    let proof = solve(&app).await;
    assert_eq!(send(SITE, Some(&proof)).await.status, 200);
    for _ in 0..9 {
        send("https://evil.example", Some(&proof)).await.refuses(403, "pages of its web site");
        send(SITE, None).await.refuses(422, "`altcha` is required");
        send(SITE, Some("x")).await.refuses(422, "`altcha` was refused");
        send(SITE, Some(&proof)).await.refuses(422, "`altcha` was refused");
        let fields = [("key", &*key), ("email", "ada@example.org"), ("app_id", "docs")];
        assert_eq!(Answer::of(form(&app, "/subscribe", &fields)).await.status, 422);
    }
    assert_eq!(send(SITE, Some(&solve(&app).await)).await.status, 200);
    send(SITE, Some(&solve(&app).await)).await.refuses(429, "API key");
}

#[tokio::test]
async fn what_a_browser_fills_in_beside_a_proof_keeps_no_message_out() {
    let app = App::start(altcha()).await;
    let key = site_key(&app);
    let mut body = contact();
    body["website"] = json!("https://ada.example.org");
    body["altcha"] = json!(solve(&app).await);
    let request = app.post("/contact").header("Origin", SITE).header("X-Api-Key", &key);
    assert_eq!(Answer::of(request.json(&body)).await.status, 200);
    let proof = solve(&app).await;
    let fields = [
        ("key", &*key),
        ("name", "Ada"),
        ("email", "ada@example.org"),
        ("message", "Hello"),
        ("website", "https://ada.example.org"),
        ("altcha", &proof),
    ];
    assert_eq!(Answer::of(form(&app, "/contact", &fields)).await.status, 200);
    assert_eq!(stored(&app).await, 2);
}

#[tokio::test]
async fn a_proof_is_spent_once_on_all_replicas_and_known_to_all() {
    on_each(async |database| {
        let one = App::start_on(database, altcha()).await;
        let two = App::start_on(database, altcha()).await;
        let key = site_key(&one);
        let mut body = contact();
        body["altcha"] = json!(solve(&one).await);
        let send = |app: &App| {
            let request = app.post("/contact").header("Origin", SITE).header("X-Api-Key", &key);
            Answer::of(request.json(&body))
        };
        let (a, b) = futures::future::join(send(&one), send(&two)).await;
        let mut statuses = [a.status, b.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422]);
    })
    .await;
}

#[tokio::test]
async fn keys_of_sites_are_refused_where_they_could_not_be_safe() {
    let open = App::start(Setup::default()).await;
    let app = App::start(altcha()).await;
    open.get("/captcha").await.refuses(404, "no challenges");
    for (app, arguments, code, words) in [
        (&open, &["--site", SITE][..], 1, "needs `captcha.kind`"),
        (
            &app,
            &["--site", SITE, "--for", "contact,chat"],
            1,
            "a site key can only open contact and subscribe",
        ),
        (&app, &["--site", "https://site.example.org/form"], 2, "must be an origin"),
        (&app, &["--site", "*"], 2, "must be an origin"),
        (&app, &["--site", SITE, "--forwards-clients"], 2, "cannot be used with"),
        (
            &app,
            &["--label", "l", "--for", "mail"],
            2,
            "must be chat, contact, subscribe or subscribers:read",
        ),
        (&app, &["--for", "chat"], 2, "--label"),
    ] {
        let output = app.command(&[&["keys", "create"], arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(words), "{words:?} in {said:?}");
    }
    site_key(&app);
    let list = String::from_utf8(app.command(&["keys", "list"]).stdout).unwrap();
    assert!(list.contains(&format!("contact,subscribe {SITE}")), "{list}");
    for (file, words) in [
        (
            "[captcha]\nsecret = \"s\"",
            "`captcha.kind` is not set, but `captcha.secret` requires it",
        ),
        ("[captcha]\nkind = \"turnstile\"", "`captcha.secret` is not set"),
        ("[captcha]\nkind = \"recaptcha\"", "expected one of altcha, turnstile"),
    ] {
        let error = toolkit_server::settings::Settings::parse(file, []).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn visitors_of_a_back_end_have_limits_of_their_own() {
    let setup = Setup::new(&[("TOOLKIT_LIMITS__CONTACT_PER_MINUTE", "2")]);
    let app = App::start(setup).await;
    let terms =
        KeyTerms { scopes: vec![Scope::Contact], forwards_clients: true, ..KeyTerms::default() };
    let now = time::OffsetDateTime::now_utc();
    let (_, key) = app.store.keys().issue(&"back end".parse().unwrap(), &terms, now).await.unwrap();
    let send = async |key: &str, header: &str, value: &str| {
        let request = app.post("/contact").header("X-Api-Key", key).header(header, value);
        Answer::of(request.json(&contact())).await.status
    };
    // The key is known from its first use on.
    send(key.expose(), "X-Forwarded-For", "198.51.100.255").await;
    let visits = (1..=50).flat_map(|visitor| [visitor; 3]).map(|visitor| {
        let (send, key) = (&send, key.expose());
        async move {
            (visitor, send(key, "X-Forwarded-For", &format!("6.6.6.6, 198.51.100.{visitor}")).await)
        }
    });
    let answers = futures::future::join_all(visits).await;
    for visitor in 1..=50 {
        let mut own: Vec<_> =
            answers.iter().filter(|(of, _)| *of == visitor).map(|(_, status)| *status).collect();
        own.sort_unstable();
        assert_eq!(own, [200, 200, 429], "{visitor}");
    }
    for _ in 0..2 {
        assert_eq!(send(key.expose(), "Forwarded", "for=\"[2001:db8::1]\"").await, 200);
    }
    assert_eq!(send(key.expose(), "Forwarded", "for=\"[2001:db8::2]\"").await, 429);
    // Any other key names nobody.
    let others = [
        send(&app.key, "X-Forwarded-For", "203.0.113.1").await,
        send(&app.key, "X-Forwarded-For", "203.0.113.2").await,
    ];
    assert!(others.contains(&429), "{others:?}");
}
