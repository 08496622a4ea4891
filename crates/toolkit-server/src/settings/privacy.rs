//! Section `privacy`: retention periods of personal data.

use super::schema::section;

section! {
    /// Retention of personal data.
    pub struct Privacy {
        /// Days to keep contact messages.
        pub contact_days: u32 = 365, range(1, 36_500);
    }
}
