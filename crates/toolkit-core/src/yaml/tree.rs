//! Serialization tree of YAML 1.2.2 §3.1: documents between text and values.

use std::borrow::Cow;

/// The documents of a stream, with everything that a presentation can keep.
///
/// The nodes of all documents stand in one list, each before what it holds, so that a walk needs no
/// recursion and an alias is no more than an index.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) documents: Vec<Document<'a>>,
    pub(super) vertices: Vec<Vertex<'a>>,
    pub(super) properties: Vec<Properties<'a>>,
    pub(super) comments: Vec<Comment<'a>>,
}

/// Where a document begins and ends, and how it was announced.
#[derive(Debug)]
pub(super) struct Document<'a> {
    /// The index of its root.
    pub(super) root: usize,
    /// Whether a `---` stands before it.
    pub(super) explicit: bool,
    /// The lines before its `---` that begin with `%`.
    pub(super) directives: Vec<&'a str>,
    /// Whether a directive says that it is of an older version than 1.2.
    pub(super) is_old: bool,
    /// Bytes of the text before its `---`, or before its content.
    pub(super) start: usize,
    /// Bytes of the text before its end marker, or before what follows.
    pub(super) end: usize,
}

/// One node, or an alias in the place of one.
#[derive(Debug)]
pub(super) struct Vertex<'a> {
    pub(super) content: Content<'a>,
    /// One more than the index of its [`Properties`]; 0 when it has none.
    pub(super) properties: usize,
    pub(super) place: Place,
}

/// What a node is. `end` is the index after the last node inside.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Scalar {
        text: Cow<'a, str>,
        style: Style,
    },
    Sequence {
        end: usize,
        /// Whether brackets are around it.
        is_flow: bool,
    },
    /// Keys and values take turns.
    Mapping {
        end: usize,
    },
    Alias {
        target: usize,
    },
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Without quotes: the schema decides what it is.
    Plain,
    /// Nothing at all, which is null unless a tag says otherwise.
    Empty,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
    /// A string that no text has shown yet: the writer chooses.
    Free,
}

/// Where a node stands in the text; all zero for one that comes from no text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// The byte of its first character. In a block scalar, of its content.
    pub(super) start: u32,
    /// The byte after its last character.
    pub(super) end: u32,
    /// From 1.
    pub(super) line: u32,
    /// Characters before it in its line.
    pub(super) column: u32,
}

/// What can stand before a node.
#[derive(Debug, Default)]
pub(super) struct Properties<'a> {
    pub(super) anchor: Option<Cow<'a, str>>,
    pub(super) tag: Option<Tag<'a>>,
}

/// A tag, as written and as it is understood.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'a> {
    pub(super) written: &'a str,
    pub(super) meaning: Meaning,
}

/// The tags of the core schema (YAML 1.2.2 §10.3), and the few others that matter.
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
    /// `!!merge`, which the plain key `<<` has by itself.
    Merge,
    /// Somebody's own, or one of YAML 1.1: what it means is not known here.
    Other,
}

/// A comment with its `#`.
#[derive(Debug)]
pub(super) struct Comment<'a> {
    pub(super) text: &'a str,
    /// The index of the node that follows it.
    pub(super) before: usize,
    pub(super) place: Place,
    /// Whether something stands before it in its line.
    pub(super) trailing: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn properties_of(&self, vertex: &Vertex<'_>) -> Option<&Properties<'a>> {
        self.properties.get(vertex.properties.checked_sub(1)?)
    }

    pub(super) fn tag(&self, vertex: &Vertex<'_>) -> Option<Tag<'a>> {
        self.properties_of(vertex)?.tag
    }

    /// Ends a collection after the last node.
    pub(super) fn end_collection(&mut self, index: usize) {
        let after = self.vertices.len();
        let collection = self
            .vertices
            .get_mut(index)
            .map(|vertex| &mut vertex.content);
        if let Some(Content::Sequence { end, .. } | Content::Mapping { end }) = collection {
            *end = after;
        }
    }

    /// The index after a node and all that is in it.
    pub(super) fn after(&self, index: usize) -> usize {
        match self.vertices.get(index).map(|vertex| &vertex.content) {
            Some(Content::Sequence { end, .. } | Content::Mapping { end }) => *end,
            _ => index + 1,
        }
    }

    /// The name that an alias says.
    pub(super) fn alias_name(&self, target: usize) -> Option<&str> {
        let properties = self.properties_of(self.vertices.get(target)?)?;
        properties.anchor.as_deref()
    }

    /// Whether it is a sequence or a mapping that holds something.
    pub(super) fn is_filled(&self, index: usize) -> bool {
        self.after(index) > index + 1
    }

    /// The node that stands after an alias; any other node is itself.
    pub(super) fn resolved(&self, index: usize) -> usize {
        match self.vertices.get(index).map(|vertex| &vertex.content) {
            Some(Content::Alias { target }) => *target,
            _ => index,
        }
    }

    /// The indices of the nodes directly between `first` and `end`.
    pub(super) fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let next = move |&index: &usize| Some(self.after(index)).filter(|&next| next < end);
        std::iter::successors(Some(first).filter(|&first| first < end), next)
    }
}

impl Vertex<'_> {
    /// How it is written, if it is a scalar.
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
        crate::Position::LineColumn {
            line: self.line as usize,
            column: self.column as usize + 1,
        }
    }

    /// The characters of a text that it covers.
    pub(super) fn slice(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}
