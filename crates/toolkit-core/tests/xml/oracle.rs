//! Another parser, quick-xml, checks that formatting changes nothing but layout.

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use toolkit_core::{Layout, Warnings, xml};

use crate::properties::document;

/// quick-xml's events, without the white space that may be layout.
fn events(text: &str) -> Vec<String> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let mut events = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return events,
            Event::Text(text) if text.trim_ascii().is_empty() => {}
            // The white space inside tags is layout too.
            event @ (Event::Start(_) | Event::Empty(_)) => events.push(tag(&event)),
            event => events.push(format!("{event:?}")),
        }
    }
}

fn tag(event: &Event<'_>) -> String {
    let (Event::Start(tag) | Event::Empty(tag)) = event else {
        unreachable!("only tags come here")
    };
    let attributes = tag.attributes().map(|attribute| format!("{:?}", attribute.unwrap()));
    let is_empty = matches!(event, Event::Empty(_));
    format!("{:?} {:?} {is_empty}", tag.name(), attributes.collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn another_parser_reads_the_same_document_in_every_layout(text in document()) {
        let before = events(&text);
        let pretty = xml::format(&text, Layout::spaces(4), &mut Warnings::new()).unwrap();
        prop_assert_eq!(&events(&pretty), &before);
        let minified = xml::format(&text, Layout::Minified, &mut Warnings::new()).unwrap();
        prop_assert_eq!(&events(&minified), &before);
    }
}
