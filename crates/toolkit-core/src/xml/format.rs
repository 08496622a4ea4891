//! XML formatter: indents a document, or removes the white space that is not text.
//!
//! Only white space between tags, comments and instructions is layout, and only in an element
//! without text. An element with text keeps all its content, and an empty one stays empty. Inside
//! tags, one space precedes each attribute, and other spaces are removed.

use super::errors::Checked;
use super::line_break;
use super::reader::{Content, Event, Reader};
use super::tag::Gap;
use crate::error::ToolError;
use crate::layout::Options;
use crate::warnings::Warnings;

/// Part of a document that is written unchanged.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    role: Role,
    /// Whether it follows without a line break, because white space is text here.
    inline: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Start,
    End,
    /// A whole element, a comment, an instruction or a text.
    Whole,
}

/// Parts of a document in order, without the white space between them.
#[derive(Debug, Default)]
struct Plan {
    pieces: Vec<Piece>,
    gaps: Vec<Gap>,
    /// Indexes of the open elements' start tags.
    open: Vec<usize>,
    /// Whether white space is text in the innermost of them.
    inline: bool,
}

/// Formats a document in another layout.
pub(super) fn reformat(
    source: &str,
    options: Options,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    let plan = Plan::of(source, warnings).map_err(|fault| fault.tell(source))?;
    plan.write(source, options)
}

impl Plan {
    fn of(source: &str, warnings: &mut Warnings) -> Checked<Self> {
        let mut reader = Reader::new(source, warnings)?;
        let mut plan = Self::default();
        while let Some(event) = reader.next()? {
            match event {
                Event::Start(_) => plan.start(&reader),
                Event::End(content) => plan.end(&reader, content),
                Event::Empty(_) => {
                    plan.push(&reader, Role::Whole);
                    plan.gaps.extend_from_slice(reader.gaps());
                }
                Event::Comment | Event::Instruction | Event::Declaration | Event::Doctype => {
                    plan.push(&reader, Role::Whole);
                }
                Event::Text(_) if plan.inline => plan.push(&reader, Role::Whole),
                // Not layout, or inside an element that is kept as a whole.
                Event::Text(_) | Event::Reference(_) | Event::CData(_) | Event::Between => {}
            }
        }
        reader.warn(warnings);
        Ok(plan)
    }

    fn push(&mut self, reader: &Reader<'_>, role: Role) {
        let (start, end) = reader.span();
        self.pieces.push(Piece { start, end, role, inline: self.inline });
    }

    fn start(&mut self, reader: &Reader<'_>) {
        self.open.push(self.pieces.len());
        self.push(reader, Role::Start);
        self.gaps.extend_from_slice(reader.gaps());
        self.inline = reader.preserves();
    }

    /// Ends an element. One that has text, or is empty, becomes a single piece.
    fn end(&mut self, reader: &Reader<'_>, content: Content) {
        let first = self.open.pop().expect("an end has its start");
        self.gaps.extend_from_slice(reader.gaps());
        if matches!(content, Content::Preserved | Content::Elements) {
            self.push(reader, Role::End);
        } else {
            let (_, end) = reader.span();
            self.pieces.truncate(first + 1);
            if let Some(whole) = self.pieces.last_mut() {
                whole.end = end;
                whole.role = Role::Whole;
            }
        }
        self.inline = reader.preserves();
    }

    fn write(&self, source: &str, options: Options) -> Result<String, ToolError> {
        let mut out = String::with_capacity(source.len());
        let mut gaps = self.gaps.iter().peekable();
        let mut depth = 0;
        for (index, piece) in self.pieces.iter().enumerate() {
            if piece.role == Role::End {
                depth -= 1;
            }
            if index > 0 && !piece.inline {
                line_break::push(options, depth, &mut out)?;
            }
            if piece.role == Role::Start {
                depth += 1;
            }
            let mut from = piece.start;
            while let Some(gap) = gaps.next_if(|gap| gap.start < piece.end) {
                out.push_str(&source[from..gap.start]);
                out.push_str(gap.tidy);
                from = gap.end;
            }
            out.push_str(&source[from..piece.end]);
        }
        line_break::check_length(options, &out)?;
        Ok(out)
    }
}
