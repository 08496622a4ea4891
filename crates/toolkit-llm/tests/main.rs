//! The crate from outside: the chain with scripted providers under a paused clock, and each wire
//! format and the transport against servers on the loopback interface.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "what would panic here fails the test, and says where"
)]

mod callers;
mod chain;
mod dialects;
mod example;
mod faults;
mod formats;
mod openai;
mod options;
mod responses;
mod rests;
mod secrets;
mod streams;
mod support;
mod tool_rounds;
mod vendors;
