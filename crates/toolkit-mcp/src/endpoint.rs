//! MCP endpoint: from a POST to its response.
//!
//! Standard: MCP 2026-07-28, "Streamable HTTP", without streams opened by GET. The order of checks
//! is that of a tool run over REST: the rate limit, then the body, then its content. Only `Host`
//! and `Origin` are checked before, so that a foreign page cannot use up its visitor's rate.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use rmcp::ServerHandler;
use toolkit_server::body::read_json;
use toolkit_server::client_ip::Proxies;
use toolkit_server::error_response::HttpError;
use toolkit_server::middleware;
use toolkit_server::rate_limiter::Limiter;

use crate::envelope::Envelope;
use crate::error;
use crate::fast_path::{FastPath, ToolCall};
use crate::framing::Framing;
use crate::guard::{self, AllowedOrigin, Guard};
use crate::protocol::{VERSION_HEADER, is_supported, single};
use crate::rmcp_adapter::RmcpAdapter;

/// The only method of the protocol here.
const METHODS: HeaderValue = HeaderValue::from_static("POST");

/// State of the endpoint.
pub struct Endpoint<H> {
    /// Allowed hosts and origins.
    pub guard: Guard,
    /// Rate limit per client.
    pub limiter: Limiter,
    /// Identification of clients.
    pub proxies: Proxies,
    /// Maximum size of a body.
    pub body_bytes_max: usize,
    /// Fast path for plain tool calls, if enabled.
    pub fast_path: Option<FastPath>,
    /// Handler of everything else.
    pub rmcp_adapter: RmcpAdapter<H>,
}

impl<H: ServerHandler + Clone> Endpoint<H> {
    async fn answer(
        &self,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<HttpResponse, HttpError> {
        self.limiter.admit(self.proxies.client(request)).await?;
        let body = read_json(request, payload.into_inner(), self.body_bytes_max).await?;
        let framing = Framing::of(request.headers());
        if let Some(fast_path) = &self.fast_path
            && let Some(call) = ToolCall::recognise(request, &body)
        {
            middleware::set_tool(request, call.tool());
            return Ok(framing.answer(request, fast_path.answer(call).await));
        }
        let response = self.forward(request, body).await;
        Ok(framing.reframe(request, response).await)
    }

    /// Passes a request to rmcp.
    async fn forward(&self, request: &HttpRequest, body: Bytes) -> HttpResponse {
        let envelope = Envelope::of(&body);
        if let Some(tool) = envelope.tool() {
            middleware::set_tool(request, tool);
        }
        let version = single(request.headers(), VERSION_HEADER).ok().flatten();
        if let Some(version) = version.filter(|version| !is_supported(version))
            && envelope.has_version_in_header_only()
        {
            return error::unsupported_version(version, envelope.id);
        }
        let arguments = envelope.arguments(&body);
        self.rmcp_adapter.answer(request, body, arguments).await
    }
}

/// Answers a POST.
pub(crate) async fn post<H: ServerHandler + Clone>(
    request: HttpRequest,
    payload: Payload,
    endpoint: Data<Endpoint<H>>,
) -> HttpResponse {
    let origin = endpoint.guard.admit(&request);
    let response = match &origin {
        Ok(_) => endpoint.answer(&request, payload).await,
        Err(refusal) => Err(refusal.clone()),
    };
    finish(origin.ok(), response)
}

/// Answers a preflight, and any other OPTIONS.
pub(crate) async fn options<H: ServerHandler>(
    request: HttpRequest,
    endpoint: Data<Endpoint<H>>,
) -> HttpResponse {
    let origin = endpoint.guard.admit(&request);
    let response = origin.as_ref().map_err(HttpError::clone).map(|origin| {
        let mut response = HttpResponse::NoContent()
            .insert_header((ALLOW, METHODS))
            .finish();
        origin.add_preflight_headers(response.headers_mut());
        response
    });
    finish(origin.ok(), response)
}

/// Answers GET, DELETE and other methods: there are no streams to open and no sessions to end.
pub(crate) async fn other<H: ServerHandler>(
    request: HttpRequest,
    endpoint: Data<Endpoint<H>>,
) -> HttpResponse {
    let origin = endpoint.guard.admit(&request);
    let detail = "The MCP endpoint takes POST only: it has no streams to open by GET and no sessions \
                  to end by DELETE.";
    let refusal = match &origin {
        Ok(_) => HttpError::new(StatusCode::METHOD_NOT_ALLOWED, detail).header(ALLOW, METHODS),
        Err(refusal) => refusal.clone(),
    };
    finish(origin.ok(), Err(refusal))
}

fn finish(
    origin: Option<AllowedOrigin>,
    response: Result<HttpResponse, HttpError>,
) -> HttpResponse {
    let mut response = response.unwrap_or_else(|refusal| refusal.error_response());
    let headers = response.headers_mut();
    guard::vary(headers);
    if let Some(origin) = origin {
        origin.add_cors_headers(headers);
    }
    response
}
