//! Reload: SIGHUP reads the settings again.
//!
//! What can change while requests are served is applied together, or with any fault not at all; what
//! cannot is named in the log and stays as it is. The environment of a process does not change, so
//! only files are read anew: the settings file, and those that it or a variable names.

use std::future::pending;
use std::time::Duration;

use tokio::time::sleep;

use crate::process::ConfigArgs;
use crate::settings::{Limits, Log, Mcp, Public, Settings};
use crate::telemetry::Level;

/// Interval at which the file of tokens is looked at: whoever removes one may not be able to send a
/// signal, as where Kubernetes replaces the file.
const TOKENS_INTERVAL: Duration = Duration::from_secs(2);

/// What puts new settings into force, once nothing can fail any more.
pub type Apply = Box<dyn FnOnce() + Send>;

/// The settings of a running server.
pub struct Reload {
    config: ConfigArgs,
    settings: Settings,
}

impl Settings {
    /// These settings with what a running server takes over of newer ones.
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

    /// These settings with the tokens that their file has now, if those are others. A file that is just
    /// being written, or is gone, changes nothing.
    fn with_new_tokens(&self) -> Option<Self> {
        let tokens = self.mcp.tokens_file.as_ref()?.read_again()?;
        let mcp = Mcp { tokens_file: Some(tokens), ..self.mcp.clone() };
        Some(Self { mcp, ..self.clone() })
    }
}

impl Reload {
    /// Remembers the settings in force and where they come from.
    pub fn new(config: ConfigArgs, settings: Settings) -> Self {
        Self { config, settings }
    }

    /// Reads the settings again at each SIGHUP, and changed tokens without one, for ever. `prepare` gets
    /// the settings in force and the next ones.
    pub(crate) async fn run<F>(
        mut self,
        mut hangups: Hangups,
        level: Level,
        prepare: impl Fn(Settings, Settings) -> F,
    ) where
        F: Future<Output = Result<Apply, String>>,
    {
        loop {
            let new = tokio::select! {
                () = hangups.next() => match self.config.load() {
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
                tracing::warn!("`{key}` has changed in the settings; it takes effect at a restart");
            }
            let changed = self.settings.changes(&next, "").join(", ");
            tracing::info!(changed, "the settings and their files are read again");
            self.settings = next;
        }
    }
}

fn refuse(fault: &str) {
    tracing::error!("the settings stay as they were: {fault}");
}

/// Receiver of SIGHUP, which would end the process otherwise.
pub(crate) struct Hangups {
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
}

impl Hangups {
    pub(crate) fn listen() -> std::io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            signal: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())?,
        })
    }

    /// Waits for the next, for ever where there are none.
    async fn next(&mut self) {
        #[cfg(unix)]
        if self.signal.recv().await.is_some() {
            return;
        }
        pending::<()>().await;
    }
}
