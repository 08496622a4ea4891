//! base64_encoder
