//! Event stream reader: bytes split anywhere give the same events as in one piece, each within the
//! size limit. The first byte is where they are split.
#![cfg_attr(feature = "libfuzzer", no_main)]

use toolkit_fuzz::fuzz_target;
use toolkit_llm::sse::{EVENT_BYTES_MAX, Event, ReadError, Reader, Rest};

fn read(pieces: &[&[u8]]) -> Result<(Vec<Event>, Rest), ReadError> {
    let mut reader = Reader::new();
    let mut events = Vec::new();
    for piece in pieces {
        reader.push(piece)?;
        while let Some(event) = reader.pop() {
            assert!(event.data.len() <= EVENT_BYTES_MAX && !event.name.contains('\n'));
            events.push(event);
        }
    }
    Ok((events, reader.finish()?))
}

fuzz_target!(|data: &[u8]| {
    let Some((&cut, bytes)) = data.split_first() else {
        return;
    };
    let (head, tail) = bytes.split_at(usize::from(cut).min(bytes.len()));
    let whole = read(&[bytes]);
    assert_eq!(read(&[head, tail]), whole);
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(&single), whole);
});
