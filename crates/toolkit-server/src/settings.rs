//! Settings: defaults, then a TOML file, then the environment.
//!
//! [`Settings`] is plain data, with one struct per section, declared once by `schema::section!`.
//! The field documentation is the reference: `docs/configuration.md` and `toolkit.example.toml` are
//! generated from it. [`Settings::load`] checks everything and reports each fault on its own line.

mod api;
mod app;
mod captcha;
mod cautions;
mod database;
mod effective;
mod error;
mod flags;
mod http;
mod limits;
mod llm;
mod load;
mod log;
mod mail;
mod mcp;
mod privacy;
mod public;
mod schema;
mod telemetry;
mod turnstile;
mod value;
mod webhook;

use std::net::SocketAddr;

pub use self::api::Api;
pub use self::app::{App, Language};
pub use self::captcha::{Captcha, CaptchaKind};
pub use self::database::Database;
pub use self::error::SettingsError;
pub use self::flags::Flags;
pub use self::http::Http;
pub use self::limits::Limits;
pub use self::llm::{Effort, Llm, Provider, ProviderKind};
pub use self::log::{Log, LogFormat, LogLevel};
pub use self::mail::{Mail, MailTransport};
pub use self::mcp::Mcp;
pub use self::privacy::Privacy;
pub use self::public::{Link, Public, PublicUrls};
pub use self::schema::{Key, Kind};
pub use self::telemetry::Telemetry;
pub use self::turnstile::Turnstile;
pub(crate) use self::value::is_local;
pub use self::value::{
    ConfirmText, DatabaseUrl, EVENTS, EventName, Headers, HostName, Hosts, HttpUrl, Line, Mailbox,
    ModelUrl, Network, Origin, Origins, ProxyUrl, RedisUrl, Secret, ServiceName, Slug, SmtpUrl,
    SvgFile, TokensFile, WebhookSecret, WebhookUrl,
};
pub use self::webhook::{Webhook, WebhookFormat};

impl Settings {
    /// Every setting by section, with meaning, type and default.
    pub fn sections() -> &'static [Key] {
        schema::WHOLE.keys()
    }

    /// The listener of a separate MCP server, if there is to be one.
    pub fn mcp_apart(&self) -> Option<SocketAddr> {
        (!self.api.mcp).then_some(self.mcp.bind)
    }

    /// The keys below `path` whose values differ in `new`.
    pub(crate) fn changes(&self, new: &Self, path: &str) -> Vec<String> {
        schema::Setting::changes(self, new, path)
    }

    /// Whether the REST server has the MCP endpoint.
    pub fn has_mcp(&self, urls: &PublicUrls) -> bool {
        self.api.mcp && urls.shares_address()
    }
}

/// The settings file read by default, if the working directory has it.
pub const FILE_NAME: &str = "toolkit.toml";

schema::section! {
    /// Everything that can be set. Both servers read this type, so one file configures both.
    pub struct Settings {
        /// Listeners of the REST server.
        pub api: Api = Api::default();
        /// Listeners of the MCP server, and the hosts and origins that it accepts.
        pub mcp: Mcp = Mcp::default();
        /// Name of the service and its public URLs. Set the URLs if clients reach the servers
        /// through a proxy.
        pub public: Public = Public::default();
        /// Connections and requests, for both servers.
        pub http: Http = Http::default();
        /// Rate limits per client address (IPv6: per /64; contact and subscribe also per /56 and
        /// /48, with 2 and 4 times the rate).
        pub limits: Limits = Limits::default();
        /// Database for keys, messages, subscriptions and queued mail.
        pub database: Database = Database::default();
        /// Feature flags for front ends.
        pub flags: Flags = Flags::default();
        /// The check that a person is sending a form.
        pub captcha: Captcha = Captcha::default();
        /// The Cloudflare Turnstile check of contact messages.
        pub turnstile: Turnstile = Turnstile::default();
        /// Mail to the operator and to subscribers.
        pub mail: Mail = Mail::default();
        /// The language models of chat.
        pub llm: Llm = Llm::default();
        /// The log, on standard output.
        pub log: Log = Log::default();
        /// Retention of personal data.
        pub privacy: Privacy = Privacy::default();
        /// Web sites whose newsletters and forms the service handles. If any are configured,
        /// `app_id` must be one of them. If none are, callers may use any `app_id`, and mails do
        /// not quote one that looks like an address.
        pub apps: Vec<App> = Vec::new();
        /// Webhooks: receivers of events, each in its own request.
        pub webhooks: Vec<Webhook> = Vec::new();
        /// Traces for an OpenTelemetry collector.
        pub telemetry: Telemetry = Telemetry::default();
    }
}
