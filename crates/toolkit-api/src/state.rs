//! Application state, shared by the handlers. `api.rs` fills it, so it imports none of them.

use std::sync::Arc;
use std::time::Instant;

use actix_web::web::Bytes;
use toolkit_llm::Chain;
use toolkit_server::runner::Runner;
use toolkit_server::static_response::StaticResponse;
use toolkit_store::{KeyCache, Store};

use crate::chat::open_streams::OpenStreams;
use crate::office::apps::Apps;
use crate::office::captcha::Captcha;
use crate::rate_limits::RateLimits;
use crate::site::Site;
use crate::tools::response_cache::ResponseCache;

/// Data shared by the handlers. New settings replace it as a whole.
pub(crate) struct State {
    pub(crate) started: Instant,
    pub(crate) body_bytes_max: usize,
    pub(crate) rate_limits: Arc<RateLimits>,
    pub(crate) runner: Arc<Runner>,
    pub(crate) store: Store,
    pub(crate) keys: Arc<KeyCache>,
    pub(crate) chain: Chain,
    /// Maximum tool rounds per chat. 0 offers no tools.
    pub(crate) tool_rounds: u32,
    /// Whether clients get the models' reasoning.
    pub(crate) show_reasoning: bool,
    pub(crate) streams: Arc<OpenStreams>,
    pub(crate) captcha: Option<Captcha>,
    pub(crate) catalog: StaticResponse,
    pub(crate) flags: Bytes,
    pub(crate) site: Site,
    pub(crate) apps: Apps,
    pub(crate) pages: ResponseCache,
    pub(crate) assets: ResponseCache,
}
