//! Tools: one file each, named by its slug, and the list of them.

use crate::tool::DynTool;

/// Declares the modules of the tools and their list: adding a tool takes its file and one line
/// here.
macro_rules! tools {
    ($( $(#[$gate:meta])* $module:ident::$tool:ident, )+) => {
        $( $(#[$gate])* pub mod $module; )+

        /// Every tool whose feature is enabled, in the order in which MCP lists those that it
        /// offers.
        pub static TOOLS: &[&dyn DynTool] = &[$( $(#[$gate])* &$module::$tool, )+];
    };
}

tools! {
    #[cfg(feature = "base64")] base64_encoder::Base64Encoder,
    #[cfg(feature = "url")] url_encoder::UrlEncoder,
    #[cfg(feature = "json")] json_formatter::JsonFormatter,
    #[cfg(all(feature = "json", feature = "xml", feature = "yaml"))] data_converter::DataConverter,
    #[cfg(feature = "hash")] hash_generator::HashGenerator,
    #[cfg(feature = "jwt")] jwt_decoder::JwtDecoder,
    #[cfg(feature = "ids")] generate_id::GenerateId,
    #[cfg(feature = "ids")] uuid_generator::UuidGenerator,
    #[cfg(feature = "ids")] ulid_generator::UlidGenerator,
    #[cfg(feature = "ids")] nanoid_generator::NanoidGenerator,
    #[cfg(feature = "regex")] regex_tester::RegexTester,
    #[cfg(feature = "timestamp")] timestamp_converter::TimestampConverter,
    #[cfg(all(feature = "cron", feature = "timestamp"))] cron_explainer::CronExplainer,
    #[cfg(feature = "cidr")] cidr_calculator::CidrCalculator,
}
