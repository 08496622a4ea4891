//! XML writer: converts a value, whose members become attributes, text and children.

use std::borrow::Cow;
use std::slice::Iter;

use super::character::{first_forbidden, is_blank};
use super::errors::{Defect, forbidden};
use super::escape::{Escape, in_text, in_value, push_as_text, push_escaped};
use super::line_break;
use super::name::Name;
use super::namespace::{Scope, check_repeated, is_declaration};
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::layout::{Layout, Options};
use crate::limits::{ECHO_CHARACTERS_MAX, NESTING_MAX};
use crate::node::Node;
use crate::warnings::{WarningKind, Warnings};

/// Name of the root element if a value has none.
const ROOT: &str = "root";
/// Name of the elements of an unnamed array.
const ITEM: &str = "item";
/// Member that holds an element's text.
const TEXT: &str = "#text";

/// Writes a value as a document.
pub(super) fn document(
    node: &Node,
    options: Options,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    let (name, value) = root(node).unwrap_or_else(|| {
        warnings.add(
            WarningKind::Changed,
            "There is no single root element, so the value was wrapped in `<root>`.",
        );
        (ROOT, node)
    });
    let mut writer = Writer {
        layout: options.layout,
        bytes_max: options.result_bytes,
        out: String::new(),
        scope: Scope::default(),
        open: Vec::new(),
        notes: Notes::default(),
    };
    writer.write(name, value)?;
    writer.notes.tell(warnings);
    Ok(writer.out)
}

/// The single member that can be a root element.
fn root(node: &Node) -> Option<(&str, &Node)> {
    let [(name, value)] = node.as_object()? else {
        return None;
    };
    if name == TEXT || is_attribute(name) {
        return None;
    }
    match value.as_array() {
        None => Some((name, value)),
        Some([item]) => Some((name, item)),
        Some(_) => None,
    }
}

fn is_attribute(key: &str) -> bool {
    key.starts_with('@')
}

/// Whether white space may be inserted between the children of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Lines,
    /// `xml:space="preserve"` is in force.
    Preserved,
    /// Adjacent text forbids it, so not even `xml:space="default"` changes it.
    Mixed,
}

/// Content of an element, in order: children and texts by their key.
#[derive(Debug)]
struct Parts<'n> {
    members: Iter<'n, (String, Node)>,
    /// The array held by a member: its key and the remaining items.
    key: &'n str,
    items: Iter<'n, Node>,
}

impl<'n> Parts<'n> {
    fn new(members: &'n [(String, Node)], items: &'n [Node]) -> Self {
        Self {
            members: members.iter(),
            key: ITEM,
            items: items.iter(),
        }
    }
}

impl<'n> Iterator for Parts<'n> {
    type Item = (&'n str, &'n Node);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.items.next() {
                return Some((self.key, item));
            }
            match self.members.next()? {
                (key, _) if is_attribute(key) => {}
                (key, Node::Array(items)) if key != TEXT => {
                    self.key = key;
                    self.items = items.iter();
                }
                (key, value) => return Some((key, value)),
            }
        }
    }
}

/// An element whose end tag is still to be written.
#[derive(Debug)]
struct Open<'n> {
    key: &'n str,
    parts: Parts<'n>,
    flow: Flow,
    has_children: bool,
    /// Where in the output its content begins.
    start: usize,
    /// Namespace scope to restore at its end.
    mark: usize,
}

/// Writes elements in sequence; the open ones are kept in a list, so nesting uses no stack.
#[derive(Debug)]
struct Writer<'n> {
    layout: Layout,
    bytes_max: usize,
    out: String,
    scope: Scope<'n>,
    open: Vec<Open<'n>>,
    notes: Notes,
}

/// Changes that make the document read back differently.
#[derive(Debug, Default)]
struct Notes {
    /// An empty string, object or array became an empty element.
    empties: bool,
    empty_arrays: bool,
    null_attributes: bool,
}

impl Notes {
    fn tell(&self, warnings: &mut Warnings) {
        for (is_met, sentence) in [
            (
                self.empties,
                "XML has one kind of empty element: an empty string, array or object comes back \
                 as null.",
            ),
            (
                self.empty_arrays,
                "An empty array has no items, so it was left out.",
            ),
            (
                self.null_attributes,
                "An attribute cannot be null, so it was written as empty.",
            ),
        ] {
            if is_met {
                warnings.add(WarningKind::Changed, sentence);
            }
        }
    }
}

impl<'n> Writer<'n> {
    fn write(&mut self, key: &'n str, value: &'n Node) -> Result<(), ToolError> {
        self.start(key, value)?;
        while let Some(open) = self.open.last_mut() {
            let (flow, has_children) = (open.flow, open.has_children);
            match open.parts.next() {
                Some((TEXT, value)) => self.text_beside(value, has_children)?,
                Some((key, value)) => {
                    if flow == Flow::Lines {
                        self.line_break()?;
                    }
                    self.start(key, value)?;
                }
                None => self.end()?,
            }
            if self.out.len() > self.bytes_max {
                return Err(line_break::too_large(self.layout, self.bytes_max));
            }
        }
        Ok(())
    }

    /// Starts a line in the innermost open element.
    fn line_break(&mut self) -> Result<(), ToolError> {
        let depth = self.open.len();
        // Checked before writing: memory might not suffice for it.
        if line_break::length(self.layout, depth) > self.bytes_max {
            return Err(line_break::too_large(self.layout, self.bytes_max));
        }
        line_break::push(self.layout, depth, &mut self.out);
        Ok(())
    }

    /// Writes a start tag, and the rest of the element if it has neither members nor items.
    fn start(&mut self, key: &'n str, value: &'n Node) -> Result<(), ToolError> {
        if self.open.len() >= NESTING_MAX {
            let message = format!("nests elements deeper than {NESTING_MAX}");
            return Err(ToolError::new(message).of(ErrorKind::TooLarge));
        }
        let name = Name::new(key).map_err(|defect| self.refusal(&[key], defect))?;
        let mark = self.scope.mark();
        let outer = self.open.last().map_or(Flow::Lines, |open| open.flow);
        self.out.push('<');
        self.out.push_str(key);
        let (parts, flow, has_children) = match value {
            Node::Object(members) => {
                let flow = self.attributes(key, members, outer)?;
                let has_children = self.has_children(members);
                (Parts::new(members, &[]), flow, has_children)
            }
            Node::Array(items) => (Parts::new(&[], items), outer, !items.is_empty()),
            _ => (Parts::new(&[], &[]), outer, false),
        };
        let is_declared = self.scope.check_element(name);
        is_declared.map_err(|defect| self.refusal(&[key], defect))?;
        self.out.push('>');
        let start = self.out.len();
        self.notes.empties |= match value {
            Node::Object(members) => members.is_empty(),
            Node::Array(items) => items.is_empty(),
            _ => false,
        };
        if matches!(value, Node::Bool(_) | Node::Number(_) | Node::Text(_)) {
            let text = self.scalar(&[key], value)?;
            self.notes.empties |= text.is_empty();
            self.escaped(&[key], &text, in_text)?;
            self.end_tag(key);
            return Ok(());
        }
        self.open.push(Open {
            key,
            parts,
            flow,
            has_children,
            start,
            mark,
        });
        Ok(())
    }

    fn end(&mut self) -> Result<(), ToolError> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        self.scope.leave(open.mark);
        if self.out.len() == open.start {
            self.out.pop();
            self.out.push_str("/>");
            return Ok(());
        }
        if open.has_children && open.flow == Flow::Lines {
            self.line_break()?;
        }
        self.end_tag(open.key);
        Ok(())
    }

    fn end_tag(&mut self, key: &str) {
        self.out.extend(["</", key, ">"]);
    }

    /// Writes the attributes; returns how the children may be laid out.
    fn attributes(
        &mut self,
        key: &'n str,
        members: &'n [(String, Node)],
        outer: Flow,
    ) -> Result<Flow, ToolError> {
        let mut names = Vec::new();
        let mut flow = outer;
        for (attribute, value) in members {
            let Some(name) = attribute.strip_prefix('@') else {
                continue;
            };
            let place = [key, attribute.as_str()];
            let name = Name::new(name).map_err(|defect| self.refusal(&place, defect))?;
            self.notes.null_attributes |= *value == Node::Null;
            let value = self.scalar(&place, value)?;
            self.out.extend([" ", name.text(), "=\""]);
            self.escaped(&place, &value, in_value)?;
            self.out.push('"');
            names.push(name);
            flow = match (name.text(), value.as_ref()) {
                ("xml:space", "preserve") if flow == Flow::Lines => Flow::Preserved,
                ("xml:space", "default") if flow == Flow::Preserved => Flow::Lines,
                _ => flow,
            };
            if is_declaration(name) {
                let declared = self.scope.declare(name, value);
                declared.map_err(|defect| self.refusal(&place, defect))?;
            }
        }
        let names = names.iter().copied();
        let checked =
            check_repeated(names.clone()).and_then(|()| self.scope.check_attributes(names));
        checked.map_err(|(_, defect)| self.refusal(&[key], defect))?;
        let has_text = |(key, value): &(String, Node)| key == TEXT && !is_empty(value);
        Ok(if members.iter().any(has_text) {
            Flow::Mixed
        } else {
            flow
        })
    }

    /// Whether any member is a child.
    fn has_children(&mut self, members: &[(String, Node)]) -> bool {
        let mut has_children = false;
        let is_child = |key: &String| key != TEXT && !is_attribute(key);
        for (_, value) in members.iter().filter(|(key, _)| is_child(key)) {
            let is_empty_array = value.as_array().is_some_and(<[_]>::is_empty);
            self.notes.empty_arrays |= is_empty_array;
            has_children |= !is_empty_array;
        }
        has_children
    }

    /// Writes the member `#text`.
    fn text_beside(&mut self, value: &'n Node, has_children: bool) -> Result<(), ToolError> {
        let text = self.scalar(&[TEXT], value)?;
        self.notes.empties |= text.is_empty();
        if has_children && is_blank(&text) {
            push_as_text(&text, &mut self.out);
            return Ok(());
        }
        self.escaped(&[TEXT], &text, in_text)
    }

    /// Text of a value that is neither an array nor an object.
    fn scalar(&self, place: &[&str], value: &'n Node) -> Result<Cow<'n, str>, ToolError> {
        let kind = match value {
            Node::Null => return Ok(Cow::Borrowed("")),
            Node::Bool(true) => return Ok(Cow::Borrowed("true")),
            Node::Bool(false) => return Ok(Cow::Borrowed("false")),
            Node::Number(number) => return Ok(Cow::Borrowed(number.as_str())),
            Node::Text(text) => return Ok(Cow::Borrowed(text)),
            Node::Array(_) => "an array",
            Node::Object(_) => "an object",
        };
        let key = place.last().copied().unwrap_or_default();
        let what = format!("{} is {kind}", Echo(key));
        let hint = "an attribute or a text is a string, a number or a boolean";
        Err(self.refusal(place, Defect::new(what).with_hint(hint)))
    }

    fn escaped(&mut self, place: &[&str], text: &str, escape: Escape) -> Result<(), ToolError> {
        if let Some(at) = first_forbidden(text) {
            return Err(self.refusal(place, forbidden(text, at)));
        }
        push_escaped(text, escape, &mut self.out);
        Ok(())
    }

    /// Error for a defect at `place` in the innermost open element; a long path is cut to its end.
    fn refusal(&self, place: &[&str], defect: Defect) -> ToolError {
        let mut path = String::new();
        let outer = self.open.iter().map(|open| open.key);
        for key in outer.chain(place.iter().copied()) {
            path.extend(["/", key]);
        }
        let cut = path.char_indices().rev().nth(ECHO_CHARACTERS_MAX - 2);
        if let Some((start, _)) = cut.filter(|(start, _)| *start > 0) {
            path.replace_range(..start, "…");
        }
        defect.in_value(&format!(" (at {})", Echo(&path)))
    }
}

/// Whether a scalar is written as an empty string.
fn is_empty(value: &Node) -> bool {
    value.is_null() || value.as_str() == Some("")
}
