//! The kind of a warning is what its sentence says.

use serde_json::json;
use toolkit_core::{Context, WarningKind};

use crate::support::call_in;

#[test]
fn what_a_sentence_says_is_lost_is_dropped() {
    let lossy = ["dropped", "left out", "lost", "taken off"];
    let convert = |text: &str, from: &str, to: &str| {
        let input = json!({"text": text, "from_format": from, "to_format": to, "action": "minify"});
        ("data-converter", input)
    };
    let decode = |text: &str| ("base64-encoder", json!({"text": text, "mode": "decode"}));
    let mut seen = [0; 4];
    for (tool, input) in [
        convert("<!DOCTYPE a><a><!--x--><?y?>b<c/>d<e/><c/></a>", "xml", "json"),
        convert("a: !x 1 # y\n1: 007\n---\nb\n", "yaml", "json"),
        convert("a: 1 # y", "yaml", "yaml"),
        convert("\u{FEFF}[1]", "json", "xml"),
        convert("[1]", "json", "xml"),
        decode("data:;base64,aG k"),
        ("timestamp-converter", json!({"value": "2016-12-31T23:59:60"})),
        ("timestamp-converter", json!({"value": "1.0123456789"})),
        ("cron-explainer", json!({"expression": "0 0 */2 ? 1"})),
        ("cron-explainer", json!({"expression": "0 0 * * WED-SUN root reboot"})),
        ("cidr-calculator", json!({"cidr": " 172.16.0.1/8"})),
        ("hash-generator", json!({"text": "", "algorithm": "md5", "key": ""})),
        ("jwt-decoder", json!({"token": "eyJhbGciOiJub25lIn0.eyJleHAiOiIxIn0..."})),
        ("url-encoder", json!({"text": "%2F", "mode": "decode", "scope": "uri"})),
    ] {
        let mut ctx = Context::fixed();
        call_in(&mut ctx, tool, &input).unwrap();
        assert!(!ctx.warnings.is_empty(), "{input}");
        for warning in ctx.warnings.iter() {
            let says_lost = lossy.iter().any(|word| warning.text.contains(word));
            let is_dropped = warning.kind == WarningKind::Dropped;
            assert_eq!(is_dropped, says_lost, "{:?}: {}", warning.kind, warning.text);
            seen[warning.kind as usize] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 2), "{seen:?}");
}
