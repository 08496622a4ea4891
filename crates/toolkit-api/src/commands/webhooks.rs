//! `webhooks`: tries receivers, and turns one on again.

use clap::Subcommand;
use toolkit_server::settings::{HttpUrl, Settings};
use toolkit_store::Store;

use super::{CommandError, audit};
use crate::webhooks::Webhooks;

/// Subcommands of `webhooks`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Sends a test to the receivers of the settings, or to one of them, and says what it answers.
    Test {
        /// URL of the receiver.
        #[arg(value_parser = url)]
        url: Option<HttpUrl>,
    },
    /// Tells a receiver again that has answered 410; what is queued for it follows.
    Enable {
        /// URL of the receiver.
        #[arg(value_parser = url)]
        url: HttpUrl,
    },
}

fn url(text: &str) -> Result<HttpUrl, &'static str> {
    HttpUrl::parse(text).ok_or("must be the URL of a webhook in the settings")
}

/// Runs the command and returns its output.
pub(super) async fn run(
    command: Command,
    store: &Store,
    settings: &Settings,
) -> Result<String, CommandError> {
    let (Command::Test { url: Some(url) } | Command::Enable { url }) = &command else {
        return test(settings, None).await;
    };
    if settings.webhooks.iter().all(|hook| hook.url != *url) {
        return Err(format!("{url} is not a webhook of the settings").into());
    }
    if let Command::Test { .. } = command {
        return test(settings, Some(url)).await;
    }
    audit::record(store, "webhooks.enable", url.as_str()).await?;
    Ok(if store.turn_on(url.as_str()).await? {
        format!("{url} is told of events again.\n")
    } else {
        format!("{url} was not off.\n")
    })
}

async fn test(settings: &Settings, url: Option<&HttpUrl>) -> Result<String, CommandError> {
    let answers = Webhooks::new(settings)?.test(url).await;
    if answers.is_empty() {
        return Err("there is no webhook in the settings".into());
    }
    let line = |(url, answer): &(String, Result<(), String>)| match answer {
        Ok(()) => format!("{url}: accepted\n"),
        Err(class) => format!("{url}: {class}\n"),
    };
    let report: String = answers.iter().map(line).collect();
    if answers.iter().all(|(_, answer)| answer.is_ok()) {
        Ok(report)
    } else {
        Err(format!("not every receiver accepted the test\n{}", report.trim_end()).into())
    }
}
