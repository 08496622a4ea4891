//! Every advice of the tools is obeyed, and the call is made again: it must succeed, with the meaning
//! that was asked for.
//!
//! The calls are the examples with one slip each, those of the table below, and those of public
//! corpora that are there. Advice in general terms ("write one or more digits after the e") is
//! not for a machine to obey and is left out.

use std::path::Path;

use serde_json::{Map, Value as Json, json};
use toolkit_core::input::Surface;
use toolkit_core::{Context, DynTool, ToolError, registry};

type Call = Map<String, Json>;

/// The result with its warnings, or the refusal.
fn run(
    tool: &dyn DynTool,
    call: &Call,
    surface: Surface,
) -> Result<(Json, Vec<String>), ToolError> {
    let (mut ctx, mut out) = (Context::fixed(), b"{".to_vec());
    tool.run_json(json!(call).to_string().as_bytes(), surface, &mut ctx, &mut out)?;
    out.push(b'}');
    let mut answer: Json = serde_json::from_slice(&out).unwrap();
    let warnings = ctx.warnings.sentences().iter().map(ToString::to_string).collect();
    Ok((answer["result"].take(), warnings))
}

fn with(call: &Call, field: &str, value: impl Into<Json>) -> Call {
    let mut call = call.clone();
    call.insert(field.to_owned(), value.into());
    call
}

/// What stands between backticks after some words.
fn after<'a>(advice: &'a str, words: &str) -> Option<&'a str> {
    let at = advice.to_ascii_lowercase().find(&words.to_ascii_lowercase())?;
    advice.get(at + words.len()..)?.split('`').next()
}

/// The calls that obey an advice; none if it is in general terms.
fn obeyed(tool: &dyn DynTool, call: &Call, field: &str, advice: &str) -> Vec<Call> {
    let text = call.get(field).and_then(Json::as_str).unwrap_or_default();
    let is_whole = ["expression", "cidr"].contains(&field)
        || ["with separators", "writes differently"].iter().any(|cause| advice.contains(cause));
    if let Some((_, words)) = advice.split_once("se one of ")
        && let Some(words) = words.strip_suffix('.')
        && !words.contains(['@', ' '].map(|c| if c == ' ' { '\n' } else { c }))
    {
        return words
            .split(", ")
            .filter(|word| *word != "0 to 8")
            .map(|word| with(call, field, word))
            .collect();
    }
    if let Some((from, to)) =
        advice.split_once("hole number from ").and_then(|(_, r)| r.split_once(" to "))
    {
        let is_size = field != "cidr";
        let ends = [from, to.trim_end_matches('.')].map(|end| with(call, field, end));
        return if is_size { ends.to_vec() } else { vec![] };
    }
    if advice.contains("has a bad escape `%u") {
        return after(advice, "write `")
            .map(|written| with(call, field, written))
            .into_iter()
            .collect();
    }
    if advice.contains("remove what follows the `=`") {
        let kept = text.rsplit_once('=').map(|(before, _)| format!("{before}="));
        return kept.map(|kept| with(call, field, kept)).into_iter().collect();
    }
    if let Some((before, instead)) =
        advice.split_once("(U+").and_then(|(_, rest)| rest.split_once("): "))
    {
        let odd = char::from_u32(u32::from_str_radix(before, 16).unwrap()).unwrap();
        let instead = match after(instead, "write `") {
            Some(written) => written,
            None if instead.contains("write a space") => " ",
            None => "",
        };
        return vec![with(call, field, text.replace(odd, instead))];
    }
    if let Some(known) = advice.split_once("This tool takes ").map(|(_, known)| known) {
        let known: Vec<_> = tool
            .fields()
            .iter()
            .map(|field| field.name)
            .collect::<Vec<_>>()
            .into_iter()
            .filter(|name| known.contains(&format!("`{name}`")))
            .collect();
        let mut call = call.clone();
        call.retain(|name, _| known.contains(&name.as_str()));
        return vec![call];
    }
    if let Some(names) = after(advice, "set `names` to `") {
        return vec![with(call, "names", names)];
    }
    if let Some(format) = after(advice, "set `from_format` to `") {
        return vec![with(call, "from_format", format)];
    }
    if let (Some(name), Some(key)) = (after(advice, "rename it, as in `"), after(advice, "XML: `"))
    {
        // A key that is shown escaped is not found.
        let renamed = text.replace(&format!("\"{key}\""), &format!("\"{name}\""));
        return if renamed == text { vec![] } else { vec![with(call, field, renamed)] };
    }
    if let Some(offset) = after(advice, "the offset `")
        && let Some(zone) = after(advice, "or a zone as in `")
    {
        let (before, _) = text.trim_end().rsplit_once(' ').unwrap_or_default();
        return [offset, zone].map(|place| with(call, field, format!("{before} {place}"))).to_vec();
    }
    if let Some(prefix) = after(advice, "add `").filter(|added| added.starts_with('/')) {
        return vec![with(call, field, format!("{text}{prefix}"))];
    }
    if let Some(prefix) = after(advice, ", put `") {
        let key = call["key"].as_str().unwrap();
        return vec![with(call, "key", format!("{prefix}{key}"))];
    }
    if advice.contains("Leave `url_safe` out") {
        let mut call = call.clone();
        call.remove("url_safe");
        return vec![call];
    }
    let written = after(advice, "in front: `").or_else(|| after(advice, "at the end: `"));
    let written =
        written.or_else(|| after(advice, "write `")).or_else(|| after(advice, "around it is `"));
    match written.filter(|_| is_whole) {
        // A part of the input, as in "write `/` before the prefix length".
        Some(part)
            if ![".", "; an"].iter().any(|end| advice.contains(&format!("`{part}`{end}")))
                || part.starts_with('/') =>
        {
            vec![]
        }
        Some(whole) => vec![with(call, field, whole)],
        None => vec![],
    }
}

/// Makes a call, and again as it is advised, until it succeeds; returns the last answer.
fn follow(tool: &dyn DynTool, call: &Call, surface: Surface, is_bound: bool) -> Option<Json> {
    let Err(refusal) = run(tool, call, surface) else {
        return None;
    };
    let field = refusal.field().unwrap_or_default();
    let calls = obeyed(tool, call, field, &refusal.to_string());
    let mut last = None;
    for again in calls {
        match run(tool, &again, surface) {
            Ok((result, _)) => last = Some(result),
            // Another slip of the same call, which is refused for another reason.
            Err(second) if !is_bound && second.to_string() != refusal.to_string() => {}
            Err(second) => panic!("{}: {refusal}\n{}: {second}", json!(call), json!(again)),
        }
    }
    last
}

fn surfaces(tool: &dyn DynTool) -> Vec<Surface> {
    let mcp = tool.spec().mcp.as_ref().map(|mcp| Surface::Mcp(mcp.inputs));
    let rest = tool.spec().slug.map(|_| Surface::Rest);
    rest.into_iter().chain(mcp).collect()
}

#[test]
fn every_advice_about_an_example_with_one_slip_succeeds_when_it_is_obeyed() {
    for tool in registry::TOOLS {
        for example in tool.spec().examples {
            let call: Call = serde_json::from_str(example.input).unwrap();
            let mut slips: Vec<Call> = vec![with(&call, "no_such", 1)];
            for field in tool.fields() {
                slips.extend(
                    ["nonsense", "-1", "99999", "0"].map(|value| with(&call, field.name, value)),
                );
                let text = call.get(field.name).and_then(Json::as_str).unwrap_or_default();
                for (at, _) in text.char_indices() {
                    for odd in ["\u{A0}", "\u{200B}", "–", "’", " ", ",", "."] {
                        let (before, after) = text.split_at(at);
                        slips.push(with(&call, field.name, format!("{before}{odd}{after}")));
                    }
                }
            }
            for surface in surfaces(*tool) {
                for slip in &slips {
                    follow(*tool, slip, surface, false);
                }
            }
        }
    }
}

/// Schedules, and those that their advice leads to.
const SCHEDULES: &[(&str, &str)] = &[
    ("0 8, 20 * * *", "0 8,20 * * *"),
    ("*/ 5 * * * *", "*/5 * * * *"),
    ("0 0 18 * * MON-FRI", "0 18 * * MON-FRI"),
    ("*/10 5 * * * *", "5 * * * *"),
    ("0 0 12 ? * 2-6", "0 12 * * 1-5"),
    ("cron(0 12 * * ? *)", "0 12 * * *"),
    ("rate(5 minutes)", "*/5 * * * *"),
    ("5/10 * * * *", "5-59/10 * * * *"),
    ("0 9 * * FRI-MON", "0 9 * * 5,6,0,1"),
    ("H/15 * * * *", "*/15 * * * *"),
    ("0 9\u{2013}17 * * *", "0 9-17 * * *"),
    ("@every 2h", "0 */2 * * *"),
    ("15 10 * * MON 2025", "15 10 * * MON"),
];

#[test]
fn an_advice_gives_what_was_asked_for() {
    for &(given, meant) in SCHEDULES {
        let tool = registry::by_slug("cron-explainer").unwrap();
        let call = |expression: &str| with(&Map::new(), "expression", expression);
        let berlin = |expression: &str| call(&format!("CRON_TZ=Europe/Berlin {expression}"));
        let is_fields = !given.contains(['(', '@']);
        let behind = is_fields.then(|| call(&format!("{given} Europe/Berlin")));
        let own_line = call(&format!("CRON_TZ=Europe/Berlin\n{given}"));
        let apart = with(&call(given), "timezone", "Europe/Berlin");
        let in_berlin = [berlin(given), own_line, apart].into_iter().chain(behind);
        let in_berlin = in_berlin.map(|given| (given, berlin(meant)));
        for (given, meant) in in_berlin.chain([(call(given), call(meant))]) {
            for surface in surfaces(tool) {
                let found = follow(tool, &given, surface, true);
                let found = found.unwrap_or_else(|| panic!("{}", json!(given)));
                let (meant, _) = run(tool, &meant, surface).unwrap();
                for name in ["description", "zone", "next_runs"] {
                    assert_eq!(found.get(name), meant.get(name), "{}", json!(given));
                }
            }
        }
    }
    for (slug, call, pointer, meant) in [
        ("cidr-calculator", json!({"cidr": "10.0.0.1"}), "/cidr", json!("10.0.0.1/32")),
        ("cidr-calculator", json!({"cidr": "10.0.0.0 /24"}), "/cidr", json!("10.0.0.0/24")),
        ("cidr-calculator", json!({"cidr": "[2001:db8::1]/64"}), "/cidr", json!("2001:db8::/64")),
        ("cidr-calculator", json!({"cidr": "10.0.0.5:24"}), "/cidr", json!("10.0.0.0/24")),
        ("cidr-calculator", json!({"cidr": "10.0.0.1-20"}), "/cidr", json!("10.0.0.0/27")),
        (
            "base64-encoder",
            json!({"text": "YT8_", "mode": "decode", "url_safe": false}),
            "",
            json!("a??"),
        ),
        (
            "timestamp-converter",
            json!({"value": "1,700,000,000"}),
            "/iso",
            json!("2023-11-14T22:13:20Z"),
        ),
        (
            "timestamp-converter",
            json!({"value": "2024-01-15-10:30"}),
            "/iso",
            json!("2024-01-15T10:30:00Z"),
        ),
        (
            "timestamp-converter",
            json!({"value": "2024-01-15T10-30-00Z"}),
            "/iso",
            json!("2024-01-15T10:30:00Z"),
        ),
        (
            "timestamp-converter",
            json!({"value": "2024-01-15 10:30 p.m. EST"}),
            "/iso",
            json!("2024-01-16T03:30:00Z"),
        ),
        (
            "timestamp-converter",
            json!({"value": "now", "timezone": "MST"}),
            "/local",
            json!("2023-11-14T15:13:20-07:00"),
        ),
        ("url-encoder", json!({"text": "%u00e9", "mode": "decode"}), "", json!("é")),
        ("url-encoder", json!({"text": "%uD83D%uDE00", "mode": "decode"}), "", json!("😀")),
        ("base64-encoder", json!({"text": "aGVsbG8=%", "mode": "decode"}), "", json!("hello")),
        ("base64-encoder", json!({"text": "aG\u{200B}k=", "mode": "decode"}), "", json!("hi")),
        (
            "data-converter",
            json!({"text": "{\"a b\": 1}", "from_format": "json", "to_format": "xml"}),
            "",
            json!("<a_x0020_b>1</a_x0020_b>"),
        ),
        (
            "data-converter",
            json!({"text": "{\"a\": 1}", "from_format": "xml", "to_format": "json"}),
            "",
            json!("{\n  \"a\": 1\n}"),
        ),
    ] {
        let tool = registry::by_slug(slug).unwrap();
        for surface in surfaces(tool) {
            let call = call.as_object().unwrap();
            let found =
                follow(tool, call, surface, true).unwrap_or_else(|| panic!("{}", json!(call)));
            assert_eq!(found.pointer(pointer), Some(&meant), "{}", json!(call));
        }
    }
}

#[test]
fn a_near_word_of_a_choice_costs_no_turn() {
    for (slug, call, field, near, meant) in [
        ("base64-encoder", json!({"text": "a"}), "url_safe", "True", "true"),
        ("base64-encoder", json!({"text": "a"}), "url_safe", "FALSE", "false"),
        ("regex-tester", json!({"pattern": "a", "text": "A"}), "flags", "GI", "gi"),
        ("timestamp-converter", json!({"value": 1}), "unit", "milliseconds", "ms"),
        ("timestamp-converter", json!({"value": 1}), "unit", "Second", "s"),
        ("json-formatter", json!({"text": "[1]"}), "action", "prettify", "pretty"),
        ("json-formatter", json!({"text": "[1]"}), "action", "format", "pretty"),
        (
            "data-converter",
            json!({"text": "[1]", "from_format": "json"}),
            "action",
            "format",
            "pretty",
        ),
        ("uuid-generator", json!({}), "version", "uuid_v7", "v7"),
        ("uuid-generator", json!({}), "version", "uuid4", "v4"),
    ] {
        let tool = registry::by_slug(slug).unwrap();
        let [near, meant] = [near, meant].map(|word| {
            run(tool, &with(call.as_object().unwrap(), field, word), Surface::Rest).unwrap()
        });
        assert_eq!(near, meant, "{slug} {field}");
    }
    let tool = registry::by_mcp_name("generate_id").unwrap();
    let [near, meant] = ["uuid4", "uuid_v4"]
        .map(|word| run(tool, &with(&Map::new(), "id_type", word), surfaces(tool)[0]).unwrap());
    assert_eq!(near, meant);
}

#[test]
fn a_warning_that_advises_is_obeyed_on_every_surface() {
    let tool = registry::by_slug("hash-generator").unwrap();
    for (key, encoding) in [
        ("00112233445566778899aabbccddeeff", "hex"),
        ("00112233445566778899aabbccddeeff\n", "hex"),
        ("0x00112233445566778899aabbccddeeff", "hex"),
        ("00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff", "hex"),
        ("MDEyMzQ1Njc4OWFiY2RlZg==", "base64"),
    ] {
        let call = json!({"text": "abc", "algorithm": "HS256", "key": key});
        let call = call.as_object().unwrap();
        let meant = run(tool, &with(call, "key_encoding", encoding), Surface::Rest).unwrap().0;
        for surface in surfaces(tool) {
            let (_, warnings) = run(tool, call, surface).unwrap();
            let [again] = &obeyed(tool, call, "key", &warnings[0])[..] else {
                panic!("{warnings:?}");
            };
            let (found, said) = run(tool, again, surface).unwrap();
            assert_eq!(found, meant, "{said:?}");
            let begins = format!("The key begins with `{encoding}:`, so the rest was read as");
            assert!(said.iter().any(|sentence| sentence.starts_with(&begins)), "{said:?}");
        }
    }
}

#[test]
fn every_advice_about_a_public_call_succeeds_when_it_is_obeyed() {
    let Some(suites) = std::env::var_os("TOOLKIT_SUITES") else {
        return;
    };
    let tool = registry::by_slug("cron-explainer").unwrap();
    let file =
        std::fs::read_to_string(Path::new(&suites).join("cron_expressions_js.json")).unwrap();
    let mut texts = Vec::new();
    collect(&serde_json::from_str(&file).unwrap(), &mut texts);
    assert!(texts.len() > 50);
    for text in texts {
        follow(tool, &with(&Map::new(), "expression", text), Surface::Rest, true);
    }
    let Ok(file) = std::fs::read_to_string(Path::new(&suites).join("../cases/data.json")) else {
        return;
    };
    for case in serde_json::from_str::<Vec<Json>>(&file).unwrap() {
        let name = case["tool"].as_str().unwrap();
        let tool = registry::by_slug(name).or_else(|| registry::by_mcp_name(name)).unwrap();
        let call = case["body"].as_object().unwrap();
        for surface in surfaces(tool) {
            if matches!(surface, Surface::Mcp(_)) == (case["via"] == "mcp") {
                follow(tool, call, surface, true);
            }
        }
    }
}

fn collect(value: &Json, texts: &mut Vec<String>) {
    match value {
        Json::String(text) => texts.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Json::Object(members) => members.values().for_each(|member| collect(member, texts)),
        _ => {}
    }
}
