//! XML writer: converts a value, whose members become attributes, text and children.

use std::borrow::Cow;

use super::character::{first_forbidden, is_blank};
use super::errors::{Defect, Short, forbidden};
use super::escape::{Escape, in_text, in_value, push_as_text, push_escaped};
use super::line_break;
use super::name::Name;
use super::names::encoded_name;
use super::namespace::{Scope, check_repeated, is_declaration};
use crate::echo::Echo;
#[cfg(feature = "tools")]
use crate::error::Position;
use crate::error::{ErrorKind, ToolError};
use crate::layout::Options;
use crate::limits::{ECHO_CHARACTERS_MAX, NESTING_MAX};
use crate::node::Node;
use crate::warnings::{WarningKind, Warnings};

/// Name of the root element if a value has none.
const ROOT: &str = "root";
/// Name of the elements of an unnamed array.
const ITEM: &str = "item";
/// Member that holds an element's text.
const TEXT: &str = "#text";

/// Writes a value as a document. `source` is the JSON text that it comes from, if any.
pub(super) fn document<'n>(
    node: &'n Node,
    source: Option<&'n str>,
    options: Options,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    let (step, value) = root(node).unwrap_or_else(|| {
        warnings.add(
            WarningKind::Changed,
            "There is no single root element, so the value was wrapped in `<root>`.",
        );
        ((ROOT, None), node)
    });
    let mut writer = Writer {
        options,
        out: String::new(),
        scope: Scope::default(),
        path: Vec::new(),
        source,
        is_wrapped: std::ptr::eq(value, node),
        notes: Notes::default(),
    };
    writer.element(step, value, Flow::Lines)?;
    writer.notes.tell(warnings);
    writer.scope.warn(warnings);
    Ok(writer.out)
}

/// The single member that can be a root element.
fn root(node: &Node) -> Option<(Step<'_>, &Node)> {
    let [(name, value)] = node.as_object()? else {
        return None;
    };
    if name == TEXT || is_attribute(name) {
        return None;
    }
    match value.as_array() {
        None => Some(((name, None), value)),
        Some([item]) => Some(((name, Some(0)), item)),
        Some(_) => None,
    }
}

fn is_attribute(key: &str) -> bool {
    key.starts_with('@')
}

/// A key, with its index where it is one of several.
type Step<'n> = (&'n str, Option<usize>);

/// The text or the children that a member holds, each with its key.
fn parts<'n>(key: &'n str, value: &'n Node) -> impl Iterator<Item = (Step<'n>, &'n Node)> {
    let (values, is_list) = match value {
        _ if is_attribute(key) => (&[][..], false),
        Node::Array(items) if key != TEXT => (items.as_slice(), true),
        _ => (std::slice::from_ref(value), false),
    };
    let step = move |index| (key, is_list.then_some(index));
    values.iter().enumerate().map(move |(index, value)| (step(index), value))
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

/// Writes elements one after another.
#[derive(Debug)]
struct Writer<'n> {
    options: Options,
    out: String,
    scope: Scope<'n>,
    /// Keys of the open elements.
    path: Vec<Step<'n>>,
    #[cfg_attr(not(feature = "tools"), allow(dead_code, reason = "for the place of a refusal"))]
    source: Option<&'n str>,
    /// Whether the root belongs to no key of the value.
    is_wrapped: bool,
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
            (self.empty_arrays, "An empty array has no items, so it was left out."),
            (self.null_attributes, "An attribute cannot be null, so it was written as empty."),
        ] {
            if is_met {
                warnings.add(WarningKind::Changed, sentence);
            }
        }
    }
}

impl<'n> Writer<'n> {
    /// Writes an element. `outer` is the layout of the parent's children.
    fn element(
        &mut self,
        step @ (key, _): Step<'n>,
        value: &'n Node,
        outer: Flow,
    ) -> Result<(), ToolError> {
        let mark = self.scope.mark();
        let flow = self.start(step, value, outer)?;
        let start = self.out.len();
        let members = value.as_object().unwrap_or_default();
        let items = value.as_array().filter(|items| !items.is_empty()).map(|_| (ITEM, value));
        let has_children = self.has_children(members) || items.is_some();
        for (key, value) in members.iter().map(|(key, value)| (key.as_str(), value)).chain(items) {
            for (step, part) in parts(key, value) {
                let written = match step.0 {
                    TEXT => self.text(&[(TEXT, None)], part, has_children),
                    _ => self.element(step, part, flow),
                };
                written?;
            }
        }
        self.path.pop();
        self.scope.leave(mark);
        let is_scalar = matches!(value, Node::Bool(_) | Node::Number(_) | Node::Text(_));
        let is_open = is_scalar || self.out.len() > start;
        self.end(key, is_open, has_children && flow == Flow::Lines)
    }

    /// Ends an element, whose start tag becomes an empty-element tag unless it stays open.
    fn end(&mut self, key: &str, is_open: bool, on_a_line: bool) -> Result<(), ToolError> {
        if on_a_line {
            line_break::push(self.options, self.path.len(), &mut self.out)?;
        }
        if is_open {
            self.out.extend(["</", key, ">"]);
        } else {
            self.out.pop();
            self.out.push_str("/>");
        }
        line_break::check_length(self.options, &self.out)
    }

    /// Writes a start tag and the text of a scalar. Returns the layout of the children.
    fn start(
        &mut self,
        step @ (key, _): Step<'n>,
        value: &'n Node,
        outer: Flow,
    ) -> Result<Flow, ToolError> {
        if outer == Flow::Lines && !self.path.is_empty() {
            line_break::push(self.options, self.path.len(), &mut self.out)?;
        }
        if self.path.len() >= NESTING_MAX {
            let message = format!("nests elements deeper than {NESTING_MAX}");
            return Err(ToolError::new(message).of(ErrorKind::TooLarge));
        }
        let name = Name::new(key).map_err(|defect| self.foreign_name(&[step], key, defect))?;
        self.out.extend(["<", key]);
        let flow = match value {
            Node::Object(members) => self.attributes(step, members, outer)?,
            _ => outer,
        };
        let is_declared = self.scope.check_element(name);
        is_declared.map_err(|defect| self.foreign_name(&[step], key, defect))?;
        self.out.push('>');
        self.path.push(step);
        match value {
            Node::Object(members) => self.notes.empties |= members.is_empty(),
            Node::Array(items) => self.notes.empties |= items.is_empty(),
            Node::Null => {}
            Node::Bool(_) | Node::Number(_) | Node::Text(_) => self.text(&[], value, false)?,
        }
        Ok(flow)
    }

    /// Writes the attributes. Returns the layout of the children.
    fn attributes(
        &mut self,
        step: Step<'n>,
        members: &'n [(String, Node)],
        outer: Flow,
    ) -> Result<Flow, ToolError> {
        let mut names = Vec::new();
        let mut flow = outer;
        for (attribute, value) in members {
            let Some(name) = attribute.strip_prefix('@') else {
                continue;
            };
            let place = [step, (attribute.as_str(), None)];
            let name = Name::new(name).map_err(|defect| self.foreign_name(&place, name, defect))?;
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
        checked.map_err(|(_, defect)| self.refusal(&[step], defect))?;
        let has_text = |(key, value): &(String, Node)| key == TEXT && !is_empty(value);
        Ok(if members.iter().any(has_text) { Flow::Mixed } else { flow })
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

    /// Writes text. White space between children would be mistaken for layout.
    fn text(
        &mut self,
        place: &[Step<'_>],
        value: &'n Node,
        has_children: bool,
    ) -> Result<(), ToolError> {
        let text = self.scalar(place, value)?;
        self.notes.empties |= text.is_empty();
        if has_children && is_blank(&text) {
            push_as_text(&text, &mut self.out);
            return Ok(());
        }
        self.escaped(place, &text, in_text)
    }

    /// Text of a value that is neither an array nor an object.
    fn scalar(&self, place: &[Step<'_>], value: &'n Node) -> Result<Cow<'n, str>, ToolError> {
        let kind = match value {
            Node::Null => return Ok(Cow::Borrowed("")),
            Node::Bool(true) => return Ok(Cow::Borrowed("true")),
            Node::Bool(false) => return Ok(Cow::Borrowed("false")),
            Node::Number(number) => return Ok(Cow::Borrowed(number.as_str())),
            Node::Text(text) => return Ok(Cow::Borrowed(text)),
            Node::Array(_) => "an array",
            Node::Object(_) => "an object",
        };
        let (key, _) = place.last().copied().unwrap_or_default();
        let what = format!("{} is {kind}", Echo(key));
        let hint = "an attribute or a text is a string, a number or a boolean; with `names` set \
                    to `encode` it becomes an element";
        Err(self.refusal(place, Defect::new(what).with_hint(hint)))
    }

    fn escaped(&mut self, place: &[Step<'_>], text: &str, escape: Escape) -> Result<(), ToolError> {
        if let Some(at) = first_forbidden(text) {
            return Err(self.refusal(place, forbidden(text, at)));
        }
        push_escaped(text, escape, &mut self.out);
        Ok(())
    }

    /// Error for a key that is not a name, with the name to use instead.
    fn foreign_name(&self, place: &[Step<'_>], key: &str, defect: Defect) -> ToolError {
        let name = encoded_name(key, |_| false);
        let name = Short(&name);
        let hint = format!("set `names` to `encode` to write it as `{name}`");
        let refusal = self.refusal(place, defect.with_hint(hint));
        #[cfg(feature = "tools")]
        if let Some(source) = self.source
            && let Some((last, before)) = place.split_last()
            && let Some(value) = located(source, self.steps(&[before, &[(last.0, None)]].concat()))
            && let Some(at) = key_before(source, value)
        {
            return refusal.at(Position::line_column(source, at));
        }
        refusal
    }

    /// The keys that lead to `place` in the innermost open element, without the root that wraps them.
    fn steps<'s>(&'s self, place: &'s [Step<'s>]) -> impl Iterator<Item = Step<'s>> + Clone {
        self.path.iter().chain(place).copied().skip(usize::from(self.is_wrapped))
    }

    /// Error for a defect at `place` in the innermost open element. A long path is cut to its end.
    fn refusal(&self, place: &[Step<'_>], defect: Defect) -> ToolError {
        let steps = self.steps(place);
        let mut path = String::new();
        for (key, index) in steps.clone() {
            path.extend(["/", key]);
            path.extend(index.map(|index| format!("[{index}]")));
        }
        let cut = path.char_indices().rev().nth(ECHO_CHARACTERS_MAX - 2);
        if let Some((start, _)) = cut.filter(|(start, _)| *start > 0) {
            path.replace_range(..start, "…");
        }
        let at = if path.is_empty() { path } else { format!(" (at {})", Echo(&path)) };
        let refusal = defect.in_value(&at);
        #[cfg(feature = "tools")]
        if let Some(source) = self.source
            && let Some(at) = located(source, steps)
        {
            return refusal.at(Position::line_column(source, at));
        }
        refusal
    }
}

#[cfg(feature = "tools")]
/// Byte offset of a value in the JSON text that holds it, as far as the steps lead.
fn located<'n>(source: &str, steps: impl Iterator<Item = Step<'n>>) -> Option<usize> {
    use std::collections::HashMap;

    use serde_json::value::RawValue;

    let mut value = source;
    for (key, index) in steps {
        if key != ITEM || index.is_none() {
            let members: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(value).ok()?;
            match members.get(key) {
                Some(member) => value = member.get(),
                None => break,
            }
        }
        if let Some(index) = index {
            let items: Vec<&RawValue> = serde_json::from_str(value).ok()?;
            value = items.get(index)?.get();
        }
    }
    Some(value.as_ptr().addr() - source.as_ptr().addr())
}

/// Byte offset of the key of a value that begins at an offset.
#[cfg(feature = "tools")]
fn key_before(source: &str, value: usize) -> Option<usize> {
    let key = source.get(..value)?.trim_end().strip_suffix(':')?.trim_end().strip_suffix('"')?;
    let is_escaped = |at: &usize| {
        let before = key.get(..*at).unwrap_or_default();
        (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
    };
    key.rmatch_indices('"').map(|(at, _)| at).find(|at| !is_escaped(at))
}

/// Whether a scalar is written as an empty string.
fn is_empty(value: &Node) -> bool {
    value.is_null() || value.as_str() == Some("")
}
