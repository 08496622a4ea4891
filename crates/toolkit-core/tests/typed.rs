//! Every field of a tool's JSON answer is available through typed calls: for each tool, the answer
//! assembled from typed calls must equal that of the JSON interface.
#![cfg(test)]

use serde_json::{Value as Json, json};
use toolkit_core::base64::{self, Alphabet};
use toolkit_core::cidr::Block;
use toolkit_core::cron::Schedule;
use toolkit_core::digest::{Algorithm, digest};
use toolkit_core::ids::{self, NANOID_SIZE};
use toolkit_core::input::Surface;
use toolkit_core::json::{self, Layout};
use toolkit_core::jwt::Token;
use toolkit_core::percent::{self, Scope};
use toolkit_core::regex::{Flags, Pattern};
use toolkit_core::registry::TOOLS;
use toolkit_core::{Context, DynTool, Language, Tool, Warnings, convert, timestamp};

/// Input of the JSON interface, and the answer assembled from typed calls.
struct Case {
    input: Json,
    typed: fn(&mut Context) -> Json,
}

fn name(tool: &dyn DynTool) -> &'static str {
    let spec = tool.spec();
    spec.slug.or(spec.mcp.as_ref().map(|mcp| mcp.name)).expect("a tool has a name")
}

#[test]
fn typed_answers_are_those_of_the_json_interface() {
    for tool in TOOLS {
        let case = case(name(*tool));
        let (mut ctx, mut out) = (Context::fixed(), b"{".to_vec());
        let input = case.input.to_string();
        tool.run_json(input.as_bytes(), Surface::Rest, &mut ctx, &mut out)
            .unwrap_or_else(|error| panic!("{}: {error}", name(*tool)));
        out.push(b'}');
        let answer: Json = serde_json::from_slice(&out).unwrap();
        let mut typed = Context::fixed();
        let result = (case.typed)(&mut typed);
        assert_eq!(result, answer["result"], "{}", name(*tool));
    }
}

const ZONE: &str = "10.1.2.3/20";
const CRON: &str = "*/20 9 * * MON-FRI";
const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDUsIm5iZiI6MSwiaWF0IjoyfQ.c2ln";

fn case(name: &str) -> Case {
    let (input, typed): (Json, fn(&mut Context) -> Json) = match name {
        "base64-encoder" => (json!({"text": "Grüße", "url_safe": true}), |_| {
            base64::encode("Grüße".as_bytes(), Alphabet::Url).into()
        }),
        "url-encoder" => {
            (json!({"text": "a b&ü"}), |_| percent::encode("a b&ü", Scope::Component).into())
        }
        "json-formatter" => (json!({"text": "[1.0]", "indent": "tab"}), |ctx| {
            json::format("[1.0]", Layout::TABS, &mut ctx.warnings).unwrap().into()
        }),
        "data-converter" => {
            (json!({"text": "a: 1.0", "from_format": "yaml", "to_format": "xml"}), |ctx| {
                let layout = Layout::default();
                convert("a: 1.0", Language::Yaml, Language::Xml, layout, &mut ctx.warnings)
                    .unwrap()
                    .into()
            })
        }
        "hash-generator" => {
            (json!({"text": "abc"}), |_| digest(Algorithm::Sha256, b"abc").to_string().into())
        }
        "jwt-decoder" => (json!({"token": TOKEN}), token),
        "generate_id" => (json!({"id_type": "uuid_v7", "count": 2}), |ctx| {
            let now = ctx.now();
            let (sequence, random) = ctx.sequence();
            texts(&sequence.uuids_v7(now, random, 2))
        }),
        "uuid-generator" => (json!({"count": 2}), |ctx| texts(&ids::uuids_v4(ctx.random(), 2))),
        "ulid-generator" => (json!({"count": 2}), |ctx| {
            let now = ctx.now();
            let (sequence, random) = ctx.sequence();
            texts(&sequence.ulids(now, random, 2))
        }),
        "nanoid-generator" => (json!({}), |ctx| {
            texts(&ids::nanoids(ctx.random(), &ids::Alphabet::default(), NANOID_SIZE, 1))
        }),
        "regex-tester" => {
            (json!({"pattern": "(?<a>é)|(b)", "text": "xéb", "replacement": "-"}), regex)
        }
        "timestamp-converter" => (json!({"value": "2023-11-17T22:13:20.25Z"}), moment),
        "cron-explainer" => (json!({"expression": CRON}), cron),
        "cidr-calculator" => (json!({"cidr": ZONE}), block),
        other => panic!("{other} has no row here: add it to `case` in toolkit-core/tests/typed.rs"),
    };
    Case { input, typed }
}

fn texts<T: ToString>(items: &[T]) -> Json {
    items.iter().map(ToString::to_string).collect()
}

fn token(ctx: &mut Context) -> Json {
    let token = Token::decode(TOKEN, &mut ctx.warnings).unwrap();
    let validity = token.validity(ctx.now());
    let payload = token.payload.as_ref().unwrap();
    let json = |raw: &str| serde_json::from_str::<Json>(raw).unwrap();
    json!({
        "header": json(token.header.get()),
        "payload": json(payload.claims.get()),
        "signature": token.signature,
        "algorithm": token.algorithm,
        "token_type": token.token_type,
        "status": validity.status,
        "expired": validity.expired,
        "issued_at": payload.issued_at.iso(),
        "not_before": payload.not_before.iso(),
        "expires_at": payload.expires_at.iso(),
        "expires_in_seconds": validity.expires_in_seconds,
        "signature_verified": false,
    })
}

fn regex(ctx: &mut Context) -> Json {
    let flags = Flags::parse("g").unwrap();
    let pattern = Pattern::new("(?<a>é)|(b)", flags).unwrap();
    let found = pattern.search("xéb", Some("-"), None, &mut ctx.warnings).unwrap();
    let names: Vec<_> = pattern.group_names().collect();
    let matches: Vec<Json> = found.matches.iter().map(|found| matched(&names, found)).collect();
    let by_name: serde_json::Map<String, Json> = found.matches[0]
        .named()
        .map(|(name, group)| (name.to_owned(), json!(group.map(|group| group.text))))
        .collect();
    json!({
        "matched": !found.matches.is_empty(),
        "count": found.matches.len(),
        "matches": matches,
        "named_groups": by_name,
        "replaced": found.replaced,
        "truncated": found.truncated,
        "flags": flags.to_string(),
    })
}

fn matched(names: &[Option<&str>], found: &toolkit_core::regex::Match<'_>) -> Json {
    let groups = names.iter().zip(&found.groups).zip(1..);
    let groups: Vec<Json> = groups
        .map(|((name, group), index)| {
            json!({
                "index": index,
                "name": name,
                "text": group.map(|group| group.text),
                "start": group.map(|group| group.start.characters),
                "end": group.map(|group| group.end.characters),
            })
        })
        .collect();
    json!({
        "text": found.text,
        "start": found.start.characters,
        "end": found.end.characters,
        "byte_start": found.start.bytes,
        "byte_end": found.end.bytes,
        "utf16_start": found.start.utf16,
        "utf16_end": found.end.utf16,
        "groups": groups,
    })
}

/// Uses the tool's own typed output, whose fields are public.
fn moment(ctx: &mut Context) -> Json {
    use toolkit_core::tools::timestamp_converter::{Input, Moment, TimestampConverter, Unit};

    let input = Input {
        value: Some(Moment::new("2023-11-17T22:13:20.25Z")),
        unit: Unit::Auto,
        timezone: None,
        tz: Some("Asia/Tokyo".into()),
        to: None,
    };
    let output = TimestampConverter::run(input, ctx).unwrap().result;
    let parsed = timestamp::parse("2023-11-17T22:13:20.25Z", None, &mut Warnings::new()).unwrap();
    let (moment, notation) = (parsed.moment, parsed.notation);
    assert_eq!((output.detected, output.day_of_year), (notation, moment.ordinal()));
    json!({
        "iso": timestamp::to_iso8601(moment),
        "unix_seconds": moment.unix_timestamp(),
        "unix_milliseconds": output.unix_milliseconds,
        "detected": notation,
        "rfc2822": timestamp::to_rfc2822(moment),
        "weekday": moment.weekday().to_string(),
        "day_of_year": moment.ordinal(),
        "iso_week": output.iso_week,
        "relative": timestamp::relative(moment, ctx.now()),
    })
}

fn cron(ctx: &mut Context) -> Json {
    let schedule = Schedule::parse(CRON, &mut ctx.warnings).unwrap();
    let now = toolkit_core::time::PlainDateTime::new(ctx.now().date(), ctx.now().time());
    let runs = schedule.after(now).take(3).map(toolkit_core::time::PlainDateTime::assume_utc);
    let field = |field: &toolkit_core::cron::Field| json!({"raw": field.raw(), "values": field.values().collect::<Vec<_>>()});
    json!({
        "expression": schedule.to_string(),
        "description": schedule.describe(),
        "next_runs": runs.map(timestamp::to_iso8601).collect::<Vec<_>>(),
        "fields": {
            "minute": field(&schedule.minute),
            "hour": field(&schedule.hour),
            "day_of_month": field(&schedule.day_of_month),
            "month": field(&schedule.month),
            "day_of_week": field(&schedule.day_of_week),
        },
    })
}

fn block(_: &mut Context) -> Json {
    let (block, address) = Block::parse_with_address(ZONE).unwrap();
    json!({
        "cidr": block.to_string(),
        "version": if block.is_ipv4() { 4 } else { 6 },
        "address": address,
        "network": block.network(),
        "broadcast": block.broadcast(),
        "netmask": block.netmask().to_string(),
        "wildcard_mask": block.wildcard_mask().to_string(),
        "prefix_length": block.prefix_length(),
        "first_host": block.first_host(),
        "last_host": block.last_host(),
        "total_addresses": block.total_addresses(),
        "usable_hosts": block.usable_hosts(),
        "scope": block.scope(),
        "is_private": block.is_private(),
        "reverse_dns": block.reverse_dns(),
    })
}
