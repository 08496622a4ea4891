//! Application state shared by the handlers. It imports none of them: `api.rs` fills it.

use std::sync::Arc;
use std::time::Instant;

use actix_web::web::Bytes;
use toolkit_llm::Chain;
use toolkit_server::runner::Runner;
use toolkit_server::static_response::StaticResponse;
use toolkit_store::{KeyCache, Store};

use crate::apps::Apps;
use crate::captcha::Captcha;
use crate::open_streams::OpenStreams;
use crate::rate_limits::RateLimits;
use crate::response_cache::ResponseCache;
use crate::site::Site;

/// Shared data of the handlers; new settings replace it as a whole.
pub(crate) struct State {
    pub(crate) started: Instant,
    pub(crate) body_bytes_max: usize,
    pub(crate) rate_limits: Arc<RateLimits>,
    pub(crate) runner: Arc<Runner>,
    pub(crate) store: Store,
    pub(crate) keys: Arc<KeyCache>,
    pub(crate) chain: Chain,
    /// Maximum rounds of tools per chat; with 0 none are offered.
    pub(crate) tool_rounds: u32,
    /// Whether clients are shown the reasoning of models.
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
