//! nanoid_generator
