//! What encloses pasted Base64: a `data:` URL, a PEM block, quotes, `Basic`; and texts that are
//! another notation.

use crate::error::{ErrorKind, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// Takes off what encloses a text, each layer with a warning.
pub(crate) fn taken_off<'a>(text: &'a str, warnings: &mut Warnings) -> Result<&'a str, ToolError> {
    let text = without_quotes(text, warnings);
    let text = without_basic(text, warnings);
    let text = without_data_url(text, warnings)?;
    without_pem(text, warnings)
}

/// Byte offset of a part of a text.
pub(super) fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

fn drop_with(warnings: &mut Warnings, sentence: &'static str) {
    warnings.add(WarningKind::Dropped, sentence);
}

/// Removes quotes, also those of Python's `b'…'`.
fn without_quotes<'a>(text: &'a str, warnings: &mut Warnings) -> &'a str {
    let trimmed = text.trim();
    let bare = trimmed.strip_prefix('b').unwrap_or(trimmed);
    for (open, close) in [('\'', '\''), ('"', '"'), ('`', '`'), ('“', '”')] {
        let inside = bare.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inside) = inside {
            drop_with(warnings, "The quotes around the Base64 text were taken off.");
            return inside;
        }
    }
    text
}

/// Removes `Basic`, also after `Authorization:`.
fn without_basic<'a>(text: &'a str, warnings: &mut Warnings) -> &'a str {
    let mut rest = text.trim_start();
    for word in ["authorization:", "basic "] {
        let start = rest.get(..word.len());
        if start.is_some_and(|start| start.eq_ignore_ascii_case(word)) {
            rest = rest.get(word.len()..).unwrap_or_default().trim_start();
        } else if word == "basic " {
            return text;
        }
    }
    drop_with(warnings, "`Basic` in front of the Base64 text was taken off.");
    rest
}

/// Removes a leading `data:…;base64,`.
fn without_data_url<'a>(text: &'a str, warnings: &mut Warnings) -> Result<&'a str, ToolError> {
    let trimmed = text.trim_ascii_start();
    let is_data_url = trimmed.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    if !is_data_url {
        return Ok(text);
    }
    let Some((head, data)) = trimmed.split_once(',') else {
        return Err(ToolError::new("is a data: URL without a comma and data"));
    };
    let is_base64 = head
        .rsplit_once(';')
        .is_some_and(|(_, last)| last.trim_ascii().eq_ignore_ascii_case("base64"));
    if !is_base64 {
        return Err(ToolError::new("is a data: URL whose data is not Base64")
            .of(ErrorKind::Unsupported)
            .with_hint(
                "its head must end in `;base64`; decode the part after the comma as a URL",
            ));
    }
    drop_with(warnings, "The head of a data: URL was taken off.");
    Ok(data)
}

/// Removes the BEGIN and END lines of a PEM block, and what is around them.
fn without_pem<'a>(text: &'a str, warnings: &mut Warnings) -> Result<&'a str, ToolError> {
    let Some((_, rest)) = text.split_once("-----BEGIN ") else {
        return Ok(text);
    };
    if rest.contains("-----BEGIN ") {
        return Err(ToolError::new("has more than one PEM block")
            .of(ErrorKind::Unsupported)
            .with_hint("decode one block a call"));
    }
    let lines = rest.split_once("-----").and_then(|(_, rest)| rest.split_once("-----END "));
    let Some((data, _)) = lines else {
        return Err(ToolError::new("is a PEM block without its END line")
            .with_hint("give the whole block, or only the lines between BEGIN and END"));
    };
    drop_with(warnings, "The BEGIN and END lines of a PEM block were taken off.");
    Ok(data)
}

/// Whether a text is hexadecimal digits after `0x`, or in pairs with spaces: both could be read as
/// Base64, and are not meant as such.
pub(super) fn is_hexadecimal(text: &str) -> bool {
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let text = text.trim();
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let mut pairs = text.split_ascii_whitespace();
    digits.is_some_and(|digits| digits.len() >= 2 && digits.len() % 2 == 0 && is_digits(digits))
        || pairs.clone().nth(3).is_some() && pairs.all(|pair| pair.len() == 2 && is_digits(pair))
}

/// What a text with a character outside the alphabets is instead, and the tool for it.
pub(super) fn other_notation(text: &str, character: char) -> Option<&'static str> {
    let trimmed = text.trim_start_matches(|c: char| c.is_whitespace() || "\"'".contains(c));
    let is_pair = |pair: &str| pair.len() == 2 && pair.bytes().all(|b| b.is_ascii_hexdigit());
    match character {
        '.' if trimmed.starts_with("eyJ") => {
            Some("; it looks like a JSON Web Token: use jwt-decoder, over MCP decode_jwt")
        }
        '%' => Some("; if it is percent-encoded, decode it with url-encoder first"),
        ':' if text.trim().split(':').all(is_pair) => {
            Some("; it looks like hexadecimal digits: use the page hex-encoder")
        }
        _ => None,
    }
}
