//! json_formatter
