//! Routes: every path on one page, in the order of docs/api.md.

use std::future::ready;

use actix_web::Resource;
use actix_web::http::StatusCode;
use actix_web::web::{self, ServiceConfig, get, post};
use toolkit_server::error_response;
use toolkit_store::Purpose;

use crate::office::{challenge, contact, links, posted, subscribe, subscribers};
use crate::state::State;
use crate::tools::site_pages::PAGES;
use crate::tools::{assets, catalog, not_found, run, site_pages};
use crate::{chat, flags, health};

/// Paths for pages of web sites.
pub(crate) const FOR_SITES: [&str; 3] =
    ["/toolkit/api/contact", "/toolkit/api/subscribe", "/toolkit/api/captcha"];

/// Registers the paths.
pub(crate) fn configure(config: &mut ServiceConfig, state: &State) {
    config
        .service(read("/toolkit/api/tools").route(get().to(catalog::get)))
        .service(read("/toolkit/api/tools.json").route(get().to(catalog::get)))
        .service(write("/toolkit/api/tools/{slug}/run").route(post().to(run::post)))
        .service(read("/toolkit/api/flags").route(get().to(flags::get)))
        .service(read("/toolkit/api/health").route(get().to(health::get)))
        .service(write("/toolkit/api/chat").route(post().to(chat::post)))
        .service(write("/toolkit/api/contact").route(post().to(posted::post::<contact::Request>)))
        .service(
            write("/toolkit/api/subscribe").route(post().to(posted::post::<subscribe::Request>)),
        )
        .service(read("/toolkit/api/captcha").route(get().to(challenge::get)))
        .service(read("/toolkit/api/subscribers").route(get().to(subscribers::get)));
    // Links in confirmation mails.
    config
        .service(link("/toolkit/api/subscribe/confirm", Purpose::Confirm))
        .service(link("/toolkit/api/unsubscribe", Purpose::Unsubscribe));
    site(config, state);
    config.default_service(web::to(not_found::get));
}

/// The web pages, below the configured path.
fn site(config: &mut ServiceConfig, state: &State) {
    let site = &state.site;
    for page in &PAGES {
        let get_page = move |request, state| site_pages::get(page, request, state);
        config.service(read(&page.route(site)).route(get().to(get_page)));
    }
    // Any method, since the allowed ones depend on whether the tool or file exists.
    let tool = ["/tools/{slug}", "/tools/{slug}/"].map(|path| site.route(path));
    config
        .service(web::resource(tool).to(site_pages::tool))
        .service(web::resource(site.route("/assets/{version}/{path:.*}")).to(assets::get));
    if !site.routes.is_empty() {
        for (path, status) in
            [(site.routes.as_str(), StatusCode::PERMANENT_REDIRECT), ("/", StatusCode::FOUND)]
        {
            let home = site.path("/");
            let to_home = move || ready(site_pages::redirect(status, &home));
            config.service(read(path).route(get().to(to_home)));
        }
    }
}

/// A path for GET. The middleware answers HEAD.
fn read(path: &str) -> Resource {
    web::resource(path).default_service(error_response::only("GET, HEAD"))
}

/// A path with a page, its button, and the button's action.
fn link(path: &str, purpose: Purpose) -> Resource {
    web::resource(path)
        .route(get().to(move |request, state| links::get(purpose, request, state)))
        .route(
            post().to(move |request, payload, state| links::post(purpose, request, payload, state)),
        )
        .default_service(error_response::only("GET, HEAD, POST"))
}

/// A path for POST.
fn write(path: &str) -> Resource {
    web::resource(path).default_service(error_response::only("POST"))
}
