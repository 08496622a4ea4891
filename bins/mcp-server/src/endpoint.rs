//! MCP endpoint: from a POST to its response.
//!
//! Standard: MCP 2026-07-28, "Streamable HTTP", without streams that a client opens by GET. The
//! order of checks is that of a tool run over REST: the rate, then the body, then what is in it.
//! Only whom the server answers at all is checked before, so that a foreign page cannot use up its
//! visitor's rate.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use rmcp::ServerHandler;
use toolkit_http::body::read_json;
use toolkit_http::client_ip::Proxies;
use toolkit_http::error_response::HttpError;
use toolkit_http::middleware;
use toolkit_http::rate_limiter::Limiter;

use crate::envelope::Envelope;
use crate::error;
use crate::fast_path::{FastPath, ToolCall};
use crate::framing::Framing;
use crate::guard::{self, Guard, Page};
use crate::protocol::{VERSION_HEADER, is_supported, single};
use crate::rmcp_adapter::RmcpAdapter;

/// The one method that the protocol has here.
const METHODS: HeaderValue = HeaderValue::from_static("POST");

/// Everything that the endpoint rests on.
pub struct Endpoint<H> {
    /// Whom it answers.
    pub guard: Guard,
    /// How often one client may ask.
    pub limiter: Limiter,
    /// Who a client is.
    pub proxies: Proxies,
    /// The largest body.
    pub body_bytes_max: usize,
    /// What answers plain calls of tools, if anything does.
    pub fast_path: Option<FastPath>,
    /// What answers the rest.
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
            return Ok(framing.answer(fast_path.answer(call).await));
        }
        let response = self.forward(request, body).await;
        Ok(framing.reframe(response).await)
    }

    /// Asks rmcp.
    async fn forward(&self, request: &HttpRequest, body: Bytes) -> HttpResponse {
        let envelope = Envelope::of(&body);
        if let Some(tool) = envelope.tool() {
            middleware::set_tool(request, tool);
        }
        let version = single(request.headers(), VERSION_HEADER).ok().flatten();
        if let Some(version) = version.filter(|version| !is_supported(version))
            && envelope.goes_by_header()
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
    let page = endpoint.guard.admit(&request);
    let response = match &page {
        Ok(_) => endpoint.answer(&request, payload).await,
        Err(refusal) => Err(refusal.clone()),
    };
    finish(page.ok(), response)
}

/// Answers a preflight, and any other OPTIONS.
pub(crate) async fn options<H: ServerHandler>(
    request: HttpRequest,
    endpoint: Data<Endpoint<H>>,
) -> HttpResponse {
    let page = endpoint.guard.admit(&request);
    let response = page.as_ref().map_err(HttpError::clone).map(|page| {
        let mut response = HttpResponse::NoContent()
            .insert_header((ALLOW, METHODS))
            .finish();
        page.let_send(response.headers_mut());
        response
    });
    finish(page.ok(), response)
}

/// Answers GET, DELETE and what else there is: there are no streams to open and no sessions to end.
pub(crate) async fn other<H: ServerHandler>(
    request: HttpRequest,
    endpoint: Data<Endpoint<H>>,
) -> HttpResponse {
    let page = endpoint.guard.admit(&request);
    let detail = "The MCP endpoint takes POST only: it has no streams to open by GET and no sessions \
                  to end by DELETE.";
    let refusal = match &page {
        Ok(_) => HttpError::new(StatusCode::METHOD_NOT_ALLOWED, detail).header(ALLOW, METHODS),
        Err(refusal) => refusal.clone(),
    };
    finish(page.ok(), Err(refusal))
}

fn finish(page: Option<Page>, response: Result<HttpResponse, HttpError>) -> HttpResponse {
    let mut response = response.unwrap_or_else(|refusal| refusal.error_response());
    let headers = response.headers_mut();
    guard::vary(headers);
    if let Some(page) = page {
        page.let_read(headers);
    }
    response
}
