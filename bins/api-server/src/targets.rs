//! What a slug leads to: a tool that runs here, or a page.

use std::collections::HashMap;

use toolkit_catalog::ENTRIES;
use toolkit_core::{DynTool, registry};
use toolkit_http::settings::HttpUrl;

/// What is behind a slug of the catalog.
pub(crate) enum Target {
    /// A tool that runs here.
    Runs {
        tool: &'static dyn DynTool,
        /// What its answer begins with, up to the result.
        opening: Vec<u8>,
    },
    /// A tool that runs in a browser.
    BrowserOnly {
        /// The sentence that names its page.
        detail: String,
    },
}

/// Every slug of the catalog.
pub(crate) struct Targets(HashMap<&'static str, Target>);

impl Targets {
    /// Finds out where each tool runs, once.
    pub(crate) fn new(web_base_url: &HttpUrl) -> Self {
        let target = |slug: &'static str| match registry::by_slug(slug) {
            Some(tool) => Target::Runs {
                tool,
                opening: format!("{{\"ok\":true,\"slug\":\"{slug}\",\"result\":").into_bytes(),
            },
            None => Target::BrowserOnly {
                detail: format!(
                    "The tool `{slug}` runs in the browser only: use {}.",
                    web_base_url.join(&format!("/tools/{slug}"))
                ),
            },
        };
        Self(
            ENTRIES
                .iter()
                .map(|entry| (entry.slug, target(entry.slug)))
                .collect(),
        )
    }

    /// What is behind a slug, if the catalog has it.
    pub(crate) fn find(&self, slug: &str) -> Option<&Target> {
        self.0.get(slug)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_server_side_entries_are_just_the_tools_that_have_a_slug() {
        let entries: BTreeSet<_> = ENTRIES
            .iter()
            .filter(|entry| entry.server_side)
            .map(|entry| entry.slug)
            .collect();
        let tools: BTreeSet<_> = registry::TOOLS
            .iter()
            .filter_map(|tool| tool.spec().slug)
            .collect();
        assert_eq!(entries, tools);
    }
}
