//! Address counts: up to 2^128, one more than a `u128` holds.

use std::fmt;

/// The largest range of integers that every JSON parser keeps exactly (RFC 8259 §6), plus one.
#[cfg(feature = "serde")]
const INTEGER_MAX: u64 = 1 << 53;

/// Number of addresses.
///
/// Serialized as an integer up to 2^53 and as a decimal string above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count {
    /// The number minus one, since it is at least one.
    above_one: u128,
}

impl Count {
    /// Number of values that `bits` bits have.
    pub(super) fn of_bits(bits: u32) -> Self {
        let above_one = u128::MAX.checked_shr(u128::BITS - bits).unwrap_or(0);
        Self { above_one }
    }

    /// Number of usable hosts: all addresses but the network's and the broadcast address.
    pub(super) fn less_two(self) -> Self {
        let above_one = self.above_one.saturating_sub(2);
        Self { above_one }
    }

    /// The number. `None` if it is 2^128.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// assert_eq!(Block::parse("192.0.2.0/24")?.total_addresses().get(), Some(256));
    /// let all = Block::parse("::/0")?.total_addresses();
    /// assert_eq!(all.get(), None);
    /// assert_eq!(all.to_string(), "340282366920938463463374607431768211456");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn get(self) -> Option<u128> {
        self.above_one.checked_add(1)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(number) => number.fmt(f),
            None => f.write_str("340282366920938463463374607431768211456"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Count {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.get().and_then(|number| u64::try_from(number).ok()) {
            Some(number) if number <= INTEGER_MAX => serializer.serialize_u64(number),
            _ => serializer.collect_str(self),
        }
    }
}

#[cfg(feature = "tools")]
impl schemars::JsonSchema for Count {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "anyOf": [
                {"type": "integer", "minimum": 0},
                {"type": "string", "pattern": "^[0-9]+$"},
            ],
        })
    }
}

#[cfg(all(test, feature = "tools"))]
mod tests {
    use super::Count;

    #[test]
    fn numbers_above_2_to_the_53_are_strings() {
        for (bits, json) in [
            (0, "1"),
            (53, "9007199254740992"),
            (54, "\"18014398509481984\""),
            (64, "\"18446744073709551616\""),
            (128, "\"340282366920938463463374607431768211456\""),
        ] {
            assert_eq!(serde_json::to_string(&Count::of_bits(bits)).unwrap(), json);
        }
    }
}
