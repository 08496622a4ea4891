//! `doctor`: tries everything that a server reaches with these settings, one line each.
//!
//! Stores nothing and prints no secrets. Asks a model for one word, and sends webhooks their test
//! event.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

use reqwest::Client;
use tokio::time::timeout;
use toolkit_llm::{Conversation, Message};
use toolkit_server::process::tell;
use toolkit_server::rate_limiter::Redis;
use toolkit_server::request_id::X_REQUEST_ID;
use toolkit_server::settings::{Llm, MailTransport, Provider, Settings};
use toolkit_server::{probe, tls};
use toolkit_store::{Access, Store};
use uuid::Uuid;

use super::{CONNECTIONS, CommandError, unopened};
use crate::chat::llm;
use crate::error::with_causes;
use crate::http_client;
use crate::office::turnstile::Turnstile;
use crate::office::webhooks::Webhooks;
use crate::office::{captcha, mail};

/// Maximum wait for a part other than a model.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests to the public URL, so that one of them reaches this server.
const REPLICAS_ASKED: usize = 6;

/// Maximum wait for a model, which may have to be loaded.
const MODEL_PATIENCE: Duration = Duration::from_mins(1);

/// The finding for a part.
enum Found {
    Works(String),
    /// Not configured, or not there to be tried.
    Absent(&'static str),
    /// Works, but is rarely intended.
    Caution(String),
    Fails(String),
}

/// The finding, or the reason it does not work.
type Tried = Result<Found, Box<dyn Error>>;

/// Tries everything and prints each line as soon as it is known.
pub(super) async fn run(settings: &Settings) -> Result<String, CommandError> {
    let mut report = Report { failures: 0 };
    report.line("database", within(PATIENCE, database(settings)).await);
    report.line("Redis", within(PATIENCE, redis(settings)).await);
    report.line("mail", within(PATIENCE, mail(settings)).await);
    if settings.llm.providers.is_empty() {
        report.line("models", Found::Absent("no `llm.providers` configured: chat is off"));
    }
    for provider in &settings.llm.providers {
        let asked = within(MODEL_PATIENCE, model(settings, provider)).await;
        report.line(&format!("model {}", provider.name), asked);
    }
    report.line("captcha", within(PATIENCE, captcha(settings)).await);
    report.webhooks(settings).await;
    report.line("client address", within(PATIENCE, client_address(settings)).await);
    for caution in settings.cautions() {
        report.line("settings", Found::Caution(caution));
    }
    match report.failures {
        0 => Ok(String::new()),
        1 => Err("1 check failed".into()),
        failures => Err(format!("{failures} checks failed").into()),
    }
}

struct Report {
    failures: usize,
}

impl Report {
    fn line(&mut self, part: &str, found: Found) {
        let (word, about) = match found {
            Found::Works(about) => ("ok", about),
            Found::Absent(why) => ("-", why.to_owned()),
            Found::Caution(why) => ("caution", why),
            Found::Fails(why) => {
                self.failures += 1;
                ("failed", why)
            }
        };
        let about = about.replace(['\n', '\r'], " ");
        tell(io::stdout(), format_args!("{word:<7} {part}: {about}"));
    }

    async fn webhooks(&mut self, settings: &Settings) {
        if settings.webhooks.is_empty() {
            return self.line("webhooks", Found::Absent("none configured"));
        }
        match Webhooks::new(settings) {
            Ok(webhooks) => {
                for (name, answer) in webhooks.test(None).await {
                    let accepted = answer.map(|()| Found::Works("accepted its test".to_owned()));
                    self.line(&format!("webhook {name}"), accepted.unwrap_or_else(Found::Fails));
                }
            }
            Err(error) => self.line("webhooks", Found::Fails(error.to_string())),
        }
    }
}

async fn within(time: Duration, trial: impl Future<Output = Tried>) -> Found {
    match timeout(time, trial).await {
        Ok(tried) => tried.unwrap_or_else(|error| Found::Fails(with_causes(&*error))),
        Err(_) => Found::Fails(format!("no answer within {} s", time.as_secs())),
    }
}

fn since(started: Instant) -> impl Display {
    format!("answered in {} ms", started.elapsed().as_millis())
}

async fn database(settings: &Settings) -> Tried {
    let url = &settings.database.url;
    let unopened = |error| unopened(url, error);
    if Store::absent(url.expose()).map_err(unopened)?.is_some() {
        if probe::probe(settings.api.admin_bind).is_ok() {
            return Err(format!("{} is gone, though a server is running", url.location()).into());
        }
        return Ok(Found::Absent("no file yet: the server creates it at start"));
    }
    let started = Instant::now();
    let store = Store::open_for(Access::Write, url.expose(), CONNECTIONS).await;
    let store = store.map_err(unopened)?;
    let backend = store.backend().as_str();
    store.close().await;
    Ok(Found::Works(format!("{backend} accepts writes, {}", since(started))))
}

async fn redis(settings: &Settings) -> Tried {
    let Some(url) = &settings.limits.redis_url else {
        return Ok(Found::Absent("not configured: each process counts its own limits"));
    };
    let started = Instant::now();
    Redis::test(url).await?;
    Ok(Found::Works(since(started).to_string()))
}

async fn mail(settings: &Settings) -> Tried {
    if settings.mail.transport == MailTransport::Log {
        return Ok(Found::Absent("no mail server configured: mail is written to the log"));
    }
    mail::check(settings)?;
    let started = Instant::now();
    mail::connect(settings).await?;
    Ok(Found::Works(format!("the mail server accepts the login, {}", since(started))))
}

async fn model(settings: &Settings, provider: &Provider) -> Tried {
    let alone =
        Llm { providers: vec![provider.clone()], system_prompt: None, ..settings.llm.clone() };
    let chain = llm::chain(&alone, &http_client::client(settings)?)?;
    let question = Conversation::new(vec![Message::user("Reply with the word ok.")])?;
    let started = Instant::now();
    match chain.reply(&question).await {
        Ok(reply) => Ok(Found::Works(format!("{} {}", reply.model, since(started)))),
        Err(error) => {
            let last = error.attempts().last().map(|attempt| with_causes(attempt.error()));
            Err(last.unwrap_or_else(|| error.to_string()).into())
        }
    }
}

async fn captcha(settings: &Settings) -> Tried {
    let Some(secret) = captcha::turnstile_secret(settings) else {
        return Ok(if captcha::is_configured(settings) {
            Found::Works("ALTCHA needs no other server".to_owned())
        } else {
            Found::Absent("none configured")
        });
    };
    let started = Instant::now();
    let turnstile = Turnstile::new(settings, secret, http_client::client(settings)?);
    turnstile.test().await?;
    Ok(Found::Works(format!("Turnstile accepts the secret, {}", since(started))))
}

/// Asks the running server through its admin port which client a request to the public URL was
/// counted for.
async fn client_address(settings: &Settings) -> Tried {
    let not_running = Found::Absent("no server answers at `api.admin_bind`");
    let admin = settings.api.admin_bind.filter(|&admin| probe::probe(Some(admin)).is_ok());
    let Some(admin) = admin else {
        return Ok(not_running);
    };
    let urls = settings.public.resolve(settings.api.bind, settings.mcp_apart());
    let base = urls.base_url;
    let url = base.join("/toolkit/api/flags");
    let builder = Client::builder().timeout(PATIENCE);
    let client = tls::client(builder, url.as_str().starts_with("https:"))?;
    let mut seen = None;
    // Behind a load balancer, other replicas may answer first.
    for _ in 0..REPLICAS_ASKED {
        let id = format!("{}{}", probe::DOCTOR, Uuid::new_v4());
        let request = client.get(url.as_str()).header(X_REQUEST_ID.as_str(), &id);
        if let Err(error) = request.send().await {
            let cause = with_causes(&error.without_url());
            return Err(format!("no answer at {url}: {cause}").into());
        }
        seen = probe::seen(admin, &id)?;
        if seen.is_some() {
            break;
        }
    }
    let Some(seen) = seen else {
        return Ok(Found::Absent("other replicas answered at `public.base_url`, not this one"));
    };
    if seen.ignored_forwarded_for {
        let peer = seen.peer;
        return Err(format!(
            "all clients of {base} count as {peer}, a proxy that is not in `http.trusted_proxies`"
        )
        .into());
    }
    Ok(Found::Works(format!("this machine counts as {} at {base}", seen.client)))
}
