//! Ctrl-C and Ctrl-Break, the two events of a console that leave a process the time to finish.

use std::io;

use tokio::signal::windows::{CtrlBreak, CtrlC, ctrl_break, ctrl_c};

/// The wish to stop, by either event.
pub struct Stop {
    interrupt: CtrlC,
    terminate: CtrlBreak,
}

impl Stop {
    /// Takes the events over from the system, which would end the process at once. Call it before
    /// anything is served.
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

    /// Waits for the next one and names it.
    pub(in crate::server) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "Ctrl-C",
            _ = self.terminate.recv() => "Ctrl-Break",
        }
    }
}
