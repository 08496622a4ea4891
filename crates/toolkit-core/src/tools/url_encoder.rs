//! url_encoder
