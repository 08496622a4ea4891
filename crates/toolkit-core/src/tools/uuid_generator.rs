//! uuid_generator
