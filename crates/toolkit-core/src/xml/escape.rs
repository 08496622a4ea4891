//! Escaping: whatever is written is read back as the same characters (XML 1.0 §2.4, §2.11, §3.3.3).

/// Escaped form of a byte. `None` if it is written literally.
pub(super) type Escape = fn(u8) -> Option<&'static str>;

/// For character data: a carriage return would be read back as a line feed, and `>` may end `]]>`.
pub(super) fn in_text(byte: u8) -> Option<&'static str> {
    match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#13;"),
        _ => None,
    }
}

/// For a value in double quotes: any white space would be read back as a space.
pub(super) fn in_value(byte: u8) -> Option<&'static str> {
    match byte {
        b'"' => Some("&quot;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        _ => in_text(byte),
    }
}

/// Appends text with its special characters escaped.
pub(super) fn push_escaped(text: &str, escape: Escape, out: &mut String) {
    let mut from = 0;
    for (index, byte) in text.bytes().enumerate() {
        if let Some(escaped) = escape(byte) {
            out.push_str(&text[from..index]);
            out.push_str(escaped);
            from = index + 1;
        }
    }
    out.push_str(&text[from..]);
}

/// Appends white space as text between children, where it could be mistaken for layout. A single
/// reference marks it as text.
pub(super) fn push_as_text(white: &str, out: &mut String) {
    if let Some(first) = white.bytes().next() {
        out.push_str(in_value(first).unwrap_or("&#32;"));
        push_escaped(&white[1..], in_text, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_not_come_back_is_escaped() {
        let escaped = |text, escape: Escape| {
            let mut out = String::new();
            push_escaped(text, escape, &mut out);
            out
        };
        assert_eq!(escaped("a\t\n\r'\"é]]>", in_text), "a\t\n&#13;'\"é]]&gt;");
        assert_eq!(escaped("a\t\n\r'\"é<&", in_value), "a&#9;&#10;&#13;'&quot;é&lt;&amp;");
        assert_eq!(escaped("", in_text), "");
    }

    #[test]
    fn significant_white_space_begins_with_a_reference() {
        for (white, expected) in
            [("", ""), ("  ", "&#32; "), ("\t", "&#9;"), ("\n\r", "&#10;&#13;"), ("\r", "&#13;")]
        {
            let mut out = String::new();
            push_as_text(white, &mut out);
            assert_eq!(out, expected, "{white:?}");
        }
    }
}
