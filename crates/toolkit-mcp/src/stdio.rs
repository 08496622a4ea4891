//! MCP over standard input and output, for a client that starts the server as its own process.
//!
//! Standard: MCP 2026-07-28, "stdio", and the revisions before it, including 2024-11-05, with the
//! same framing: one JSON-RPC message per line. Tool calls and handler are the HTTP endpoint's, so
//! both transports give the same answers.
//!
//! A thread blocks on standard input. Messages are answered on the main thread or, if expensive, on
//! the blocking pool. rmcp reads from our transport instead of its own, which silently drops
//! overlong lines and a last line without a newline. Its handshake is skipped, since it exits on
//! messages that some clients send first.

mod lines;
mod transport;

use std::io;
use std::sync::{Arc, OnceLock};

use rmcp::service::serve_directly;
use toolkit_server::settings::Settings;
use toolkit_server::telemetry::Telemetry;

use self::transport::Lines;
use crate::handler::Handler;
use crate::identity::Identity;
use crate::protocol::SUPPORTED_STDIO;
use crate::tool_calls::ToolCalls;

/// Messages read ahead of those being answered.
const READ_AHEAD: usize = 16;

/// Serves the client until standard input ends or standard output is closed.
///
/// SIGTERM and SIGINT keep their default action, which ends the process immediately.
///
/// # Errors
///
/// When the system refuses a thread, or standard input cannot be read.
pub fn serve(settings: &Settings) -> io::Result<()> {
    let telemetry = Telemetry::start_on_standard_error(&settings.log);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let (sender, input) = tokio::sync::mpsc::channel(READ_AHEAD);
    std::thread::Builder::new()
        .name("standard input".to_owned())
        .spawn(move || lines::read(io::stdin().lock(), &sender))?;
    let identity = Identity::local(&settings.public, settings.http.body_limit_bytes);
    let tool_calls = ToolCalls::new(&identity, settings.http.body_limit_bytes, Arc::default());
    let handler = Handler::new(&identity, SUPPORTED_STDIO);
    let failed = Arc::<OnceLock<_>>::default();
    let transport = Lines::new(input, Arc::clone(&failed), tool_calls);
    let ended = runtime.block_on(async {
        let service = serve_directly(handler, transport, None);
        service.waiting().await
    });
    // A cancelled call may still occupy its thread until its deadline.
    runtime.shutdown_background();
    telemetry.flush();
    ended?;
    failed.get().map_or(Ok(()), |kind| Err((*kind).into()))
}
