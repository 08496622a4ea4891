//! States of a character class, as the cost model counts them.

use regex_syntax::hir::{Class, HirKind};

/// The states of classes that many patterns have, so that they need not be read to be counted.
const COMMON: [(&str, u64); 3] = [("\\w", 1_612), ("\\d", 162), ("\\s", 40)];

/// Counts for each range of characters a few states in the automaton that runs forwards, and as
/// many in the one that runs backwards.
pub(super) fn class_states(class: &str, ignores_case: bool) -> u64 {
    let common = COMMON.iter().find(|(known, _)| *known == class);
    match common {
        Some((_, states)) if !ignores_case => *states,
        _ => counted(class, ignores_case),
    }
}

fn counted(class: &str, ignores_case: bool) -> u64 {
    let parsed = regex_syntax::ParserBuilder::new()
        .case_insensitive(ignores_case)
        .build()
        .parse(class);
    match parsed.as_ref().map(regex_syntax::hir::Hir::kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            let ranges = class.ranges().len() as u64;
            let wide = class
                .ranges()
                .last()
                .is_some_and(|range| !range.end().is_ascii());
            2 * ranges + if wide { 20 } else { 2 }
        }
        // What is wrong with it is told when it is compiled.
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON, counted};

    #[test]
    fn common_classes_have_the_states_that_are_noted() {
        for (class, states) in COMMON {
            assert_eq!(counted(class, false), states, "{class}");
        }
    }
}
