//! jwt
