//! MCP server: built from the settings and mounted on an app.

use std::sync::Arc;

use actix_web::web::{Data, ServiceConfig};
use toolkit_server::rate_limiter::{Limiter, Redis, RedisUrlError};
use toolkit_server::runner::Runner;
use toolkit_server::settings::{HttpUrl, PublicUrls, Settings};
use toolkit_server::snapshot::Snapshot;

use crate::discovery::Documents;
use crate::endpoint::{Access, Endpoint};
use crate::guard::Guard;
use crate::handler::Handler;
use crate::identity::{Identity, website};
use crate::protocol::SUPPORTED;
use crate::rmcp_adapter::RmcpAdapter;
use crate::routes;
use crate::tool_calls::ToolCalls;

/// The endpoint and the documents that describe it.
#[derive(Clone)]
pub struct Mcp {
    address: HttpUrl,
    documents: Arc<Documents>,
    endpoint: Data<Endpoint<Handler>>,
}

impl Mcp {
    /// Prepares the endpoint and static responses. The process's runner runs the tools.
    ///
    /// # Errors
    ///
    /// When the Redis URL is invalid.
    pub fn new(
        settings: &Settings,
        urls: &PublicUrls,
        runner: Arc<Runner>,
    ) -> Result<Self, RedisUrlError> {
        let identity = Identity::remote(urls, settings.http.body_limit_bytes);
        Ok(Self {
            address: urls.mcp_url.clone(),
            documents: Arc::new(Documents::new(urls)),
            endpoint: Data::new(endpoint(settings, urls, &identity, runner)?),
        })
    }

    /// Prepares newer access rules. Rate limit counts are kept unless the limits change.
    ///
    /// # Errors
    ///
    /// When the Redis URL is invalid.
    pub fn prepare(
        &self,
        settings: &Settings,
        next: &Settings,
    ) -> Result<impl FnOnce() + Send + use<>, RedisUrlError> {
        let kept = (settings.limits == next.limits).then(|| self.endpoint.access.load());
        let limiter = match kept {
            Some(access) => Arc::clone(&access.limiter),
            None => limiter(next)?,
        };
        let access = Access { limiter, tokens: next.mcp.tokens_file.clone() };
        let place = self.endpoint.access.clone();
        Ok(move || place.store(access))
    }

    /// Registers the endpoint's paths. They come first, so that calls are not matched against
    /// patterns.
    pub fn endpoint(&self, config: &mut ServiceConfig) {
        routes::endpoint(config, &self.endpoint);
    }

    /// Registers the paths of the documents, and those where clients look without finding anything.
    pub fn documents(&self, config: &mut ServiceConfig) {
        routes::documents(config, &self.documents, self.endpoint.access.load().tokens.is_none());
        routes::elsewhere(config, &routes::MISSES, &self.address);
    }
}

/// The part of MCP that a REST server serves.
#[derive(Clone)]
pub enum McpMount {
    /// The endpoint and its documents.
    All(Mcp),
    /// Only the address of the endpoint.
    Address(HttpUrl),
}

impl McpMount {
    /// Prepares what the settings ask for.
    ///
    /// # Errors
    ///
    /// When the Redis URL is invalid.
    pub fn new(
        settings: &Settings,
        urls: &PublicUrls,
        runner: Arc<Runner>,
    ) -> Result<Self, RedisUrlError> {
        if settings.has_mcp(urls) {
            Mcp::new(settings, urls, runner).map(Self::All)
        } else {
            Ok(Self::Address(urls.mcp_url.clone()))
        }
    }

    /// Prepares newer settings, like [`Mcp::prepare`].
    ///
    /// # Errors
    ///
    /// When the Redis URL is invalid.
    pub fn prepare(
        &self,
        settings: &Settings,
        next: &Settings,
    ) -> Result<impl FnOnce() + Send + use<>, RedisUrlError> {
        let prepared = match self {
            Self::All(mcp) => Some(mcp.prepare(settings, next)?),
            Self::Address(_) => None,
        };
        Ok(move || prepared.into_iter().for_each(|apply| apply()))
    }

    /// Registers the paths around the API's: calls come first, documents last.
    pub fn configure(&self, config: &mut ServiceConfig, api: impl FnOnce(&mut ServiceConfig)) {
        match self {
            Self::All(mcp) => {
                mcp.endpoint(config);
                api(config);
                mcp.documents(config);
            }
            Self::Address(address) => {
                routes::elsewhere(config, &routes::ENDPOINT, address);
                routes::elsewhere(config, &routes::MISSES, address);
                api(config);
            }
        }
    }
}

fn limiter(settings: &Settings) -> Result<Arc<Limiter>, RedisUrlError> {
    let limits = &settings.limits;
    let redis = limits.redis_url.as_ref().map(Redis::connect).transpose()?;
    Ok(Arc::new(Limiter::new("mcp", limits.mcp_per_minute, limits.mcp_burst).shared(redis)))
}

fn endpoint(
    settings: &Settings,
    urls: &PublicUrls,
    identity: &Identity,
    runner: Arc<Runner>,
) -> Result<Endpoint<Handler>, RedisUrlError> {
    let body_bytes_max = settings.http.body_limit_bytes;
    Ok(Endpoint {
        guard: Guard::new(settings.mcp.hosts(&urls.mcp_url), settings.mcp.origins()),
        access: Snapshot::new(Access {
            limiter: limiter(settings)?,
            tokens: settings.mcp.tokens_file.clone(),
        }),
        body_bytes_max,
        tool_calls: Some(ToolCalls::new(identity, body_bytes_max, runner)),
        rmcp_adapter: RmcpAdapter::new(Handler::new(identity, SUPPORTED), body_bytes_max),
        page: website(urls).as_str().to_owned(),
    })
}
