//! Slug table: the tool or the page of each slug of the catalog.

use std::collections::HashMap;

use toolkit_catalog::ENTRIES;
use toolkit_core::{DynTool, registry};
use toolkit_server::settings::HttpUrl;

/// Place where a tool runs: on the server, or in the browser.
pub(crate) enum Target {
    /// On the server.
    Runs {
        slug: &'static str,
        tool: &'static dyn DynTool,
        /// Start of its response, up to the result.
        opening: Vec<u8>,
    },
    /// In a browser.
    BrowserOnly {
        slug: &'static str,
        /// The address of its page.
        page: String,
    },
}

/// The address of the page of a tool.
pub(crate) fn page(web_base_url: &HttpUrl, slug: &str) -> String {
    web_base_url.join(&format!("/tools/{slug}")).to_string()
}

/// Every slug of the catalog.
pub(crate) struct Slugs(HashMap<&'static str, Target>);

impl Slugs {
    /// Locates each tool, once.
    pub(crate) fn new(web_base_url: &HttpUrl) -> Self {
        let target = |slug: &'static str| match registry::by_slug(slug) {
            Some(tool) => Target::Runs {
                slug,
                tool,
                opening: format!("{{\"ok\":true,\"slug\":\"{slug}\",").into_bytes(),
            },
            None => Target::BrowserOnly {
                slug,
                page: page(web_base_url, slug),
            },
        };
        Self(
            ENTRIES
                .iter()
                .map(|entry| (entry.slug, target(entry.slug)))
                .collect(),
        )
    }

    /// The tool or page of a slug, if the catalog has it.
    pub(crate) fn find(&self, slug: &str) -> Option<&Target> {
        self.0.get(slug)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_server_side_entries_are_exactly_the_tools_with_a_slug() {
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

    #[test]
    fn a_tool_and_its_catalog_entry_have_the_same_description() {
        for entry in ENTRIES {
            if let Some(tool) = registry::by_slug(entry.slug) {
                assert_eq!(tool.spec().summary, entry.description, "{}", entry.slug);
            }
        }
    }
}
