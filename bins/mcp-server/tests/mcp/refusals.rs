//! Refusals: a wrong call, and the same call corrected by the advice of the refusal.

use serde_json::Value as Json;

use crate::helpers::spawn;

/// Wrong calls, each with the inputs that a model changes (`null`: omits) after reading the
/// refusal.
const CALLS: &str = include_str!("refusals.json");

#[test]
fn a_model_can_correct_each_of_two_hundred_wrong_calls_at_once() {
    let server = spawn();
    let calls: Vec<Json> = serde_json::from_str(CALLS).unwrap();
    assert!(calls.len() >= 200);
    for wrong in &calls {
        let tool = wrong["tool"].as_str().unwrap();
        let fix = wrong["fix"].as_object().unwrap();
        let refused = server.call(tool, &wrong["arguments"]);
        assert_eq!(refused["isError"], true, "{wrong}");
        let sentence = refused["content"][0]["text"].as_str().unwrap();
        // The members of an object around all inputs have the names that they need.
        let is_nested = sentence.contains("Put its members at the top");
        for name in fix.keys() {
            assert!(
                is_nested || sentence.contains(&format!("`{name}`")),
                "{wrong}: {sentence} does not name `{name}`"
            );
        }
        let mut corrected = wrong["arguments"].clone();
        for (name, value) in fix {
            match value {
                Json::Null => corrected.as_object_mut().unwrap().remove(name),
                value => corrected.as_object_mut().unwrap().insert(name.clone(), value.clone()),
            };
        }
        let answered = server.call(tool, &corrected);
        assert_eq!(answered["isError"], false, "{corrected}: {answered}");
    }
}

/// The first of the words that a refusal lists as accepted is indeed accepted.
#[test]
fn the_first_word_that_a_refusal_lists_is_accepted() {
    let server = spawn();
    let calls: Vec<Json> = serde_json::from_str(CALLS).unwrap();
    let mut seen = 0;
    for wrong in &calls {
        if wrong["fix"].as_object().unwrap().len() > 1 {
            continue;
        }
        let tool = wrong["tool"].as_str().unwrap();
        let refused = server.call(tool, &wrong["arguments"]);
        let sentence = refused["content"][0]["text"].as_str().unwrap();
        let Some((_, words)) = sentence.split_once("Use one of ") else {
            continue;
        };
        let (_, field) = sentence.split_once('`').unwrap();
        let (field, _) = field.split_once('`').unwrap();
        let (word, _) = words.split_once([',', '.']).unwrap();
        let mut corrected = wrong["arguments"].clone();
        corrected[field] = word.into();
        let answered = server.call(tool, &corrected);
        assert_eq!(answered["isError"], false, "{sentence} {corrected}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}
