//! Conversion from XML: attributes, text and children become members of a value.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::errors::Checked;
use super::reader::{Content, Event, Reader};
use super::reference::normalized;
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::limits::NESTING_MAX;
use crate::node::Node;
use crate::warnings::{WarningKind, Warnings};

/// Parses a document as an object with one member, its root element.
pub(super) fn document(source: &str, warnings: &mut Warnings) -> Result<Node, ToolError> {
    let mut builder = Builder::default();
    builder.read(source, warnings).map_err(|fault| fault.tell(source))?;
    builder.losses.tell(source, warnings);
    let node = Node::Object(builder.members);
    // An element adds a level for its object, and one for an array if it is repeated.
    if builder.deepest * 2 > NESTING_MAX && height(&node) > NESTING_MAX {
        let predicate = format!("nests values deeper than {NESTING_MAX}, its arrays included");
        return Err(ToolError::new(predicate).of(ErrorKind::TooLarge));
    }
    Ok(node)
}

/// Nesting depth of a value.
fn height(node: &Node) -> usize {
    match node {
        Node::Array(items) => 1 + items.iter().map(height).max().unwrap_or(0),
        Node::Object(members) => {
            let heights = members.iter().map(|(_, value)| height(value));
            1 + heights.max().unwrap_or(0)
        }
        Node::Null | Node::Bool(_) | Node::Number(_) | Node::Text(_) => 0,
    }
}

/// An open element.
///
/// Its content is kept in lists shared by all open elements, after that of the outer ones, so each
/// object is allocated once, in its final size.
#[derive(Debug, Default)]
struct Element<'a> {
    name: &'a str,
    at: usize,
    /// Start of its parts in the builder's lists.
    members: usize,
    pieces: usize,
    /// Index of the member that holds the children of a name.
    children: HashMap<&'a str, usize>,
    /// Index of the member that the text precedes.
    text_before: usize,
    /// Number of texts, separated by elements.
    texts: usize,
    /// Whether the last item was text.
    in_text: bool,
    /// Whether text separates a child from the ones that it is grouped with.
    is_divided: bool,
}

/// Builds a value in one pass and without recursion.
#[derive(Debug, Default)]
struct Builder<'a> {
    open: Vec<Element<'a>>,
    deepest: usize,
    members: Vec<(String, Node)>,
    /// Parts of the text.
    pieces: Vec<Cow<'a, str>>,
    losses: Losses<'a>,
}

impl<'a> Builder<'a> {
    fn read(&mut self, source: &'a str, warnings: &mut Warnings) -> Checked<()> {
        let mut reader = Reader::new(source, warnings)?;
        while let Some(event) = reader.next()? {
            match event {
                Event::Start(name) => self.start(name, &reader),
                Event::Empty(name) => {
                    self.start(name, &reader);
                    self.end(Content::Text);
                }
                Event::End(content) => self.end(content),
                Event::Text(text) | Event::CData(text) => self.text(normalized(text)),
                Event::Reference(character) => self.text(character.to_string().into()),
                Event::Comment => self.losses.comments = true,
                Event::Instruction => self.losses.instructions = true,
                Event::Doctype => self.losses.doctype = true,
                Event::Declaration | Event::Between => {}
            }
        }
        reader.warn(warnings);
        Ok(())
    }

    fn start(&mut self, name: &'a str, reader: &Reader<'a>) {
        let members = self.members.len();
        for attribute in reader.attributes() {
            let value = Node::Text(attribute.value().into_owned());
            self.members.push((["@", attribute.name.text()].concat(), value));
        }
        self.open.push(Element {
            name,
            at: reader.span().0,
            members,
            pieces: self.pieces.len(),
            ..Element::default()
        });
        self.deepest = self.deepest.max(self.open.len());
    }

    fn text(&mut self, piece: Cow<'a, str>) {
        if piece.is_empty() {
            return;
        }
        let Some(element) = self.open.last_mut() else {
            return;
        };
        if !element.in_text {
            if element.texts == 0 {
                element.text_before = self.members.len();
            }
            element.texts += 1;
            element.in_text = true;
        }
        self.pieces.push(piece);
    }

    fn end(&mut self, content: Content) {
        let Some(element) = self.open.pop() else {
            return;
        };
        let mut text = String::new();
        if content != Content::Elements {
            text = self.pieces[element.pieces..].concat();
            if element.texts > 1 || element.is_divided {
                self.losses.mixed.note(element.name, element.at);
            }
        }
        self.pieces.truncate(element.pieces);
        let value = if self.members.len() > element.members {
            if !text.is_empty() {
                let text = ("#text".to_owned(), Node::Text(text));
                self.members.insert(element.text_before, text);
            }
            Node::Object(self.members.split_off(element.members))
        } else if text.is_empty() {
            Node::Null
        } else {
            Node::Text(text)
        };
        self.add(element.name, value);
    }

    /// Adds an element's value to its parent.
    fn add(&mut self, name: &'a str, value: Node) {
        let Some(parent) = self.open.last_mut() else {
            self.members.push((name.to_owned(), value));
            return;
        };
        let follows_text = std::mem::take(&mut parent.in_text);
        match parent.children.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(self.members.len());
                self.members.push((name.to_owned(), value));
            }
            Entry::Occupied(entry) => {
                let member = *entry.get();
                if member + 1 < self.members.len() {
                    self.losses.scattered.note(parent.name, parent.at);
                }
                parent.is_divided |= follows_text;
                push_sibling(&mut self.members[member].1, value);
            }
        }
    }
}

/// Collects the values of elements with the same name in an array.
fn push_sibling(siblings: &mut Node, value: Node) {
    match siblings {
        Node::Array(items) => items.push(value),
        first => {
            let only = std::mem::replace(first, Node::Null);
            *first = Node::Array(vec![only, value]);
        }
    }
}

/// Information of a document that its value loses.
#[derive(Debug, Default)]
struct Losses<'a> {
    comments: bool,
    instructions: bool,
    doctype: bool,
    /// Text before and after a child.
    mixed: Loss<'a>,
    /// Elements of one name with others between them.
    scattered: Loss<'a>,
}

/// Number of elements in which something is lost, and the position of the first.
#[derive(Debug, Default)]
struct Loss<'a> {
    count: usize,
    first: Option<(&'a str, usize)>,
}

impl<'a> Loss<'a> {
    fn note(&mut self, name: &'a str, at: usize) {
        // An inner element ends before an outer one, and begins after it.
        if self.first.is_none_or(|(_, first)| at < first) {
            self.first = Some((name, at));
        }
        self.count += 1;
    }

    /// Position of the loss, as a clause.
    fn place(&self, source: &str) -> Option<String> {
        let (name, at) = self.first?;
        let (name, place) = (Echo(name), Position::line_column(source, at));
        Some(match self.count {
            1 => format!("in {name} at {place}"),
            _ => format!("in several elements, the first {name} at {place}"),
        })
    }
}

impl Losses<'_> {
    fn tell(&self, source: &str, warnings: &mut Warnings) {
        for (is_lost, sentence) in [
            (self.doctype, "The DOCTYPE was left out."),
            (self.comments, "The comments were left out."),
            (self.instructions, "The processing instructions were left out."),
        ] {
            if is_lost {
                warnings.add(WarningKind::Dropped, sentence);
            }
        }
        if let Some(place) = self.mixed.place(source) {
            warnings.add(WarningKind::Dropped, format!(
                "Text and elements alternate {place}: the texts were joined, and their order is \
                 lost."
            ));
        }
        if let Some(place) = self.scattered.place(source) {
            warnings.add(WarningKind::Dropped, format!(
                "Elements of one name stand apart {place}: they were grouped, and the order among \
                 the others is lost."
            ));
        }
    }
}
