//! Chat Completions: tool calls, assembled from fragments.

use serde_json::value::RawValue;

use super::super::decode::HISTORY_BYTES_MAX;
use super::super::{Members, raw, read};
use crate::error::ProviderError;
use crate::tools::{ToolCall, call_id};

/// Bytes that a call counts for in addition to its text.
const CALL_BYTES: usize = 64;

/// The calls of one answer.
#[derive(Default)]
pub(super) struct Calls {
    list: Vec<Call>,
    bytes: usize,
}

/// A call received so far.
#[derive(Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// Other members of the call and its function, as received.
    members: Members,
    function: Members,
}

impl Calls {
    /// Adds a fragment: part of a call, or a whole one.
    pub(super) fn add(&mut self, mut fragment: Members) -> Result<(), ProviderError> {
        self.bytes += fragment.values().map(|value| value.get().len()).sum::<usize>();
        let index = read(&fragment, "index");
        let id: String = read(&fragment, "id").unwrap_or_default();
        let mut function: Members = read(&fragment, "function").unwrap_or_default();
        let name: String = read(&function, "name").unwrap_or_default();
        let arguments = function.remove("arguments");
        for known in ["index", "id", "function"] {
            fragment.remove(known);
        }
        function.remove("name");
        let Some(call) = self.find(index, &id) else {
            return Ok(());
        };
        if call.id.is_empty() {
            call.id = id;
        }
        // Most servers send the name once, some in pieces, some repeatedly.
        if call.name != name && call.arguments.is_empty() {
            call.name.push_str(&name);
        }
        if let Some(arguments) = arguments {
            call.add_arguments(&arguments);
        }
        call.members.append(&mut fragment);
        call.function.append(&mut function);
        if self.bytes > HISTORY_BYTES_MAX {
            return Err(ProviderError::unusable("more calls than the limit"));
        }
        Ok(())
    }

    /// Finds the call that a fragment belongs to.
    fn find(&mut self, index: Option<u64>, id: &str) -> Option<&mut Call> {
        let known = match (index, id) {
            (None, "") => self.list.len().checked_sub(1),
            (None, id) => self.list.iter().rposition(|call| call.id == id),
            (Some(index), id) => {
                let position = self.list.iter().rposition(|call| call.index == Some(index));
                // A new ID on a known index means another call.
                position.filter(|&position| {
                    let known = self.list.get(position).map_or("", |call| &call.id);
                    id.is_empty() || known.is_empty() || known == id
                })
            }
        };
        let position = known.unwrap_or(self.list.len());
        if known.is_none() {
            self.bytes += CALL_BYTES;
            self.list.push(Call { index, ..Call::default() });
        }
        self.list.get_mut(position)
    }

    /// Returns the calls, and the members of each as they go into the history.
    pub(super) fn finish(self, round: usize) -> (Vec<ToolCall>, Vec<Members>) {
        let finish = |(index, call): (usize, Call)| call.finish(call_id(round, index));
        self.list.into_iter().enumerate().map(finish).unzip()
    }
}

impl Call {
    /// Adds arguments, which arrive as text in pieces or as a whole object.
    fn add_arguments(&mut self, arguments: &RawValue) {
        match serde_json::from_str::<Option<String>>(arguments.get()) {
            Ok(text) => self.arguments.push_str(&text.unwrap_or_default()),
            Err(_) => arguments.get().clone_into(&mut self.arguments),
        }
    }

    fn finish(mut self, made_id: String) -> (ToolCall, Members) {
        let id = if self.id.is_empty() { made_id } else { self.id };
        let call = ToolCall::new(self.name, self.arguments).with_id(Some(id));
        self.function.insert("name".to_owned(), raw(&call.name));
        self.function.insert("arguments".to_owned(), raw(&call.arguments));
        let mut members = self.members;
        members.insert("id".to_owned(), raw(&call.id));
        members.entry("type".to_owned()).or_insert_with(|| raw("function"));
        members.insert("function".to_owned(), raw(&self.function));
        (call, members)
    }
}
