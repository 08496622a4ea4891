//! Runner: runs one tool call in a server, and supplies clock, randomness, deadline and thread.
//!
//! A short input is tried on the request's thread. The pool costs 15 of 40 µs and may be full.

mod pool;

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bytes::Bytes;
use rand::Rng as _;
use time::OffsetDateTime;
use toolkit_core::ids::Sequence;
use toolkit_core::input::Surface;
use toolkit_core::limits::RUN_MILLISECONDS_MAX;
use toolkit_core::registry::mcp_tools;
use toolkit_core::{Context, DynTool, Mcp, ToolError};

use self::pool::{Cancelled, Pool, PoolError};
use crate::accounts::{Account, SMALL};
use crate::panics::{self, Panic};
use crate::request_id::RequestId;

/// Bytes preallocated for a result. A tool reserves more for a larger one.
const ANSWER_BYTES: usize = 1 << 10;

/// Memory of a run per byte of input, including its result. Measured with 0.7 to 0.95 MB: 8 to 12
/// for JSON, 27 to 34 for YAML and XML, up to 62 for single-digit numbers in YAML.
const BYTES_PER_INPUT_BYTE: usize = 32;

/// Maximum body length at which a tool that could use up its time is tried on the request's thread
/// first. It usually takes microseconds, less than going through the pool.
const TRIED_BYTES_MAX: usize = 1 << 10;

/// Runs tools. A process has one, so that its identifiers keep increasing.
#[derive(Debug)]
pub struct Runner {
    sequence: Arc<Sequence>,
    pool: Arc<Pool>,
}

/// Error: there is no result. The text is for the model that called the tool.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input was refused.
    #[error(transparent)]
    Refused(#[from] ToolError),
    /// Too much work is in progress.
    #[error("The server is busy with large inputs. Call again in a second, with less if you can.")]
    Busy,
    /// The tool panicked, which is our fault.
    #[error("The tool failed on our side. Continue without it.")]
    Panicked,
}

/// A tool call made by a model.
pub struct ModelCall {
    tool: &'static dyn DynTool,
    mcp: &'static Mcp,
    /// The arguments as JSON. Empty if there are none.
    pub arguments: Bytes,
    client: Option<Arc<Account>>,
    request_id: RequestId,
}

impl ModelCall {
    /// Finds the tool of a call. `client` is unset if the process serves only one. The request ID
    /// is for the log.
    pub fn find(
        name: &str,
        arguments: Bytes,
        client: Option<Arc<Account>>,
        request_id: RequestId,
    ) -> Option<Self> {
        let (tool, mcp) = mcp_tools().find(|(_, mcp)| mcp.name == name)?;
        Some(Self { tool, mcp, arguments, client, request_id })
    }

    /// The tool's name.
    pub fn name(&self) -> &'static str {
        self.mcp.name
    }
}

impl Default for Runner {
    fn default() -> Self {
        Self::new()
    }
}

impl Runner {
    /// Creates the runner of a process.
    pub fn new() -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self { sequence: Arc::default(), pool: Arc::new(Pool::new(cores.max(2))) }
    }

    /// Runs a tool on the bytes of a JSON object. Its answer is a JSON object too.
    ///
    /// `begin` is the start of that object, up to where a member begins. What follows is `result`,
    /// `type`, `count` if the result is an array, and `warnings` if there are any. `finish` turns
    /// the object into a response on the tool's thread, since a large one takes time too. `client`
    /// is unset if the process serves only one.
    ///
    /// # Errors
    ///
    /// Says why the input was refused, that too much work is in progress, or that the fault is
    /// ours.
    pub async fn run(
        &self,
        client: Option<&Arc<Account>>,
        tool: &'static dyn DynTool,
        accepted: Surface,
        body: Bytes,
        begin: &[&str],
        finish: impl FnOnce(Vec<u8>) -> Vec<u8> + Send + 'static,
    ) -> Result<Vec<u8>, RunError> {
        let mut out = Vec::with_capacity(ANSWER_BYTES);
        for part in begin {
            out.extend_from_slice(part.as_bytes());
        }
        let quick_bytes_max = match tool.spec().quick_bytes_max {
            0 => TRIED_BYTES_MAX,
            bytes => bytes,
        };
        let is_small = body.len() <= SMALL;
        if body.len() <= quick_bytes_max {
            let asked_for_time = Cancelled::default();
            let mut ctx = self.context().until({
                let asked_for_time = asked_for_time.clone();
                move || {
                    asked_for_time.set();
                    true
                }
            });
            let start = out.len();
            let result = tool.run_json(&body, accepted, &mut ctx, &mut out);
            // A tool that checks its deadline runs again on the pool.
            if !asked_for_time.is_true() {
                result?;
                out.push(b'}');
                return fitting(client, is_small, finish(out));
            }
            out.truncate(start);
        }
        // The allocator locks a thread's memory while another thread frees some of it or grows a
        // result in it. So the result is made on the pool's thread, and the input freed on this
        // one.
        let (ctx, input) = (self.context(), body.clone());
        let bytes = BYTES_PER_INPUT_BYTE * body.len();
        let work = self.pool.run(client, bytes, move |gone| {
            let end = Instant::now() + Duration::from_millis(RUN_MILLISECONDS_MAX);
            let mut ctx = ctx.until(move || gone.is_true() || Instant::now() >= end);
            let mut out = out.clone();
            tool.run_json(&input, accepted, &mut ctx, &mut out)?;
            out.push(b'}');
            Ok::<_, ToolError>(finish(out))
        });
        match work.await {
            Ok(result) => fitting(client, is_small, result?),
            Err(PoolError::Busy) => Err(busy()),
            Err(PoolError::Panicked) => Err(RunError::Panicked),
        }
    }

    /// Answers a model's call with what `finish` makes of `{"result", "type", "count"?,
    /// "warnings"?}` as JSON. Logs a panic of the tool.
    ///
    /// # Errors
    ///
    /// As [`Runner::run`].
    pub async fn call(
        &self,
        call: ModelCall,
        finish: impl FnOnce(Vec<u8>) -> Vec<u8> + Send + 'static,
    ) -> Result<Vec<u8>, RunError> {
        let accepted = Surface::Mcp(call.mcp.inputs);
        let run =
            self.run(call.client.as_ref(), call.tool, accepted, call.arguments, &["{"], finish);
        panics::caught(run).await.unwrap_or_else(|Panic { place, reason }| {
            tracing::error!(request_id = %call.request_id, place, reason, "a tool panicked");
            Err(RunError::Panicked)
        })
    }

    fn context(&self) -> Context {
        let random = |bytes: &mut [u8]| rand::rng().fill_bytes(bytes);
        let (now, sequence) = (OffsetDateTime::now_utc(), Arc::clone(&self.sequence));
        Context::new(now, random, sequence)
    }
}

/// A small request starts regardless of what is held, but its result may be large. Then the result
/// is dropped unless it fits.
fn fitting(
    client: Option<&Arc<Account>>,
    is_small: bool,
    result: Vec<u8>,
) -> Result<Vec<u8>, RunError> {
    let is_surprise = is_small && result.len() > SMALL;
    match client {
        Some(client) if is_surprise && !client.fits(result.len(), false) => Err(busy()),
        _ => Ok(result),
    }
}

fn busy() -> RunError {
    metrics::counter!("toolkit_http_requests_shed_total").increment(1);
    RunError::Busy
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use toolkit_core::Spec;
    use toolkit_core::input::Field;

    use super::*;

    /// A tool that runs a function.
    struct Function {
        spec: &'static Spec,
        function: fn(&mut Context) -> Result<String, ToolError>,
    }

    const SPEC: Spec =
        Spec { slug: None, mcp: None, summary: "", kinds: &[], quick_bytes_max: 0, examples: &[] };
    /// For a function that may use up its whole time on a small input.
    static LONG: Spec = SPEC;
    /// For a function whose time grows with the input.
    static GROWS: Spec = Spec { quick_bytes_max: QUICK.len(), ..SPEC };
    const QUICK: &str = "{}";
    const LONGER: &str = match str::from_utf8(&[b' '; TRIED_BYTES_MAX + 1]) {
        Ok(blank) => blank,
        Err(_) => QUICK,
    };

    impl DynTool for Function {
        fn spec(&self) -> &'static Spec {
            self.spec
        }
        fn fields(&self) -> &'static [Field] {
            &[]
        }
        fn main_input(&self) -> &'static str {
            ""
        }
        fn result_schema(&self) -> Json {
            Json::Null
        }
        fn run_json(
            &self,
            _: &[u8],
            _: Surface,
            ctx: &mut Context,
            out: &mut Vec<u8>,
        ) -> Result<(), ToolError> {
            let result = json!((self.function)(ctx)?);
            out.extend_from_slice(format!("\"result\":{result}").as_bytes());
            Ok(())
        }
    }

    async fn run(
        runner: &Runner,
        tool: &'static Function,
        body: &'static str,
    ) -> Result<Json, RunError> {
        let body = Bytes::from_static(body.as_bytes());
        let finish = |json: Vec<u8>| [b"[", &*json, b"]"].concat();
        let out = runner.run(None, tool, Surface::Rest, body, &["{"], finish);
        Ok(serde_json::from_slice::<Json>(&out.await?).unwrap()[0].take())
    }

    #[expect(clippy::unnecessary_wraps, reason = "the type of any tool's function")]
    fn answer(_: &mut Context) -> Result<String, ToolError> {
        Ok("answer".to_owned())
    }

    #[tokio::test]
    async fn the_answer_completes_the_object_and_is_the_same_on_either_thread() {
        static PLAIN: Function = Function { spec: &GROWS, function: answer };
        let runner = Runner::new();
        for body in [QUICK, LONGER] {
            let plain = json!({"result": "answer"});
            assert_eq!(run(&runner, &PLAIN, body).await.unwrap(), plain);
        }
    }

    #[tokio::test]
    async fn a_refusal_and_a_panic_are_told_apart() {
        static REFUSES: Function =
            Function { spec: &LONG, function: |_| Err(ToolError::new("is refused")) };
        static PANICS: Function = Function { spec: &LONG, function: |_| panic!("on purpose") };
        let runner = Runner::new();
        let refused = run(&runner, &REFUSES, LONGER).await.unwrap_err();
        assert!(matches!(refused, RunError::Refused(_)), "{refused:?}");
        let panicked = run(&runner, &PANICS, LONGER).await.unwrap_err();
        assert!(matches!(panicked, RunError::Panicked), "{panicked:?}");
    }

    #[tokio::test]
    async fn a_long_call_on_a_short_body_is_tried_and_then_has_all_its_time() {
        static ASKS: Function = Function {
            spec: &LONG,
            function: |ctx| Ok(if ctx.is_over() { "part" } else { "all" }.to_owned()),
        };
        let answer = run(&Runner::new(), &ASKS, QUICK).await.unwrap();
        assert_eq!(answer, json!({"result": "all"}));
    }

    #[tokio::test]
    async fn a_call_is_over_at_its_deadline_although_its_caller_still_waits() {
        static WAITS: Function = Function {
            spec: &LONG,
            function: |ctx| {
                while !ctx.is_over() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok("over".to_owned())
            },
        };
        let start = Instant::now();
        let answer = run(&Runner::new(), &WAITS, LONGER).await.unwrap();
        assert_eq!(answer["result"], "over");
        assert!(start.elapsed() >= Duration::from_millis(RUN_MILLISECONDS_MAX));
    }

    #[tokio::test]
    async fn a_call_has_the_time_of_now_and_random_bytes() {
        static READS: Function = Function {
            spec: &LONG,
            function: |ctx| {
                let mut bytes = [0; 16];
                ctx.random().fill(&mut bytes);
                Ok(format!("{} {bytes:?}", ctx.now().unix_timestamp()))
            },
        };
        let runner = Runner::new();
        let start = OffsetDateTime::now_utc().unix_timestamp();
        let mut random = Vec::new();
        for _ in 0..2 {
            let answer = run(&runner, &READS, LONGER).await.unwrap();
            let (now, bytes) = answer["result"].as_str().unwrap().split_once(' ').unwrap();
            assert!(now.parse::<i64>().unwrap() >= start);
            random.push(bytes.to_owned());
        }
        assert_ne!(random[0], random[1]);
    }
}
