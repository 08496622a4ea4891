//! Constructor: from [`Tree`] to values, with aliases and merge keys resolved.
//!
//! The depth of a tree, including its aliases, and the size of the aliases have already been
//! bounded, so nothing is counted here.

use std::borrow::Cow;

use super::errors;
use super::mapping::Mapping;
use super::notes::Notes;
use super::number::{self, RADIX_DIGITS_MAX};
use super::schema;
use super::tree::{Content, Meaning, Style, Tree, Vertex};
use super::value::Value;
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::node::{Node, Number};
use crate::warnings::Warnings;

/// Constructs the value of each document.
pub(super) fn construct(tree: &Tree<'_>, warnings: &mut Warnings) -> Result<Vec<Node>, ToolError> {
    let mut constructor = Constructor { tree, notes: Notes::default() };
    let mut documents = Vec::new();
    for root in tree.siblings(0, tree.vertices.len()) {
        documents.push(constructor.node(root)?);
    }
    let mut notes = constructor.notes;
    notes.comments = !tree.comments.is_empty();
    notes.version = tree.documents.iter().any(|document| document.is_old);
    notes.tell(warnings);
    Ok(documents)
}

struct Constructor<'t, 'a> {
    tree: &'t Tree<'a>,
    notes: Notes,
}

impl Constructor<'_, '_> {
    fn node(&mut self, index: usize) -> Result<Node, ToolError> {
        let index = self.tree.resolved(index);
        let vertex = &self.tree.vertices[index];
        match &vertex.content {
            Content::Scalar { text, style } => self.scalar(vertex, text, *style),
            Content::Alias { .. } => Ok(Node::Null),
            Content::Sequence { end, .. } => {
                let checked = self.check_collection_tag(vertex, Meaning::Sequence);
                checked.and_then(|()| self.sequence(index + 1, *end))
            }
            Content::Mapping { end } => {
                let checked = self.check_collection_tag(vertex, Meaning::Mapping);
                checked.and_then(|()| self.mapping(index + 1, *end))
            }
        }
    }

    fn sequence(&mut self, first: usize, end: usize) -> Result<Node, ToolError> {
        let mut items = Vec::new();
        for item in self.tree.siblings(first, end) {
            items.push(self.node(item)?);
        }
        Ok(Node::Array(items))
    }

    fn mapping(&mut self, first: usize, end: usize) -> Result<Node, ToolError> {
        let mut mapping = Mapping::default();
        let mut nodes = self.tree.siblings(first, end);
        while let (Some(index), Some(value)) = (nodes.next(), nodes.next()) {
            let key = self.key(index)?;
            let value = self.node(value);
            value.and_then(|value| mapping.add(index, key, value, self.tree))?;
        }
        mapping.into_node(self.tree)
    }

    fn scalar(&mut self, vertex: &Vertex<'_>, text: &str, style: Style) -> Result<Node, ToolError> {
        Ok(match self.value(vertex, text, style)? {
            Value::Null => Node::Null,
            Value::Bool(value) => Node::Bool(value),
            Value::Int(digits) | Value::Float(digits) => Number::checked(digits).into(),
            Value::Radix(digits, bits) => Number::checked(decimal(vertex, digits, bits)?).into(),
            Value::NonFinite(text) => {
                return Err(ToolError::new(format!("has `{text}`, for which JSON has no number"))
                    .of(ErrorKind::Unsupported)
                    .at(vertex.place.position())
                    .with_hint("quote it to make it a string"));
            }
            Value::Padded(text) => {
                self.notes.padded.set(text, vertex.place);
                Node::Text(text.to_owned())
            }
            Value::Text(text) => Node::Text(text.to_owned()),
        })
    }

    /// Resolves a scalar under its tag. Records a tag that is lost.
    fn value<'s>(
        &mut self,
        vertex: &Vertex<'_>,
        text: &'s str,
        style: Style,
    ) -> Result<Value<'s>, ToolError> {
        let tag = vertex.tag();
        if let Some(tag) = tag
            && tag.meaning == Meaning::Other
        {
            self.notes.tag.set(tag.written, tag.place);
        }
        schema::resolve(text, style, tag.map(|tag| tag.meaning)).ok_or_else(|| {
            let tag = tag.map_or("", |tag| tag.written);
            ToolError::new(format!("has {}, which `{tag}` cannot be", Echo(text)))
                .of(ErrorKind::Range)
                .at(vertex.place.position())
                .with_hint("remove the tag, or change the value")
        })
    }

    /// Name of a key. `None` for a merge key.
    fn key(&mut self, index: usize) -> Result<Option<String>, ToolError> {
        let vertex = &self.tree.vertices[self.tree.resolved(index)];
        let Content::Scalar { text, style } = &vertex.content else {
            if let Some(template) = self.tree.template {
                return Err(errors::of_template().at(template.position()));
            }
            return Err(ToolError::new("has a sequence or a mapping as a key")
                .of(ErrorKind::Unsupported)
                .at(self.tree.vertices[index].place.position())
                .with_hint("only YAML has such keys; use a scalar"));
        };
        let tag = vertex.tag().map(|tag| tag.meaning);
        let merges = text == "<<" && tag.is_none() && *style == Style::Plain;
        if merges || tag == Some(Meaning::Merge) {
            return Ok(None);
        }
        let name: Cow<'_, str> = match self.value(vertex, text, *style)? {
            Value::Text(text) => return Ok(Some(text.to_owned())),
            Value::Padded(text) => {
                self.notes.padded.set(text, vertex.place);
                return Ok(Some(text.to_owned()));
            }
            Value::Null => "null".into(),
            Value::Bool(true) => "true".into(),
            Value::Bool(false) => "false".into(),
            Value::Int(digits) | Value::Float(digits) => digits,
            Value::Radix(digits, bits) => decimal(vertex, digits, bits)?.into(),
            Value::NonFinite(text) => text.into(),
        };
        self.notes.key.set(&name, vertex.place);
        Ok(Some(name.into_owned()))
    }

    fn check_collection_tag(
        &mut self,
        vertex: &Vertex<'_>,
        expected: Meaning,
    ) -> Result<(), ToolError> {
        let Some(tag) = vertex.tag() else {
            return Ok(());
        };
        match tag.meaning {
            Meaning::NonSpecific => {}
            meaning if meaning == expected => {}
            Meaning::Other | Meaning::Merge => self.notes.tag.set(tag.written, tag.place),
            _ => {
                let kind = match expected {
                    Meaning::Sequence => "sequence",
                    _ => "mapping",
                };
                let message = format!("has a {kind}, which `{}` cannot be", tag.written);
                return Err(ToolError::new(message)
                    .of(ErrorKind::Range)
                    .at(vertex.place.position())
                    .with_hint("remove the tag, or change the value"));
            }
        }
        Ok(())
    }
}

fn decimal(vertex: &Vertex<'_>, digits: &str, bits: u32) -> Result<String, ToolError> {
    number::decimal(digits, bits).ok_or_else(|| {
        let kind = if bits == 3 { "octal" } else { "hexadecimal" };
        ToolError::new(format!("has a number of over {RADIX_DIGITS_MAX} {kind} digits"))
            .of(ErrorKind::TooLarge)
            .at(vertex.place.position())
            .with_hint("quote it to make it a string")
    })
}
