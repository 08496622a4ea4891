//! Composer: from the parser's events to [`Tree`], with limits on aliases and size.
//!
//! The parser is strict. One deviation is tolerated, with a warning, since most parsers accept it
//! and people write it: a bracket that closes a flow collection at the indentation of its block.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{
    ErrorKind, Event, Parser, Placement, ScalarStyle, ScanError, Span, StructureStyle,
    TryLoadError, TrySpannedEventReceiver, options,
};

use super::diagnose::{self, Scene};
use super::tree::{
    Comment, Content, Document, Meaning, Place, Properties, Style, Tag, Tree, Vertex,
};
use super::{errors, notes};
use crate::error::{Position, ToolError};
use crate::limits::{NESTING_MAX, RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};
use crate::warnings::Warnings;

/// Composes the documents of a stream.
pub(super) fn compose<'a>(text: &'a str, warnings: &mut Warnings) -> Result<Tree<'a>, ToolError> {
    let mut composer = Composer::new(text, true);
    let Err(failure) = composer.run() else {
        notes::of_tree(&composer.tree, text, warnings);
        return Ok(composer.tree);
    };
    let bracket = match &failure {
        TryLoadError::Scan(error) => bracket_at_block_indentation(error, text),
        TryLoadError::Receiver(_) => None,
    };
    let Some(bracket) = bracket else {
        return Err(composer.refused(failure));
    };
    let mut composer = Composer::new(text, false);
    let result = composer.run();
    result.map_err(|failure| composer.refused(failure))?;
    warnings.push(format!(
        "A closing bracket must be indented deeper than its block; that was overlooked (first at \
         {bracket})."
    ));
    Ok(composer.tree)
}

/// Position of a bracket, if the parser objects only to its indentation.
fn bracket_at_block_indentation(error: &ScanError, text: &str) -> Option<Position> {
    let rest = text.get(error.marker().byte_offset()?..)?;
    let is_bracket = rest.starts_with([']', '}']);
    let is_indentation = matches!(error.kind(), ErrorKind::InvalidIndentation);
    (is_bracket && is_indentation).then(|| errors::position(error))
}

/// Size of a node with all its aliases resolved.
#[derive(Debug, Clone, Copy, Default)]
struct ExpandedSize {
    nodes: usize,
    bytes: usize,
    /// Levels of collections.
    height: usize,
}

/// An open collection.
pub(super) struct Open {
    pub(super) vertex: usize,
    anchor: usize,
    size: ExpandedSize,
}

/// A node with an anchor. Until the node ends, its size is not known.
#[derive(Clone, Copy)]
struct Anchor {
    vertex: usize,
    size: Option<ExpandedSize>,
}

impl<'a> TrySpannedEventReceiver<'a> for Composer<'a> {
    type Error = ToolError;

    fn on_event(&mut self, event: Event<'a>, span: Span) -> Result<(), ToolError> {
        self.reached = self.reached.max(place(&span).end as usize);
        match event {
            Event::DocumentStart(explicit, version) => {
                let is_old = version.is_some_and(|version| (version.major, version.minor) < (1, 2));
                self.start_document(explicit, is_old, place(&span));
            }
            Event::DocumentEnd => {
                if let Some(document) = self.tree.documents.last_mut() {
                    document.end = place(&span).start as usize;
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let style = scalar_style(style, place(&span));
                // The parser reports `~` for an empty node.
                let text = if style == Style::Empty { "".into() } else { text };
                if !self.strict {
                    self.check_lines_of_quote(style, place(&span))?;
                }
                let content = Content::Scalar { text, style };
                self.node(content, anchor, tag.as_deref(), &span)?;
            }
            Event::SequenceStart(style, anchor, tag) => {
                let is_flow = style == StructureStyle::Flow;
                if !is_flow {
                    self.check_start_of_block(place(&span))?;
                }
                let content = Content::Sequence { end: 0, is_flow };
                self.node(content, anchor, tag.as_deref(), &span)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                if style == StructureStyle::Block {
                    self.check_start_of_block(place(&span))?;
                } else if place(&span).slice(self.text) == "{" {
                    self.note_template(place(&span));
                }
                self.node(Content::Mapping { end: 0 }, anchor, tag.as_deref(), &span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(anchor) => self.alias(anchor, place(&span))?,
            Event::Anchor(_, name) => {
                self.check_end_of_anchor(place(&span))?;
                self.set_anchor_name(name);
            }
            Event::Comment(_, placement) => self.comment(place(&span), placement),
            _ => {}
        }
        Ok(())
    }
}

pub(super) struct Composer<'a> {
    pub(super) text: &'a str,
    /// Whether content must be indented deeper than its block, between quotes and brackets too.
    strict: bool,
    /// Byte offset up to which there were events.
    reached: usize,
    pub(super) tree: Tree<'a>,
    pub(super) open: Vec<Open>,
    /// By the parser's number of the anchor.
    anchors: HashMap<usize, Anchor>,
    /// Total size of all aliases.
    aliased: ExpandedSize,
}

impl<'a> Composer<'a> {
    fn new(text: &'a str, strict: bool) -> Self {
        Self {
            text,
            strict,
            reached: 0,
            tree: Tree::default(),
            open: Vec::new(),
            anchors: HashMap::new(),
            aliased: ExpandedSize::default(),
        }
    }

    fn run(&mut self) -> Result<(), TryLoadError<ToolError>> {
        let options = options! {
            strict_indentation: self.strict,
            emit_anchor_events: true,
            max_buffered_comment_events: usize::MAX,
            // The parser counts flow and block collections separately. Here they are counted
            // together.
            flow_nesting_limit: NESTING_MAX + 1,
            block_nesting_limit: NESTING_MAX + 1,
        };
        Parser::new_from_str_with_options(self.text, options).try_load(self, true)
    }

    /// Error for text that is not YAML, exceeds a limit or has no meaning.
    fn refused(&self, failure: TryLoadError<ToolError>) -> ToolError {
        let error = match failure {
            TryLoadError::Scan(error) => error,
            TryLoadError::Receiver(refusal) => return refusal,
        };
        let starts = self.open.iter().map(|open| &self.tree.vertices[open.vertex].place);
        let brackets = starts.filter(|place| place.start < place.end);
        let scene = Scene {
            text: self.text,
            reached: self.reached,
            brackets: brackets.map(|place| place.start as usize).collect(),
        };
        diagnose::explain(&error, &scene)
    }

    fn start_document(&mut self, explicit: bool, is_old: bool, place: Place) {
        let start = place.start as usize;
        let before = self.tree.documents.last().map_or(0, |last| last.end);
        let prefix = self.text.get(before..start).unwrap_or_default();
        let directives = prefix.lines().filter(|line| line.starts_with('%'));
        let document = Document {
            root: self.tree.vertices.len(),
            explicit,
            directives: directives.map(without_comment).collect(),
            is_old,
            start,
            end: self.text.len(),
        };
        self.tree.documents.push(document);
    }

    fn node(
        &mut self,
        content: Content<'a>,
        anchor: usize,
        tag: Option<&granit_parser::Tag>,
        span: &Span,
    ) -> Result<(), ToolError> {
        let vertex = self.tree.vertices.len();
        let bytes = match &content {
            Content::Scalar { text, .. } => Some(text.len()),
            _ => None,
        };
        let properties = tag.map(|tag| {
            let span = span.tag_span();
            let written = span.as_ref().and_then(|span| span.slice(self.text));
            let tag = Tag {
                written: written.unwrap_or_default(),
                place: span.as_ref().map(place).unwrap_or_default(),
                meaning: meaning(tag),
            };
            Box::new(Properties { anchor: None, tag: Some(tag) })
        });
        let place = place(span);
        // The parser can report a comment before it reports the collection that contains it.
        for comment in self.tree.comments.iter_mut().rev() {
            if comment.before < vertex || comment.place.start < place.start {
                break;
            }
            comment.before = vertex + 1;
        }
        self.tree.vertices.push(Vertex { content, properties, place });
        let Some(bytes) = bytes else {
            return self.open(vertex, anchor, place);
        };
        let size = ExpandedSize { nodes: 1, bytes, height: 0 };
        self.name(anchor, vertex, Some(size));
        self.add(size);
        Ok(())
    }

    /// Sets the anchor name of the last node.
    fn set_anchor_name(&mut self, name: Cow<'a, str>) {
        let vertex = self.tree.vertices.last_mut();
        let vertex = vertex.expect("an anchor follows its node");
        vertex.properties.get_or_insert_default().anchor = Some(name);
    }

    /// Binds an anchor to a node. 0 is not an anchor.
    fn name(&mut self, anchor: usize, vertex: usize, size: Option<ExpandedSize>) {
        if anchor > 0 {
            self.anchors.insert(anchor, Anchor { vertex, size });
        }
    }

    fn open(&mut self, vertex: usize, anchor: usize, place: Place) -> Result<(), ToolError> {
        if self.open.len() == NESTING_MAX {
            return Err(errors::of_nesting().at(place.position()));
        }
        self.name(anchor, vertex, None);
        self.open.push(Open {
            vertex,
            anchor,
            size: ExpandedSize { nodes: 1, bytes: 0, height: 1 },
        });
        Ok(())
    }

    fn close(&mut self) {
        let open = self.open.pop().expect("a collection is open");
        self.tree.end_collection(open.vertex);
        self.name(open.anchor, open.vertex, Some(open.size));
        self.add(open.size);
    }

    /// Adds the size of a node to its collection.
    fn add(&mut self, child: ExpandedSize) {
        if let Some(Open { size, .. }) = self.open.last_mut() {
            size.nodes = size.nodes.saturating_add(child.nodes);
            size.bytes = size.bytes.saturating_add(child.bytes);
            size.height = size.height.max(child.height + 1);
        }
    }

    fn alias(&mut self, anchor: usize, place: Place) -> Result<(), ToolError> {
        let Some(&Anchor { vertex, size }) = self.anchors.get(&anchor) else {
            return Err(errors::of_unknown_anchor().at(place.position()));
        };
        let Some(size) = size else {
            return Err(errors::of_cycle().at(place.position()));
        };
        if self.open.len() + size.height > NESTING_MAX {
            return Err(errors::of_nesting().at(place.position()));
        }
        self.aliased.nodes = self.aliased.nodes.saturating_add(size.nodes);
        self.aliased.bytes = self.aliased.bytes.saturating_add(size.bytes);
        let ExpandedSize { nodes, bytes, .. } = self.aliased;
        if nodes > YAML_ALIASED_NODES_MAX || bytes > RESULT_BYTES_MAX {
            return Err(errors::of_expansion().at(place.position()));
        }
        self.tree.vertices.push(Vertex {
            content: Content::Alias { target: vertex },
            properties: None,
            place,
        });
        self.add(size);
        Ok(())
    }

    fn comment(&mut self, place: Place, placement: Placement) {
        let vertices = &self.tree.vertices;
        // The comment after the `|` of a block scalar is reported after the scalar.
        let is_inside = vertices.last().is_some_and(|last| place.start < last.place.start);
        let before = vertices.len() - usize::from(is_inside);
        self.tree.comments.push(Comment {
            text: place.slice(self.text).trim_end(),
            before,
            place,
            trailing: placement == Placement::Right,
        });
    }
}

fn place(span: &Span) -> Place {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Place {
        start: narrow(span.start.byte_offset().unwrap_or_default()),
        end: narrow(span.end.byte_offset().unwrap_or_default()),
        line: narrow(span.start.line()),
        column: narrow(span.start.col()),
    }
}

fn scalar_style(style: ScalarStyle, place: Place) -> Style {
    match style {
        ScalarStyle::Plain if place.start == place.end => Style::Empty,
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn meaning(tag: &granit_parser::Tag) -> Meaning {
    if tag.parts() == ("", "!") {
        return Meaning::NonSpecific;
    }
    match tag.suffix_in_namespace("tag:yaml.org,2002:").as_deref() {
        Some("null") => Meaning::Null,
        Some("bool") => Meaning::Bool,
        Some("int") => Meaning::Int,
        Some("float") => Meaning::Float,
        Some("str") => Meaning::Str,
        Some("seq") => Meaning::Sequence,
        Some("map") => Meaning::Mapping,
        Some("merge") => Meaning::Merge,
        _ => Meaning::Other,
    }
}

/// A directive's line without the comment after it.
fn without_comment(line: &str) -> &str {
    let comment = line.find(" #").or_else(|| line.find("\t#"));
    comment.map_or(line, |at| line.split_at(at).0).trim_end()
}
