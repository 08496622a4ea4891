//! JSON Web Tokens against their RFCs, through `jwt-decoder`.

mod refusals;

use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use toolkit_core::Warnings;
use toolkit_core::jwt::Token;

use crate::support::call;

/// Time of every call in these tests.
const NOW: i64 = 1_700_000_000;

fn decode(token: &str) -> Result<Json, String> {
    call("jwt-decoder", &json!({"token": token}))
}

fn base64url(text: impl AsRef<[u8]>) -> String {
    BASE64URL_NOPAD.encode(text.as_ref())
}

/// Builds a signed token from the JSON of its parts.
fn token(header: &str, payload: &str) -> String {
    format!("{}.{}.c2ln", base64url(header), base64url(payload))
}

fn claims(payload: &str) -> Json {
    decode(&token(r#"{"alg":"HS256"}"#, payload)).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn warnings(answer: &Json) -> Vec<String> {
    serde_json::from_value(answer["warnings"].clone()).unwrap()
}

#[derive(Deserialize)]
struct Vector {
    source: String,
    token: String,
    header: String,
    payload: Option<String>,
    algorithm: String,
    token_type: String,
    status: String,
}

#[test]
fn the_tokens_of_the_rfcs_are_shown_as_they_are() {
    let vectors: Vec<Vector> = serde_json::from_str(include_str!("../vectors/jwt.json")).unwrap();
    for vector in vectors {
        let read = Token::decode(&vector.token, &mut Warnings::new()).unwrap();
        assert_eq!(read.header.get(), vector.header, "{}", vector.source);
        let payload = read.payload.map(|payload| payload.claims.get().to_owned());
        assert_eq!(payload, vector.payload, "{}", vector.source);

        let answer = decode(&vector.token).unwrap();
        let result = &answer["result"];
        assert_eq!(answer["type"], "jwt");
        assert_eq!(result["algorithm"], vector.algorithm, "{}", vector.source);
        assert_eq!(result["token_type"], vector.token_type, "{}", vector.source);
        assert_eq!(result["status"], vector.status, "{}", vector.source);
        assert_eq!(result["signature_verified"], false);
        let third = vector.token.split('.').nth(2);
        let is_signed = vector.token_type != "jwe";
        assert_eq!(result["signature"].as_str(), third.filter(|_| is_signed));
        if payload.is_some() {
            assert_eq!(result["expires_at"], "2011-03-22T18:43:00Z");
        }
    }
}

#[test]
fn digits_escapes_and_order_stay_as_they_are() {
    let payload =
        r#"{"b": 1.10, "a": 1E400, "n": 123456789012345678901234567890, "s": "\u00e9\/"}"#;
    let mut out = Vec::new();
    let body = json!({"token": token(r#"{"alg":"HS256","x":-0}"#, payload)}).to_string();
    let tool = toolkit_core::registry::by_slug("jwt-decoder").unwrap();
    let accepted = toolkit_core::input::Surface::Rest;
    let mut ctx = toolkit_core::Context::fixed();
    tool.run_json(body.as_bytes(), accepted, &mut ctx, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.starts_with(r#""result":{"header":{"alg":"HS256","x":-0},"payload":"#), "{text}");
    assert!(text.contains(payload), "{text}");
}

#[test]
fn what_surrounds_a_token_is_stripped_and_named() {
    let bare = token(r#"{"alg":"HS256"}"#, "{}");
    let mut expected = decode(&bare).unwrap();
    assert_eq!(warnings(&expected), [""; 0]);
    for (before, after, taken) in [
        ("Bearer ", "", ""),
        ("bearer\t", "\n", ""),
        ("Authorization: Bearer ", "\r\n", ""),
        ("AUTHORIZATION:BEARER ", "", ""),
        ("authorization: ", "", ""),
        (" \n", " \u{a0}", ""),
        ("Bearer Bearer ", "", ""),
        ("\"", "\"", "quotes"),
        ("'Bearer ", "'", "quotes"),
        ("\"Authorization: 'Bearer \"", "\"'\"", "quotes"),
        ("\u{FEFF}\u{201C}", "\u{201D}", "a byte order mark, quotes"),
        ("```jwt\n", "\n```", "a code fence"),
        ("~~~\n", "\n~~~\n", "a code fence"),
        ("<", ">", "brackets"),
        ("\"", "\",", "a comma or semicolon, quotes"),
    ] {
        let said = format!("Left out around the token: {taken}.");
        expected["warnings"] = if taken.is_empty() { json!([]) } else { json!([said]) };
        assert_eq!(decode(&format!("{before}{bare}{after}")), Ok(expected.clone()), "{before:?}");
    }
    let refused = decode(&format!("{bare}.")).unwrap_err();
    assert!(refused.ends_with("Remove the full stop at the end."), "{refused}");
    let said = warnings(&decode(&format!("It is {bare}. Is it good?")).unwrap());
    assert_eq!(said, ["The text around the token was left out."]);
}

#[test]
fn a_token_within_other_text_is_joined_where_a_terminal_broke_it() {
    let signature = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let head = format!("{}.{}.", base64url(r#"{"alg":"HS256"}"#), base64url(r#"{"sub":"anna"}"#));
    let bare = format!("{head}{signature}");
    for (before, after) in [
        ("curl -H 'Authorization: Bearer ", "' https://example.com/a.b.c"),
        ("{\n  \"access_token\": \"", "\",\n  \"expires_in\": 3600\n}"),
        ("name: a\ntoken: ", "\nexpires: 3600\n"),
        ("Authorization: Bearer ", "\nHost: example.com\n"),
        ("My token:\n", "\n\nDone\n"),
    ] {
        let whole = decode(&format!("{before}{bare}{after}")).unwrap();
        assert_eq!(whole["result"]["signature"], signature);
        assert_eq!(warnings(&whole), ["The text around the token was left out."], "{before}");
        for at in [10, head.len() - 8, head.len() - 1, head.len(), head.len() + 16, head.len() + 24]
        {
            for line_break in ["\n", "\r\n", " \n  "] {
                let (start, end) = bare.split_at(at);
                let broken = format!("{before}{start}{line_break}{end}{after}");
                let found = decode(&broken).unwrap_or_else(|refusal| panic!("{broken}: {refusal}"));
                assert_eq!(found["result"], whole["result"], "{broken}");
                let said = "The line breaks inside the token were left out.";
                assert_eq!(warnings(&found)[0], said, "{broken}");
            }
        }
    }
    let (start, rest) = bare.split_at(20);
    let (middle, end) = rest.split_at(30);
    let three = format!("```jwt\n{start}\n{middle}\n{end}\n```");
    assert_eq!(decode(&three).unwrap()["result"]["signature"], signature);
    // The signature may end there: an unknown length, and no quote.
    let short = format!("token: {head}c2ln\nDone");
    assert_eq!(decode(&short).unwrap()["result"]["signature"], "c2ln");
}

#[test]
fn a_space_inside_a_token_is_to_be_removed() {
    let (start, end) = (base64url(r#"{"alg":"HS256"}"#), "c2ln");
    for space in [' ', '\u{A0}'] {
        let refused = decode(&format!("{start}.e3{space}0.{end}")).unwrap_err();
        assert!(refused.to_lowercase().ends_with("remove it."), "{refused}");
    }
}

#[test]
fn a_token_within_other_text_is_found_with_a_warning() {
    let bare = token(r#"{"alg":"HS256"}"#, "{}");
    let mut expected = decode(&bare).unwrap();
    expected["warnings"] = json!(["The text around the token was left out."]);
    for (before, after) in [
        ("token=", ""),
        ("Cookie: theme=dark; session=", "; lang=en"),
        ("{\"access_token\": \"", "\", \"expires_in\": 3600}"),
        ("curl -H 'Authorization: Bearer ", "' https://example.com/a.b.c"),
        ("https://example.com/?id_token=", "&state=x"),
    ] {
        assert_eq!(decode(&format!("{before}{bare}{after}")), Ok(expected.clone()), "{before}");
    }
    let other = token(r#"{"alg":"HS512"}"#, "{}");
    assert_eq!(
        decode(&format!("access={bare}; id={other}")).unwrap_err(),
        "`token` has 2 tokens. Send one token per call."
    );
}

#[test]
fn the_dates_and_the_status_follow_from_the_time() {
    for (payload, status, expired, seconds) in [
        ("{}".to_owned(), "no_expiry", json!(null), json!(null)),
        (format!("{{\"exp\":{}}}", NOW + 1), "active", json!(false), json!(1)),
        (format!("{{\"exp\":{NOW}}}"), "expired", json!(true), json!(0)),
        (format!("{{\"exp\":{}}}", NOW - 1), "expired", json!(true), json!(-1)),
        (format!("{{\"exp\":{NOW}.5}}"), "active", json!(false), json!(0)),
        (format!("{{\"exp\":{}.5}}", NOW - 1), "expired", json!(true), json!(-1)),
        (format!("{{\"nbf\":{}}}", NOW + 1), "not_yet_valid", json!(null), json!(null)),
        (format!("{{\"nbf\":{NOW}}}"), "no_expiry", json!(null), json!(null)),
        (
            format!("{{\"nbf\":{},\"exp\":{}}}", NOW + 1, NOW + 2),
            "not_yet_valid",
            json!(false),
            json!(2),
        ),
        (format!("{{\"nbf\":{},\"exp\":{}}}", NOW + 1, NOW), "expired", json!(true), json!(0)),
        (format!("{{\"iat\":{},\"exp\":{}}}", NOW + 9, NOW + 2), "active", json!(false), json!(2)),
        ("{\"exp\":1.7000001e9}".to_owned(), "active", json!(false), json!(100)),
        ("{\"exp\":0}".to_owned(), "expired", json!(true), json!(-NOW)),
        ("{\"exp\":-1}".to_owned(), "expired", json!(true), json!(-NOW - 1)),
    ] {
        let answer = claims(&payload);
        let result = &answer["result"];
        assert_eq!(
            (&result["status"], &result["expired"], &result["expires_in_seconds"]),
            (&json!(status), &expired, &seconds),
            "{payload}"
        );
        assert_eq!(warnings(&answer), [""; 0], "{payload}");
    }
}

#[test]
fn dates_are_iso_8601_with_a_fraction_only_where_there_is_one() {
    let answer = claims(r#"{"iat":1700000000,"nbf":1700000000.25,"exp":253402300799}"#);
    let result = &answer["result"];
    assert_eq!(result["issued_at"], "2023-11-14T22:13:20Z");
    assert_eq!(result["not_before"], "2023-11-14T22:13:20.25Z");
    assert_eq!(result["expires_at"], "9999-12-31T23:59:59Z");
}

#[test]
fn a_date_that_cannot_be_read_makes_the_status_unknown() {
    for value in ["\"1700000000\"", "\"soon\"", "null", "true", "[1]", "{}"] {
        for name in ["exp", "nbf", "iat"] {
            let answer = claims(&format!("{{\"{name}\":{value}}}"));
            let result = &answer["result"];
            assert_eq!((&result["status"], &result["expired"]), (&json!("unknown"), &Json::Null));
            assert_eq!(
                warnings(&answer),
                [format!(
                    "`{name}` is not a number of seconds, so it tells no date and readers may refuse it."
                )]
            );
        }
    }
    for value in ["1e30", "253402300800", "99999999999999999999999", "-62135596801"] {
        let answer = claims(&format!("{{\"exp\":{value}}}"));
        let result = &answer["result"];
        assert_eq!(
            (&result["status"], &result["expires_at"], &result["expires_in_seconds"]),
            (&json!("unknown"), &Json::Null, &Json::Null),
            "{value}"
        );
        let said = "`exp` lies outside of the years 1 to 9999, so it cannot be shown as a date.";
        assert!(warnings(&answer).contains(&said.to_owned()));
    }
}

#[test]
fn dates_in_milliseconds_are_warned_about() {
    for (value, is_told) in
        [("1700000000000", true), ("100000000000", true), ("99999999999", false)]
    {
        let said = warnings(&claims(&format!("{{\"exp\":{value}}}")));
        let told = said.contains(
            &"`exp` looks like milliseconds, but means seconds (RFC 7519 §2).".to_owned(),
        );
        assert_eq!(told, is_told, "{value}");
    }
}

#[test]
fn an_algorithm_without_protection_is_warned_about() {
    for (header, algorithm, token_type, said) in [
        ("{}", json!(null), "jws", "The header has no `alg`, which every token must have."),
        ("{\"alg\":1}", json!(null), "jws", "The `alg` of the header is not a string."),
        (
            "{\"alg\":\"nOnE\"}",
            json!("nOnE"),
            "unsecured",
            "`alg` is `none`: nothing protects the token, anybody can have made it.",
        ),
    ] {
        let answer = decode(&token(header, "{}")).unwrap();
        assert_eq!(answer["result"]["algorithm"], algorithm);
        assert_eq!(answer["result"]["token_type"], token_type);
        assert_eq!(warnings(&answer)[0], said);
    }
    let unsigned = format!("{}.e30.", base64url("{\"alg\":\"HS256\"}"));
    assert_eq!(warnings(&decode(&unsigned).unwrap()), ["The signature is empty."]);
}

#[test]
fn a_detached_payload_is_null() {
    let answer = decode(&format!("{}..c2ln", base64url("{\"alg\":\"HS256\"}"))).unwrap();
    assert_eq!(answer["result"]["payload"], Json::Null);
    assert_eq!(answer["result"]["status"], "unknown");
    assert_eq!(warnings(&answer), ["The payload is detached: it is not in the token."]);
}

#[test]
fn an_unencoded_payload_is_read_as_it_is() {
    let header = base64url(r#"{"alg":"HS256","b64":false,"crit":["b64"]}"#);
    let answer = decode(&format!("{header}.{{\"a\": 1}}.c2ln")).unwrap();
    assert_eq!(answer["result"]["payload"], json!({"a": 1}));
    assert_eq!(warnings(&answer).len(), 1);
}

#[test]
fn an_encrypted_token_shows_its_header() {
    let header = base64url(r#"{"alg":"dir","enc":"A128GCM"}"#);
    let answer = decode(&format!("{header}..aXY.Y2lwaGVy.dGFn")).unwrap();
    let result = &answer["result"];
    assert_eq!(result["header"], json!({"alg": "dir", "enc": "A128GCM"}));
    for name in ["payload", "signature", "expired", "expires_at", "expires_in_seconds"] {
        assert_eq!(result[name], Json::Null, "{name}");
    }
    assert_eq!(
        warnings(&answer),
        ["The token is encrypted (JWE): its payload cannot be shown without the key."]
    );
    let refused = decode(&format!("{header}..aXY.Y2lwaGVy!.dGFn")).unwrap_err();
    assert!(
        refused.starts_with("offset 53: `token` has a ciphertext that is not base64url"),
        "{refused}"
    );
}

#[test]
fn full_stops_can_stand_in_place_of_the_signature() {
    let header = base64url(r#"{"alg":"HS256"}"#);
    let payload = base64url(r#"{"sub":"a"}"#);
    let answer = decode(&format!("{header}.{payload}...")).unwrap();
    assert_eq!(answer["result"]["payload"], json!({"sub": "a"}));
    assert_eq!(answer["result"]["token_type"], "jws");
    assert_eq!(answer["result"]["signature"], "");
    let cut_off = "The signature is cut off: full stops stand in its place.";
    assert_eq!(warnings(&answer), [cut_off, "The signature is empty."]);
    let answer = decode(&format!("{header}.{payload}.c2ln..")).unwrap();
    assert_eq!(answer["result"]["signature"], "c2ln");
    assert_eq!(warnings(&answer), [cut_off]);

    let refused = decode(&format!("{header}.{}...", base64url("[]"))).unwrap_err();
    assert!(refused.starts_with("`token` has a payload that is not a JSON object"));
    let encrypted = base64url(r#"{"alg":"dir","enc":"A128GCM"}"#);
    let answer = decode(&format!("{encrypted}....")).unwrap();
    assert_eq!(answer["result"]["token_type"], "jwe");
}

#[test]
fn repeated_members_are_warned_about() {
    let answer = decode(&token(
        r#"{"alg":"none","alg":"HS256"}"#,
        r#"{"a":1,"\u0061":2,"b":{"c":1,"c":2}}"#,
    ));
    assert_eq!(
        warnings(&answer.unwrap()),
        [
            "The header has `alg` more than once; readers differ in which one they take.",
            "The payload has `a` more than once; readers differ in which one they take.",
        ]
    );
}

#[test]
fn lone_surrogates_are_warned_about() {
    for (payload, is_told) in [
        (r#"{"a":"\ud83d\uDE00 \u00e9"}"#, false),
        (r#"{"a":"\\ud800 \\\\ud800"}"#, false),
        (r#"{"a":"\ud800"}"#, true),
        (r#"{"a":"\uDC00"}"#, true),
        (r#"{"a":"\ud800\n\udc00"}"#, true),
        (r#"{"a":"\ud800x\udc00"}"#, true),
        (r#"{"a":"\ud800\ud800\udc00"}"#, true),
    ] {
        let mut warnings = Warnings::new();
        Token::decode(&token(r#"{"alg":"HS256"}"#, payload), &mut warnings).unwrap();
        assert_eq!(!warnings.is_empty(), is_told, "{payload}");
    }
}

#[test]
fn padding_and_trailing_bits_are_warned_about() {
    let padded = format!("{}.{}.c2k=", base64url(r#"{"alg":"HS256"}"#), "eyJhIjoxfQ==");
    assert_eq!(
        warnings(&decode(&padded).unwrap()),
        [
            "The payload has padding (`=`), which a token must not have.",
            "The signature has padding (`=`), which a token must not have.",
        ]
    );
    let altered = format!("{}.e30.c2l", base64url(r#"{"alg":"HS256"}"#));
    assert_eq!(
        warnings(&decode(&altered).unwrap()),
        [
            "The last character of the signature has unused bits that are set; strict readers refuse it."
        ]
    );
}
