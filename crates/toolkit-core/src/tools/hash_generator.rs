//! hash_generator
