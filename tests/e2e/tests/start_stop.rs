//! Start and stop of a server process.

use std::net::TcpListener;

use toolkit_e2e::{Program, finish, free_address, get};

const SERVERS: [&str; 2] = ["api-server", "mcp-server"];
const ALERTS: &str = include_str!("../../../deploy/prometheus/alerts.yml");

#[test]
fn a_server_starts_on_defaults_and_ends_with_0_and_a_clean_log() {
    for name in SERVERS {
        let server = Program::start(name, &[]).unwrap();
        assert_eq!(get(server.address, "/no-such-path").unwrap().status, 404);
        let ended = server.stop().unwrap();
        assert_eq!(ended.code, Some(0), "{name}");
        assert_eq!(ended.errors, "", "{name}");
        for line in &ended.log {
            assert_eq!(line["level"], "INFO", "{name}: {line}");
        }
    }
}

#[test]
fn a_stop_as_soon_as_it_listens_is_clean() {
    // Repeated, since a server that listens before it handles signals is killed by them only
    // occasionally.
    for name in SERVERS.repeat(10) {
        let ended = Program::start(name, &[]).unwrap().stop().unwrap();
        let last = ended.log.last().map(|line| &line["message"]);
        assert_eq!(ended.code, Some(0), "{name}: {last:?}");
    }
}

#[test]
fn a_stopped_server_leaves_the_database_as_one_file() {
    let server = Program::start("api-server", &[]).unwrap();
    let health = get(server.address, "/toolkit/api/health").unwrap();
    assert_eq!(health.json()["database"]["status"], "ok");
    // Next to a file restored from a backup, the log of the previous file would corrupt it.
    assert_eq!(server.stop().unwrap().files, ["toolkit.db"]);
}

#[test]
fn counters_watched_by_alerts_start_at_zero() {
    let watched = ALERTS.split("increase(").skip(1).filter_map(|rest| rest.split('[').next());
    let watched: Vec<_> = watched.collect();
    assert!(watched.contains(&"toolkit_panics_total"), "{watched:?}");
    for (name, variable) in
        [(SERVERS[0], "TOOLKIT_API__ADMIN_BIND"), (SERVERS[1], "TOOLKIT_MCP__ADMIN_BIND")]
    {
        let admin = free_address().unwrap();
        let _server = Program::start(name, &[(variable, &admin.to_string())]).unwrap();
        let metrics = String::from_utf8(get(admin, "/metrics").unwrap().body).unwrap();
        for counter in &watched {
            let line = format!("{counter} 0");
            assert!(metrics.lines().any(|found| found == line), "{name}: {line}");
        }
    }
}

#[test]
fn a_port_in_use_is_named_in_one_line_and_the_exit_code_is_1() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (name, variable) in [(SERVERS[0], "TOOLKIT_API__BIND"), (SERVERS[1], "TOOLKIT_MCP__BIND")] {
        let output = finish(name, &[], &[(variable, &address)]).unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains(&address) && errors.lines().count() == 1, "{name}: {errors}");
    }
}

#[test]
fn an_invalid_setting_is_named_in_one_line_and_the_exit_code_is_2() {
    for name in SERVERS {
        for (variable, value) in [
            ("TOOLKIT_HTTP__BODY_LIMIT_BYTES", "many"),
            ("TOOLKIT_HTTP__TRUSTED_PROXIES", "10.0.0.0/33"),
            ("TOOLKIT_NO_SUCH__SETTING", "1"),
        ] {
            let output = finish(name, &[], &[(variable, value)]).unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{name}: {errors}");
            assert!(errors.contains(variable) && errors.lines().count() == 1, "{name}: {errors}");
        }
    }
}

#[test]
fn each_of_several_faults_is_on_a_line_of_its_own_and_no_line_has_a_secret() {
    let variables = [
        ("TOOLKIT_HTTP__BODY_LIMIT_BYTES", "many"),
        ("TOOLKIT_MAIL__SMTP_URL", "mailer:c4n4ry@mail.example.org"),
        ("TOOLKIT_TURNSTILE__SECRET_FILE", "no-such-file"),
    ];
    for name in SERVERS {
        let output = finish(name, &["config", "check"], &variables).unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {errors}");
        assert_eq!(errors.lines().count(), 3, "{name}: {errors}");
        for (variable, _) in variables {
            let start = format!("error: {variable} ");
            assert!(errors.lines().any(|line| line.starts_with(&start)), "{name}: {errors}");
        }
        assert!(!errors.contains("c4n4ry"), "{name}: {errors}");
    }
}

#[test]
fn an_empty_variable_is_as_good_as_none() {
    for name in SERVERS {
        let empty = [("TOOLKIT_TURNSTILE__SECRET", ""), ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "")];
        let output = finish(name, &["config", "check"], &empty).unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && shown.contains("run_per_minute = 120"), "{shown}");
    }
}

#[test]
fn a_missing_settings_file_is_named_and_the_exit_code_is_2() {
    for name in SERVERS {
        let output = finish(name, &["--config", "no-such-file.toml"], &[]).unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {errors}");
        assert!(errors.contains("no-such-file.toml"), "{name}: {errors}");
    }
}

#[test]
fn the_effective_settings_are_shown_without_secrets() {
    let secret = "0x-a-secret-that-must-not-show";
    for name in SERVERS {
        let smtp = format!("smtps://mailer:{secret}@mail.example.org");
        let settings = [("TOOLKIT_TURNSTILE__SECRET", secret), ("TOOLKIT_MAIL__SMTP_URL", &*smtp)];
        let output = finish(name, &["config", "check"], &settings).unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && shown.contains("run_per_minute = 120"), "{shown}");
        assert!(shown.contains("smtps://mailer:***@mail.example.org"), "{shown}");
        assert!(shown.contains("***") && !shown.contains(secret), "{shown}");
    }
}

#[test]
fn a_url_that_no_database_has_is_refused_before_the_start_without_its_password() {
    for url in ["postgres://toolkit:c4n4ry@db:99999/toolkit", "sqlite://:memory:"] {
        for command in [&["config", "check"][..], &[]] {
            let output = finish("api-server", command, &[("TOOLKIT_DATABASE__URL", url)]).unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{errors}");
            assert!(errors.contains("the database URL must"), "{errors}");
            assert!(errors.lines().count() == 1 && !errors.contains("c4n4ry"), "{errors}");
        }
    }
}
