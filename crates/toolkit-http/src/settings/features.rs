//! Optional features of a build, and the settings that need them.

use super::Settings;

/// The features of this build.
const BUILT_WITH: Features = Features {
    redis: cfg!(feature = "redis"),
    traces: cfg!(feature = "traces"),
};

#[derive(Clone, Copy)]
struct Features {
    redis: bool,
    traces: bool,
}

/// A setting of a disabled feature; as a sentence without its full stop.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "`{key}` is set, but this program was built without the feature `{feature}`; \
     unset it, or build with `--features {feature}`"
)]
pub(crate) struct MissingFeature {
    key: &'static str,
    feature: &'static str,
}

impl MissingFeature {
    pub(crate) const REDIS: Self = Self {
        key: "limits.redis_url",
        feature: "redis",
    };
    pub(crate) const TRACES: Self = Self {
        key: "telemetry.otlp_endpoint",
        feature: "traces",
    };
}

/// Refuses settings that this build does not support.
pub(super) fn check(settings: &Settings, faults: &mut Vec<String>) {
    refuse(settings, BUILT_WITH, faults);
}

fn refuse(settings: &Settings, built_with: Features, faults: &mut Vec<String>) {
    if settings.limits.redis_url.is_some() && !built_with.redis {
        faults.push(MissingFeature::REDIS.to_string());
    }
    if settings.telemetry.otlp_endpoint.is_some() && !built_with.traces {
        faults.push(MissingFeature::TRACES.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{HttpUrl, RedisUrl};

    fn both() -> Settings {
        let mut settings = Settings::default();
        settings.limits.redis_url = RedisUrl::parse("redis://cache");
        settings.telemetry.otlp_endpoint = HttpUrl::parse("http://127.0.0.1:4318");
        settings
    }

    fn faults(settings: &Settings, built_with: Features) -> Vec<String> {
        let mut faults = Vec::new();
        refuse(settings, built_with, &mut faults);
        faults
    }

    #[test]
    fn a_setting_whose_feature_was_left_out_is_refused() {
        let none = Features {
            redis: false,
            traces: false,
        };
        assert_eq!(
            faults(&both(), none),
            [
                "`limits.redis_url` is set, but this program was built without the feature \
                 `redis`; unset it, or build with `--features redis`",
                "`telemetry.otlp_endpoint` is set, but this program was built without the \
                 feature `traces`; unset it, or build with `--features traces`",
            ]
        );
        assert!(faults(&Settings::default(), none).is_empty());
    }

    #[test]
    fn a_setting_whose_feature_is_built_in_is_accepted() {
        let all = Features {
            redis: true,
            traces: true,
        };
        assert!(faults(&both(), all).is_empty());
    }
}
