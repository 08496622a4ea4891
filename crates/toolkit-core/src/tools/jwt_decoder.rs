//! jwt_decoder
