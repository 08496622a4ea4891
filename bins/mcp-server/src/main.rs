//! `mcp-server`: developer tools over MCP.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_server::cli::main()
}
