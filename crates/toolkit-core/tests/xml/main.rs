//! XML through the library's public interface.

#![cfg(test)]

mod limits;
mod nodes;
mod oracle;
mod properties;
mod suite;
mod vectors;
