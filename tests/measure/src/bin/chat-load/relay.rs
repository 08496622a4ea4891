//! Relay: a server that only forwards what a provider sends, with the same libraries.

use std::io;

use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpResponse, HttpServer};
use futures::stream::try_unfold;
use reqwest::Client;

struct Upstream {
    client: Client,
    url: String,
}

/// Serves at the address given in the arguments of the program.
pub(crate) fn main(address: &str, url: &str) -> io::Result<()> {
    let upstream =
        Data::new(Upstream { client: Client::new(), url: format!("{url}/v1/chat/completions") });
    actix_web::rt::System::new().block_on(
        HttpServer::new(move || {
            App::new().app_data(upstream.clone()).default_service(web::route().to(pass_on))
        })
        .workers(1)
        .tcp_nodelay(true)
        .bind(address)?
        .run(),
    )
}

async fn pass_on(body: Bytes, upstream: Data<Upstream>) -> actix_web::Result<HttpResponse> {
    let failed = actix_web::error::ErrorBadGateway::<reqwest::Error>;
    let request = upstream.client.post(&upstream.url).body(body);
    let response = request.send().await.map_err(failed)?;
    let chunks = try_unfold(response, move |mut response| async move {
        let chunk = response.chunk().await.map_err(failed)?;
        Ok::<_, actix_web::Error>(chunk.map(|chunk| (chunk, response)))
    });
    Ok(HttpResponse::Ok().content_type("text/event-stream").streaming(Box::pin(chunks)))
}
