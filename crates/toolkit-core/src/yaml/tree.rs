//! Serialization tree of YAML 1.2.2 §3.1: documents between text and values.

use std::borrow::Cow;

/// Documents of a stream, with everything that formatting can keep.
///
/// The nodes of all documents are in one list, each before its content, so a traversal needs no
/// recursion and an alias is just an index.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) documents: Vec<Document<'a>>,
    pub(super) vertices: Vec<Vertex<'a>>,
    pub(super) comments: Vec<Comment<'a>>,
    /// The first mapping whose first key is a mapping, in braces.
    pub(super) template: Option<Place>,
}

/// Boundaries and directives of a document.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    /// Index of its root.
    pub(super) root: usize,
    /// Whether it begins with `---`.
    pub(super) explicit: bool,
    /// Lines before its `---` that begin with `%`.
    pub(super) directives: Vec<&'a str>,
    /// Whether a directive declares a version older than 1.2.
    pub(super) is_old: bool,
    /// Byte offset of its `---`, or of its content.
    pub(super) start: usize,
    /// Byte offset of its end marker, or of the rest.
    pub(super) end: usize,
}

/// A node, or an alias to one.
#[derive(Debug)]
pub(super) struct Vertex<'a> {
    pub(super) content: Content<'a>,
    /// Boxed, since most nodes have none.
    pub(super) properties: Option<Box<Properties<'a>>>,
    pub(super) place: Place,
}

/// Content of a node. `end` is the index after the last node inside.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Scalar {
        text: Cow<'a, str>,
        style: Style,
    },
    Sequence {
        end: usize,
        /// Whether it is in brackets.
        is_flow: bool,
    },
    /// Keys and values alternate.
    Mapping {
        end: usize,
    },
    Alias {
        target: usize,
    },
}

/// Style of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Without quotes: the schema resolves it.
    Plain,
    /// Empty, which is null unless a tag says otherwise.
    Empty,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
    /// A string without a source: the writer chooses.
    Free,
}

/// Position of a node in the text. All zero for one without a source.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// Byte offset of its first character. For a block scalar, of its content.
    pub(super) start: u32,
    /// Byte offset after its last character.
    pub(super) end: u32,
    /// Line, from 1.
    pub(super) line: u32,
    /// Characters before it on its line.
    pub(super) column: u32,
}

/// Properties of a node.
#[derive(Debug, Default)]
pub(super) struct Properties<'a> {
    pub(super) anchor: Option<Cow<'a, str>>,
    pub(super) tag: Option<Tag<'a>>,
}

/// A tag, as written and as resolved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'a> {
    pub(super) written: &'a str,
    pub(super) place: Place,
    pub(super) meaning: Meaning,
}

/// Tags of the core schema (YAML 1.2.2 §10.3), and a few others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// `!`: not to be resolved, so a scalar is a string.
    NonSpecific,
    Null,
    Bool,
    Int,
    Float,
    Str,
    Sequence,
    Mapping,
    /// `!!merge`, which the plain key `<<` implies.
    Merge,
    /// An application's tag, or one of YAML 1.1: its meaning is unknown here.
    Other,
}

/// A comment with its `#`.
#[derive(Debug)]
pub(super) struct Comment<'a> {
    pub(super) text: &'a str,
    /// Index of the node that follows it.
    pub(super) before: usize,
    pub(super) place: Place,
    /// Whether something precedes it on its line.
    pub(super) trailing: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn content(&self, index: usize) -> &Content<'a> {
        &self.vertices[index].content
    }

    /// Ends a collection after the last node.
    pub(super) fn end_collection(&mut self, index: usize) {
        let after = self.vertices.len();
        let collection = &mut self.vertices[index].content;
        if let Content::Sequence { end, .. } | Content::Mapping { end } = collection {
            *end = after;
        }
    }

    /// Index after a node and its content.
    pub(super) fn after(&self, index: usize) -> usize {
        match self.content(index) {
            Content::Sequence { end, .. } | Content::Mapping { end } => *end,
            _ => index + 1,
        }
    }

    /// Anchor name that an alias refers to.
    pub(super) fn alias_name(&self, target: usize) -> &str {
        let properties = self.vertices[target].properties.as_ref();
        let anchor = properties.and_then(|properties| properties.anchor.as_deref());
        anchor.expect("an alias refers to an anchor")
    }

    /// Whether it is a non-empty sequence or mapping.
    pub(super) fn is_filled(&self, index: usize) -> bool {
        self.after(index) > index + 1
    }

    /// An alias's target, or the node itself.
    pub(super) fn resolved(&self, index: usize) -> usize {
        match self.content(index) {
            Content::Alias { target } => *target,
            _ => index,
        }
    }

    /// Indexes of the nodes directly between `first` and `end`.
    pub(super) fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let next = move |&index: &usize| Some(self.after(index)).filter(|&next| next < end);
        std::iter::successors(Some(first).filter(|&first| first < end), next)
    }
}

impl<'a> Vertex<'a> {
    pub(super) fn tag(&self) -> Option<Tag<'a>> {
        self.properties.as_ref()?.tag
    }

    /// Style, if it is a scalar.
    pub(super) fn style(&self) -> Option<Style> {
        match self.content {
            Content::Scalar { style, .. } => Some(style),
            _ => None,
        }
    }

    /// Whether it is an alias.
    pub(super) fn is_alias(&self) -> bool {
        matches!(self.content, Content::Alias { .. })
    }
}

impl Place {
    pub(super) fn position(self) -> crate::Position {
        crate::Position::LineColumn { line: self.line as usize, column: self.column as usize + 1 }
    }

    /// The part of the text that it covers.
    pub(super) fn slice(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}
