//! Section `privacy`: retention periods of personal data.

use super::schema::section;

section! {
    /// The end of personal data.
    pub struct Privacy {
        /// Retention of contact messages, in days.
        pub contact_days: u32 = 365, range(1, 36_500);
    }
}
