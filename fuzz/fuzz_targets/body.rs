//! Request bodies: any bytes given to any tool return valid JSON, or a refusal with a message. The first byte is the
//! number of the tool.
#![cfg_attr(feature = "libfuzzer", no_main)]

use std::time::{Duration, Instant};

use toolkit_core::Context;
use toolkit_core::input::Surface;
use toolkit_core::registry::TOOLS;
use toolkit_fuzz::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, body)) = data.split_first() else {
        return;
    };
    let tool = TOOLS[usize::from(choice) % TOOLS.len()];
    let end = Instant::now() + Duration::from_millis(250);
    let mut ctx = Context::fixed().until(move || Instant::now() >= end);
    let mut answer = b"{".to_vec();
    match tool.run_json(body, Surface::Rest, &mut ctx, &mut answer) {
        Ok(()) => {
            answer.push(b'}');
            serde_json::from_slice::<&serde_json::value::RawValue>(&answer).unwrap();
        }
        Err(refusal) => assert!(refusal.to_string().ends_with('.')),
    }
});
