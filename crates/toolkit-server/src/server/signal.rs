//! Stop signals: SIGTERM and SIGINT, on Windows Ctrl-C and Ctrl-Break, the two console events that
//! leave a process time to finish.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal as Terminate, Signal as Interrupt, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt, ctrl_break, ctrl_c};

/// Receives either signal.
pub struct Stop {
    terminate: Terminate,
    interrupt: Interrupt,
}

impl Stop {
    /// Installs the signal handlers. Without them, the signals end the process immediately. Call it
    /// before anything is served.
    ///
    /// # Errors
    ///
    /// When signals cannot be received.
    pub fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        let (terminate, interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        #[cfg(windows)]
        let (terminate, interrupt) = (ctrl_break()?, ctrl_c()?);
        Ok(Self { terminate, interrupt })
    }

    /// Waits for the next signal and returns its name.
    pub(super) async fn next(&mut self) -> &'static str {
        let [terminate, interrupt] =
            if cfg!(windows) { ["Ctrl-Break", "Ctrl-C"] } else { ["SIGTERM", "SIGINT"] };
        tokio::select! {
            _ = self.terminate.recv() => terminate,
            _ = self.interrupt.recv() => interrupt,
        }
    }
}
