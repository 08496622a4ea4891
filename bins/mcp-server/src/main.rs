//! `mcp-server`: nine developer tools over MCP.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_server::cli::main()
}
