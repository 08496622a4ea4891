//! Request handlers: one file per endpoint.

pub(crate) mod assets;
pub(crate) mod captcha;
pub(crate) mod catalog;
pub(crate) mod chat;
pub(crate) mod contact;
pub(crate) mod flags;
pub(crate) mod health;
pub(crate) mod links;
pub(crate) mod not_found;
pub(crate) mod once;
pub(crate) mod pages;
pub(crate) mod posted;
pub(crate) mod run;
pub(crate) mod subscribe;
pub(crate) mod subscribers;
