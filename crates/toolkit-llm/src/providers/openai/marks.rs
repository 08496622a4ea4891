//! Reasoning and calls that a server leaves in the text: `<think>` blocks, `<tool_call>` blocks and
//! gpt-oss channels.
//!
//! Servers configured for the model's template separate them. Others pass on what the model writes.
//! Reasoning is returned as reasoning. Calls written as text are not in the format, so they are
//! left out rather than guessed at. A reasoning block must begin the text or a line, and marks in
//! code quoted in Markdown don't count, so that a text about these marks stays whole.

use super::super::decode::Output;

/// A block that is not text.
struct Block {
    opens: &'static str,
    closes: &'static [&'static str],
    is_reasoning: bool,
    /// Whether it counts only at the start of a line.
    begins_line: bool,
}

const BLOCKS: [Block; 9] = [
    reasoning("<think>", &["</think>"]),
    reasoning("[THINK]", &["[/THINK]"]),
    channel("<|channel|>analysis<|message|>", true),
    channel("<|channel|>commentary", false),
    call("<tool_call>{"),
    call("<tool_call>\n{"),
    call("<tool_call>\r\n{"),
    call("<tool_call>\n<function"),
    call("<tool_call><function"),
];

/// The marks of gpt-oss around its answer.
const MARKS: [&str; 6] = [
    "<|channel|>final<|message|>",
    "<|start|>assistant",
    "<|message|>",
    "<|return|>",
    "<|call|>",
    "<|end|>",
];

const fn reasoning(opens: &'static str, closes: &'static [&'static str]) -> Block {
    Block { opens, closes, is_reasoning: true, begins_line: true }
}

const fn channel(opens: &'static str, is_reasoning: bool) -> Block {
    Block {
        opens,
        closes: &["<|end|>", "<|call|>", "<|return|>"],
        is_reasoning,
        begins_line: false,
    }
}

const fn call(opens: &'static str) -> Block {
    Block { opens, closes: &["</tool_call>"], is_reasoning: false, begins_line: false }
}

/// Removes the blocks from a text that arrives in pieces.
#[derive(Default)]
pub(super) struct Marks {
    /// Possibly the start of a mark.
    held: String,
    block: Option<&'static Block>,
    /// Whether the last character was inside a line.
    in_line: bool,
    /// Whether a block has just ended, so that white space is dropped.
    after_block: bool,
    /// Length of the backtick run that opened a code quotation. 0 outside.
    code: usize,
    /// Length of the backtick run at the end of the text so far.
    ticks: usize,
}

impl Marks {
    /// Adds a piece of the text.
    pub(super) fn take(&mut self, piece: &str, output: &mut Output) {
        let mut text = std::mem::take(&mut self.held);
        text.push_str(piece);
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (step, is_done) = match self.block {
                Some(block) => self.within(block, rest, output),
                None => self.outside(rest, output),
            };
            rest = rest.get(step..).unwrap_or_default();
            if is_done {
                break;
            }
        }
        rest.clone_into(&mut self.held);
    }

    /// Ends the text.
    pub(super) fn finish(&mut self, output: &mut Output) {
        let held = std::mem::take(&mut self.held);
        match self.block {
            Some(block) if block.is_reasoning => output.reasoning.push_str(&held),
            Some(_) => {}
            None => self.say(&held, output),
        }
    }

    /// Continues in a block. Returns the length read, and whether more is needed.
    fn within(&mut self, block: &'static Block, rest: &str, output: &mut Output) -> (usize, bool) {
        let ends = block.closes.iter();
        let end = ends.filter_map(|mark| Some((rest.find(mark)?, mark.len())));
        let (inner, step, is_done) = if let Some((start, length)) = end.min() {
            (self.block, self.after_block) = (None, true);
            (start, start + length, false)
        } else {
            let known = rest.len() - begun(rest, block.closes.iter().copied());
            (known, known, true)
        };
        if block.is_reasoning {
            output.reasoning.push_str(rest.get(..inner).unwrap_or_default());
        }
        (step, is_done)
    }

    /// Continues in the text, up to the next mark.
    fn outside(&mut self, rest: &str, output: &mut Output) -> (usize, bool) {
        let Some(start) = rest.find(['<', '[']) else {
            self.say(rest, output);
            return (rest.len(), true);
        };
        if start > 0 {
            self.say(rest.get(..start).unwrap_or_default(), output);
            return (start, false);
        }
        if !self.is_quoted() {
            let may_begin = |block: &&Block| !block.begins_line || !self.in_line;
            let mut blocks = BLOCKS.iter().filter(may_begin);
            if let Some(block) = blocks.clone().find(|block| rest.starts_with(block.opens)) {
                self.block = Some(block);
                return (block.opens.len(), false);
            }
            if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                self.after_block = true;
                return (mark.len(), false);
            }
            let may_become = |mark: &str| mark.starts_with(rest);
            if blocks.any(|block| may_become(block.opens))
                || MARKS.iter().any(|mark| may_become(mark))
            {
                return (0, true);
            }
        }
        self.say(rest.get(..1).unwrap_or_default(), output);
        (1, false)
    }

    fn is_quoted(&self) -> bool {
        // A run at the end may open a quotation.
        self.code > 0 || self.ticks > 0
    }

    fn say(&mut self, text: &str, output: &mut Output) {
        let text = if self.after_block { text.trim_start() } else { text };
        self.after_block &= text.is_empty();
        for character in text.chars() {
            if character == '`' {
                self.ticks += 1;
            } else {
                self.end_ticks();
            }
            match character {
                // An inline quotation ends with its line at the latest, but a fence continues.
                '\n' if self.code < 3 => (self.in_line, self.code) = (false, 0),
                '\n' => self.in_line = false,
                _ => self.in_line |= !character.is_whitespace(),
            }
        }
        output.text.push_str(text);
    }

    /// Opens or closes a quotation with the backtick run that has ended.
    fn end_ticks(&mut self) {
        let ticks = std::mem::take(&mut self.ticks);
        if ticks > 0 && self.code == 0 {
            self.code = ticks;
        } else if ticks > 0 && ticks == self.code {
            self.code = 0;
        }
    }
}

/// Length of the longest suffix of a text that begins a mark.
fn begun<'a>(text: &str, marks: impl Iterator<Item = &'a str>) -> usize {
    let of_mark = |mark: &str| {
        let lengths = (1..mark.len()).rev();
        let mut ends = lengths.filter(|&length| {
            mark.get(..length).is_some_and(|beginning| text.ends_with(beginning))
        });
        ends.next().unwrap_or_default()
    };
    marks.map(of_mark).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text and the reasoning of pieces.
    fn read(pieces: &[&str]) -> (String, String) {
        let (mut marks, mut output) = (Marks::default(), Output::default());
        for piece in pieces {
            marks.take(piece, &mut output);
        }
        marks.finish(&mut output);
        (output.text, output.reasoning)
    }

    #[test]
    fn blocks_are_cut_wherever_the_text_is_split() {
        for (whole, text, reasoning) in [
            ("<think>hm</think>\n\nHello", "Hello", "hm"),
            ("\n<think>hm</think>Hello", "\nHello", "hm"),
            ("[THINK]hm[/THINK]Hello", "Hello", "hm"),
            ("One.\n<think>hm</think>Two.", "One.\nTwo.", "hm"),
            (
                "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
                "Hi",
                "hm",
            ),
            (
                "<|channel|>commentary to=functions.echo <|constrain|>json<|message|>{}<|call|>",
                "",
                "",
            ),
            ("Let me see.\n<tool_call>\n{\"name\": 1}\n</tool_call>", "Let me see.\n", ""),
            ("<tool_call><function=echo></function></tool_call>ok", "ok", ""),
            ("<think>never ends", "", "never ends"),
            ("a <b> c é🦀 <| [x] <tool_call> <", "a <b> c é🦀 <| [x] <tool_call> <", ""),
            ("`<think>` opens, `</think>` closes", "`<think>` opens, `</think>` closes", ""),
            (
                "```\n<think>\nhm\n</think>\n```\n<think>x</think>y",
                "```\n<think>\nhm\n</think>\n```\ny",
                "x",
            ),
            ("Write <think> first", "Write <think> first", ""),
        ] {
            let expected = (text.to_owned(), reasoning.to_owned());
            assert_eq!(read(&[whole]), expected, "{whole}");
            for (cut, _) in whole.char_indices() {
                let (head, tail) = whole.split_at(cut);
                assert_eq!(read(&[head, tail]), expected, "{whole} at {cut}");
            }
            let single: Vec<String> = whole.chars().map(String::from).collect();
            let single: Vec<&str> = single.iter().map(String::as_str).collect();
            assert_eq!(read(&single), expected, "{whole}");
        }
    }

    #[test]
    fn text_is_not_held_back_without_reason() {
        let (mut marks, mut output) = (Marks::default(), Output::default());
        marks.take("Hello, 1 < 2 and <b", &mut output);
        assert_eq!(output.text, "Hello, 1 < 2 and <b");
    }
}
