//! Consumer of `toolkit-core`: every tool through its typed functions, in a program whose panics
//! abort.

use std::error::Error;
use std::time::{Duration, Instant};

use toolkit_core::cidr::Block;
use toolkit_core::cron::Schedule;
use toolkit_core::digest::{Algorithm, digest, hmac, hmac_verify};
use toolkit_core::jwt::Token;
use toolkit_core::regex::{Flags, Pattern};
use toolkit_core::time::PlainDateTime;
use toolkit_core::{
    Context, ErrorKind, Language, Layout, Warnings, base64, convert, ids, json, percent, timestamp,
};

fn main() -> Result<(), Box<dyn Error>> {
    texts()?;
    documents()?;
    identifiers()?;
    moments()?;
    addresses()?;
    patterns()?;
    println!("every check of the tools passed");
    Ok(())
}

fn texts() -> Result<(), Box<dyn Error>> {
    let mut warnings = Warnings::new();
    let text = base64::encode(b"a?>", base64::Alphabet::Url);
    assert_eq!(base64::decode(&text, None, &mut warnings)?, b"a?>");
    assert_eq!(percent::encode("a b", percent::Scope::Form), "a+b");
    let code = hmac(Algorithm::Sha256, b"key", b"text");
    assert!(hmac_verify(Algorithm::Sha256, b"key", b"text", code.as_bytes()));
    assert!(digest(Algorithm::Sha1, b"abc").to_string().starts_with("a9993e36"));
    let token = Token::decode("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", &mut warnings)?;
    assert_eq!(token.algorithm.as_deref(), Some("none"));
    Ok(())
}

fn documents() -> Result<(), Box<dyn Error>> {
    let mut warnings = Warnings::new();
    let yaml = convert(
        r#"{"a": [1.50]}"#,
        Language::Json,
        Language::Yaml,
        Layout::default(),
        &mut warnings,
    )?;
    assert_eq!(yaml, "a:\n  - 1.50\n");
    let node = json::parse(r#"{"a": [1.50]}"#, &mut warnings)?;
    assert_eq!(node.pointer("/a/0").and_then(|number| number.as_f64()), Some(1.5));
    let refused = json::check("[1,]", &mut warnings).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Syntax);
    Ok(())
}

fn identifiers() -> Result<(), Box<dyn Error>> {
    let mut ctx = Context::system();
    assert_eq!(ids::uuids_v4(ctx.random(), 2).len(), 2);
    assert!(ids::uuid_v7() < ids::uuid_v7() && ids::ulid() < ids::ulid());
    assert_eq!(ids::nanoid().len(), ids::NANOID_SIZE);
    Ok(())
}

fn moments() -> Result<(), Box<dyn Error>> {
    let moment = timestamp::parse("1700000000", None, &mut Warnings::new())?.moment;
    assert_eq!(timestamp::to_iso8601(moment), "2023-11-14T22:13:20Z");
    let schedule: Schedule = "30 9 * * MON-FRI".parse()?;
    let now = PlainDateTime::new(moment.date(), moment.time());
    let next = schedule.after(now).next().map(|run| timestamp::to_iso8601(run.assume_utc()));
    assert_eq!(next.as_deref(), Some("2023-11-15T09:30:00Z"));
    Ok(())
}

fn addresses() -> Result<(), Box<dyn Error>> {
    let block: Block = "10.0.0.0/8".parse()?;
    assert!(block.is_private() && block.contains([10, 1, 2, 3].into()));
    assert_eq!(block.subnets(10).count(), 4);
    Ok(())
}

/// Checks patterns that could only be stopped by unwinding: they are refused, or end within half a
/// second.
fn patterns() -> Result<(), Box<dyn Error>> {
    let found = Pattern::new(r"(?<y>\d{4})-\d\d", Flags::default())?;
    let found = found.find("on 2023-11-14")?.ok_or("no match")?;
    assert_eq!(found.name("y").map(|group| group.text), Some("2023"));
    for pattern in ["(?=.*z)q", r"(a+)+b\1", "(?:(?=a.*z)a)*y", r"(?:a|aa)+\1?(?=z)"] {
        for length in [100, 1_000, 10_000, 100_000] {
            let text = "a".repeat(length);
            let begun = Instant::now();
            let end = begun + Duration::from_millis(350);
            let is_over = move || Instant::now() >= end;
            let Ok(pattern) = Pattern::new(pattern, Flags::parse("g")?) else {
                continue;
            };
            let found = pattern.search(&text, None, Some(&is_over), &mut Warnings::new());
            let took = begun.elapsed();
            println!("{length:>7} bytes: {took:>8.1?} {}", found.map_or_else(|error| error.to_string(), |_| "searched".to_owned()));
            assert!(took < Duration::from_millis(1_500), "{took:?}");
        }
    }
    Ok(())
}
