//! HTML pages, rendered on the server, with nothing loaded from other origins.

mod cards;
mod code;
pub(crate) mod data_url;
pub(crate) mod home;
pub(crate) mod layout;
pub(crate) mod mcp;
pub(crate) mod not_found;
pub(crate) mod offline;
pub(crate) mod policy;
mod prose;
pub(crate) mod rest;
mod schema;
pub(crate) mod site_files;
pub(crate) mod tool;
mod tool_form;
