//! JSON line of the log: one object per event, with its fields at the top level and no spans.
//!
//! `tracing-subscriber` has the same line, but writes each of its pieces through `fmt`: a sixth of the
//! CPU of a small run.

use std::fmt;

use serde::Serializer as _;
use serde::ser::SerializeMap as _;
use tracing::{Event, Subscriber};
use tracing_serde::{AsSerde as _, SerdeMapVisitor};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Bytes of the line of a request, about.
const LINE_BYTES: usize = 384;

/// The format of a line.
#[derive(Clone, Copy, Debug)]
pub struct JsonLine;

impl<S, N> FormatEvent<S, N> for JsonLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let line = line(event).map_err(|_| fmt::Error)?;
        writer.write_str(&String::from_utf8(line).map_err(|_| fmt::Error)?)
    }
}

fn line(event: &Event<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let mut timestamp = String::new();
    // A clock before the year 0 has no text.
    let _ = SystemTime.format_time(&mut Writer::new(&mut timestamp));
    let mut line = Vec::with_capacity(LINE_BYTES);
    let mut serializer = serde_json::Serializer::new(&mut line);
    let mut object = serializer.serialize_map(None)?;
    object.serialize_entry("timestamp", &timestamp)?;
    object.serialize_entry("level", &event.metadata().level().as_serde())?;
    let mut fields = SerdeMapVisitor::new(object);
    event.record(&mut fields);
    let mut object = fields.take_serializer()?;
    object.serialize_entry("target", event.metadata().target())?;
    object.end()?;
    line.push(b'\n');
    Ok(line)
}
