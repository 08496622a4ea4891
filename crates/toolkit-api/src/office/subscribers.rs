//! `GET /toolkit/api/subscribers`: subscribers with their unsubscribe links, for a mailing tool.

use actix_web::web::Query;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_server::snapshot::Current;
use toolkit_store::limits::PAGE_ROWS;
use toolkit_store::{AppId, AuditEntry, Scope, SubscriberFilter, Ulid};

use crate::error::{self, ApiError};
use crate::office::listed::{Listed, state};
use crate::sender::{self, Sender};
use crate::state::State;

/// A page of subscribers.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Page {
    /// The subscribers, oldest first.
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    subscribers: Vec<Listed>,
    /// Value of `after` for the next page. Null after the last one.
    next: Option<String>,
}

/// Lists a page of subscribers.
pub(crate) async fn get(
    request: HttpRequest,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    state.rate_limits.links.admit(&request).await?;
    let presented = sender::presented(&request);
    let Sender { key, .. } =
        Sender::check(&request, &state, presented, Scope::SubscribersRead).await?;
    let (filter, after) = filter(&request)?;
    let entry = AuditEntry {
        at: OffsetDateTime::now_utc(),
        actor: format!("key {key}"),
        action: "subscribers.read".to_owned(),
        about: filter.app_id.as_ref().map_or("all apps", AppId::as_str).to_owned(),
    };
    let read = async {
        // Once for all pages.
        if after.is_none() {
            state.store.audit(&entry).await?;
        }
        let links = state.store.unsubscribe_links(OffsetDateTime::now_utc()).await?;
        let page = state.store.subscribers(&filter, after).await?;
        Ok((links, page))
    };
    let (links, page) = read.await.map_err(|failure| error::of_store(&request, &failure))?;
    let is_full = i64::try_from(page.len()).is_ok_and(|rows| rows == PAGE_ROWS);
    let last = page.last().map(|subscriber| subscriber.id.to_string());
    let base_url = &state.site.urls.base_url;
    let listed = page.into_iter().map(|it| Listed::new(it, &links, base_url));
    Ok(HttpResponse::Ok()
        .json(Page { subscribers: listed.collect(), next: last.filter(|_| is_full) }))
}

/// The query's inputs, all optional.
fn filter(request: &HttpRequest) -> Result<(SubscriberFilter, Option<Ulid>), ApiError> {
    let refused = |name: &str, why: String| ApiError::InvalidInput(format!("`{name}` {why}."));
    let pairs = Query::<Vec<(String, String)>>::from_query(request.query_string());
    let Ok(Query(pairs)) = pairs else {
        return Err(ApiError::InvalidInput("The query is not readable.".to_owned()));
    };
    let (mut filter, mut after) = (SubscriberFilter::default(), None);
    let mut seen = Vec::new();
    for (name, value) in pairs {
        match name.as_str() {
            _ if seen.contains(&name) => return Err(refused(&name, "is given twice".to_owned())),
            "app_id" => {
                let app_id: AppId =
                    value.parse().map_err(|error| refused("app_id", format!("{error}")))?;
                filter.app_id = Some(app_id);
            }
            "status" => {
                let status = self::state(&value);
                filter.status = Some(status.map_err(|why| refused("status", why.to_owned()))?);
            }
            "after" => {
                let why = "must be the `next` of an earlier page".to_owned();
                after = Some(Ulid::from_string(&value).map_err(|_| refused("after", why))?);
            }
            _ => {
                let known = "This endpoint takes `app_id`, `status`, `after`";
                let name = toolkit_core::input::Echo(&name);
                return Err(ApiError::InvalidInput(format!("Unknown input {name}. {known}.")));
            }
        }
        seen.push(name);
    }
    Ok((filter, after))
}
