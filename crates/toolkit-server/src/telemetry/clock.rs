//! Timestamps of log lines: RFC 3339 in UTC, to the millisecond.

use std::cell::Cell;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

const LENGTH: usize = "2025-11-21T07:45:00.000Z".len();

/// Caches the part that changes once a second.
#[derive(Clone, Copy)]
struct Second {
    unix: u64,
    text: [u8; LENGTH],
}

thread_local! {
    static LAST: Cell<Second> = const { Cell::new(Second { unix: u64::MAX, text: [0; LENGTH] }) };
}

/// The current time as text.
pub(super) fn now() -> [u8; LENGTH] {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let mut second = LAST.get();
    if second.unix != since.as_secs() {
        second = Second {
            unix: since.as_secs(),
            text: format(since.as_secs()),
        };
        LAST.set(second);
    }
    let milliseconds = since.subsec_millis().into();
    let [.., hundreds, tens, units, _] = &mut second.text;
    *hundreds = digit(milliseconds / 100);
    *tens = digit(milliseconds / 10);
    *units = digit(milliseconds);
    second.text
}

/// The last digit of a number.
pub(super) fn digit(number: u64) -> u8 {
    b'0' + u8::try_from(number % 10).unwrap_or(0)
}

fn format(unix: u64) -> [u8; LENGTH] {
    let time = i64::try_from(unix)
        .ok()
        .and_then(|unix| OffsetDateTime::from_unix_timestamp(unix).ok());
    let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (hour, minute, second) = time.to_hms();
    let (year, month, day) = time.to_calendar_date();
    let month = u8::from(month);
    let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.000Z");
    text.as_bytes().try_into().unwrap_or([b'0'; LENGTH])
}

/// The same time for the events of `tracing`.
pub(super) struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        writer.write_str(std::str::from_utf8(&now()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_formatted_as_in_rfc_3339() {
        assert_eq!(&format(1_700_000_000), b"2023-11-14T22:13:20.000Z");
        assert_eq!(&format(0), b"1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn the_time_does_not_go_back_within_a_thread() {
        let first = now();
        let second = now();
        assert!(first <= second && first.ends_with(b"Z"));
    }

    #[test]
    fn the_time_is_that_of_the_system_to_the_millisecond() {
        let system = || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            let text = String::from_utf8(format(since.as_secs()).into()).unwrap();
            let seconds = text.strip_suffix("000Z").unwrap();
            format!("{seconds}{:03}Z", since.subsec_millis())
        };
        for _ in 0..50 {
            let (before, now, after) = (system(), now(), system());
            assert!(before.as_bytes() <= &now[..] && &now[..] <= after.as_bytes());
            std::thread::sleep(std::time::Duration::from_millis(7));
        }
        let mut text = String::new();
        Clock.format_time(&mut Writer::new(&mut text)).unwrap();
        assert!(text.len() == LENGTH && text <= system(), "{text}");
    }
}
