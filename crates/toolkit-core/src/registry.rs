//! Tool registry: the one list of tools, from which REST, MCP and the documents derive.

use crate::tool::{DynTool, Mcp};
pub use crate::tools::TOOLS;

/// Finds the tool that REST runs under a slug.
///
/// ```
/// use toolkit_core::registry;
///
/// let tool = registry::by_slug("uuid-generator").expect("there is such a tool");
/// assert!(!tool.spec().examples.is_empty());
/// assert!(registry::by_slug("no-such-tool").is_none());
/// ```
pub fn by_slug(slug: &str) -> Option<&'static dyn DynTool> {
    let mut tools = TOOLS.iter().copied();
    tools.find(|tool| tool.spec().slug == Some(slug))
}

/// Finds the tool that MCP offers under a name.
///
/// ```
/// use toolkit_core::registry::by_mcp_name;
///
/// let tool = by_mcp_name("cidr_info").expect("it is a tool");
/// assert_eq!(tool.spec().slug, Some("cidr-calculator"));
/// assert!(by_mcp_name("cidr-calculator").is_none());
/// ```
pub fn by_mcp_name(name: &str) -> Option<&'static dyn DynTool> {
    let (tool, _) = mcp_tools().find(|(_, mcp)| mcp.name == name)?;
    Some(tool)
}

/// Tools that MCP offers, in the order of its list: those given to a model, over MCP and in chat.
///
/// ```
/// use toolkit_core::registry::mcp_tools;
///
/// assert!(mcp_tools().any(|(_, mcp)| mcp.name == "generate_id"));
/// ```
pub fn mcp_tools() -> impl Iterator<Item = (&'static dyn DynTool, &'static Mcp)> {
    TOOLS.iter().filter_map(|tool| Some((*tool, tool.spec().mcp.as_ref()?)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::{Value as Json, json};

    use super::{TOOLS, by_slug};
    use crate::input::Surface;
    use crate::tool::{self, DynTool, Example};

    fn name(tool: &dyn DynTool) -> &'static str {
        let spec = tool.spec();
        spec.slug.or(spec.mcp.as_ref().map(|mcp| mcp.name)).expect("a tool has a name")
    }

    fn run(tool: &dyn DynTool, input: &str) -> Result<Json, String> {
        let (answer, _) = tool::run(tool, input)?;
        let kind = answer["type"].as_str().unwrap();
        assert!(tool.spec().kinds.contains(&kind), "{kind} is not declared");
        let count = answer["result"].as_array().map(Vec::len);
        assert_eq!(answer.get("count"), count.map(Json::from).as_ref());
        Ok(answer)
    }

    #[test]
    fn every_example_is_answered() {
        for tool in TOOLS {
            assert!(!tool.spec().examples.is_empty(), "{} has no example", name(*tool));
            for Example { title, input } in tool.spec().examples {
                let shown = tool.demonstrate(input, Surface::Rest).unwrap();
                let shown = serde_json::from_str(&shown).unwrap();
                assert_eq!(run(*tool, input), Ok(shown), "{}, {title}", name(*tool));
            }
        }
    }

    #[test]
    fn every_tool_of_mcp_has_an_example_that_can_be_called_there() {
        for tool in TOOLS {
            let Some(mcp) = &tool.spec().mcp else {
                continue;
            };
            let accepted = Surface::Mcp(mcp.inputs);
            let fits = |example: &Example| {
                let input: Json = serde_json::from_str(example.input).unwrap();
                accepted.fit(tool.fields(), input.as_object().unwrap())
            };
            assert!(tool.spec().examples.iter().any(fits), "{}", mcp.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut seen = HashSet::new();
        for spec in TOOLS.iter().map(|tool| tool.spec()) {
            assert!(spec.slug.is_none_or(|slug| seen.insert(slug)), "{:?} twice", spec.slug);
            let mcp = spec.mcp.as_ref().map(|mcp| mcp.name);
            assert!(mcp.is_none_or(|mcp| seen.insert(mcp)), "{mcp:?} twice");
        }
    }

    #[test]
    fn the_definition_of_every_tool_is_complete() {
        for tool in TOOLS {
            let summary = tool.spec().summary;
            assert!(summary.ends_with('.') && summary.matches(". ").count() == 0, "{summary}");
            for field in tool.fields() {
                let about = field.description.trim();
                assert!(
                    about.len() > 10 && about.ends_with('.'),
                    "{}: {}",
                    name(*tool),
                    field.name
                );
            }
        }
    }

    #[test]
    fn mcp_inputs_are_a_subset_of_the_inputs() {
        for tool in TOOLS {
            let Some(mcp) = &tool.spec().mcp else {
                continue;
            };
            let fields = Surface::Mcp(mcp.inputs).of(tool.fields());
            assert_eq!(fields.len(), mcp.inputs.len(), "{}", mcp.name);
        }
    }

    #[test]
    fn a_required_input_of_mcp_has_no_default_in_its_description() {
        for (tool, mcp) in super::mcp_tools() {
            for (field, required) in Surface::Mcp(mcp.inputs).of(tool.fields()) {
                let about = field.description.to_lowercase();
                let tells = about.contains("default");
                assert!(!required || !tells, "{}, {}: {about}", mcp.name, field.name);
            }
        }
    }

    #[test]
    fn the_main_input_answers_to_input_too() {
        for tool in TOOLS {
            for example in tool.spec().examples {
                let main = tool.main_input();
                let mut arguments: serde_json::Map<String, Json> =
                    serde_json::from_str(example.input).unwrap();
                let Some(value) = arguments.remove(main) else {
                    continue;
                };
                arguments.insert("input".into(), value.clone());
                let renamed = run(*tool, &json!(arguments).to_string());
                assert_eq!(renamed, run(*tool, example.input), "{}", name(*tool));
                arguments.insert(main.into(), value);
                let twice = run(*tool, &json!(arguments).to_string()).unwrap_err();
                assert!(twice.starts_with(&format!("`{main}` is given twice")), "{twice}");
            }
        }
    }

    #[test]
    fn an_unknown_input_is_refused_with_the_known_ones() {
        for tool in TOOLS {
            let refused = run(*tool, r#"{"no_such": [[{}]]}"#).unwrap_err();
            assert!(refused.starts_with("Unknown input `no_such`. This tool takes `"));
        }
    }

    #[test]
    fn arrays_and_objects_are_not_inputs() {
        for tool in TOOLS {
            let main = tool.main_input();
            for (value, kind) in [
                ("[]", "an array"),
                ("[1, [2]]", "an array"),
                ("{}", "an object"),
                ("{\"a\": {\"b\": []}}", "an object"),
            ] {
                let refused = run(*tool, &format!("{{\"{main}\": {value}}}")).unwrap_err();
                assert!(refused.starts_with(&format!("`{main}` must be ")), "{refused}");
                assert!(refused.contains(&format!(", not {kind}")), "{refused}");
            }
        }
    }

    fn refusal(slug: &str, input: &str) -> String {
        run(by_slug(slug).unwrap(), input).unwrap_err()
    }

    #[test]
    fn a_document_in_place_of_its_text_is_refused_with_what_to_do() {
        for document in ["{\"a\": 1}", "[1, 2]"] {
            let refused = refusal("json-formatter", &format!("{{\"text\": {document}}}"));
            let hint = ". Write the document as JSON text.";
            assert!(refused.starts_with("`text` must be a string, not a"), "{refused}");
            assert!(refused.ends_with(hint), "{refused}");
        }
        assert_eq!(
            refusal("cidr-calculator", r#"{"cidr": ["192.0.2.0/24"]}"#),
            "`cidr` must be a string, not an array."
        );
    }

    #[test]
    fn an_object_around_all_inputs_is_refused_with_what_to_do() {
        assert_eq!(
            refusal("cidr-calculator", r#"{"input": {"cidr": "192.0.2.0/24"}}"#),
            "`input` must be a string, not an object. Put its members at the top."
        );
        assert_eq!(
            refusal("hash-generator", r#"{"input": {"text": "a"}}"#),
            "`input` must be a string, not an object. Put its members at the top, or write the document as JSON text."
        );
    }

    #[test]
    fn an_input_given_twice_is_blamed_under_its_name() {
        for (input, detail) in [
            (r#"{"text": "a", "text": "b"}"#, "`text` is given twice."),
            (r#"{"input": "a", "input": "b"}"#, "`input` is given twice."),
            (
                r#"{"input": "a", "text": "b"}"#,
                "`text` is given twice. `input` is another name of it.",
            ),
        ] {
            assert_eq!(refusal("hash-generator", input), detail);
        }
    }

    #[test]
    fn an_input_given_many_times_is_named_once() {
        let twice = "\"text\": \"a\", \"input\": \"b\", \"x\": 1,".repeat(80_000);
        let refused = refusal("hash-generator", &format!("{{{twice} \"key\": \"\"}}"));
        assert_eq!(
            refused,
            "Unknown input `x`. This tool takes `text`, `algorithm`, `key`, `encoding`, \
             `input_encoding`, `key_encoding`. `text` is given twice. `input` is another name of it."
        );
    }

    /// The answer to a model, or the refusal.
    fn ask(name: &str, input: &str) -> Result<(Json, Vec<String>), String> {
        let tool = super::by_mcp_name(name).unwrap();
        let accepted = Surface::Mcp(tool.spec().mcp.as_ref().unwrap().inputs);
        let (mut ctx, mut out) = (crate::Context::fixed(), b"{".to_vec());
        tool.run_json(input.as_bytes(), accepted, &mut ctx, &mut out)
            .map_err(|refusal| refusal.to_string())?;
        out.push(b'}');
        let mut answer: Json = serde_json::from_slice(&out).unwrap();
        let warnings = ctx.warnings.sentences().iter();
        Ok((answer["result"].take(), warnings.map(ToString::to_string).collect()))
    }

    #[test]
    fn refusals_to_a_model_are_short_whatever_was_sent() {
        let texts = [
            "a",
            "1",
            "\u{1}",
            "\u{e0001}",
            "😀",
            "<",
            "{",
            "[",
            "\"",
            "- ",
            "x: ",
            "(",
            "\\u",
            "0 ",
            "1-",
            "a.",
            "1/",
            "* ",
            ",",
            "\n",
            "é: ",
        ];
        for (tool, mcp) in super::mcp_tools() {
            for text in texts.into_iter().flat_map(|text| [text.repeat(50), text.repeat(20_000)]) {
                let one_of: Vec<_> = tool.fields().iter().map(|field| field.name).collect();
                let mut inputs: Vec<Json> = one_of
                    .iter()
                    .map(|name| {
                        let mut input = json!({
                            "text": "a", "pattern": "a", "mode": "decode", "from_format": "xml",
                            "to_format": "json", "algorithm": "md5", "token": "a", "id_type": "ulid",
                            "expression": "@daily", "cidr": "::/0", "key": "a",
                        });
                        let members = input.as_object_mut().unwrap();
                        members.retain(|name, _| one_of.contains(&name.as_str()));
                        members.insert((*name).to_owned(), text.as_str().into());
                        input
                    })
                    .collect();
                for format in ["json", "yaml", "xml"] {
                    inputs.push(json!({"text": text, "from_format": format, "to_format": "json"}));
                }
                let all = one_of.iter().map(|name| ((*name).to_owned(), text.as_str().into()));
                inputs.push(all.collect::<serde_json::Map<_, _>>().into());
                let names = (0..5).map(|index| (format!("{text}{index}"), json!(1)));
                inputs.push(names.collect::<serde_json::Map<_, _>>().into());
                for input in inputs {
                    if let Err(refusal) = ask(mcp.name, &input.to_string()) {
                        let start: String = input.to_string().chars().take(80).collect();
                        assert!(
                            refusal.len() < 300,
                            "{}, {start}: {} {refusal}",
                            mcp.name,
                            refusal.len()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_strict_clients_send_for_nothing_is_left_out_over_mcp() {
        let left_out =
            |name: &str, sent: &str| format!("`{name}` is \"{sent}\", which is taken as left out.");
        for (name, input, result, warnings) in [
            ("base64_transform", json!({"text": "a", "mode": "encode", "url_safe": ""}), json!("YQ=="), vec![left_out("url_safe", "")]),
            ("hash_text", json!({"text": "", "algorithm": "sha256", "key": "", "encoding": "null"}), json!("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), vec![left_out("key", ""), left_out("encoding", "null")]),
            ("base64_transform", json!({"text": "null", "mode": "encode", "sessionId": "x", "toolCallId": 1, "sessionId": 2, "action": "y", "chatInput": null}), json!("bnVsbA=="), vec!["No inputs of this tool, so left out: `action`, `chatInput`, `sessionId`, `toolCallId`.".to_owned()]),
        ] {
            let (answer, said) = ask(name, &input.to_string()).unwrap();
            assert_eq!((answer, said), (result, warnings), "{name}");
        }
        let (now, said) = ask("unix_timestamp", r#"{"value": ""}"#).unwrap();
        assert_eq!((&now["detected"], said), (&json!("now"), vec![left_out("value", "")]));
        let (found, said) =
            ask("regex_test", r#"{"pattern": "", "text": "", "flags": "", "replacement": ""}"#)
                .unwrap();
        assert_eq!((&found["replaced"], &found["flags"], said), (&json!(""), &json!(""), vec![]));
        // REST takes them as they are.
        assert_eq!(
            run(by_slug("hash-generator").unwrap(), r#"{"text": "", "key": ""}"#).unwrap()["type"],
            "hmac-sha256"
        );
        let refused = run(by_slug("hash-generator").unwrap(), r#"{"text": "", "sessionId": ""}"#);
        assert!(refused.is_err());
    }

    #[test]
    fn a_model_may_send_every_input_of_rest_and_its_arguments_as_json_text() {
        let input =
            json!({"text": "A", "algorithm": "sha256", "key": "4141", "key_encoding": "hex"});
        let expected = json!("4e9483c3335f395a11f5a21df8497daa3206ee9e9a5cbadaaad7161497bf0c8a");
        for input in [input.to_string(), json!(input.to_string()).to_string()] {
            assert_eq!(ask("hash_text", &input), Ok((expected.clone(), vec![])));
        }
        assert_eq!(
            ask("hash_text", "\"x\"").unwrap_err(),
            "line 1, column 1: the body is not valid JSON: expected value."
        );
    }

    #[test]
    fn half_of_a_surrogate_pair_is_refused_where_it_is() {
        for (escape, column) in [("\\ud800", 12), ("\\uDC00x", 12), ("\\ud834\\udd1e\\ud800", 24)] {
            let half = if column == 24 { "\\ud800" } else { escape.get(..6).unwrap() };
            let refused = refusal("hash-generator", &format!("{{\"text\": \"é{escape}\"}}"));
            let expected = format!(
                "line 1, column {column}: `text` must be Unicode text, but has half of a surrogate pair, `{half}`."
            );
            assert_eq!(refused, expected);
        }
    }

    #[test]
    fn all_mistakes_of_a_call_are_named_at_once() {
        assert_eq!(
            refusal(
                "data-converter",
                r#"{"txt": "a", "text": 1, "indent": "x", "to": "json", "action": null}"#
            ),
            "Unknown inputs `txt`, `to`. This tool takes `text`, `from_format`, `to_format`, \
             `action`, `indent`, `names`. `from_format` is required. Use one of json, yaml, xml. \
             `text` must be a string, not a number. `indent` is `x`. Use a whole number from 0 to 8."
        );
        let many = (0..50).map(|number| format!("\"x{number}\": 1,"));
        let many = format!("{{{}\"cidr\": \"::/0\"}}", many.collect::<String>());
        assert_eq!(
            refusal("cidr-calculator", &many),
            "Unknown inputs `x0`, `x1`, `x2`, `x3`. This tool takes `cidr`."
        );
    }

    #[test]
    fn values_other_than_objects_are_refused() {
        for (body, kind) in [
            ("[]", "an array"),
            ("null", "null"),
            ("true", "a boolean"),
            ("1", "a number"),
            ("-1.5", "a number"),
            ("\"x\"", "a string"),
        ] {
            let refused = run(TOOLS[0], body).unwrap_err();
            assert_eq!(refused, format!("The body must be a JSON object, not {kind}."));
        }
    }

    #[test]
    fn a_body_that_is_not_json_is_refused_with_the_position() {
        for (body, detail) in [
            ("{", "line 1, column 1: the body is not valid JSON: it ends inside an object."),
            ("{}x", "line 1, column 3: the body is not valid JSON: trailing characters."),
            (
                "{\n\"text\": \"ä😀\" x}",
                "line 2, column 14: the body is not valid JSON: expected `,` or `}`.",
            ),
            (
                "\u{FEFF}{}",
                "line 1, column 1: the body is not valid JSON: expected value. Send it without a byte order mark.",
            ),
        ] {
            assert_eq!(run(TOOLS[0], body).unwrap_err(), detail);
        }
    }
}
