//! Fast path of streamed events: whatever it accepts is JSON, and `serde_json` reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Private modules of the crate, included by path.
#[allow(dead_code)]
#[path = "../../crates/toolkit-llm/src/providers"]
mod providers {
    mod scan;

    pub mod openai {
        mod plain;

        /// Returns the model and the text.
        pub fn read(json: &str) -> Option<(Option<String>, String)> {
            let plain = plain::read(json)?;
            Some((plain.model.map(String::from), plain.text.into()))
        }
    }

    pub mod anthropic {
        mod plain;

        /// Returns the index of the block and the text.
        pub fn read(json: &str) -> Option<(u64, String)> {
            let plain = plain::read(json)?;
            Some((plain.index, plain.text.into()))
        }
    }
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("whatever is accepted is JSON")
}

fuzz_target!(|json: &str| {
    if let Some((model, text)) = providers::openai::read(json) {
        let event = parsed(json);
        assert_eq!(model.as_deref(), event["model"].as_str());
        let choice = &event["choices"][0];
        let content = choice["delta"]["content"].as_str();
        assert_eq!(text, content.unwrap_or_default());
        assert!(choice["finish_reason"].is_null() && event["error"].is_null());
    }
    if let Some((index, text)) = providers::anthropic::read(json) {
        let event = parsed(json);
        assert_eq!(event["type"], "content_block_delta");
        assert_eq!(index, event["index"].as_u64().unwrap_or_default());
        assert_eq!(event["delta"]["type"], "text_delta");
        assert_eq!(event["delta"]["text"], text);
    }
});
