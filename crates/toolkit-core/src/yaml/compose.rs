//! Composer: from the parser's events to [`Tree`], with limits on aliases and size.
//!
//! The parser reads strictly. One thing is tolerated, with a warning, since most readers take it
//! and people write it: a bracket that closes a flow collection at the indentation of its block.

use std::borrow::Cow;

use granit_parser::{
    ErrorKind, Event, Parser, Placement, ScalarStyle, ScanError, Span, StructureStyle,
    TryLoadError, TrySpannedEventReceiver, options,
};

use super::tree::{
    Comment, Content, Document, Meaning, Place, Properties, Style, Tag, Tree, Vertex,
};
use super::{Limits, errors};
use crate::error::{Position, ToolError};
use crate::limits::NESTING_MAX;
use crate::warnings::Warnings;

/// Composes the documents of a stream.
pub(super) fn compose<'a>(
    text: &'a str,
    limits: Limits,
    warnings: &mut Warnings,
) -> Result<Tree<'a>, ToolError> {
    let failure = match Composer::new(text, limits).run(true) {
        Ok(tree) => return Ok(tree),
        Err(failure) => failure,
    };
    let bracket = match &failure {
        TryLoadError::Scan(error) => bracket_at_block_indentation(error, text),
        TryLoadError::Receiver(_) => None,
    };
    let Some(bracket) = bracket else {
        return Err(refused(failure));
    };
    let tree = Composer::new(text, limits).run(false).map_err(refused)?;
    warnings.push(format!(
        "A closing bracket must be indented deeper than its block; that was overlooked (first at \
         {bracket})."
    ));
    Ok(tree)
}

/// Where a bracket is, if all that the parser blames is its indentation.
fn bracket_at_block_indentation(error: &ScanError, text: &str) -> Option<Position> {
    let rest = text.get(error.marker().byte_offset()?..)?;
    let is_bracket = rest.starts_with([']', '}']);
    let is_indentation = matches!(error.kind(), ErrorKind::InvalidIndentation);
    (is_bracket && is_indentation).then(|| errors::position(error))
}

/// What is said of a text that is not YAML, or of one that asks for too much or makes no sense.
fn refused(failure: TryLoadError<ToolError>) -> ToolError {
    match failure {
        TryLoadError::Scan(error) => errors::of_syntax(&error),
        TryLoadError::Receiver(refusal) => refusal,
    }
}

/// Bytes of text that a node takes at least in most texts: where memory is reserved, not a bound.
const BYTES_PER_NODE: usize = 16;

/// How much a node stands for, with all aliases in it resolved.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    nodes: usize,
    bytes: usize,
    /// Levels of collections.
    height: usize,
}

/// A collection whose end has not come yet.
struct Open {
    vertex: usize,
    anchor: usize,
    weight: Weight,
}

/// A node that an alias can name. Inside the node itself its weight is not known yet.
#[derive(Clone, Copy)]
struct Anchor {
    vertex: usize,
    weight: Option<Weight>,
}

impl<'a> TrySpannedEventReceiver<'a> for Composer<'a> {
    type Error = ToolError;

    fn on_event(&mut self, event: Event<'a>, span: Span) -> Result<(), ToolError> {
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
                let content = match scalar_style(style, place(&span)) {
                    // The parser says `~` where nothing is written.
                    style @ Style::Empty => Content::Scalar {
                        text: Cow::Borrowed(""),
                        style,
                    },
                    style => Content::Scalar { text, style },
                };
                self.node(content, anchor, tag.as_deref(), &span)?;
            }
            Event::SequenceStart(style, anchor, tag) => {
                let is_flow = style == StructureStyle::Flow;
                self.node(
                    Content::Sequence { end: 0, is_flow },
                    anchor,
                    tag.as_deref(),
                    &span,
                )?;
            }
            Event::MappingStart(_, anchor, tag) => {
                self.node(Content::Mapping { end: 0 }, anchor, tag.as_deref(), &span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(anchor) => self.alias(anchor, place(&span))?,
            Event::Anchor(_, name) => self.set_anchor_name(name),
            Event::Comment(_, placement) => self.comment(place(&span), placement),
            _ => {}
        }
        Ok(())
    }
}

struct Composer<'a> {
    text: &'a str,
    limits: Limits,
    tree: Tree<'a>,
    open: Vec<Open>,
    /// By the parser's number of the anchor; these count up from 1.
    anchors: Vec<Anchor>,
    /// What all aliases together stand for.
    aliased: Weight,
}

impl<'a> Composer<'a> {
    fn new(text: &'a str, limits: Limits) -> Self {
        Self {
            text,
            limits,
            tree: Tree {
                vertices: Vec::with_capacity(text.len() / BYTES_PER_NODE),
                ..Tree::default()
            },
            open: Vec::new(),
            anchors: Vec::new(),
            aliased: Weight::default(),
        }
    }

    fn run(mut self, strict: bool) -> Result<Tree<'a>, TryLoadError<ToolError>> {
        let options = options! {
            strict_indentation: strict,
            emit_anchor_events: true,
            max_buffered_comment_events: usize::MAX,
            // These count flow and block collections apart; here they are counted together.
            flow_nesting_limit: NESTING_MAX + 1,
            block_nesting_limit: NESTING_MAX + 1,
        };
        Parser::new_from_str_with_options(self.text, options).try_load(&mut self, true)?;
        Ok(self.tree)
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
        let properties = tag.map_or(0, |tag| {
            let written = span.tag_span().and_then(|span| span.slice(self.text));
            let tag = Tag {
                written: written.unwrap_or_default(),
                meaning: meaning(tag),
            };
            self.tree.properties.push(Properties {
                anchor: None,
                tag: Some(tag),
            });
            self.tree.properties.len()
        });
        let place = place(span);
        // The parser can tell of a comment before it tells of the collection that holds it.
        for comment in self.tree.comments.iter_mut().rev() {
            if comment.before < vertex || comment.place.start < place.start {
                break;
            }
            comment.before = vertex + 1;
        }
        self.tree.vertices.push(Vertex {
            content,
            properties,
            place,
        });
        let Some(bytes) = bytes else {
            return self.open(vertex, anchor, place);
        };
        let weight = Weight {
            nodes: 1,
            bytes,
            height: 0,
        };
        self.name(anchor, vertex, Some(weight));
        self.add(weight);
        Ok(())
    }

    /// Gives the last node the name of its anchor.
    fn set_anchor_name(&mut self, name: Cow<'a, str>) {
        let Some(vertex) = self.tree.vertices.last_mut() else {
            return;
        };
        if vertex.properties == 0 {
            self.tree.properties.push(Properties::default());
            vertex.properties = self.tree.properties.len();
        }
        if let Some(properties) = self.tree.properties.get_mut(vertex.properties - 1) {
            properties.anchor = Some(name);
        }
    }

    /// Lets an anchor stand for a node; the number 0 is no anchor.
    fn name(&mut self, anchor: usize, vertex: usize, weight: Option<Weight>) {
        let Some(index) = anchor.checked_sub(1) else {
            return;
        };
        let named = Anchor { vertex, weight };
        match self.anchors.get_mut(index) {
            Some(known) => *known = named,
            None => self.anchors.push(named),
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
            weight: Weight {
                nodes: 1,
                bytes: 0,
                height: 1,
            },
        });
        Ok(())
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        self.tree.end_collection(open.vertex);
        self.name(open.anchor, open.vertex, Some(open.weight));
        self.add(open.weight);
    }

    /// Adds the weight of a node to the collection that holds it.
    fn add(&mut self, child: Weight) {
        if let Some(Open { weight, .. }) = self.open.last_mut() {
            weight.nodes = weight.nodes.saturating_add(child.nodes);
            weight.bytes = weight.bytes.saturating_add(child.bytes);
            weight.height = weight.height.max(child.height + 1);
        }
    }

    fn alias(&mut self, anchor: usize, place: Place) -> Result<(), ToolError> {
        let known = anchor
            .checked_sub(1)
            .and_then(|index| self.anchors.get(index));
        let Some(&Anchor { vertex, weight }) = known else {
            return Err(errors::of_unknown_anchor().at(place.position()));
        };
        let Some(weight) = weight else {
            return Err(errors::of_cycle().at(place.position()));
        };
        if self.open.len() + weight.height > NESTING_MAX {
            return Err(errors::of_nesting().at(place.position()));
        }
        self.aliased.nodes = self.aliased.nodes.saturating_add(weight.nodes);
        self.aliased.bytes = self.aliased.bytes.saturating_add(weight.bytes);
        let limits = self.limits;
        if self.aliased.nodes > limits.aliased_nodes || self.aliased.bytes > limits.result_bytes {
            return Err(errors::of_expansion(limits).at(place.position()));
        }
        self.tree.vertices.push(Vertex {
            content: Content::Alias { target: vertex },
            properties: 0,
            place,
        });
        self.add(weight);
        Ok(())
    }

    fn comment(&mut self, place: Place, placement: Placement) {
        let vertices = &self.tree.vertices;
        // The one after the `|` of a block scalar comes after the scalar.
        let is_inside = vertices
            .last()
            .is_some_and(|last| place.start < last.place.start);
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
