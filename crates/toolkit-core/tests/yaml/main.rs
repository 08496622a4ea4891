//! YAML through the library's public interface.

#![cfg(test)]

mod limits;
mod properties;
mod suite;
mod vectors;
