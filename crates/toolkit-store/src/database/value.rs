//! SQL values: statement parameters, result columns and record identifiers.

use serde::Serializer;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Column as _, Decode, Row as _, Type, TypeInfo as _};
use time::OffsetDateTime;
use ulid::Ulid;

use crate::error::StoreError;

/// A statement parameter.
pub(crate) enum Value {
    Text(Option<String>),
    Integer(Option<i64>),
    Bytes(Vec<u8>),
}

/// Converts each type to its stored form.
macro_rules! values {
    ($($type:ty => |$value:ident| $stored:expr,)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $stored
            }
        }
    )*};
}

values! {
    &str => |text| Self::Text(Some(text.to_owned())),
    String => |text| Self::Text(Some(text)),
    Option<String> => |text| Self::Text(text),
    Ulid => |id| Self::Text(Some(id.to_string())),
    i64 => |number| Self::Integer(Some(number)),
    Option<i64> => |number| Self::Integer(number),
    OffsetDateTime => |time| Self::Integer(Some(milliseconds(time))),
    Option<OffsetDateTime> => |time| Self::Integer(time.map(milliseconds)),
    [u8; 32] => |digest| Self::Bytes(digest.to_vec()),
}

/// A new record identifier: a ULID with the operation's time.
pub(crate) fn new_id(now: OffsetDateTime) -> Ulid {
    let milliseconds = u64::try_from(milliseconds(now)).unwrap_or_default();
    Ulid::from_parts(milliseconds, rand::random())
}

/// Formats an identifier as its 26 characters.
pub(crate) fn serialize_id<S: Serializer>(id: &Ulid, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

/// Milliseconds since 1970, the time format in both databases.
fn milliseconds(time: OffsetDateTime) -> i64 {
    time.unix_timestamp() * 1_000 + i64::from(time.millisecond())
}

fn from_milliseconds(milliseconds: i64) -> Result<OffsetDateTime, StoreError> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(milliseconds) * 1_000_000)
        .map_err(|_| StoreError::internal("a stored time is out of range"))
}

/// A result row.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    /// A column's value, of a type that both databases support.
    pub(crate) fn get<'r, T>(&'r self, column: &str) -> Result<T, StoreError>
    where
        T: Decode<'r, sqlx::Sqlite> + Type<sqlx::Sqlite>,
        T: Decode<'r, sqlx::Postgres> + Type<sqlx::Postgres>,
    {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// The column names.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.columns().into_iter().map(|(name, _)| name).collect()
    }

    /// The column values.
    pub(crate) fn values(&self) -> Result<Vec<Value>, StoreError> {
        let value = |(name, kind)| {
            Ok(match kind {
                "TEXT" => Value::Text(self.get(name)?),
                "BLOB" | "BYTEA" => Value::Bytes(self.get(name)?),
                _ => Value::Integer(self.get(name)?),
            })
        };
        self.columns().into_iter().map(value).collect()
    }

    /// Name and type of each column.
    fn columns(&self) -> Vec<(&str, &str)> {
        macro_rules! columns {
            ($row:ident) => {
                $row.columns()
                    .iter()
                    .map(|column| (column.name(), column.type_info().name()))
                    .collect()
            };
        }
        match self {
            Self::Sqlite(row) => columns!(row),
            Self::Postgres(row) => columns!(row),
        }
    }

    pub(crate) fn time(&self, column: &str) -> Result<OffsetDateTime, StoreError> {
        from_milliseconds(self.get(column)?)
    }

    pub(crate) fn optional_time(&self, column: &str) -> Result<Option<OffsetDateTime>, StoreError> {
        self.get::<Option<i64>>(column)?.map(from_milliseconds).transpose()
    }

    pub(crate) fn id(&self, column: &str) -> Result<Ulid, StoreError> {
        parse_id(self.get(column)?)
    }

    pub(crate) fn optional_id(&self, column: &str) -> Result<Option<Ulid>, StoreError> {
        self.get::<Option<&str>>(column)?.map(parse_id).transpose()
    }
}

fn parse_id(text: &str) -> Result<Ulid, StoreError> {
    Ulid::from_string(text).map_err(|_| StoreError::internal("a stored identifier is not a ULID"))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_time_survives_as_milliseconds_also_before_1970() {
        for time in [
            datetime!(2023-11-14 22:13:20.123 UTC),
            datetime!(1970-01-01 00:00 UTC),
            datetime!(1969-12-31 23:59:59.999 UTC),
            datetime!(9999-12-31 23:59:59.999 UTC),
        ] {
            assert_eq!(from_milliseconds(milliseconds(time)).unwrap(), time);
        }
        assert_eq!(milliseconds(datetime!(1970-01-01 00:00:01.5 +00:00:01)), 500);
        assert!(from_milliseconds(i64::MAX).is_err());
    }
}
