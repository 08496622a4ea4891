//! Every path, on one page, in the order of the interface specification.

use std::future::ready;

use actix_web::web::{self, Data, ServiceConfig, get, post};
use actix_web::{HttpRequest, Resource};
use toolkit_http::detail;
use toolkit_store::Purpose;

use crate::handlers::{catalog, chat, contact, flags, health, links, pages, run, subscribe};
use crate::state::State;

/// Sets up the paths.
pub(crate) fn configure(config: &mut ServiceConfig, state: &State) {
    // A prefix, so that a run, which is the rest of it, is found by one comparison of strings.
    config.service(
        web::scope("/toolkit/api/tools")
            .service(read("").route(get().to(catalog::get)))
            .default_service(web::to(run::dispatch)),
    );
    config
        .service(read("/toolkit/api/tools.json").route(get().to(catalog::get)))
        .service(read("/toolkit/api/flags").route(get().to(flags::get)))
        .service(read("/toolkit/api/health").route(get().to(health::get)))
        .service(write("/toolkit/api/chat").route(post().to(chat::post)))
        .service(write("/toolkit/api/contact").route(post().to(contact::post)))
        .service(write("/toolkit/api/subscribe").route(post().to(subscribe::post)));
    // Beyond the specification: the links of confirmation mails.
    config
        .service(link("/toolkit/api/subscribe/confirm", Purpose::Confirm))
        .service(link("/toolkit/api/unsubscribe", Purpose::Unsubscribe));
    // Beyond the specification: the documentation, below the address of the web pages.
    for (path, page) in state.pages.all() {
        config.service(read(&path).route(get().to(
            move |request: HttpRequest, state: Data<State>| {
                ready(pages::get(page, &request, &state))
            },
        )));
    }
    config.default_service(detail::not_found());
}

/// A path to read from. The edge answers HEAD where there is GET.
fn read(path: &str) -> Resource {
    web::resource(path).default_service(detail::only("GET, HEAD"))
}

/// A path that shows a page with a button, and does what the button says.
fn link(path: &str, purpose: Purpose) -> Resource {
    web::resource(path)
        .route(get().to(move |request, state| links::get(purpose, request, state)))
        .route(
            post().to(move |request, payload, state| links::post(purpose, request, payload, state)),
        )
        .default_service(detail::only("GET, HEAD, POST"))
}

/// A path to post to.
fn write(path: &str) -> Resource {
    web::resource(path).default_service(detail::only("POST"))
}
