//! SIGTERM and SIGINT.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The wish to stop, by either signal.
pub struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    /// Takes the signals over from the system, which would end the process at once. Call it before
    /// anything is served.
    ///
    /// # Errors
    ///
    /// When signals cannot be received.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next one and names it.
    pub(in crate::server) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}
