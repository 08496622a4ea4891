//! One file per tool, named by its slug.

pub mod base64_encoder;
pub mod cidr_calculator;
pub mod cron_explainer;
pub mod data_converter;
pub mod generate_id;
pub mod hash_generator;
pub mod json_formatter;
pub mod jwt_decoder;
pub mod nanoid_generator;
pub mod regex_tester;
pub mod timestamp_converter;
pub mod ulid_generator;
pub mod url_encoder;
pub mod uuid_generator;
