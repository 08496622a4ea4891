//! Response headers that restrict what a page may load and do.
//!
//! Standards: Content Security Policy Level 3, Trusted Types, Permissions Policy.

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use toolkit_server::settings::PublicUrls;

/// Policy of a tool page: it may request nothing but more of its own scripts.
const TOOL: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src data: blob:; \
     connect-src 'none'; frame-src blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types toolkit dompurify",
);

/// Policy of other pages: the same plus the manifest, minus what results are shown in.
const PAGE: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src data:; \
     connect-src 'none'; manifest-src 'self'; form-action 'none'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types toolkit dompurify",
);

/// Policy of a file. A worker gets its own script's policy, not the page's.
const ASSET: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; \
     trusted-types toolkit",
);

const SERVICE_WORKER: HeaderValue =
    HeaderValue::from_static("default-src 'none'; script-src 'self'; connect-src 'self'");

/// Policy of a page with a form and no script: it loads its style sheet and submits its form.
const NOTICE: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'",
);

const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), clipboard-write=(self), \
     display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), \
     hid=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), \
     picture-in-picture=(), publickey-credentials-create=(), publickey-credentials-get=(), \
     screen-wake-lock=(), serial=(), storage-access=(), usb=(), window-management=(), \
     xr-spatial-tracking=()",
);

const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The kind of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    /// A tool page.
    Tool,
    /// Any other page.
    Page,
    /// A file of the pages.
    Asset,
    /// The service worker.
    ServiceWorker,
    /// A page that a mail links to.
    Notice,
    /// Content that is data, such as JSON or text.
    Data,
}

/// The policies of one site.
pub(crate) struct Policies {
    is_https: bool,
    search_engines: bool,
}

impl Policies {
    pub(crate) fn new(urls: &PublicUrls, search_engines: bool) -> Self {
        Self { is_https: urls.web_base_url.origin().starts_with("https://"), search_engines }
    }

    /// The policy of a notice whose form redirects to another origin.
    pub(crate) fn notice_leading_to(origin: &str) -> HeaderValue {
        let notice = NOTICE;
        let policy = notice.to_str().unwrap_or_default();
        let policy = policy.replace("form-action 'self'", &format!("form-action 'self' {origin}"));
        HeaderValue::try_from(policy).unwrap_or(NOTICE)
    }

    /// Sets the headers of a response requested from `host`.
    pub(crate) fn protect(&self, headers: &mut HeaderMap, policy: Policy, host: &str) {
        let content = match policy {
            Policy::Tool => TOOL,
            Policy::Page => PAGE,
            Policy::Asset => ASSET,
            Policy::ServiceWorker => SERVICE_WORKER,
            Policy::Notice => NOTICE,
            Policy::Data => return,
        };
        headers.insert(header::CONTENT_SECURITY_POLICY, content);
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        if matches!(policy, Policy::Asset | Policy::ServiceWorker) {
            return;
        }
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        if policy == Policy::Notice {
            return;
        }
        headers.insert(PERMISSIONS_POLICY, PERMISSIONS);
        if self.is_https || is_this_machine(host) {
            headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
        }
        if !self.search_engines {
            headers.insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
        }
    }
}

/// Whether a browser isolates pages of this host without a warning, even over HTTP.
fn is_this_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name == "localhost" || name == "[::1]" || name.starts_with("127.")
}
