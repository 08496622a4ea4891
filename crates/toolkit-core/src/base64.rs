//! Base64 (RFC 4648 §4 and §5).
