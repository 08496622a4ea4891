//! Starts both servers as a user would and looks at them from outside.

mod http;
mod program;

pub use self::http::{Answer, get, post};
pub use self::program::{Ended, Program, finish};
