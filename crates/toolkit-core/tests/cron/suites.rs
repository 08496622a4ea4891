//! Cron expressions of the public suites, and their descriptions there.

use serde_json::Value as Json;
use toolkit_core::Warnings;
use toolkit_core::cron::Schedule;

use super::{moment, runs};

fn suite(file: &str) -> Vec<Json> {
    let Ok(folder) = std::env::var("TOOLKIT_SUITES") else {
        println!("skipped: TOOLKIT_SUITES is not set");
        return Vec::new();
    };
    let text = std::fs::read_to_string(format!("{folder}/{file}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_public_expressions_are_read_as_expected() {
    for case in suite("cron_expressions_js") {
        let expression = case["input"].as_str().unwrap();
        let expect = &case["expect"];
        let read = Schedule::parse(expression, &mut Warnings::new());
        let is_question_mark = expression.contains('?') && read.is_ok();
        if case["class"].is_string() && !is_question_mark {
            assert!(read.is_err(), "{expression}");
            continue;
        }
        let schedule = read.unwrap();
        for (from, next) in expect["next3_by_base"].as_object().into_iter().flatten() {
            let runs = runs(&schedule, moment(from), 3);
            assert_eq!(Json::from(runs), *next, "{expression} from {from}");
        }
    }
}

/// Numbers and names of a reference description that ours must contain, in the 24-hour clock.
fn keys(english: &str) -> Vec<String> {
    let words: Vec<&str> = english.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let names = ["January", "February", "March", "June", "Sunday", "Monday", "Friday"];
    let mut keys: Vec<String> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if names.contains(word) {
            keys.push((*word).to_owned());
        }
        let Some((hour, minute)) = word.split_once(':') else {
            continue;
        };
        let is_afternoon = words.get(index + 1) == Some(&"PM");
        let hour: u8 = hour.parse().unwrap();
        let hour = hour % 12 + if is_afternoon { 12 } else { 0 };
        keys.push(format!("{hour:02}:{minute}"));
    }
    keys
}

#[test]
fn descriptions_have_the_numbers_and_names_of_the_public_ones() {
    for case in suite("cron_english") {
        let expression = case["input"].as_str().unwrap();
        let english = case["expect"]["reference_english"].as_str().unwrap();
        let Ok(schedule) = Schedule::parse(expression, &mut Warnings::new()) else {
            assert!(expression.contains('W'), "{expression}");
            continue;
        };
        let description = schedule.describe();
        for key in keys(english) {
            assert!(description.contains(&key), "{expression}: {description}, but {english}");
        }
    }
}
