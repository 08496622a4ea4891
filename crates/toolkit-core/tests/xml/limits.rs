//! Each limit at the limit and one past it, and inputs crafted to do harm.

use std::fmt::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use toolkit_core::limits::{NESTING_MAX, RESULT_BYTES_MAX};
use toolkit_core::{Layout, Node, Warnings, xml};

/// A stack just large enough to traverse the deepest document, even without optimization.
const STACK_BYTES: usize = 1 << 20;

/// Far more than a megabyte takes in linear time, far less than it takes in quadratic time.
const DEADLINE: Duration = Duration::from_secs(20);

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(test).unwrap();
    thread.join().unwrap();
}

fn nested(depth: usize, start: &str, end: &str) -> String {
    [start.repeat(depth), end.repeat(depth)].concat()
}

fn parse(text: &str) -> Result<Node, String> {
    xml::parse(text, &mut Warnings::new()).map_err(|error| error.to_string())
}

fn written(node: &Node) -> Result<String, String> {
    let layout = Layout::spaces(8);
    xml::write(node, layout, &mut Warnings::new()).map_err(|error| error.to_string())
}

#[test]
fn elements_nest_as_deep_as_the_bound_and_no_deeper() {
    on_a_small_stack(|| {
        let deepest = nested(NESTING_MAX, "<a>", "</a>");
        assert_eq!(
            xml::format(&deepest, Layout::Minified, &mut Warnings::new()),
            Ok(deepest.clone())
        );
        let node = parse(&deepest).unwrap();
        assert_eq!(parse(&written(&node).unwrap()), Ok(node));

        for too_deep in [
            nested(NESTING_MAX + 1, "<a>", "</a>"),
            nested(100_000, "<a>", "</a>"),
            nested(NESTING_MAX, "<a>", "<a/></a>"),
            "<a>".repeat(300_000),
        ] {
            let place = format!("line 1, column {}", NESTING_MAX * 3 + 1);
            let says = format!("{place}: the input nests elements deeper than 512.");
            assert_eq!(parse(&too_deep), Err(says.clone()));
            let error =
                xml::format(&too_deep, Layout::spaces(2), &mut Warnings::new()).unwrap_err();
            assert_eq!(error.to_string(), says);
        }
    });
}

#[test]
fn values_nest_as_deep_as_the_bound_and_no_deeper() {
    on_a_small_stack(|| {
        // Each level is an object in an array; the document itself adds an object.
        let levels = |depth| nested(depth, "<a><a/>", "</a>");
        let deepest = parse(&levels(NESTING_MAX / 2)).unwrap();
        assert_eq!(parse(&written(&deepest).unwrap()), Ok(deepest));
        let too_deep = levels(NESTING_MAX / 2 + 1);
        let says = "The input nests values deeper than 512, its arrays included.";
        assert_eq!(parse(&too_deep), Err(says.to_owned()));
        assert!(xml::format(&too_deep, Layout::spaces(2), &mut Warnings::new()).is_ok());
    });
}

#[test]
fn a_value_is_written_as_deep_as_the_bound_and_no_deeper() {
    on_a_small_stack(|| {
        let mut node = Node::Null;
        for _ in 1..NESTING_MAX {
            node = Node::Array(vec![node]);
        }
        // The root element adds one.
        assert!(written(&node).is_ok());
        node = Node::Array(vec![node]);
        let says = written(&node).unwrap_err();
        assert_eq!(says, "The input nests elements deeper than 512.");
    });
}

#[test]
fn a_result_is_as_long_as_the_bound_and_no_longer() {
    let rest = "<a>\n  <b>\n    <c/>\n  </b>\n  <d></d>\n</a>".len();
    let pretty = |filler: usize| {
        let text = format!("<a><b><c/></b><d>{}</d></a>", "x".repeat(filler));
        xml::format(&text, Layout::spaces(2), &mut Warnings::new())
    };
    assert_eq!(pretty(RESULT_BYTES_MAX - rest).unwrap().len(), RESULT_BYTES_MAX);
    assert_eq!(
        pretty(RESULT_BYTES_MAX - rest + 1).unwrap_err().to_string(),
        "The input gives a result of over 8 MiB. Use a smaller `indent`, minify, or send less at once.",
    );
}

#[test]
fn indentation_cannot_multiply_a_document() {
    let depth = NESTING_MAX - 1;
    let text = [&"<a>".repeat(depth), &*"<b/>".repeat(200_000), &"</a>".repeat(depth)].concat();
    assert!(xml::format(&text, Layout::spaces(8), &mut Warnings::new()).is_err());
    assert_eq!(xml::format(&text, Layout::Minified, &mut Warnings::new()), Ok(text));
}

#[test]
fn a_long_key_cannot_multiply_a_value() {
    let items = vec![Node::Null; 500_000];
    let node = Node::Object(vec![("k".repeat(500_000), Node::Array(items))]);
    assert!(written(&node).unwrap_err().contains("over 8 MiB"));
    let mut node = Node::Null;
    for _ in 0..400 {
        node = Node::Array(vec![node, Node::Null, Node::Null]);
    }
    let layout = Layout::spaces(u8::MAX);
    assert!(xml::write(&node, layout, &mut Warnings::new()).is_err());
}

/// Numbered pieces, one megabyte in all.
fn megabyte(piece: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for number in 0.. {
        if out.len() > 1_000_000 {
            break;
        }
        out.push_str(&piece(number));
    }
    out
}

/// The beginning of a text, for assertion messages.
fn about(text: &str) -> String {
    text.chars().take(40).collect()
}

fn in_root(content: &str) -> String {
    format!("<a xmlns:p='u' xmlns:q='u'>{content}</a>")
}

#[test]
fn a_megabyte_of_anything_is_judged_in_linear_time() {
    let attributes = megabyte(|number| format!(" a{number}='1'"));
    let prefixed = megabyte(|number| format!(" p:a{number}='1' q:b{number}='1'"));
    let declarations = megabyte(|number| format!(" xmlns:n{number}='u{number}'"));
    let using = megabyte(|number| format!("<n{}:b/>", number % 9));
    let sound = [
        format!("<a{attributes}/>"),
        in_root(&format!("<b{prefixed}/>")),
        format!("<a{declarations}>{using}</a>"),
        in_root(&megabyte(|number| format!("<b{number}/>"))),
        in_root(&megabyte(|number| format!("<b/>x<c{}/>", number % 100))),
        in_root(&megabyte(|_| "<![CDATA[x]]>&amp;]] >".to_owned())),
        in_root(&megabyte(|_| "<p:b xmlns:p='v' xmlns:q='w' p:c='1' q:c='1'/>".to_owned())),
        in_root(&format!("<!--{}-->", "- ".repeat(500_000))),
        in_root(&"]".repeat(1_000_000)),
        in_root(&" ".repeat(1_000_000)),
        format!("<a b='{}'/>", "&#9;\n".repeat(200_000)),
        format!("<{}/>", "é".repeat(500_000)),
    ];
    for text in &sound {
        let start = ThreadTime::now();
        let about = about(text);
        let node = parse(text).unwrap_or_else(|error| panic!("{about}: {error}"));
        let pretty = xml::format(text, Layout::spaces(2), &mut Warnings::new()).unwrap();
        assert_eq!(parse(&pretty), Ok(node.clone()), "{about}");
        written(&node).unwrap();
        assert!(start.elapsed() < DEADLINE, "{about}: {:?}", start.elapsed());
    }
}

#[test]
fn a_megabyte_of_nonsense_is_refused_in_linear_time() {
    let mut broken: Vec<String> = [
        "<",
        "<a",
        "<a ",
        "</",
        "<!",
        "<!-",
        "<!--",
        "<!---",
        "<![CDATA[",
        "<![CDATA[]",
        "<?",
        "<?a ",
        "&",
        "&#",
        "&a;",
        "]]>",
        "<!DOCTYPE a [",
        "<!DOCTYPE a '",
        "<!DOCTYPE a [<!ENTITY b '",
        "<a b='",
        "<a b='<",
        "'",
        "\"<",
        "\u{1}",
        "\u{FFFF}",
        "\u{FEFF}",
        "{\"a\":",
    ]
    .iter()
    .flat_map(|piece| {
        let repeated = piece.repeat(1_000_000 / piece.len());
        [format!("<a>{repeated}"), repeated]
    })
    .collect();
    broken.push(format!("<a{0}{0}/>", megabyte(|number| format!(" a{number}='1'"))));
    for text in broken {
        let start = ThreadTime::now();
        assert!(parse(&text).is_err());
        assert!(start.elapsed() < DEADLINE, "{:?}: {:?}", about(&text), start.elapsed());
    }
}

#[test]
fn the_number_of_warnings_is_bounded() {
    let mut content = String::new();
    for number in 0..10_000 {
        write!(content, "<p{number}>1<b/>2<c/><b/></p{number}><!--x--><?y?>").unwrap();
    }
    let mut warnings = Warnings::new();
    xml::parse(&in_root(&content), &mut warnings).unwrap();
    assert_eq!(warnings.sentences().len(), 4);
}
