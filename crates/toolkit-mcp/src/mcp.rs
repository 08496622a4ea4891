//! The MCP server as a part of a server process: built from the settings, mounted on an app.

use std::sync::Arc;

use actix_web::web::{Data, ServiceConfig};
use toolkit_server::client_ip::Proxies;
use toolkit_server::rate_limiter::{Limiter, Redis, RedisUrlError};
use toolkit_server::settings::{PublicUrls, Settings};

use crate::discovery::Documents;
use crate::door::Door;
use crate::endpoint::Endpoint;
use crate::guard::Guard;
use crate::handler::Handler;
use crate::identity::{Identity, website};
use crate::protocol::SUPPORTED;
use crate::rmcp_adapter::RmcpAdapter;
use crate::routes;

/// The endpoint and the documents that describe it.
#[derive(Clone)]
pub struct Mcp {
    documents: Arc<Documents>,
    endpoint: Data<Endpoint<Handler>>,
}

impl Mcp {
    /// Prepares the endpoint and static responses.
    ///
    /// # Errors
    ///
    /// When the URL of Redis is invalid.
    pub fn new(settings: &Settings, urls: &PublicUrls) -> Result<Self, RedisUrlError> {
        let identity = Identity::remote(urls, settings.http.body_limit_bytes);
        Ok(Self {
            documents: Arc::new(Documents::new(urls)),
            endpoint: Data::new(endpoint(settings, urls, &identity)?),
        })
    }

    /// Registers the paths.
    pub fn configure(&self, config: &mut ServiceConfig) {
        // In this order, so that a call is not matched against patterns.
        routes::endpoint(config, &self.endpoint);
        routes::documents(config, &self.documents);
    }
}

fn endpoint(
    settings: &Settings,
    urls: &PublicUrls,
    identity: &Identity,
) -> Result<Endpoint<Handler>, RedisUrlError> {
    let limits = &settings.limits;
    let redis = limits.redis_url.as_ref().map(Redis::connect).transpose()?;
    let body_bytes_max = settings.http.body_limit_bytes;
    Ok(Endpoint {
        guard: Guard::new(settings.mcp.hosts(&urls.mcp_url), settings.mcp.origins()),
        limiter: Limiter::new("mcp", limits.mcp_per_minute, limits.mcp_burst).shared(redis),
        proxies: Proxies::new(settings.http.trusted_proxies.clone()),
        body_bytes_max,
        door: Some(Door::new(identity, body_bytes_max)),
        rmcp_adapter: RmcpAdapter::new(Handler::new(identity, SUPPORTED), body_bytes_max),
        page: website(urls).as_str().to_owned(),
    })
}
