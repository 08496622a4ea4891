//! XML formatter: indents a document, or removes the white space that is not text.
//!
//! Only white space between tags, comments and instructions is layout, and only in an element
//! without text. An element with text, including its contents, stays as it is; so does an empty
//! one. Inside tags, one space precedes each attribute; other spaces are removed.

use super::errors::Checked;
use super::line_break;
use super::reader::{Content, Event, Reader};
use super::tag::Gap;
use crate::error::ToolError;
use crate::layout::{Layout, Options};
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
    let layout = options.layout;
    let length = plan.length(layout);
    if length > options.result_bytes {
        return Err(line_break::too_large(layout, options.result_bytes));
    }
    let mut out = String::with_capacity(length);
    plan.write(source, layout, &mut out);
    Ok(out)
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
        Ok(plan)
    }

    fn push(&mut self, reader: &Reader<'_>, role: Role) {
        let (start, end) = reader.span();
        self.pieces.push(Piece {
            start,
            end,
            role,
            inline: self.inline,
        });
    }

    fn start(&mut self, reader: &Reader<'_>) {
        self.open.push(self.pieces.len());
        self.push(reader, Role::Start);
        self.gaps.extend_from_slice(reader.gaps());
        self.inline = reader.preserves();
    }

    /// Ends an element; one that has text, or is empty, becomes a single piece.
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

    /// Returns each piece with its depth if it begins a line, otherwise with `None`.
    fn lines(&self) -> impl Iterator<Item = (&Piece, Option<usize>)> {
        let mut depth = 0;
        self.pieces.iter().enumerate().map(move |(index, piece)| {
            if piece.role == Role::End {
                depth -= 1;
            }
            let line = (index > 0 && !piece.inline).then_some(depth);
            if piece.role == Role::Start {
                depth += 1;
            }
            (piece, line)
        })
    }

    /// Length of the output of [`Self::write`], computed beforehand because indentation multiplies.
    fn length(&self, layout: Layout) -> usize {
        let lengths = self.lines().map(|(piece, line)| {
            let before = line.map_or(0, |depth| line_break::length(layout, depth));
            before.saturating_add(piece.end - piece.start)
        });
        let length = lengths.fold(0, usize::saturating_add);
        let saved: usize = self
            .gaps
            .iter()
            .map(|gap| gap.end - gap.start - gap.tidy.len())
            .sum();
        length - saved
    }

    fn write(&self, source: &str, layout: Layout, out: &mut String) {
        let mut gaps = self.gaps.iter().peekable();
        for (piece, line) in self.lines() {
            if let Some(depth) = line {
                line_break::push(layout, depth, out);
            }
            let mut from = piece.start;
            while let Some(gap) = gaps.next_if(|gap| gap.start < piece.end) {
                out.push_str(&source[from..gap.start]);
                out.push_str(gap.tidy);
                from = gap.end;
            }
            out.push_str(&source[from..piece.end]);
        }
    }
}
