//! Date claims: `exp`, `nbf` and `iat` (RFC 7519 §4.1), seconds since 1970.

use time::OffsetDateTime;

use super::object::Object;
use crate::timestamp::to_iso8601;
use crate::warnings::Warnings;

/// Milliseconds from 1973 to 5138: read as seconds they would be beyond any token's lifetime.
const LIKE_MILLISECONDS: std::ops::Range<f64> = 1e11..1e14;
/// From the first second of the year 1 to the one after the year 9999.
const SECONDS: std::ops::Range<f64> = -62_135_596_800.0..253_402_300_800.0;

/// A date claim (RFC 7519 §2), to the microsecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumericDate {
    /// The claim is absent.
    Absent,
    /// The claim is not a number, or outside the years 1 to 9999.
    Unreadable,
    /// The claim's time.
    At(OffsetDateTime),
}

impl NumericDate {
    pub(super) fn read(name: &str, claims: &Object<'_>, warnings: &mut Warnings) -> Self {
        let Some(json) = claims.get(name) else {
            return Self::Absent;
        };
        let is_number = json.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        let Some(seconds) = json.parse::<f64>().ok().filter(|_| is_number) else {
            warnings.push(format!(
                "`{name}` is not a number of seconds, so it tells no date and readers may refuse it."
            ));
            return Self::Unreadable;
        };
        if LIKE_MILLISECONDS.contains(&seconds) {
            warnings.push(format!(
                "`{name}` looks like milliseconds, but means seconds (RFC 7519 §2)."
            ));
        }
        if let Some(date) = date(seconds) {
            return Self::At(date);
        }
        warnings.push(format!(
            "`{name}` lies outside of the years 1 to 9999, so it cannot be shown as a date."
        ));
        Self::Unreadable
    }

    /// The time, if there is one.
    ///
    /// ```
    /// use toolkit_core::{Warnings, jwt::Token};
    ///
    /// let text = "eyJhbGciOiJub25lIn0.eyJleHAiOjE3MDAwMDAwMDB9.";
    /// let token = Token::decode(text, &mut Warnings::new())?;
    /// let expiry = token.payload.and_then(|payload| payload.expires_at.time());
    /// assert_eq!(expiry.map(|time| time.unix_timestamp()), Some(1_700_000_000));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn time(self) -> Option<OffsetDateTime> {
        match self {
            Self::At(time) => Some(time),
            Self::Absent | Self::Unreadable => None,
        }
    }

    /// The time as ISO 8601 in UTC, with a fraction only if there is one.
    ///
    /// ```
    /// use toolkit_core::{Warnings, jwt::Token};
    ///
    /// let text = "eyJhbGciOiJub25lIn0.eyJleHAiOjE3MDAwMDAwMDB9.";
    /// let token = Token::decode(text, &mut Warnings::new())?;
    /// let expiry = token.payload.and_then(|payload| payload.expires_at.iso());
    /// assert_eq!(expiry.as_deref(), Some("2023-11-14T22:13:20Z"));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn iso(self) -> Option<String> {
        self.time().map(to_iso8601)
    }
}

/// Rounds to microseconds, the precision of a double for current times in seconds.
#[expect(clippy::cast_possible_truncation, reason = "the range is far below 2^127")]
fn date(seconds: f64) -> Option<OffsetDateTime> {
    if !SECONDS.contains(&seconds) {
        return None;
    }
    let microseconds = (seconds * 1e6).round() as i128;
    OffsetDateTime::from_unix_timestamp_nanos(microseconds * 1_000).ok()
}

/// Status of a token by its dates alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "tools", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Status {
    /// Not expired.
    Active,
    /// `exp` is now or has passed.
    Expired,
    /// `nbf` is in the future.
    NotYetValid,
    /// No `exp`.
    NoExpiry,
    /// A date cannot be read, or the payload is not visible.
    Unknown,
}

/// Dates of a token evaluated at a given time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Validity {
    /// Status by all dates together.
    pub status: Status,
    /// Whether `exp` is now or has passed.
    pub expired: Option<bool>,
    /// Whole seconds until `exp`, rounded down. Negative when it has passed.
    pub expires_in_seconds: Option<i64>,
}

impl Validity {
    pub(super) const UNKNOWN: Self =
        Self { status: Status::Unknown, expired: None, expires_in_seconds: None };

    /// Evaluates `exp`, `nbf` and `iat`.
    pub(super) fn of(dates: [NumericDate; 3], now: OffsetDateTime) -> Self {
        let [expires_at, not_before, _] = dates.map(NumericDate::time);
        let status = match (expires_at, not_before) {
            _ if dates.contains(&NumericDate::Unreadable) => Status::Unknown,
            (Some(expires_at), _) if expires_at <= now => Status::Expired,
            (_, Some(not_before)) if now < not_before => Status::NotYetValid,
            (None, _) => Status::NoExpiry,
            (Some(_), _) => Status::Active,
        };
        Self {
            status,
            expired: expires_at.map(|expires_at| expires_at <= now),
            expires_in_seconds: expires_at.map(|expires_at| {
                let left = (expires_at - now).whole_nanoseconds().div_euclid(1_000_000_000);
                i64::try_from(left).unwrap_or(i64::MAX)
            }),
        }
    }
}
