//! data_converter
