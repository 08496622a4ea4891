//! Starts both servers as a user would and looks at them from outside.

mod answer;
mod http;
mod program;

pub use self::answer::without_fleeting;
pub use self::http::{Answer, get, post};
pub use self::program::{Ended, Program, finish};
