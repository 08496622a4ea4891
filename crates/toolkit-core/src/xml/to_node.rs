//! Conversion from XML: attributes, text and children become members of a value.

use std::collections::HashMap;

use super::errors::Checked;
use super::reader::{Content, Event, Reader};
use super::reference::push_normalized;
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::limits::NESTING_MAX;
use crate::node::Node;
use crate::warnings::{WarningKind, Warnings};

/// Number of names up to which comparing individually is faster than hashing.
const FEW: usize = 12;

/// Parses a document as an object with one member, its root element.
pub(super) fn document(source: &str, warnings: &mut Warnings) -> Result<Node, ToolError> {
    let mut builder = Builder::default();
    builder
        .read(source, warnings)
        .map_err(|fault| fault.tell(source))?;
    builder.losses.tell(source, warnings);
    let node = Node::Object(builder.members);
    // An element adds a level for its object, and one for an array if it is repeated.
    if builder.deepest * 2 > NESTING_MAX && height(&node) > NESTING_MAX {
        let predicate = format!("nests values deeper than {NESTING_MAX}, its arrays included");
        return Err(ToolError::new(predicate).of(ErrorKind::TooLarge));
    }
    Ok(node)
}

/// Nesting depth of a value, computed without recursion.
fn height(node: &Node) -> usize {
    let mut height = 0;
    let mut rest = vec![(node, 0)];
    while let Some((node, depth)) = rest.pop() {
        height = height.max(depth);
        match node {
            Node::Array(items) => rest.extend(items.iter().map(|item| (item, depth + 1))),
            Node::Object(members) => {
                rest.extend(members.iter().map(|(_, value)| (value, depth + 1)));
            }
            Node::Null | Node::Bool(_) | Node::Number(_) | Node::Text(_) => {}
        }
    }
    height
}

/// Part of an element's text; the parts are joined at the element's end.
#[derive(Debug, Clone, Copy)]
enum Piece<'a> {
    Raw(&'a str),
    Character(char),
}

/// An open element.
///
/// Its content is kept in lists shared by all open elements, after that of the outer ones, so each
/// object is allocated once, in its final size.
#[derive(Debug)]
struct Element<'a> {
    name: &'a str,
    at: usize,
    /// Start of its parts in the builder's lists.
    members: usize,
    names: usize,
    pieces: usize,
    /// Number of attributes among its members.
    attributes: usize,
    /// Number of members before the first text.
    text_after: usize,
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
    /// Names of the children.
    names: Vec<&'a str>,
    /// Index of the child with a name, in elements with more than a few; elements are identified by
    /// position.
    index: HashMap<(usize, &'a str), usize>,
    /// Parts of the text.
    pieces: Vec<Piece<'a>>,
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
                Event::Text(text) | Event::CData(text) => self.text(Piece::Raw(text)),
                Event::Reference(character) => self.text(Piece::Character(character)),
                Event::Comment => self.losses.comments = true,
                Event::Instruction => self.losses.instructions = true,
                Event::Doctype => self.losses.doctype = true,
                Event::Declaration | Event::Between => {}
            }
        }
        Ok(())
    }

    fn start(&mut self, name: &'a str, reader: &Reader<'a>) {
        let members = self.members.len();
        for attribute in reader.attributes() {
            let value = Node::Text(attribute.value().into_owned());
            self.members
                .push((["@", attribute.name.text()].concat(), value));
        }
        self.open.push(Element {
            name,
            at: reader.span().0,
            members,
            names: self.names.len(),
            pieces: self.pieces.len(),
            attributes: self.members.len() - members,
            text_after: 0,
            texts: 0,
            in_text: false,
            is_divided: false,
        });
        self.deepest = self.deepest.max(self.open.len());
    }

    fn text(&mut self, piece: Piece<'a>) {
        if matches!(piece, Piece::Raw("")) {
            return;
        }
        let Some(element) = self.open.last_mut() else {
            return;
        };
        if !element.in_text {
            if element.texts == 0 {
                element.text_after = self.members.len() - element.members;
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
        let is_text = content != Content::Elements;
        let text = if is_text {
            self.joined(element.pieces)
        } else {
            String::new()
        };
        if is_text && (element.texts > 1 || element.is_divided) {
            self.losses.mixed.note(element.name, element.at);
        }
        let value = if self.members.len() > element.members {
            Node::Object(self.object(&element, text))
        } else if text.is_empty() {
            Node::Null
        } else {
            Node::Text(text)
        };
        self.pieces.truncate(element.pieces);
        self.names.truncate(element.names);
        self.add(element.name, value);
    }

    /// Removes the members of an element from the list.
    fn object(&mut self, element: &Element<'_>, text: String) -> Vec<(String, Node)> {
        let count = self.members.len() - element.members;
        let mut members = Vec::with_capacity(count + usize::from(!text.is_empty()));
        let mut own = self.members.drain(element.members..);
        members.extend(own.by_ref().take(element.text_after));
        if !text.is_empty() {
            members.push(("#text".to_owned(), Node::Text(text)));
        }
        members.extend(own);
        members
    }

    /// Joins the pieces of text from `start` on.
    fn joined(&self, start: usize) -> String {
        let pieces = &self.pieces[start..];
        let lengths = pieces.iter().map(|piece| match piece {
            Piece::Raw(raw) => raw.len(),
            Piece::Character(character) => character.len_utf8(),
        });
        let mut text = String::with_capacity(lengths.sum());
        for piece in pieces {
            match piece {
                Piece::Raw(raw) => push_normalized(raw, &mut text),
                Piece::Character(character) => text.push(*character),
            }
        }
        text
    }

    /// Adds an element's value to its parent.
    fn add(&mut self, name: &'a str, value: Node) {
        let Some(parent) = self.open.last_mut() else {
            self.members.push((name.to_owned(), value));
            return;
        };
        let follows_text = std::mem::take(&mut parent.in_text);
        let names = &self.names[parent.names..];
        let Some(child) = child(parent.at, name, names, &self.index) else {
            self.names.push(name);
            self.members.push((name.to_owned(), value));
            let (parent, start) = (parent.at, parent.names);
            self.index_children(parent, start);
            return;
        };
        if child + 1 < names.len() {
            self.losses.scattered.note(parent.name, parent.at);
        }
        parent.is_divided |= follows_text;
        let member = parent.members + parent.attributes + child;
        push_sibling(&mut self.members[member].1, value);
    }

    /// Adds a new child to the index; the first one over the limit also adds those before it.
    fn index_children(&mut self, parent: usize, start: usize) {
        let names = &self.names[start..];
        let known = match names.len() {
            ..=FEW => return,
            length if length == FEW + 1 => 0,
            length => length - 1,
        };
        let new = names.iter().enumerate().skip(known);
        self.index
            .extend(new.map(|(child, name)| ((parent, *name), child)));
    }
}

/// Finds the child with a name among the names of all children.
fn child(
    parent: usize,
    name: &str,
    names: &[&str],
    index: &HashMap<(usize, &str), usize>,
) -> Option<usize> {
    if names.last() == Some(&name) {
        return Some(names.len() - 1);
    }
    if names.len() <= FEW {
        return names.iter().position(|other| *other == name);
    }
    index.get(&(parent, name)).copied()
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
            (
                self.instructions,
                "The processing instructions were left out.",
            ),
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
