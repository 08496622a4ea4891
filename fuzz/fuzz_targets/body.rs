//! Request bodies: any bytes given to any tool return valid JSON, or a refusal with a message.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use toolkit_core::Context;
use toolkit_core::input::Surface;
use toolkit_core::registry::TOOLS;

fuzz_target!(|data: (u8, &[u8])| {
    let (choice, body) = data;
    let tool = TOOLS[usize::from(choice) % TOOLS.len()];
    let end = Instant::now() + Duration::from_millis(250);
    let mut ctx = Context::fixed().until(move || Instant::now() >= end);
    let mut answer = b"{".to_vec();
    match tool.run_json(body, Surface::Rest, &mut ctx, &mut answer) {
        Ok(()) => {
            answer.push(b'}');
            drop(serde_json::from_slice::<&serde_json::value::RawValue>(&answer).unwrap());
        }
        Err(refusal) => assert!(refusal.to_string().ends_with('.')),
    }
});
