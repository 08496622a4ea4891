//! Search engines: fancy-regex and the cancellable automaton.

use fancy_regex::{Regex, RegexInput};

use super::automaton::{Automaton, UNSET};
use super::meter::{Meter, MeteredText, Stopped};

/// Start and end of the match and of each group.
pub(super) type Spans = Vec<Option<(usize, usize)>>;

/// Start and end of the match.
pub(super) fn whole(spans: &Spans) -> (usize, usize) {
    let whole = spans.first().copied().flatten();
    whole.expect("both engines set the first span of a match")
}

/// An engine bound to one text.
pub(super) enum Engine<'a> {
    /// fancy-regex.
    Regex { regex: &'a Regex, text: MeteredText<'a> },
    /// Our own automaton, which can be stopped anywhere.
    Automaton { automaton: Box<Automaton>, text: &'a str, meter: &'a Meter<'a>, has_group_0: bool },
}

impl Engine<'_> {
    /// Finds the next match from a position on.
    ///
    /// `continues` says whether the previous match ended at that position.
    pub(super) fn find(&mut self, from: usize, continues: bool) -> Result<Option<Spans>, Stopped> {
        match self {
            Self::Regex { regex, text } => text.run(|text| {
                let input = RegexInput::new(text)
                    .from_pos(from)
                    .continue_from_previous_match_end(continues);
                // An error means that one of the engine's own limits was reached.
                let found = regex.captures_input(input).map_err(|_| Stopped)?;
                Ok(found.map(|groups| {
                    let span = |index| groups.get(index).map(|span| (span.start, span.end));
                    (0..groups.len()).map(span).collect()
                }))
            })?,
            Self::Automaton { automaton, text, meter, has_group_0 } => {
                let slots = automaton.find(text, from, meter)?;
                Ok(slots.map(|slots| spans(&slots, *has_group_0)))
            }
        }
    }
}

/// Converts pairs of slots to spans. The first group can be the match itself.
fn spans(slots: &[usize], has_group_0: bool) -> Spans {
    let (pairs, _) = slots.as_chunks::<2>();
    let span = |[start, end]: &[usize; 2]| (*end != UNSET).then_some((*start, *end));
    pairs.iter().skip(usize::from(has_group_0)).map(span).collect()
}
