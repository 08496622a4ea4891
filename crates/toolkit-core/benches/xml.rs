//! XML: check, format and convert throughput on documents of 1 MB.

use std::fmt::Write;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolkit_core::{Layout, Warnings, xml};

fn main() {
    divan::main();
}

const BYTES: usize = 1_000_000;

/// Predominant content of a document.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// Small, indented elements: a feed, an export.
    Records,
    /// Attributes.
    Attributes,
    /// Paragraphs with markup.
    Prose,
    /// Prefixes and declarations.
    Namespaces,
}

const SHAPES: [Shape; 4] = [
    Shape::Records,
    Shape::Attributes,
    Shape::Prose,
    Shape::Namespaces,
];

fn document(shape: Shape) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>");
    let mut number = 0;
    while out.len() < BYTES {
        number += 1;
        match shape {
            Shape::Records => write!(
                out,
                "\n  <record id=\"{number}\">\n    <name>Record number {number}</name>\n    \
                 <price currency=\"EUR\">{number}.50</price>\n    <tag>new</tag>\n    \
                 <tag>A &amp; B</tag>\n    <note/>\n  </record>"
            ),
            Shape::Attributes => write!(
                out,
                "\n  <point x=\"{number}\" y=\"{number}.25\" label='point {number}' \
                 visible=\"true\" layer=\"base &lt;{number}&gt;\"/>"
            ),
            Shape::Prose => write!(
                out,
                "\n  <p>Paragraph {number} goes on for a while, as prose does, <em>now and \
                 then</em> with markup, “quotes” and a &#8212; dash, and ends at last.</p>"
            ),
            Shape::Namespaces => write!(
                out,
                "\n  <a:entry xmlns:a=\"urn:example:a\" xmlns:b=\"urn:example:b\">\n    \
                 <a:id b:type=\"n\" a:type=\"m\">{number}</a:id>\n    <b:link b:rel=\"self\"/>\n  \
                 </a:entry>"
            ),
        }
        .expect("a string takes all");
    }
    out.push_str("\n</root>\n");
    out
}

fn bench<T>(bencher: Bencher<'_, '_>, text: &str, run: impl Fn(&str) -> T + Sync) {
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| run(black_box(text)));
}

#[divan::bench(args = SHAPES)]
fn check(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        xml::check(text, &mut Warnings::new()).expect("it is well-formed");
    });
}

#[divan::bench(args = SHAPES)]
fn pretty(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        xml::format(text, Layout::spaces(4), &mut Warnings::new()).expect("it is well-formed")
    });
}

#[divan::bench(args = SHAPES)]
fn minify(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        xml::format(text, Layout::Minified, &mut Warnings::new()).expect("it is well-formed")
    });
}

#[divan::bench(args = SHAPES)]
fn parse(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        xml::parse(text, &mut Warnings::new()).expect("it is well-formed")
    });
}

#[divan::bench(args = SHAPES)]
fn write(bencher: Bencher<'_, '_>, shape: Shape) {
    let text = document(shape);
    let node = xml::parse(&text, &mut Warnings::new()).expect("it is well-formed");
    bench(bencher, &text, |_| {
        let layout = Layout::spaces(2);
        xml::write(&node, layout, &mut Warnings::new()).expect("it came from XML")
    });
}

/// quick-xml with its own checks, for comparison.
#[divan::bench(args = SHAPES)]
fn quick_xml_events(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        let mut reader = quick_xml::Reader::from_str(text);
        let mut events = 0;
        while !matches!(
            reader.read_event(),
            Ok(quick_xml::events::Event::Eof) | Err(_)
        ) {
            events += 1;
        }
        events
    });
}
