//! Wrappers of pasted Base64: a `data:` URL, a PEM block, quotes, `Basic`. Also recognizes other
//! notations.

use std::borrow::Cow;

use crate::around;
use crate::error::{ErrorKind, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// Strips a text's wrappers, each with a warning.
pub(crate) fn taken_off<'a>(text: &'a str, warnings: &mut Warnings) -> Result<&'a str, ToolError> {
    if text.contains("-----BEGIN ") {
        return without_pem(text, warnings);
    }
    if is_data_url(text) {
        return without_data_url(text, warnings);
    }
    let text = around::bare(without_head(text, warnings), "the Base64 text", warnings);
    let text = without_basic(without_head(text, warnings), warnings);
    without_data_url(text, warnings)
}

/// Byte offset of a part of a text.
pub(super) fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

fn drop_with(warnings: &mut Warnings, sentence: impl Into<Cow<'static, str>>) {
    warnings.add(WarningKind::Dropped, sentence);
}

/// Removes the head of an encoded word of a mail (RFC 2047), of a digest in HTML (SRI), and of a
/// string of Python.
fn without_head<'a>(whole: &'a str, warnings: &mut Warnings) -> &'a str {
    let text = whole.trim();
    let word = text.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?="));
    let word = word.and_then(|word| word.split_once("?B?").or_else(|| word.split_once("?b?")));
    let digest = ["sha256-", "sha384-", "sha512-"].iter().find_map(|head| text.strip_prefix(head));
    if let Some((charset, data)) = word {
        drop_with(warnings, format!("`=?{charset}?B?` and `?=` of a mail were taken off."));
        return data;
    }
    if let Some(digest) = digest {
        let head = text.get(..text.len() - digest.len()).unwrap_or_default();
        drop_with(warnings, format!("`{head}` in front of the Base64 text was taken off."));
        return digest;
    }
    text.strip_prefix('b').filter(|rest| rest.starts_with(['\'', '"'])).unwrap_or(whole)
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

/// Whether a text begins with `data:` and, unlike a line of YAML, has a comma or no space after it.
fn is_data_url(text: &str) -> bool {
    let parts = text.trim_ascii_start().split_at_checked(5);
    parts.is_some_and(|(scheme, rest)| {
        scheme.eq_ignore_ascii_case("data:")
            && (rest.contains(',') || !rest.starts_with(char::is_whitespace))
    })
}

/// Removes a leading `data:…;base64,`.
fn without_data_url<'a>(text: &'a str, warnings: &mut Warnings) -> Result<&'a str, ToolError> {
    if !is_data_url(text) {
        return Ok(text);
    }
    let trimmed = text.trim_ascii_start();
    let Some((head, data)) = trimmed.split_once(',') else {
        return Err(ToolError::new("is a data: URL without a comma and data"));
    };
    let is_base64 = head
        .rsplit_once(';')
        .is_some_and(|(_, last)| last.trim_ascii().eq_ignore_ascii_case("base64"));
    if !is_base64 {
        return Err(ToolError::new("is a data: URL whose data is not Base64")
            .of(ErrorKind::Unsupported)
            .with_hint("its head must end in `;base64`"));
    }
    drop_with(warnings, "The head of a data: URL was taken off.");
    Ok(data)
}

/// Removes the BEGIN and END lines of a PEM block, and everything around them.
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

/// The notation of a text with a character outside the alphabets at an index, and what to do.
pub(super) fn other_notation(text: &str, index: usize) -> Option<&'static str> {
    let (before, rest) = text.split_at_checked(index)?;
    let mut rest = rest.chars();
    let character = rest.next()?;
    let trimmed = text.trim_start_matches(|c: char| c.is_whitespace() || "\"'".contains(c));
    let is_pair = |pair: &str| pair.len() == 2 && pair.bytes().all(|b| b.is_ascii_hexdigit());
    match character {
        '.' if trimmed.starts_with("eyJ") => {
            Some("; it looks like a JSON Web Token: use jwt-decoder, over MCP decode_jwt")
        }
        _ if before.trim_end().ends_with('=') => Some("; remove what follows the `=`"),
        '%' => Some("; write `+`, `/` and `=` for `%2B`, `%2F` and `%3D`"),
        ':' if text.trim().split(':').all(is_pair) => Some("; it looks like hexadecimal digits"),
        ':' if rest.next().is_some_and(char::is_whitespace) => {
            Some("; remove the key and the colon in front")
        }
        _ => None,
    }
}
