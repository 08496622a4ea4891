//! States of a character class, as counted by the cost model.

use regex_syntax::hir::{Class, HirKind};

/// State counts of frequent classes, which then need not be parsed.
const COMMON: [(&str, u64); 3] = [("\\w", 1_612), ("\\d", 162), ("\\s", 40)];

/// Counts a few states per range of characters in the forward automaton, and as many in the reverse
/// one.
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
        // Errors are reported when it is compiled.
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON, counted};

    #[test]
    fn the_state_counts_of_common_classes_are_correct() {
        for (class, states) in COMMON {
            assert_eq!(counted(class, false), states, "{class}");
        }
    }
}
