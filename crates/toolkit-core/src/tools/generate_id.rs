//! generate_id
