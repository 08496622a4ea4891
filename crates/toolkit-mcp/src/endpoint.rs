//! MCP endpoint: from a POST to its response.
//!
//! Standard: MCP 2026-07-28, "Streamable HTTP", without streams opened by GET. Checks come in the
//! order of a tool run over REST: rate limit, body, content. Only `Host` and `Origin` are checked
//! earlier, so that a foreign page cannot use up its visitor's rate.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, AUTHORIZATION, HeaderValue};
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use rmcp::ServerHandler;
use toolkit_server::accounts::Account;
use toolkit_server::body::read_json;
use toolkit_server::error_response::HttpError;
use toolkit_server::middleware;
use toolkit_server::rate_limiter::Limiter;
use toolkit_server::settings::TokensFile;
use toolkit_server::snapshot::Snapshot;

use crate::error;
use crate::framing::Framing;
use crate::guard::{self, AllowedOrigin, Guard};
use crate::message::Message;
use crate::protocol::{VERSION_HEADER, is_supported, single};
use crate::rmcp_adapter::RmcpAdapter;
use crate::tool_calls::{Request, ToolCalls};

/// The only method accepted here.
const METHODS: HeaderValue = HeaderValue::from_static("POST");

/// Access rules, which an operator can change while the server runs.
pub struct Access {
    /// Rate limit per client.
    pub limiter: Arc<Limiter>,
    /// Tokens of which a caller needs one, if any.
    pub tokens: Option<TokensFile>,
}

impl Default for Access {
    /// Access for everyone, without limits.
    fn default() -> Self {
        Self { limiter: Arc::new(Limiter::new("mcp", 0, 1)), tokens: None }
    }
}

/// State of the endpoint.
pub struct Endpoint<H> {
    /// Allowed hosts and origins.
    pub guard: Guard,
    /// Access rules: who may call, and how often.
    pub access: Snapshot<Access>,
    /// Maximum size of a body.
    pub body_bytes_max: usize,
    /// Lists and calls our tools, if offered.
    pub tool_calls: Option<ToolCalls>,
    /// Handler of everything else.
    pub rmcp_adapter: RmcpAdapter<H>,
    /// Address of the page that says how to connect.
    pub page: String,
}

impl<H: ServerHandler + Clone> Endpoint<H> {
    async fn answer(
        &self,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<HttpResponse, HttpError> {
        let access = self.access.load();
        access.limiter.admit(Account::of(request).client()).await?;
        access.authorize(request)?;
        let body = read_json(request, payload.into_inner(), self.body_bytes_max).await?;
        let message = Message::read(&body);
        let framing = Framing::of(request);
        if let Some(tool) = message.as_ref().and_then(Message::tool) {
            middleware::set_tool(request, tool);
        }
        if let (Some(tool_calls), Some(message)) = (&self.tool_calls, &message)
            && let Some(passed) = parse_call(request, message, &body)
        {
            return Ok(framing.answer(request, tool_calls.answer(passed).await));
        }
        let refused = message.and_then(|message| refuse(request, message));
        let response = match refused {
            Some(refusal) => refusal,
            None => self.rmcp_adapter.answer(request, body).await,
        };
        Ok(framing.reframe(request, response).await)
    }
}

impl Access {
    /// Checks a caller's token, after the rate limit so that tokens cannot be guessed.
    fn authorize(&self, request: &HttpRequest) -> Result<(), HttpError> {
        let Some(tokens) = &self.tokens else {
            return Ok(());
        };
        let sent = single(request.headers(), AUTHORIZATION.as_str());
        let token = sent.ok().flatten().and_then(|sent| sent.split_once(' '));
        match token {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && tokens.has(token) => {
                Ok(())
            }
            _ => {
                let detail = "Send a token that the operator of this server gave you, as \
                              `Authorization: Bearer …`.";
                Err(HttpError::new(StatusCode::UNAUTHORIZED, detail).authenticate("Bearer"))
            }
        }
    }
}

/// Refuses what rmcp would refuse without a reason.
fn refuse(request: &HttpRequest, message: Message<'_>) -> Option<HttpResponse> {
    let version = single(request.headers(), VERSION_HEADER).ok().flatten()?;
    let is_unknown = !is_supported(version) && message.has_version_in_header_only();
    is_unknown.then(|| error::unsupported_version(version, message.id))
}

fn parse_call(request: &HttpRequest, message: &Message<'_>, body: &Bytes) -> Option<Request> {
    let client = Some(Account::of(request));
    let log_id = middleware::request_id(request);
    Request::parse_call(message, body, Some(request.headers()), client, log_id)
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
        let mut response = HttpResponse::NoContent().insert_header((ALLOW, METHODS)).finish();
        origin.add_preflight_headers(response.headers_mut());
        response
    });
    finish(origin.ok(), response)
}

/// Answers GET, DELETE and other methods, since there are no streams to open and no sessions to
/// end.
pub(crate) async fn other<H: ServerHandler>(
    request: HttpRequest,
    endpoint: Data<Endpoint<H>>,
) -> HttpResponse {
    let origin = endpoint.guard.admit(&request);
    let detail = format!(
        "The MCP endpoint takes POST only: it has no streams to open by GET and no sessions to end by \
         DELETE. How to connect: {}",
        endpoint.page,
    );
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
