//! Back office: contact and newsletter with their forms, captchas and apps, mail, webhooks, and the
//! operator's commands.

pub(crate) mod altcha;
pub(crate) mod apps;
pub(crate) mod captcha;
pub(crate) mod challenge;
pub mod commands;
pub(crate) mod contact;
mod form_pages;
mod forms;
mod link_pages;
pub(crate) mod links;
mod listed;
pub(crate) mod mail;
mod once;
pub(crate) mod posted;
pub(crate) mod subscribe;
pub(crate) mod subscribers;
mod texts;
mod turnstile;
pub(crate) mod webhooks;
