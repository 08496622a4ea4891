//! Document values: the common representation of JSON, YAML and XML in conversions.

pub(crate) mod number;
#[cfg(feature = "serde")]
mod serde_impls;

pub use self::number::Number;

/// Value of JSON, YAML or XML during conversion to another format.
///
/// Numbers keep their digits as JSON text and objects keep the order of their members, so a
/// conversion changes neither. Parsers bound the nesting by
/// [`NESTING_MAX`](crate::limits::NESTING_MAX), so traversing and dropping a value cannot overflow
/// the stack.
///
/// ```
/// use toolkit_core::Node;
///
/// let node = Node::Object(vec![
///     ("name".into(), "Ada".into()),
///     ("tags".into(), Node::Array(vec![true.into(), 7.into()])),
/// ]);
/// assert_eq!(node.get("name").and_then(Node::as_str), Some("Ada"));
/// assert_eq!(node.pointer("/tags/1").and_then(Node::as_i64), Some(7));
/// assert_eq!(node.pointer("/tags/2"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Node {
    /// Null.
    #[default]
    Null,
    /// Boolean.
    Bool(bool),
    /// Number.
    Number(Number),
    /// String.
    Text(String),
    /// Values in order.
    Array(Vec<Self>),
    /// Members in order. Parsers refuse or warn about repeated names.
    Object(Vec<(String, Self)>),
}

impl Node {
    /// Whether it is null.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The boolean, if it is one.
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub const fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The digits of the number, if it is one.
    ///
    /// ```
    /// use toolkit_core::{Warnings, json};
    ///
    /// let price = json::parse("1.10", &mut Warnings::new())?;
    /// assert_eq!(price.as_number(), Some("1.10"));
    /// assert_eq!(price.as_f64(), Some(1.1));
    /// assert_eq!(price.as_i64(), None);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub const fn as_number(&self) -> Option<&str> {
        match self {
            Self::Number(number) => Some(number.as_str()),
            _ => None,
        }
    }

    /// The number, if it is written as an integer that fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.parse().ok()
    }

    /// The number, if it is written as an integer that fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.parse().ok()
    }

    /// The number, as the nearest double.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number()?.parse().ok()
    }

    /// The items, if it is an array.
    pub const fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items.as_slice()),
            _ => None,
        }
    }

    /// The members in order, if it is an object.
    ///
    /// ```
    /// use toolkit_core::{Warnings, yaml};
    ///
    /// let node = yaml::parse("b: 1\na: 2", &mut Warnings::new())?;
    /// let names = node.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    /// assert_eq!(names.collect::<Vec<_>>(), ["b", "a"]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub const fn as_object(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(members) => Some(members.as_slice()),
            _ => None,
        }
    }

    /// The member with a name. If the name repeats, the first one.
    ///
    /// ```
    /// use toolkit_core::{Node, Warnings, json};
    ///
    /// let node = json::parse(r#"{"name": "Ada"}"#, &mut Warnings::new())?;
    /// assert_eq!(node.get("name").and_then(Node::as_str), Some("Ada"));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn get(&self, name: &str) -> Option<&Self> {
        let mut members = self.as_object()?.iter();
        members.find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Resolves a JSON Pointer (RFC 6901): `/tags/0`, with `~1` for `/` and `~0` for `~` in a name.
    /// The empty pointer denotes the value itself.
    ///
    /// ```
    /// use toolkit_core::{Node, Warnings, json};
    ///
    /// let node = json::parse(r#"{"a/b": [true]}"#, &mut Warnings::new())?;
    /// assert_eq!(node.pointer("/a~1b/0"), Some(&Node::Bool(true)));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, Self::step)
    }

    fn step(&self, token: &str) -> Option<&Self> {
        match self {
            Self::Array(items) => items.get(array_index(token)?),
            _ if token.contains('~') => self.get(&token.replace("~1", "/").replace("~0", "~")),
            _ => self.get(token),
        }
    }
}

/// Parses an index as defined in RFC 6901 §4: without a sign or leading zeros.
fn array_index(token: &str) -> Option<usize> {
    let is_index = token.bytes().all(|byte| byte.is_ascii_digit());
    let is_padded = token.len() > 1 && token.starts_with('0');
    (is_index && !is_padded).then(|| token.parse().ok())?
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<Number> for Node {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

macro_rules! from_integers {
    ($($integer:ty),+) => {
        $(impl From<$integer> for Node {
            fn from(number: $integer) -> Self {
                Self::Number(Number::checked(number.to_string()))
            }
        })+
    };
}

from_integers!(i32, i64, u64);

impl<T: Into<Self>> From<Vec<T>> for Node {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>> From<Option<T>> for Node {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, Number};

    #[test]
    fn pointers_are_those_of_rfc_6901() {
        let member = |name: &str, value: i32| (name.to_owned(), Node::from(value));
        let mut members: Vec<_> = ["", "a/b", "c%d", "e^f", "g|h", "i\\j", "k\"l", " ", "m~n"]
            .iter()
            .zip(0..)
            .map(|(name, value)| member(name, value))
            .collect();
        members.push(("foo".to_owned(), vec!["bar", "baz"].into()));
        let node = Node::Object(members);
        assert_eq!(node.pointer(""), Some(&node));
        assert_eq!(node.pointer("/foo/0"), Some(&Node::from("bar")));
        for (pointer, value) in [
            ("/", 0),
            ("/a~1b", 1),
            ("/c%d", 2),
            ("/e^f", 3),
            ("/g|h", 4),
            ("/i\\j", 5),
            ("/k\"l", 6),
            ("/ ", 7),
            ("/m~0n", 8),
        ] {
            assert_eq!(node.pointer(pointer).and_then(Node::as_i64), Some(value));
        }
        for missing in ["foo", "/foo/00", "/foo/+0", "/foo/2", "/foo/-", "/foo/0/x", "/m~1n"] {
            assert_eq!(node.pointer(missing), None, "{missing}");
        }
    }

    #[test]
    fn accessors_return_only_their_own_kind() {
        let number = Node::from(Number::checked("1.50"));
        assert_eq!(number.as_number(), Some("1.50"));
        assert_eq!(number.as_f64(), Some(1.5));
        assert_eq!((number.as_i64(), number.as_str()), (None, None));
        assert_eq!(Node::from(u64::MAX).as_u64(), Some(u64::MAX));
        assert_eq!(Node::from(-1).as_u64(), None);
        assert!(Node::from(None::<bool>).is_null());
        assert_eq!(Node::from(true).as_bool(), Some(true));
        assert_eq!(Node::from(true).get("a"), None);
    }
}
