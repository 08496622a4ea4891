//! Settings reference: the documentation page and the example file, generated from the settings.

use toolkit_server::limits;
use toolkit_server::settings::{Key, Kind, Settings};

const PAGE_HEAD: &str = "\
# Configuration

<!-- Generated from the settings' documentation; `just bless` rewrites it. -->

Both servers read the same settings: the defaults, then a TOML file (`--config FILE`, or `toolkit.toml` in the
working directory, if present), then the environment. The variable of a key is `TOOLKIT_`, its section, `__`
and its name, in upper case: `TOOLKIT_LIMITS__RUN_PER_MINUTE=60`. A list in a variable is separated by commas; for an
element of a list of tables the variable contains its number: `TOOLKIT_LLM__PROVIDERS__0__NAME=main`. An empty variable
unsets its key, also one of the file, so that the default applies; a list with a default is empty then, and `admin_bind` off.

A secret, or a URL with a password, can be in a file of its own: the key with `_file` after its name names it, as in
`mail.smtp_url_file` and `TOOLKIT_MAIL__SMTP_URL_FILE`. A line break at the end of the file is not part of the value. It is
an error if the file is empty or cannot be read. A variable of the key or of its `_file` replaces both from the settings file.
Setting both in one source is an error.

After an unknown key, an invalid value or an unreadable file a server exits at start with code 2 and one line for each
error. `api-server config check` and `mcp-server config check` print the settings in force, with secrets masked.
`toolkit.example.toml` has every key with its default.

On SIGHUP a server reloads the settings file and the files that settings name. It applies changes to `[limits]` except
`memory_mib` and `client_connections`, `log.level`, `public.links`, `public.logo`, `mcp.tokens_file`, `[flags]`, `[captcha]`,
`[turnstile]`, `[mail]`, `[llm]`, `[[apps]]` and `[[webhooks]]`. Other changes take effect at a restart, and the log names them. If
any setting is invalid, nothing changes. The environment of a process stays as it is. A server notices changes of the file of MCP
tokens within a few seconds, even without a signal.
";

const EXAMPLE_HEAD: &str = "\
# Every setting of the two servers. Copy this file to `toolkit.toml`, and remove the `#` before the keys that you
# change: a key with a default shows the default, any other an example. docs/configuration.md has the same as a
# page. Generated; `just bless` rewrites it.
";

/// The reference of all settings, as Markdown.
pub(crate) fn page() -> String {
    let sections = Settings::sections().iter().map(page_section);
    PAGE_HEAD.to_owned() + &sections.collect::<String>() + &page_limits()
}

/// A settings file with every key, each as a comment.
pub(crate) fn example() -> String {
    let sections = Settings::sections().iter().map(example_section);
    EXAMPLE_HEAD.to_owned() + &sections.collect::<String>()
}

fn page_section(section: &Key) -> String {
    let (name, keys) = (section.name, section.keys());
    let lists = keys.iter().filter(|key| !key.keys().is_empty());
    let lists = lists.map(|key| {
        let list = format!("{name}.{}", key.name);
        let keys = table(&format!("{list}[]"), key.keys());
        format!("\n### `[[{list}]]`\n{keys}")
    });
    let lists: String = lists.collect();
    let about = &section.description;
    if let Kind::Tables(_) = section.kind {
        let keys = table(&format!("{name}[]"), keys);
        return format!("\n## `[[{name}]]`\n\n{about}\n{keys}");
    }
    format!("\n## `[{name}]`\n\n{about}\n{}{lists}", table(name, keys))
}

fn table(name: &str, keys: &[Key]) -> String {
    let row = |key: &Key| {
        let cells = [default(key), accepts(key), key.description.clone()];
        let cells = cells.map(|cell| cell.replace('|', "\\|")).join(" | ");
        format!("| `{name}.{}` | {cells} |\n", key.name)
    };
    let rows: String = keys.iter().map(row).collect();
    format!("\n| Key | Default | Accepts | Meaning |\n| --- | --- | --- | --- |\n{rows}")
}

/// Constants that are not settings, because no operator has a reason to change them.
fn page_limits() -> String {
    format!(
        "
## Limits that are not settings

| What | Limit |
| --- | --- |
| the head of a request, from its first byte | {} s |
| the body of a request, from its head | {} s |
| an idle connection | {} s |
| a response of which its client takes nothing | {} s |
| rate at which an answer is never cut for the memory of others: its size in so many seconds, at least so much | {} s; {} KiB/s |
| number of headers of a request; size of its head | 96; 128 KiB |
| clients that a rate limit counts separately; further ones share counters | {} |
| log lines that wait for a slow reader; beyond it, lines are dropped and counted | {} |
",
        limits::HEAD_DEADLINE.as_secs(),
        limits::BODY_DEADLINE.as_secs(),
        limits::KEEP_ALIVE.as_secs(),
        limits::STALL_MAX.as_secs(),
        limits::TAKEN_WITHIN.as_secs(),
        limits::TAKEN_PER_SECOND_MIN >> 10,
        limits::LIMITED_CLIENTS_MAX,
        limits::LOG_LINES_MAX,
    )
}

fn default(key: &Key) -> String {
    match (&key.default_note, &key.default) {
        (Some(note), _) => (*note).to_owned(),
        _ if key.required => "required".to_owned(),
        (None, Some(value)) => format!("`{value}`"),
        (None, None) => "none".to_owned(),
    }
}

fn accepts(key: &Key) -> String {
    match &key.kind {
        Kind::Choice(words) => format!("`{}`", words.join("`, `")),
        Kind::Flag => "`true`, `false`".to_owned(),
        Kind::Integer { min, max } => format!("{min} to {max}"),
        _ if key.secret && !key.is_in_file => format!("{} (kept secret)", key.expected()),
        _ if key.secret => format!("{} (kept secret); or {}", key.expected(), file_of(key)),
        _ if key.is_in_file => format!("{}; or {}", key.expected(), file_of(key)),
        _ => key.expected(),
    }
}

fn file_of(key: &Key) -> String {
    format!("a file, by `{}_file`", key.name)
}

fn example_section(section: &Key) -> String {
    let name = section.name;
    let keys = section.keys().iter();
    let keys: String = keys.map(|key| example_key(name, key)).collect();
    let about = comment(&section.description);
    // An element has required keys, so that of an example is a comment too.
    match section.kind {
        Kind::Tables(_) => format!("\n{about}# [[{name}]]\n{keys}"),
        _ => format!("\n{about}[{name}]\n{keys}"),
    }
}

fn example_key(section: &str, key: &Key) -> String {
    let mut text = format!("{} Default: {}.", key.description, default(key));
    if key.is_in_file {
        text = format!("{text} Or in {}.", file_of(key));
    }
    let comment = comment(&text);
    if let Kind::Tables(keys) = &key.kind {
        let members: String = keys.iter().map(|key| example_key("", key)).collect();
        return format!("\n{comment}# [[{section}.{}]]\n{members}", key.name);
    }
    // A key without a default shows an example.
    let value = key.default.as_ref().or(key.example.as_ref());
    let value = value.map_or_else(String::new, ToString::to_string);
    format!("\n{comment}# {} = {value}\n", key.name)
}

/// Wraps text into comment lines.
fn comment(text: &str) -> String {
    const WIDTH: usize = 100;
    let mut lines = vec!["#".to_owned()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n") + "\n"
}
