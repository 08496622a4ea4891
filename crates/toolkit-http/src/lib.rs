//! stub
pub mod prepared;
