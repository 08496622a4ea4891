//! MCP over standard input and output, for a client that starts the server as its own process.
//!
//! Standard: MCP 2026-07-28, "stdio", and the revisions before it, 2024-11-05 included, whose
//! framing is the same: one JSON-RPC message per line. Messages are answered by the fast path and
//! the rmcp handler of the HTTP endpoint, so both transports give the same answers.
//!
//! A thread blocks on standard input; the messages are answered on the main thread and, if
//! expensive, on the blocking pool. rmcp's own transport is not used: it exits on messages that
//! some clients send before the handshake, silently drops overlong lines and a last line without a
//! newline, and opens the socket pair of tokio's signal handling.

mod lines;
mod message;
mod session;

use std::io;
use std::rc::Rc;
use std::sync::Arc;

use toolkit_server::runner::Runner;
use toolkit_server::settings::Settings;
use toolkit_server::telemetry::Telemetry;

use self::session::{Answerer, Session};
use crate::call::Caller;
use crate::fast_path::FastPath;
use crate::handler::Handler;
use crate::identity::Identity;
use crate::protocol::SUPPORTED_STDIO;
use crate::rmcp_adapter::RmcpAdapter;

/// Messages read ahead of those being answered.
const READ_AHEAD: usize = 16;

/// Serves the client on standard input and output, until standard input ends or standard output is
/// closed.
///
/// SIGTERM and SIGINT keep their default action, which ends the process at once.
///
/// # Errors
///
/// When the system refuses a thread, or standard input cannot be read.
pub fn serve(settings: &Settings) -> io::Result<()> {
    let telemetry = Telemetry::start_on_standard_error(&settings.log);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let (sender, messages) = tokio::sync::mpsc::channel(READ_AHEAD);
    std::thread::Builder::new()
        .name("standard input".to_owned())
        .spawn(move || lines::read(io::stdin().lock(), &sender))?;
    let session = session(settings).serve(messages, io::stdout());
    // Responses of actix-web are not `Send`.
    let ended = tokio::task::LocalSet::new().block_on(&runtime, session);
    // A cancelled call may still occupy its thread until its deadline.
    runtime.shutdown_background();
    telemetry.flush();
    ended
}

fn session(settings: &Settings) -> Session {
    let body_bytes_max = settings.http.body_limit_bytes;
    let identity = Identity::local(&settings.public, body_bytes_max);
    let caller = Caller::new(Arc::new(Runner::new()));
    let fast_path = FastPath::new(caller.clone(), &identity);
    let handler = Handler::new(caller, &identity, SUPPORTED_STDIO);
    let rmcp_adapter = RmcpAdapter::new(handler, lines::LINE_BYTES_MAX);
    Session {
        answerer: Rc::new(Answerer {
            fast_path,
            rmcp_adapter,
        }),
        arguments_bytes_max: body_bytes_max,
    }
}
