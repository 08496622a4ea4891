//! YAML: read, write and format throughput on documents of 1 MB.

use std::fmt::Write;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolkit_core::{Layout, Warnings, yaml};

fn main() {
    divan::main();
}

const BYTES: usize = 1_000_000;

/// Predominant content of a document.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// Mappings in a list, in block style: an export, a list of settings.
    Records,
    /// The same as JSON.
    Json,
    /// Multi-line strings, with comments.
    Prose,
    /// Anchors and aliases.
    Aliases,
}

const SHAPES: [Shape; 4] = [Shape::Records, Shape::Json, Shape::Prose, Shape::Aliases];

fn document(shape: Shape) -> String {
    let mut out = String::new();
    let mut number = 0;
    while out.len() < BYTES {
        number += 1;
        match shape {
            Shape::Records => write!(
                out,
                "- id: {number}\n  name: Record number {number}\n  price: {number}.50\n  \
                 active: true\n  tags:\n    - new\n    - \"A & B\"\n  address:\n    \
                 street: {number} Main Street\n    zip: '{number}'\n    note:\n"
            ),
            Shape::Json => write!(
                out,
                "{}{{\"id\": {number}, \"name\": \"Record number {number}\", \"price\": {number}.50, \
                 \"tags\": [\"new\", \"A & B\"], \"note\": null}}",
                if number == 1 { '[' } else { ',' }
            ),
            Shape::Prose => write!(
                out,
                "# About {number}\ntext{number}: |\n  A text of several lines, “quotes” in it,\n  \
                 goes on: for a while\n\n  and ends # here\nfolded{number}: >-\n  the same\n  but \
                 folded\n"
            ),
            Shape::Aliases => write!(
                out,
                "base{number}: &b{number}\n  image: registry/image:{number}\n  retries: 3\n\
                 job{number}:\n  <<: *b{number}\n  retries: 5\n"
            ),
        }
        .expect("a string takes all");
    }
    if matches!(shape, Shape::Json) {
        out.push(']');
    }
    out
}

fn bench<T>(bencher: Bencher<'_, '_>, text: &str, run: impl Fn(&str) -> T + Sync) {
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| run(black_box(text)));
}

#[divan::bench(args = SHAPES)]
fn parse(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        yaml::parse_documents(text, &mut Warnings::new()).expect("it is YAML")
    });
}

#[divan::bench(args = SHAPES)]
fn pretty(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        yaml::format(text, Layout::spaces(4), &mut Warnings::new()).expect("it is YAML")
    });
}

#[divan::bench(args = SHAPES)]
fn minify(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        yaml::format(text, Layout::Minified, &mut Warnings::new()).expect("it is YAML")
    });
}

#[divan::bench(args = SHAPES)]
fn write(bencher: Bencher<'_, '_>, shape: Shape) {
    let text = document(shape);
    let documents = yaml::parse_documents(&text, &mut Warnings::new()).expect("it is YAML");
    bench(bencher, &text, |_| {
        yaml::write_documents(&documents, Layout::spaces(2)).expect("it came from YAML")
    });
}

/// granit-parser alone, for comparison: shows the cost of everything added to it.
#[divan::bench(args = SHAPES)]
fn events_alone(bencher: Bencher<'_, '_>, shape: Shape) {
    bench(bencher, &document(shape), |text| {
        granit_parser::Parser::new_from_str(text).flatten().count()
    });
}
