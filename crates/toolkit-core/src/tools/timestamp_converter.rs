//! timestamp_converter
