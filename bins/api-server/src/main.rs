//! `api-server`: REST API of the developer tools service.

use std::process::ExitCode;

fn main() -> ExitCode {
    api_server::cli::main()
}
