//! Data URL (RFC 2397) of an SVG image, percent-encoded only where needed.

/// An SVG image as a data URL, since a tool page may load no image from the server.
pub(crate) fn data_url(svg: &str) -> String {
    let escaped = ["%", "#", "<", ">", "\""].into_iter().zip(["%25", "%23", "%3C", "%3E", "'"]);
    let svg = escaped.fold(svg.to_owned(), |svg, (plain, escaped)| svg.replace(plain, escaped));
    format!("data:image/svg+xml,{}", svg.trim())
}
