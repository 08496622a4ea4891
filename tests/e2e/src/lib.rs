//! End-to-end test library: starts both servers as a user would, and sends them requests.

mod http;
mod port;
mod program;
mod proxy;
mod wait;

pub use self::http::{Answer, Request, get, post};
pub use self::port::free_address;
pub use self::program::{Ended, Program, finish};
pub use self::proxy::{Proxy, SITE};
pub use self::wait::until;
