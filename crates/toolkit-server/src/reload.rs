//! Reload: SIGHUP reloads the settings.
//!
//! Settings that can change while requests are served take effect together, or not at all if any is
//! invalid. The log names those that need a restart. The environment of a process does not change,
//! so only files are reloaded: the settings file, and those named in it or in a variable.

use std::future::pending;
use std::io;
use std::time::Duration;

use tokio::time::sleep;

use crate::process::ConfigArgs;
use crate::settings::{Limits, Log, Mcp, Public, Settings};
use crate::telemetry::Level;

/// How often the token file is checked. Where Kubernetes replaces the file, sending a signal may
/// not be possible.
const TOKENS_INTERVAL: Duration = Duration::from_secs(2);

/// Applies new settings, once nothing can fail.
pub type Apply = Box<dyn FnOnce() + Send>;

/// The settings of a running server.
pub struct Reload {
    pub(crate) config: ConfigArgs,
    settings: Settings,
    hangups: Hangups,
}

impl Settings {
    /// These settings, with the newer values that a running server can take over.
    fn reloaded(&self, new: &Self) -> Self {
        Self {
            limits: Limits {
                memory_mib: self.limits.memory_mib,
                client_connections: self.limits.client_connections,
                ..new.limits.clone()
            },
            public: Public {
                links: new.public.links.clone(),
                logo: new.public.logo.clone(),
                ..self.public.clone()
            },
            mcp: Mcp { tokens_file: new.mcp.tokens_file.clone(), ..self.mcp.clone() },
            log: Log { level: new.log.level.clone(), ..self.log.clone() },
            flags: new.flags.clone(),
            captcha: new.captcha.clone(),
            turnstile: new.turnstile.clone(),
            mail: new.mail.clone(),
            llm: new.llm.clone(),
            apps: new.apps.clone(),
            webhooks: new.webhooks.clone(),
            ..self.clone()
        }
    }

    /// These settings with the file's current tokens, if they have changed. A missing or
    /// half-written file changes nothing.
    fn with_new_tokens(&self) -> Option<Self> {
        let tokens = self.mcp.tokens_file.as_ref()?.read_again()?;
        let mcp = Mcp { tokens_file: Some(tokens), ..self.mcp.clone() };
        Some(Self { mcp, ..self.clone() })
    }
}

impl Reload {
    /// Remembers the current settings and their source, and keeps SIGHUP from ending the process.
    /// Call it before a server is built, within the process's tokio runtime.
    ///
    /// # Errors
    ///
    /// When signals cannot be received.
    pub fn listen(config: ConfigArgs, settings: Settings) -> io::Result<Self> {
        Ok(Self { config, settings, hangups: Hangups::listen()? })
    }

    /// Reloads the settings at each SIGHUP, and changed tokens without one. Runs until the process
    /// ends. `prepare` gets the current and the next settings.
    pub(crate) async fn run<F>(mut self, level: Level, prepare: impl Fn(Settings, Settings) -> F)
    where
        F: Future<Output = Result<Apply, String>>,
    {
        loop {
            let new = tokio::select! {
                () = self.hangups.next() => match self.config.load() {
                    Ok(new) => new,
                    Err(error) => {
                        error.faults().iter().for_each(|fault| refuse(fault));
                        continue;
                    }
                },
                () = sleep(TOKENS_INTERVAL) => match self.settings.with_new_tokens() {
                    Some(new) => new,
                    None => continue,
                },
            };
            let next = self.settings.reloaded(&new);
            match prepare(self.settings.clone(), next.clone()).await {
                Ok(apply) => apply(),
                Err(fault) => {
                    refuse(&fault);
                    continue;
                }
            }
            level.set(&next.log);
            for key in next.changes(&new, "") {
                tracing::warn!("`{key}` changed: restart to apply it");
            }
            let changed = self.settings.changes(&next, "").join(", ");
            tracing::info!(changed, "settings reloaded");
            self.settings = next;
        }
    }
}

fn refuse(fault: &str) {
    tracing::error!("settings not reloaded: {fault}");
}

/// Receives SIGHUP, which would otherwise end the process.
struct Hangups {
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
}

impl Hangups {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            signal: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())?,
        })
    }

    /// Waits for the next one. Never returns on systems without SIGHUP.
    async fn next(&mut self) {
        #[cfg(unix)]
        if self.signal.recv().await.is_some() {
            return;
        }
        pending::<()>().await;
    }
}
