//! Methods of capabilities that this server does not declare.

use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use toolkit_core::input::Echo;

/// The error for such a method, with the declared ones.
pub(super) fn no_method(method: &str) -> ErrorData {
    let message = format!(
        "There is no method {}; this server has tools only: tools/list and tools/call.",
        Echo(method),
    );
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// Generates handler methods that only return that error.
macro_rules! undeclared {
    ($($method:literal $name:ident($params:ty) -> $result:ty),* $(,)?) => {$(
        fn $name(
            &self,
            _: $params,
            _: RequestContext<RoleServer>,
        ) -> impl Future<Output = Answer<$result>> + Send + '_ {
            ready(Err(undeclared::no_method($method)))
        }
    )*};
}

pub(super) use undeclared;
