//! YAML through the library's public face.

#![cfg(test)]

mod limits;
mod properties;
mod suite;
mod vectors;
