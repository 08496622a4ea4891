//! Settings that name a file, which is read and checked with them: bearer tokens and a logo.

use std::fs::File;
use std::io::Read as _;

use sha2::{Digest as _, Sha256};
use toolkit_core::{Warnings, xml};

use super::Textual;

const BYTES_MAX: u64 = 16 << 10;
const TOKEN_CHARACTERS_MIN: usize = 16;

fn read(path: &str) -> Option<String> {
    let mut text = String::new();
    let file = File::open(path).ok()?;
    let bytes = file.take(BYTES_MAX + 1).read_to_string(&mut text).ok()?;
    (bytes as u64 <= BYTES_MAX).then_some(text)
}

/// The bearer tokens that admit a caller, as digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokensFile {
    path: String,
    digests: Vec<[u8; 32]>,
}

impl TokensFile {
    /// The file's current tokens, if they are valid and have changed.
    pub(crate) fn read_again(&self) -> Option<Self> {
        Self::read(&self.path).filter(|new| new != self)
    }

    /// Whether it contains the token. Comparing digests tells a caller nothing about a token.
    pub fn has(&self, token: &str) -> bool {
        self.digests.contains(&Sha256::digest(token).into())
    }
}

impl Textual for TokensFile {
    const EXPECTED: &'static str = "a readable file of at most 16 KiB with one token a line, each of 16 \
         or more visible ASCII characters; lines that begin with # do not count";

    fn read(path: &str) -> Option<Self> {
        let text = read(path)?;
        let tokens = text.lines().map(str::trim);
        let tokens = tokens.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let digest = |token: &str| {
            let is_visible = token.bytes().all(|byte| byte.is_ascii_graphic());
            let is_long = token.len() >= TOKEN_CHARACTERS_MIN;
            (is_visible && is_long).then(|| Sha256::digest(token).into())
        };
        let digests: Vec<_> = tokens.map(digest).collect::<Option<_>>()?;
        let path = path.to_owned();
        (!digests.is_empty()).then_some(Self { path, digests })
    }

    fn shown(&self) -> String {
        self.path.clone()
    }
}

/// An SVG image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgFile {
    path: String,
    text: String,
}

impl SvgFile {
    /// The image source.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Textual for SvgFile {
    const EXPECTED: &'static str = "a readable file of at most 16 KiB with a well-formed SVG image";

    fn read(path: &str) -> Option<Self> {
        let text = read(path)?;
        let mut tags = text.split('<');
        let root = tags.find(|tag| tag.starts_with(char::is_alphabetic))?;
        let is_svg = root.starts_with("svg") && root.contains("\"http://www.w3.org/2000/svg\"");
        let is_sound = xml::check(&text, &mut Warnings::default()).is_ok();
        let path = path.to_owned();
        (is_svg && is_sound).then_some(Self { path, text })
    }

    fn shown(&self) -> String {
        self.path.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a setting whose file contains this text.
    fn with<T: Textual>(text: &str) -> Option<T> {
        let file = std::env::temp_dir().join(format!("toolkit-{}", uuid::Uuid::now_v7()));
        std::fs::write(&file, text).unwrap();
        let value = T::read(file.to_str().unwrap());
        std::fs::remove_file(&file).unwrap();
        value
    }

    #[test]
    fn tokens_are_read_from_lines_and_short_or_missing_ones_refused() {
        let file: TokensFile = with("# CI\nabcdefgh-01234567\r\n\n").unwrap();
        assert!(file.has("abcdefgh-01234567"));
        assert!(!file.has("") && !file.has("# CI") && !file.has("abcdefgh-0123456"));
        for text in ["", "# none\n", "too-short\n", "with a space in it all\n"] {
            assert_eq!(with::<TokensFile>(text), None, "{text}");
        }
        assert_eq!(TokensFile::read("/no/such/file"), None);
    }

    #[test]
    fn a_logo_is_a_small_well_formed_svg_image() {
        let image = "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>";
        let exported = "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\">\
            <svg xmlns=\"http://www.w3.org/2000/svg\"/>";
        for image in [image, exported] {
            assert_eq!(with::<SvgFile>(image).unwrap().text(), image);
        }
        for text in [
            "",
            "PNG",
            "<html/>",
            "<svg/>",
            "<svg xmlns=\"http://www.w3.org/2000/svg\">",
            &image.replace("/>", &format!(">{}</svg>", " ".repeat(16 << 10))),
        ] {
            assert_eq!(with::<SvgFile>(text), None, "{text:.80}");
        }
    }
}
