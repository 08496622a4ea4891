//! `doctor`: tries what a server reaches with these settings, a line for each part.
//!
//! Nothing is stored, and no line has a secret. A model is asked for one word, and a webhook gets its
//! test event.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use reqwest::Client;
use tokio::time::timeout;
use toolkit_llm::{Conversation, Message};
use toolkit_server::rate_limiter::Redis;
use toolkit_server::request_id::X_REQUEST_ID;
use toolkit_server::settings::{Llm, MailTransport, Provider, Settings};
use toolkit_server::{probe, tls};
use toolkit_store::Store;
use uuid::Uuid;

use super::{CONNECTIONS, CommandError};
use crate::turnstile::Turnstile;
use crate::webhooks::Webhooks;
use crate::{captcha, http_client, llm, mail};

/// Longest wait for a part, but a model.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longest wait for a model, which may have to be loaded.
const MODEL_PATIENCE: Duration = Duration::from_mins(1);

/// What was found of a part.
enum Found {
    Works(String),
    /// Not there to be tried.
    Absent(&'static str),
    Fails(String),
}

/// What was found, or why it does not work.
type Tried = Result<Found, Box<dyn std::error::Error>>;

/// Tries everything and prints a line as soon as it is known.
pub(super) async fn run(settings: &Settings) -> Result<String, CommandError> {
    let mut report = Report { failures: 0 };
    report.line("database", within(PATIENCE, database(settings)).await);
    report.line("Redis", within(PATIENCE, redis(settings)).await);
    report.line("mail", within(PATIENCE, mail(settings)).await);
    if settings.llm.providers.is_empty() {
        report.line("models", Found::Absent("there are no `llm.providers`, so chat is off"));
    }
    for provider in &settings.llm.providers {
        let asked = within(MODEL_PATIENCE, model(settings, provider)).await;
        report.line(&format!("model {}", provider.name), asked);
    }
    report.line("captcha", within(PATIENCE, captcha(settings)).await);
    report.webhooks(settings).await;
    report.line("client address", within(PATIENCE, client_address(settings)).await);
    match report.failures {
        0 => Ok(String::new()),
        1 => Err("1 part does not work".into()),
        failures => Err(format!("{failures} parts do not work").into()),
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
            Found::Fails(why) => {
                self.failures += 1;
                ("failed", why)
            }
        };
        let about = about.replace(['\n', '\r'], " ");
        // A closed standard output cannot be reported.
        let _ = writeln!(io::stdout(), "{word:<7} {part}: {about}");
    }

    async fn webhooks(&mut self, settings: &Settings) {
        if settings.webhooks.is_empty() {
            return self.line("webhooks", Found::Absent("there are none"));
        }
        match Webhooks::new(settings) {
            Ok(webhooks) => {
                for (url, answer) in webhooks.test(None).await {
                    let accepted = answer.map(|()| Found::Works("accepted its test".to_owned()));
                    self.line(&format!("webhook {url}"), accepted.unwrap_or_else(Found::Fails));
                }
            }
            Err(error) => self.line("webhooks", Found::Fails(error.to_string())),
        }
    }
}

async fn within(time: Duration, trial: impl Future<Output = Tried>) -> Found {
    match timeout(time, trial).await {
        Ok(tried) => tried.unwrap_or_else(|error| Found::Fails(error.to_string())),
        Err(_) => Found::Fails(format!("no answer within {} s", time.as_secs())),
    }
}

fn since(started: Instant) -> impl Display {
    format!("answered in {} ms", started.elapsed().as_millis())
}

async fn database(settings: &Settings) -> Tried {
    let url = &settings.database.url;
    if Store::file(url.expose()).is_some_and(|file| !file.exists()) {
        return Ok(Found::Absent("there is no file yet; the server makes it when it starts"));
    }
    let started = Instant::now();
    let store = Store::open_current(url.expose(), CONNECTIONS).await?;
    let backend = store.backend().as_str();
    store.close().await;
    Ok(Found::Works(format!("{backend} takes writes, {}", since(started))))
}

async fn redis(settings: &Settings) -> Tried {
    let Some(url) = &settings.limits.redis_url else {
        return Ok(Found::Absent("each process counts its limits alone"));
    };
    let started = Instant::now();
    Redis::test(url).await?;
    Ok(Found::Works(since(started).to_string()))
}

async fn mail(settings: &Settings) -> Tried {
    if settings.mail.transport == MailTransport::Log {
        return Ok(Found::Absent("mail goes to the log: `mail.transport` is `log`"));
    }
    mail::check(settings)?;
    let started = Instant::now();
    mail::connect(settings).await?;
    Ok(Found::Works(format!("the mail server takes the login, {}", since(started))))
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
            let last = error.attempts().last().map(|attempt| attempt.error().to_string());
            Err(last.unwrap_or_else(|| error.to_string()).into())
        }
    }
}

async fn captcha(settings: &Settings) -> Tried {
    let Some(secret) = captcha::turnstile_secret(settings) else {
        return Ok(if captcha::is_configured(settings) {
            Found::Works("ALTCHA needs no other server".to_owned())
        } else {
            Found::Absent("there is none")
        });
    };
    let started = Instant::now();
    let turnstile = Turnstile::new(settings, secret, http_client::client(settings)?);
    turnstile.test().await?;
    Ok(Found::Works(format!("Turnstile takes the secret, {}", since(started))))
}

/// Asks the running server, by its admin port, for whose a request to the public URL counts.
async fn client_address(settings: &Settings) -> Tried {
    let not_running = Found::Absent("no server answers at `api.admin_bind`, which is asked for it");
    let admin = settings.api.admin_bind.filter(|&admin| probe::probe(Some(admin)).is_ok());
    let Some(admin) = admin else {
        return Ok(not_running);
    };
    let urls = settings.public.resolve(settings.api.bind, settings.mcp_apart());
    let base = urls.base_url;
    let url = base.join("/toolkit/api/flags");
    let builder = Client::builder().timeout(PATIENCE);
    let client = tls::client(builder, url.as_str().starts_with("https:"))?;
    let id = format!("{}{}", probe::DOCTOR, Uuid::new_v4());
    let request = client.get(url.as_str()).header(X_REQUEST_ID.as_str(), &id);
    if let Err(error) = request.send().await {
        return Err(format!("no answer at {url}: {}", error.without_url()).into());
    }
    let Some(seen) = probe::seen(admin, &id)? else {
        return Err(format!("the request to {url} did not reach this server").into());
    };
    if seen.is_named_in_vain {
        let peer = seen.peer;
        return Err(format!(
            "all clients of {base} count as {peer}, a proxy that is not in `http.trusted_proxies`"
        )
        .into());
    }
    Ok(Found::Works(format!("this machine is {} at {base}", seen.client)))
}
