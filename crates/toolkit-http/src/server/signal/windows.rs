//! Ctrl-C and Ctrl-Break, the two console events that leave a process time to finish.

use std::io;

use tokio::signal::windows::{CtrlBreak, CtrlC, ctrl_break, ctrl_c};

/// Receiver of either event.
pub struct Stop {
    interrupt: CtrlC,
    terminate: CtrlBreak,
}

impl Stop {
    /// Installs handlers for the events, which would otherwise end the process at once. Call it
    /// before anything is served.
    ///
    /// # Errors
    ///
    /// When events cannot be received.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: ctrl_c()?,
            terminate: ctrl_break()?,
        })
    }

    /// Waits for the next event and returns its name.
    pub(in crate::server) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "Ctrl-C",
            _ = self.terminate.recv() => "Ctrl-Break",
        }
    }
}
