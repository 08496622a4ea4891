//! Key sorting: the tokens of a text with the members of every object sorted by name.
//!
//! A list of tokens, not a tree of values: each records its position in the text, and an array or
//! object the index of its end. Members are sorted one object at a time while writing.

use std::borrow::Cow;

use super::token::{Bracket, Sink};
use crate::error::{ErrorKind, ToolError};
use crate::json_string;

/// The tokens of a text.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    list: Vec<Token>,
    /// The open arrays and objects.
    open: Vec<usize>,
}

/// A token, by its position in the text: in 32 bits, as there can be as many as half the bytes.
#[derive(Debug, Clone, Copy)]
enum Token {
    /// A name, with its quotes; its value follows.
    Name {
        start: u32,
        end: u32,
    },
    Scalar {
        start: u32,
        end: u32,
    },
    /// An array or object; `after` is the first token after it.
    Open {
        bracket: Bracket,
        after: u32,
    },
}

impl<'a> Tokens<'a> {
    /// Creates the list of a text's tokens.
    ///
    /// # Errors
    ///
    /// Says that the text is larger than 4 GiB.
    pub(super) fn of(text: &'a str) -> Result<Self, ToolError> {
        if u32::try_from(text.len()).is_err() {
            let refusal = ToolError::new("is over 4 GiB, too much to be sorted");
            return Err(refusal
                .of(ErrorKind::TooLarge)
                .with_hint("send less at once"));
        }
        Ok(Self {
            text,
            list: Vec::new(),
            open: Vec::new(),
        })
    }

    /// Writes them, sorted.
    pub(super) fn write(&self, sink: &mut impl Sink) {
        self.write_value(0, &mut Vec::new(), sink);
    }

    /// Writes a value and returns the first token after it.
    ///
    /// Recurses into the contents, no deeper than the parser lets a text nest. `members` holds
    /// those of the enclosing objects.
    fn write_value(
        &'a self,
        at: usize,
        members: &mut Vec<Member<'a>>,
        sink: &mut impl Sink,
    ) -> usize {
        match self.list.get(at) {
            Some(Token::Open { bracket, after }) => {
                let after = *after as usize;
                if at + 1 == after {
                    sink.empty(*bracket);
                } else {
                    sink.open(*bracket);
                    match bracket {
                        Bracket::Array => self.write_items(at + 1, after, members, sink),
                        Bracket::Object => self.write_members(at + 1, after, members, sink),
                    }
                    sink.close(*bracket);
                }
                return after;
            }
            Some(Token::Scalar { start, end } | Token::Name { start, end }) => {
                sink.scalar(self.text.as_bytes(), *start as usize, *end as usize);
            }
            None => {}
        }
        at + 1
    }

    fn write_items(
        &'a self,
        from: usize,
        after: usize,
        members: &mut Vec<Member<'a>>,
        sink: &mut impl Sink,
    ) {
        let mut at = self.write_value(from, members, sink);
        while at < after {
            sink.comma();
            at = self.write_value(at, members, sink);
        }
    }

    fn write_members(
        &'a self,
        from: usize,
        after: usize,
        members: &mut Vec<Member<'a>>,
        sink: &mut impl Sink,
    ) {
        let first = members.len();
        self.push_members(from, after, members);
        let last = members.len();
        if let Some(members) = members.get_mut(first..) {
            // The order of bytes in UTF-8 and WTF-8 is that of code points.
            members.sort_by(|one, other| one.name.cmp(&other.name));
        }
        for index in first..last {
            if index > first {
                sink.comma();
            }
            let at = members.get(index).map_or(0, |member| member.at);
            if let Some(Token::Name { start, end }) = self.list.get(at) {
                sink.name(self.text.as_bytes(), *start as usize, *end as usize);
            }
            self.write_value(at + 1, members, sink);
        }
        members.truncate(first);
    }

    /// Adds the members whose tokens are between two indexes of the list.
    fn push_members(&'a self, from: usize, after: usize, members: &mut Vec<Member<'a>>) {
        let mut at = from;
        while let Some(Token::Name { start, end }) = self.list.get(at)
            && at < after
        {
            let content = *start as usize + 1..*end as usize - 1;
            let content = self.text.as_bytes().get(content).unwrap_or_default();
            let name = json_string::decode(content);
            members.push(Member { name, at });
            at = match self.list.get(at + 1) {
                Some(Token::Open { after, .. }) => *after as usize,
                _ => at + 2,
            };
        }
    }
}

/// A member of an object that is being written.
#[derive(Debug)]
struct Member<'a> {
    /// The name, decoded.
    name: Cow<'a, [u8]>,
    /// Index of the name in the list.
    at: usize,
}

/// A position in a text of at most 4 GiB.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Sink for Tokens<'_> {
    fn open(&mut self, bracket: Bracket) {
        self.open.push(self.list.len());
        self.list.push(Token::Open { bracket, after: 0 });
    }

    #[inline]
    fn name(&mut self, _: &[u8], start: usize, end: usize) {
        let (start, end) = (place(start), place(end));
        self.list.push(Token::Name { start, end });
    }

    #[inline]
    fn scalar(&mut self, _: &[u8], start: usize, end: usize) {
        let (start, end) = (place(start), place(end));
        self.list.push(Token::Scalar { start, end });
    }

    fn close(&mut self, _: Bracket) {
        let end = place(self.list.len());
        let opened = self.open.pop().and_then(|at| self.list.get_mut(at));
        if let Some(Token::Open { after, .. }) = opened {
            *after = end;
        }
    }
}
