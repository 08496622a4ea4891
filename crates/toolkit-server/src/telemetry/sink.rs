//! Log buffer: lines wait here until standard output accepts them.
//!
//! A worker thread only appends to a buffer; a separate thread writes it out, many lines at a time
//! under load. When the reader of the log is slow or gone, lines are dropped and counted, and
//! nothing else happens.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::limits;
use crate::settings::LogFormat;

/// For lines to accumulate between two writes.
const GATHER: Duration = Duration::from_millis(5);

/// For the last lines to be written.
const FLUSH_DEADLINE: Duration = Duration::from_millis(300);

/// A log that accepts lines from all threads.
#[derive(Clone)]
pub struct Sink(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    filled: Condvar,
    emptied: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    dropped: u64,
    writer_sleeps: bool,
    writing: bool,
}

impl Sink {
    /// Writes to standard output.
    pub fn standard_output(format: LogFormat) -> Self {
        // Unlocked and not buffered here: nobody else locks `Stdout`, and text that ends in a
        // newline passes through its buffer.
        Self::new(format, io::stdout())
    }

    /// Writes to standard error.
    pub fn standard_error(format: LogFormat) -> Self {
        Self::new(format, io::stderr())
    }

    /// Writes to any writer, from a separate thread.
    pub fn new(format: LogFormat, writer: impl Write + Send + 'static) -> Self {
        let sink = Self(Arc::default());
        let shared = Arc::clone(&sink.0);
        let spawned = thread::Builder::new()
            .name("log writer".to_owned())
            .spawn(move || write_out(&shared, format, writer));
        // Without the thread, lines are dropped once the buffer is full: a server without a log is
        // better than none.
        drop(spawned);
        sink
    }

    /// Appends a line, which ends in a newline.
    pub fn push(&self, line: &[u8]) {
        let mut state = self.0.lock();
        if state.waiting.len() + line.len() > limits::LOG_BUFFER_MAX {
            state.dropped += 1;
            return;
        }
        state.waiting.extend_from_slice(line);
        if std::mem::take(&mut state.writer_sleeps) {
            drop(state);
            self.0.filled.notify_one();
        }
    }

    /// Waits until all lines are written, within a deadline.
    pub(super) fn flush(&self) {
        let deadline = Instant::now() + FLUSH_DEADLINE;
        let mut state = self.0.lock();
        while state.writing || !state.waiting.is_empty() {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                return;
            };
            let waited = self.0.emptied.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sink")
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic between two appends leaves complete lines.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for lines and swaps the buffer for an empty one.
    fn take(&self, empty: Vec<u8>) -> (Vec<u8>, u64) {
        let mut state = self.lock();
        state.writing = false;
        while state.waiting.is_empty() {
            state.writer_sleeps = true;
            self.emptied.notify_all();
            state = self
                .filled
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.writing = true;
        let lines = std::mem::replace(&mut state.waiting, empty);
        (lines, std::mem::take(&mut state.dropped))
    }
}

fn write_out(shared: &Shared, format: LogFormat, mut writer: impl Write) {
    let mut lines = Vec::new();
    loop {
        let dropped;
        (lines, dropped) = shared.take(lines);
        if dropped > 0 {
            metrics::counter!("toolkit_log_dropped_lines_total").increment(dropped);
            lines.extend_from_slice(note(format, dropped).as_bytes());
        }
        // A closed reader is not a reason to exit.
        let _ = writer.write_all(&lines).and_then(|()| writer.flush());
        lines.clear();
        // The burst is over; release its memory.
        lines.shrink_to(64 << 10);
        thread::sleep(GATHER);
    }
}

fn note(format: LogFormat, dropped: u64) -> String {
    let message = format!("{dropped} log lines were dropped: the reader of the log is too slow");
    match format {
        LogFormat::Text => format!("{message}\n"),
        LogFormat::Json => format!("{{\"level\":\"WARN\",\"message\":\"{message}\"}}\n"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    struct Reader(mpsc::Sender<Vec<u8>>, Arc<Mutex<()>>);

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _open = self.1.lock().unwrap();
            self.0
                .send(bytes.to_vec())
                .map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_order_and_complete() {
        let (sender, receiver) = mpsc::channel();
        let sink = Sink::new(LogFormat::Text, Reader(sender, Arc::default()));
        for number in 0..1_000 {
            sink.push(format!("{number}\n").as_bytes());
        }
        sink.flush();
        let text: Vec<u8> = receiver.try_iter().flatten().collect();
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.lines()
                .map(|line| line.parse::<u32>().unwrap())
                .eq(0..1_000)
        );
    }

    #[test]
    fn a_stalled_reader_costs_lines_and_not_time_and_learns_how_many() {
        let (sender, receiver) = mpsc::channel();
        let closed = Arc::new(Mutex::new(()));
        let sink = Sink::new(LogFormat::Text, Reader(sender, Arc::clone(&closed)));
        let line = vec![b'x'; 1 << 20];
        {
            let _stopped = closed.lock().unwrap();
            for _ in 0..20 {
                sink.push(&line);
            }
        }
        let deadline = Instant::now() + Duration::from_secs(10);
        let mut text = Vec::new();
        while !text.ends_with(b"too slow\n") && Instant::now() < deadline {
            text.extend(receiver.recv_timeout(Duration::from_secs(10)).unwrap());
        }
        let note = String::from_utf8_lossy(&text);
        assert!(note.contains("log lines were dropped"), "no note");
    }

    #[test]
    fn a_line_that_fills_the_buffer_is_kept_and_a_longer_one_is_dropped() {
        let (sender, receiver) = mpsc::channel();
        let sink = Sink::new(LogFormat::Text, Reader(sender, Arc::default()));
        let mut line = vec![b'x'; limits::LOG_BUFFER_MAX];
        sink.push(&line);
        sink.flush();
        assert_eq!(receiver.try_iter().flatten().count(), line.len());
        line.push(b'x');
        sink.push(&line);
        sink.push(b"next\n");
        sink.flush();
        let text: Vec<u8> = receiver.try_iter().flatten().collect();
        assert!(text.starts_with(b"next\n") && text.ends_with(b"too slow\n"));
    }

    #[test]
    fn a_closed_reader_is_survived() {
        let (sender, receiver) = mpsc::channel();
        drop(receiver);
        let sink = Sink::new(LogFormat::Text, Reader(sender, Arc::default()));
        for _ in 0..3 {
            sink.push(b"line\n");
            sink.flush();
        }
    }
}
