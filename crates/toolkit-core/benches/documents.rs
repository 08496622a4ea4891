//! XML and YAML: check, read, write and format throughput on documents of 1 MB.

use std::fmt;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolkit_core::ToolError;

fn main() {
    divan::main();
}

const BYTES: usize = 1_000_000;

/// A document of similar entries.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    head: &'static str,
    /// An entry, with `{n}` for its number.
    entry: &'static str,
    tail: &'static str,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl Shape {
    fn document(self) -> String {
        let mut text = self.head.to_owned();
        let mut number = 0;
        while text.len() < BYTES {
            number += 1;
            text += &self.entry.replace("{n}", &number.to_string());
        }
        text + self.tail
    }
}

fn bench<T>(
    bencher: Bencher<'_, '_>,
    text: &str,
    run: impl Fn(&str) -> Result<T, ToolError> + Sync,
) {
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| run(black_box(text)).expect("it is valid"));
}

/// Declares a benchmark for each function of a text.
macro_rules! bench_texts {
    ($($name:ident: $run:expr,)+) => {$(
        #[divan::bench(args = SHAPES)]
        fn $name(bencher: Bencher<'_, '_>, shape: Shape) {
            bench(bencher, &shape.document(), $run);
        }
    )+};
}

mod xml {
    use divan::Bencher;
    use toolkit_core::{Layout, Warnings, xml};

    use super::{Shape, bench};

    const fn shape(name: &'static str, entry: &'static str) -> Shape {
        Shape {
            name,
            head: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>",
            entry,
            tail: "\n</root>\n",
        }
    }

    const SHAPES: [Shape; 4] = [
        // Small, indented elements: a feed, an export.
        shape(
            "Records",
            "\n  <record id=\"{n}\">\n    <name>Record number {n}</name>\n    \
             <price currency=\"EUR\">{n}.50</price>\n    <tag>new</tag>\n    \
             <tag>A &amp; B</tag>\n    <note/>\n  </record>",
        ),
        shape(
            "Attributes",
            "\n  <point x=\"{n}\" y=\"{n}.25\" label='point {n}' visible=\"true\" \
             layer=\"base &lt;{n}&gt;\"/>",
        ),
        // Paragraphs with markup.
        shape(
            "Prose",
            "\n  <p>Paragraph {n} goes on for a while, as prose does, <em>now and then</em> with \
             markup, “quotes” and a &#8212; dash, and ends at last.</p>",
        ),
        // Prefixes and declarations.
        shape(
            "Namespaces",
            "\n  <a:entry xmlns:a=\"urn:example:a\" xmlns:b=\"urn:example:b\">\n    \
             <a:id b:type=\"n\" a:type=\"m\">{n}</a:id>\n    <b:link b:rel=\"self\"/>\n  </a:entry>",
        ),
    ];

    bench_texts! {
        check: |text| xml::check(text, &mut Warnings::new()),
        pretty: |text| xml::format(text, Layout::spaces(4), &mut Warnings::new()),
        minify: |text| xml::format(text, Layout::Minified, &mut Warnings::new()),
        parse: |text| xml::parse(text, &mut Warnings::new()),
    }

    #[divan::bench(args = SHAPES)]
    fn write(bencher: Bencher<'_, '_>, shape: Shape) {
        let text = shape.document();
        let node = xml::parse(&text, &mut Warnings::new()).expect("it is well-formed");
        bench(bencher, &text, |_| {
            xml::write(&node, Layout::spaces(2), &mut Warnings::new())
        });
    }

    /// quick-xml with its own checks, for comparison.
    #[divan::bench(args = SHAPES)]
    fn quick_xml_events(bencher: Bencher<'_, '_>, shape: Shape) {
        bench(bencher, &shape.document(), |text| {
            let mut reader = quick_xml::Reader::from_str(text);
            let mut events = 0;
            while !matches!(
                reader.read_event(),
                Ok(quick_xml::events::Event::Eof) | Err(_)
            ) {
                events += 1;
            }
            Ok(events)
        });
    }
}

mod yaml {
    use divan::Bencher;
    use toolkit_core::{Layout, Warnings, yaml};

    use super::{Shape, bench};

    const fn shape(name: &'static str, entry: &'static str) -> Shape {
        Shape {
            name,
            head: "",
            entry,
            tail: "",
        }
    }

    const SHAPES: [Shape; 4] = [
        // Mappings in a list, in block style: an export, a list of settings.
        shape(
            "Records",
            "- id: {n}\n  name: Record number {n}\n  price: {n}.50\n  active: true\n  tags:\n    \
             - new\n    - \"A & B\"\n  address:\n    street: {n} Main Street\n    zip: '{n}'\n    \
             note:\n",
        ),
        // The same as JSON.
        Shape {
            name: "Json",
            head: "[",
            entry: "{\"id\": {n}, \"name\": \"Record number {n}\", \"price\": {n}.50, \
                    \"tags\": [\"new\", \"A & B\"], \"note\": null},",
            tail: "]",
        },
        // Multi-line strings, with comments.
        shape(
            "Prose",
            "# About {n}\ntext{n}: |\n  A text of several lines, “quotes” in it,\n  \
             goes on: for a while\n\n  and ends # here\nfolded{n}: >-\n  the same\n  but folded\n",
        ),
        // Anchors and aliases.
        shape(
            "Aliases",
            "base{n}: &b{n}\n  image: registry/image:{n}\n  retries: 3\njob{n}:\n  <<: *b{n}\n  \
             retries: 5\n",
        ),
    ];

    bench_texts! {
        parse: |text| yaml::parse_documents(text, &mut Warnings::new()),
        pretty: |text| yaml::format(text, Layout::spaces(4), &mut Warnings::new()),
        minify: |text| yaml::format(text, Layout::Minified, &mut Warnings::new()),
    }

    #[divan::bench(args = SHAPES)]
    fn write(bencher: Bencher<'_, '_>, shape: Shape) {
        let text = shape.document();
        let documents = yaml::parse_documents(&text, &mut Warnings::new()).expect("it is YAML");
        bench(bencher, &text, |_| {
            yaml::write_documents(&documents, Layout::spaces(2))
        });
    }

    /// granit-parser alone, for comparison: shows the cost of everything added to it.
    #[divan::bench(args = SHAPES)]
    fn events_alone(bencher: Bencher<'_, '_>, shape: Shape) {
        bench(bencher, &shape.document(), |text| {
            Ok(granit_parser::Parser::new_from_str(text).flatten().count())
        });
    }
}
