//! percent
