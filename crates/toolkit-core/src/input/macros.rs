//! `input!`: declares a tool's inputs.

/// Declares the inputs of a tool: a struct whose field docs become the schema's descriptions.
///
/// `name: Type` is required, `name: Option<Type>` is not, `name: Type = default` has a default. The
/// first field is the main input, unless `main =` gives the index of another. `as text`, `as secret`
/// or `as unlisted` after the type sets the form control of a string; the default is a single line.
macro_rules! input {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident $(<$life:lifetime>)? $(, main = $main:literal)? {
            $( $(#[doc = $doc:literal])+ $field:ident: $type:ty $(as $look:ident)? $(= $default:expr)? ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone)]
        pub struct $name $(<$life>)? {
            $( $(#[doc = $doc])+ pub $field: $type, )+
        }

        $crate::input::input! {
            @impl $name, $crate::input::input!(@main $($main)?), [$($life)?],
            $( ($field: $type, [$($look)?], concat!($($doc, "\n"),+) $(, $default)?) )+
        }
    };
    (@impl $name:ident, $main:expr, [], $($fields:tt)+) => {
        impl<'de> $crate::input::Input<'de> for $name {
            $crate::input::input!(@body 'de, $main, $($fields)+);
        }
    };
    (@impl $name:ident, $main:expr, [$life:lifetime], $($fields:tt)+) => {
        impl<$life> $crate::input::Input<$life> for $name<$life> {
            $crate::input::input!(@body $life, $main, $($fields)+);
        }
    };
    (
        @body $life:lifetime, $main:expr,
        $( ($field:ident: $type:ty, [$($look:ident)?], $doc:expr $(, $default:expr)?) )+
    ) => {
        const FIELDS: &'static [$crate::input::Field] = &[$(
            $crate::input::Field {
                name: stringify!($field),
                description: $doc,
                look: $crate::input::input!(@look $($look)?),
                required: $crate::input::input!(@required $life, $type $(, $default)?),
                schema: || {
                    let schema = <$type as $crate::input::Value<$life>>::schema();
                    $(
                        let default: $type = $default;
                        let schema = $crate::input::with_default(schema, &default);
                    )?
                    schema
                },
            },
        )+];
        const MAIN: usize = $main;

        fn from_scalars(
            values: &mut dyn Iterator<Item = $crate::input::Scalar<$life>>,
            refusals: &mut Vec<$crate::error::ToolError>,
        ) -> Option<Self> {
            $(
                let $field = $crate::input::convert(
                    stringify!($field),
                    values.next(),
                    $crate::input::input!(@default $($default)?),
                    refusals,
                );
            )+
            Some(Self { $( $field: $field?, )+ })
        }
    };
    (@look) => { $crate::input::Look::Line };
    (@look text) => { $crate::input::Look::Text };
    (@look unlisted) => { $crate::input::Look::Unlisted };
    (@look secret) => { $crate::input::Look::Secret };
    (@main) => { 0 };
    (@main $main:literal) => { $main };
    (@required $life:lifetime, $type:ty) => {
        <$type as $crate::input::Value<$life>>::REQUIRED
    };
    (@required $life:lifetime, $type:ty, $default:expr) => { false };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
}
pub(crate) use input;
