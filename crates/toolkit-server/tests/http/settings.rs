//! Settings: defaults, file, environment and refusals.

use std::ffi::OsString;

use toolkit_server::settings::{LogFormat, MailTransport, ProviderKind, Settings};

use crate::reference;

fn environment(variables: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    variables.iter().map(|(name, value)| (name.into(), value.into())).collect()
}

fn load(text: &str, variables: &[(&str, &str)]) -> Settings {
    Settings::parse(text, environment(variables)).unwrap()
}

#[track_caller]
fn refused(text: &str, variables: &[(&str, &str)]) -> String {
    Settings::parse(text, environment(variables)).unwrap_err().to_string()
}

#[test]
fn an_empty_environment_gives_the_defaults() {
    let settings = load("", &[]);
    assert_eq!(settings.api.bind.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.api.admin_bind.unwrap().to_string(), "127.0.0.1:9080");
    assert_eq!(settings.mcp.bind.to_string(), "127.0.0.1:8081");
    assert_eq!(settings.mcp.admin_bind.unwrap().to_string(), "127.0.0.1:9081");
    assert_eq!(settings.http.body_limit_bytes, 1_048_576);
    assert_eq!(settings.http.shutdown_grace_seconds, 10);
    assert!(settings.http.trusted_proxies.is_empty());
    assert!(settings.http.origins().allows("https://anything.example"));
    let limits = &settings.limits;
    assert_eq!((limits.run_per_minute, limits.run_burst), (120, 60));
    assert_eq!((limits.mcp_per_minute, limits.mcp_burst), (240, 120));
    assert_eq!(limits.chat_per_minute, 10);
    assert_eq!((limits.contact_per_minute, limits.subscribe_per_minute), (5, 5));
    assert!(limits.redis_url.is_none());
    assert_eq!(settings.database.url.expose(), "sqlite://toolkit.db");
    assert_eq!(settings.database.max_connections, 4);
    assert!(settings.turnstile.secret.is_none());
    assert_eq!(settings.mail.transport, MailTransport::Log);
    assert_eq!((settings.llm.deadline_ms, settings.llm.max_output_tokens), (180_000, 8_192));
    assert_eq!(settings.log.level.as_str(), "info");
    assert_eq!(settings.privacy.contact_days, 365);
    assert!(settings.telemetry.otlp_endpoint.is_none());
}

#[test]
fn the_environment_overrides_the_file_and_the_file_overrides_the_defaults() {
    let file = "[limits]\nrun_per_minute = 1\nrun_burst = 2\n[api]\nadmin_bind = \"\"";
    let settings = load(file, &[("TOOLKIT_LIMITS__RUN_BURST", "3"), ("PATH", "/bin")]);
    assert_eq!((settings.limits.run_per_minute, settings.limits.run_burst), (1, 3));
    assert_eq!(settings.api.admin_bind, None);
}

#[test]
fn a_variable_is_parsed_as_the_type_of_its_setting() {
    let settings = load(
        "",
        &[
            ("TOOLKIT_API__BIND", "0.0.0.0:80"),
            ("TOOLKIT_API__ADMIN_BIND", ""),
            ("TOOLKIT_HTTP__TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1,"),
            ("TOOLKIT_HTTP__CORS_ORIGINS", ""),
            ("TOOLKIT_FLAGS__AI_ENABLED", "false"),
            ("TOOLKIT_LOG__FORMAT", "json"),
            ("TOOLKIT_LIMITS__REDIS_URL", ""),
            ("TOOLKIT_HTTP__WORKERS", "3"),
        ],
    );
    assert_eq!(settings.api.bind.port(), 80);
    assert_eq!(settings.api.admin_bind, None);
    assert_eq!(settings.http.trusted_proxies.len(), 2);
    assert!(!settings.http.origins().allows("https://anything.example"));
    assert_eq!(settings.flags.ai_enabled, Some(false));
    assert_eq!(settings.log.format, Some(LogFormat::Json));
    assert!(settings.limits.redis_url.is_none());
    assert_eq!(settings.http.worker_count(), 3);
}

#[test]
fn providers_come_from_the_file_and_from_numbered_variables() {
    let file = "[[llm.providers]]\nname = \"a\"\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:1\"";
    let settings = load(
        file,
        &[
            ("TOOLKIT_LLM__PROVIDERS__0__TIMEOUT_MS", "700"),
            ("TOOLKIT_LLM__PROVIDERS__1__NAME", "b"),
            ("TOOLKIT_LLM__PROVIDERS__1__KIND", "anthropic"),
            ("TOOLKIT_LLM__PROVIDERS__1__MODEL", "n"),
            ("TOOLKIT_LLM__PROVIDERS__1__API_KEY_ENV", "B_KEY"),
            ("B_KEY", "secret"),
        ],
    );
    let [first, second] = &settings.llm.providers[..] else { panic!("two providers") };
    assert_eq!((first.name.as_str(), first.timeout_ms), ("a", Some(700)));
    assert_eq!((second.name.as_str(), second.kind), ("b", ProviderKind::Anthropic));
    assert_eq!(second.api_key.as_ref().unwrap().expose(), "secret");
}

#[test]
fn each_refusal_names_the_key_and_what_is_accepted() {
    for (text, words) in [
        ("[api]\nbind = \"8080\"", ["`api.bind`", "`8080`", "127.0.0.1:8080"]),
        ("[api]\nbind = 8080", ["`api.bind`", "`8080`", "an IP address"]),
        ("[limits]\nrun_per_minute = -1", ["`limits.run_per_minute`", "`-1`", "0 to 1000000000"]),
        (
            "[limits]\nrun_per_minute = 1000000001",
            ["`limits.run_per_minute`", "`1000000001`", "whole"],
        ),
        ("[limits]\nrun_burst = 0", ["`limits.run_burst`", "`0`", "from 1"]),
        ("[limits]\nrun_burst = 1.5", ["`limits.run_burst`", "`1.5`", "a whole number"]),
        ("[limits]\nrun_burst = \"12\"", ["`limits.run_burst`", "`\"12\"`", "a whole number"]),
        ("[limits]\nrun_brust = 1", ["`limits.run_brust`", "is not a setting", "run_burst"]),
        ("[limit]\nrun_burst = 1", ["`limit`", "is not a setting", "limits"]),
        ("limits = 1", ["`limits`", "is not a section", "[limits]"]),
        (
            "[http]\ntrusted_proxies = [\"10.0.0.0/33\"]",
            ["`http.trusted_proxies`", "10.0.0.0/33", "networks"],
        ),
        (
            "[http]\ncors_origins = [\"example.org\"]",
            ["`http.cors_origins`", "example.org", "origins"],
        ),
        ("[http]\nworkers = 513", ["`http.workers`", "`513`", "1 to 512"]),
        (
            "[public]\nbase_url = \"example.org\"",
            ["`public.base_url`", "`example.org`", "https://"],
        ),
        ("[log]\nlevel = \"inof\"", ["`log.level`", "`inof`", "info"]),
        ("[log]\nformat = \"xml\"", ["`log.format`", "`xml`", "text, json"]),
        ("[mail]\nfrom = \"nobody\"", ["`mail.from`", "`nobody`", "an e-mail address"]),
        ("[database]\nurl = \"mysql://h/d\"", ["`database.url`", "`mysql://h/d`", "postgres://"]),
        ("[turnstile]\nsecret = \" \"", ["`turnstile.secret`", "not accepted", "not blank"]),
        ("[llm]\nproviders = 1", ["`llm.providers`", "`1`", "a list of tables"]),
        ("[api]\nbind = ", ["toolkit.toml", "line 2", "is not TOML"]),
    ] {
        let line = refused(text, &[]);
        for word in words {
            assert!(line.contains(word), "{text:?}: {line:?} lacks {word:?}");
        }
    }
}

#[test]
fn a_refusal_of_the_environment_names_the_variable() {
    for (variable, value, word) in [
        ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "many", "a whole number from 0 to 1000000000"),
        ("TOOLKIT_FLAGS__AI_ENABLED", "yes", "true or false"),
        ("TOOLKIT_HTTP__TRUSTED_PROXIES", "10.0.0.0/8,proxy", "networks"),
        ("TOOLKIT_TURNSTILE__SECRET", " ", "not blank"),
        ("TOOLKIT_LIMITS__RUN_PER_MINUT", "1", "is not a setting"),
        ("TOOLKIT_LIMITS_RUN_PER_MINUTE", "1", "is not a setting"),
        ("TOOLKIT_LLM__PROVIDERS__0__NAM", "1", "is not a setting"),
        ("TOOLKIT_LLM__PROVIDERS__X__NAME", "1", "is not a setting"),
        (
            "TOOLKIT_LLM__PROVIDERS__0__KIND",
            "cohere",
            "one of openai, chat, responses, anthropic, gemini",
        ),
    ] {
        let line = refused("", &[(variable, value)]);
        assert!(line.starts_with(variable) && line.contains(word), "{variable}={value}: {line}");
    }
}

#[test]
fn all_errors_are_reported_at_once_each_on_a_line_of_its_own() {
    let line = refused(
        "[api]\nbind = \"x\"\n[limits]\nrun_burst = 0\nnew = 1",
        &[("TOOLKIT_LOG__LEVEL", "loud"), ("TOOLKIT_HTTP__WORKERS", "0")],
    );
    for word in [
        "api.bind",
        "limits.run_burst",
        "limits.new",
        "TOOLKIT_LOG__LEVEL",
        "TOOLKIT_HTTP__WORKERS",
    ] {
        let lines = line.lines().filter(|line| line.contains(word));
        assert_eq!(lines.count(), 1, "{line}");
    }
    assert_eq!(line.lines().count(), 5, "{line}");
}

#[test]
fn settings_that_depend_on_each_other_are_checked_together() {
    let line = refused("[mail]\ntransport = \"smtp\"\nfrom = \"a@b.c\"", &[]);
    assert!(line.contains("`mail.smtp_url`") && line.contains("`mail.operator`"), "{line}");
    assert!(!line.contains("`mail.from`"), "{line}");

    let provider =
        |rest: &str| format!("[[llm.providers]]\nname = \"a\"\nkind = \"gemini\"\n{rest}");
    for (text, word) in [
        (provider("api_key = \"k\""), "has no `model`"),
        (provider("model = \"m\""), "neither `api_key` nor `api_key_env`"),
        (provider("model = \"m\"\napi_key = \"k\"\napi_key_env = \"K\""), "has both"),
        (provider("model = \"m\"\napi_key_env = \"K\""), "takes its key from K, which is not set"),
        (provider("model = \"m\"\napi_key = \" \""), "`llm.providers[0].api_key`"),
        (provider("model = \"m\"\napi_key = \"k\"\n").repeat(2), "two providers are named `a`"),
    ] {
        let line = refused(&text, &[]);
        assert!(line.contains(word), "{line} lacks {word}");
    }
    let line = refused("", &[("TOOLKIT_LLM__PROVIDERS__1__NAME", "b")]);
    assert!(line.contains("`llm.providers[0]` is missing"), "{line}");
    let line = refused("[[llm.providers]]", &[]);
    assert!(line.contains("`llm.providers[0]` has no `name`"), "{line}");
    let line = refused(&provider("model = \"m\"").replace("gemini", "x"), &[]);
    assert!(line.contains("expected one of openai") && !line.contains("has no"), "{line}");
}

/// A file that a secret is read from, removed at the end.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("toolkit-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_secret_can_be_in_a_file_of_its_own() {
    let secret = File::new("secret", "c4n4ry\n");
    let [smtp, database, redis] = [
        ("smtp", "smtps://mailer:c4n4ry@mail.example.org\r\n"),
        ("database", "postgres://toolkit:c4n4ry@db.example.org/toolkit"),
        ("redis", "redis://:c4n4ry@cache.example.org/0\n"),
    ]
    .map(|(name, text)| File::new(name, text));
    let file = format!(
        "[turnstile]
secret_file = {:?}
[[llm.providers]]
name = \"main\"
kind = \"openai\"
model = \"m\"",
        secret.path()
    );
    let settings = load(
        &file,
        &[
            ("TOOLKIT_MAIL__SMTP_URL_FILE", smtp.path()),
            ("TOOLKIT_DATABASE__URL_FILE", database.path()),
            ("TOOLKIT_LIMITS__REDIS_URL_FILE", redis.path()),
            ("TOOLKIT_LLM__PROVIDERS__0__API_KEY_FILE", secret.path()),
        ],
    );
    assert_eq!(settings.turnstile.secret.unwrap().expose(), "c4n4ry");
    let smtp_url = settings.mail.smtp_url.unwrap();
    assert_eq!(smtp_url.expose(), "smtps://mailer:c4n4ry@mail.example.org");
    assert!(settings.database.url.expose().ends_with("/toolkit"));
    assert!(settings.limits.redis_url.unwrap().expose().ends_with("/0"));
    let key = settings.llm.providers[0].api_key.as_ref().unwrap();
    assert_eq!(key.expose(), "c4n4ry");
}

#[test]
fn a_file_without_a_secret_is_one_error() {
    const MAIL: &str = "[mail]
transport = \"smtp\"
from = \"a@b.c\"
operator = \"a@b.c\"
";
    let empty = File::new("empty", " \n");
    let wrong = File::new("wrong", "http://c4n4ry@mail.example.org");
    let variable = "TOOLKIT_MAIL__SMTP_URL_FILE";
    for (file, words) in [
        (empty.path(), "names an empty file"),
        ("/no/such/file", "cannot be read: No such file"),
        (wrong.path(), "is not accepted; expected a URL that starts with smtp://"),
    ] {
        let line = refused(MAIL, &[(variable, file)]);
        assert!(line.starts_with(variable) && line.contains(words), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(!line.contains("c4n4ry"), "{line}");
    }
    let line = refused("[mail]\nsmtp_url_file = 1", &[]);
    assert!(line.contains("`mail.smtp_url_file` in toolkit.toml is not the path"), "{line}");
    let line = refused("[mail]\noperator_file = \"x\"", &[]);
    assert!(line.contains("`mail.operator_file` in toolkit.toml is not a setting"), "{line}");
    let provider = "[[llm.providers]]\nname = \"a\"\nkind = \"gemini\"\nmodel = \"m\"\n";
    let line = refused(&format!("{provider}api_key_file = \"/no/such/file\""), &[]);
    assert!(line.starts_with("`llm.providers[0].api_key_file` in toolkit.toml names"), "{line}");
    assert!(!line.contains("neither"), "{line}");
}

#[test]
fn the_later_source_of_a_secret_wins_whether_it_has_the_value_or_names_a_file() {
    let file = File::new("later", "from-a-file");
    let [by_value, by_file] = ["TOOLKIT_TURNSTILE__SECRET", "TOOLKIT_TURNSTILE__SECRET_FILE"];
    let secret = |text: &str, variables: &[(&str, &str)]| {
        load(text, variables).turnstile.secret.map(|secret| secret.expose().to_owned())
    };
    let in_text = "[turnstile]\nsecret = \"from-the-text\"";
    let named = format!("[turnstile]\nsecret_file = {:?}", file.path());
    // The file that is not to count need not be there.
    let stale = "[turnstile]\nsecret_file = \"/no/such/file\"";
    assert_eq!(secret(stale, &[(by_value, "new")]).unwrap(), "new");
    assert_eq!(secret(in_text, &[(by_file, file.path())]).unwrap(), "from-a-file");
    assert_eq!(secret(&named, &[(by_file, "")]), None);
    assert_eq!(secret(&named, &[(by_value, "")]), None);
    assert_eq!(secret("", &[(by_value, ""), (by_file, file.path())]).unwrap(), "from-a-file");
    let provider =
        "[[llm.providers]]\nname = \"a\"\nkind = \"gemini\"\nmodel = \"m\"\napi_key_env = \"GONE\"";
    let settings = load(provider, &[("TOOLKIT_LLM__PROVIDERS__0__API_KEY", "new")]);
    assert_eq!(settings.llm.providers[0].api_key.as_ref().unwrap().expose(), "new");

    let both = format!("{in_text}\nsecret_file = {:?}", file.path());
    for (text, variables) in
        [(&*both, &[] as &[_]), ("", &[(by_value, "a"), (by_file, file.path())])]
    {
        let line = refused(text, variables);
        assert!(line.ends_with("is set, and so is `turnstile.secret`. Give one"), "{line}");
    }
}

#[test]
fn an_empty_variable_unsets_what_the_file_sets() {
    let file = "[limits]\nrun_per_minute = 7\n[turnstile]\nsecret = \"s\"\n[llm]\nsystem_prompt = \"p\"
[[llm.providers]]\nname = \"a\"\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:1\"\napi_key = \"k\"";
    let settings = load(
        file,
        &[
            ("TOOLKIT_LIMITS__RUN_PER_MINUTE", ""),
            ("TOOLKIT_TURNSTILE__SECRET", ""),
            ("TOOLKIT_DATABASE__URL", ""),
            ("TOOLKIT_LOG__FORMAT", ""),
            ("TOOLKIT_LLM__SYSTEM_PROMPT", ""),
            ("TOOLKIT_LLM__PROVIDERS__0__API_KEY", ""),
            ("TOOLKIT_LLM__PROVIDERS__1__NAME", ""),
            ("TOOLKIT_APPS__0__ID", ""),
        ],
    );
    assert_eq!(settings.limits.run_per_minute, 120);
    assert!(settings.turnstile.secret.is_none() && settings.llm.system_prompt.is_none());
    assert_eq!(settings.database.url.expose(), "sqlite://toolkit.db");
    assert!(settings.llm.providers.len() == 1 && settings.llm.providers[0].api_key.is_none());
    let line = refused(file, &[("TOOLKIT_LLM__PROVIDERS__0__MODEL", "")]);
    assert_eq!(line, "`llm.providers[0]` has no `model`");
    let line = refused("", &[("TOOLKIT_LIMITS__RUN_PER_MINUT", "")]);
    assert!(line.starts_with("TOOLKIT_LIMITS__RUN_PER_MINUT is not a setting"), "{line}");
}

#[test]
fn an_unknown_variable_is_answered_with_those_that_may_be_meant() {
    for (variable, meant) in [
        ("TOOLKIT_HTTP__BIND", "Did you mean TOOLKIT_API__BIND or TOOLKIT_MCP__BIND?"),
        ("TOOLKIT_BIND", "Did you mean TOOLKIT_API__BIND or TOOLKIT_MCP__BIND?"),
        ("TOOLKIT_REDIS_URL", "Did you mean TOOLKIT_LIMITS__REDIS_URL?"),
        ("TOOLKIT_PUBLIC_BASE_URL", "Did you mean TOOLKIT_PUBLIC__BASE_URL?"),
        ("TOOLKIT_LIMIT__RUN_PER_MINUTE", "Did you mean TOOLKIT_LIMITS__RUN_PER_MINUTE?"),
        ("TOOLKIT_HTTP__TRUSTED_PROXYS", "Did you mean TOOLKIT_HTTP__TRUSTED_PROXIES?"),
        ("TOOLKIT_LLM__PROVIDERS__3__APIKEY", "Did you mean TOOLKIT_LLM__PROVIDERS__3__API_KEY?"),
        ("TOOLKIT_COLOUR", "A variable is TOOLKIT_, the section, __ and the key"),
    ] {
        let line = refused("", &[(variable, "1")]);
        assert_eq!(line, format!("{variable} is not a setting. {meant}"));
    }
}

#[test]
fn an_unreadable_file_is_named() {
    let line = Settings::load(Some("no/such/file.toml".as_ref()), environment(&[]));
    let line = line.unwrap_err().to_string();
    assert!(line.starts_with("no/such/file.toml: "), "{line}");
}

const SECRETS: &str = "
[database]
url = \"postgres://toolkit:c4n4ry@db.example.org/toolkit\"
[limits]
redis_url = \"redis://:c4n4ry@cache.example.org/0\"
[turnstile]
secret = \"c4n4ry\"
[mail]
smtp_url = \"smtps://mailer:c4n4ry@mail.example.org\"
[[llm.providers]]
name = \"main\"
kind = \"openai\"
model = \"m\"
api_key = \"c4n4ry\"
";

#[test]
fn secrets_are_never_shown() {
    let settings = load(SECRETS, &[]);
    assert_eq!(settings.turnstile.secret.as_ref().unwrap().expose(), "c4n4ry");
    let shown = settings.effective(None);
    assert!(!shown.contains("c4n4ry"), "{shown}");
    assert!(!format!("{settings:?}").contains("c4n4ry"));
    for line in [
        "url = \"postgres://toolkit:***@db.example.org/toolkit\"",
        "redis_url = \"redis://:***@cache.example.org/0\"",
        "secret = \"***\"",
        "smtp_url = \"smtps://mailer:***@mail.example.org\"",
        "api_key = \"***\"",
    ] {
        assert!(shown.contains(line), "{shown} lacks {line}");
    }
}

#[test]
fn a_refused_secret_is_not_shown_either() {
    for text in [
        "[mail]\nsmtp_url = \"http://c4n4ry@mail.example.org\"",
        "[mail]\nsmtp_url = \"mailer:c4n4ry@mail.example.org\"",
        "[database]\nurl = \"mysql://u:c4n4ry@h/d\"",
        "[database]\nurl = \"u:c4n4ry@h/d\"",
        "[limits]\nredis_url = \"http://u:c4n4ry@h/d\"",
        "[turnstile]\nsecret = [\"c4n4ry\"]",
    ] {
        let line = refused(text, &[]);
        assert!(!line.contains("c4n4ry"), "{line}");
    }
}

#[test]
fn a_host_is_a_name_without_scheme_and_path() {
    for host in ["https://tools.example.org", "tools.example.org/mcp", "a b", ""] {
        let line = refused(&format!("[mcp]\nallowed_hosts = [\"{host}\"]"), &[]);
        assert!(line.contains("expected a list of hosts such as"), "{line}");
    }
}

#[test]
fn the_effective_settings_are_complete_toml_that_loads_again() {
    let settings = load(
        "[limits]
run_per_minute = 7
[http]
trusted_proxies = [\"10.0.0.0/8\"]
[mcp]
allowed_hosts = [\"Tools.example.org\", \"*\"]",
        &[],
    );
    let shown = settings.effective(None);
    for line in [
        "run_per_minute = 7",
        "trusted_proxies = [\"10.0.0.0/8\"]",
        "base_url = \"http://127.0.0.1:8080\"",
        "web_base_url = \"http://127.0.0.1:8080/toolkit\"",
        "mcp_url = \"http://127.0.0.1:8080/toolkit/mcp\"",
        "contact_days = 365",
        "allowed_hosts = [\"tools.example.org\", \"*\"]",
        "# secret is not set",
    ] {
        assert!(shown.contains(line), "{shown} lacks {line}");
    }
    assert_eq!(load(&shown, &[]).effective(None), shown);
}

#[test]
fn with_port_0_no_address_is_shown_before_it_is_known() {
    let shown = load("", &[("TOOLKIT_API__BIND", "127.0.0.1:0")]).effective(None);
    assert!(!shown.contains("127.0.0.1:0\"\nweb"), "{shown}");
    assert!(shown.contains("# base_url"), "{shown}");
}

#[test]
fn the_example_file_loads_as_it_is_and_with_every_line_uncommented() {
    let example = reference::example();
    assert_eq!(load(&example, &[]).effective(None), load("", &[]).effective(None));

    let is_setting = |line: &str| line.contains(" = ") || line.starts_with("[[");
    let uncommented: String = example
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if is_setting(rest) => format!("{rest}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    // Of a variable and of files that are not on this machine.
    let uncommented = [
        "api_key_env = \"OPENAI_API_KEY\"\n",
        "tokens_file = \"/etc/toolkit/mcp.tokens\"\n",
        "logo = \"/etc/toolkit/logo.svg\"\n",
    ]
    .iter()
    .fold(uncommented, |text, line| text.replace(line, ""));
    let settings = load(&uncommented, &[]);
    assert_eq!(settings.llm.providers.len(), 1);
    assert_eq!(settings.public.base_url.as_ref().unwrap().as_str(), "https://tools.example.org");
    let shown = settings.effective(None);
    let secrets = ["secret", "api_key"];
    for line in uncommented.lines().filter(|line| line.contains(" = ")) {
        let key = line.split(" = ").next().unwrap();
        let expected = if secrets.contains(&key) {
            format!("{key} = \"***\"")
        } else if key == "smtp_url" {
            line.replace(":password@", ":***@")
        } else if key == "headers" {
            // Their values may be secrets.
            line.replace("\"chat\"", "\"***\"")
        } else {
            line.to_owned()
        };
        // The path of a receiver is secret; a digest takes its place.
        let is_shown = |line: &str| match expected.strip_suffix("/hook\"") {
            Some(start) => line.starts_with(&format!("{start}#")),
            None => line == expected,
        };
        assert!(shown.lines().any(is_shown), "{shown} lacks {expected}");
    }
}

#[test]
fn links_have_a_text_and_an_address() {
    let file = "[[public.links]]\ntext = \"Imprint\"\nurl = \"https://example.org/imprint\"\n";
    let variables = [
        ("TOOLKIT_PUBLIC__LINKS__1__TEXT", "Privacy"),
        ("TOOLKIT_PUBLIC__LINKS__1__URL", "https://example.org/privacy"),
    ];
    let links = load(file, &variables).public.links;
    let texts: Vec<_> = links.iter().map(|link| link.text.as_str()).collect();
    assert_eq!(texts, ["Imprint", "Privacy"]);
    for (from, to, expected) in [
        ("url = \"https://example.org/imprint\"", "", "url"),
        ("https://example.org/imprint", "javascript:alert(1)", "http"),
        ("Imprint", "", "1 to 40 characters"),
        ("text", "title", "title"),
    ] {
        let line = refused(&file.replace(from, to), &[]);
        assert!(line.contains(expected), "{line}");
    }
}

#[test]
fn a_base_url_has_any_path_but_that_of_the_addresses_below_it() {
    let base = |url: &str| format!("[public]\nbase_url = \"{url}\"");
    let settings = load(&base("https://example.org/dev/"), &[]);
    let urls = settings.public.resolve(settings.api.bind, None);
    assert_eq!(urls.base_url.path(), "/dev");
    assert_eq!(urls.web_base_url.path(), "/dev/toolkit");
    assert_eq!((urls.mcp_url.path(), urls.mcp_base()), ("/dev/toolkit/mcp", "/dev"));
    for path in ["/toolkit", "/toolkit/", "/toolkit/api"] {
        let line = refused(&base(&format!("https://example.org{path}")), &[]);
        assert!(line.contains("`public.base_url`"), "{line}");
    }
}
