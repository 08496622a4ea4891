//! Several who do the same work, in alternating rounds, each on one thread.

use std::hint::black_box;
use std::io;
use std::time::Duration;

use super::cpu;
use crate::goals::Goal;
use crate::measure::median;
use crate::report::say;
use crate::sections::Bench;

/// What is counted of a work.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unit {
    /// Bytes of the input.
    Megabytes,
    /// Results.
    Thousands,
}

impl Unit {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Megabytes => "MB/s",
            Self::Thousands => "thousand/s",
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52")]
    fn per_second(self, amount: usize, seconds: f64) -> f64 {
        let size = match self {
            Self::Megabytes => 1e6,
            Self::Thousands => 1e3,
        };
        amount as f64 / size / seconds
    }
}

/// Does a work for about so long, and tells how many seconds of CPU time doing it once took.
pub(super) type Racer<'a> = Box<dyn Fn(Duration) -> io::Result<f64> + 'a>;

/// A function of this process, called as often as fills a round.
pub(super) fn function<'a, T>(call: impl Fn() -> T + 'a) -> Racer<'a> {
    Box::new(move |duration| {
        let start = cpu::of_this_thread()?;
        let mut calls = 1_u32;
        let mut next = 1;
        loop {
            for _ in 0..next {
                black_box(call());
            }
            let seconds = cpu::of_this_thread()? - start;
            if seconds >= duration.as_secs_f64() {
                return Ok(seconds / f64::from(calls));
            }
            (next, calls) = (calls, calls.saturating_mul(2));
        }
    })
}

/// A work, and who does it.
pub(super) struct Race<'a> {
    work: &'static str,
    unit: Unit,
    amount: usize,
    ours: Racer<'a>,
    goal: Option<Goal>,
    peers: Vec<Peer<'a>>,
}

struct Peer<'a> {
    name: &'static str,
    amount: usize,
    racer: Racer<'a>,
    goal: Option<Goal>,
}

/// How fast we are, and the others.
pub(super) struct Outcome {
    pub(super) work: &'static str,
    pub(super) unit: Unit,
    /// How much we do in a second.
    pub(super) speed: f64,
    /// What our speed by itself is for.
    pub(super) goal: Option<Goal>,
    pub(super) rivals: Vec<Rival>,
}

/// A peer after the race.
pub(super) struct Rival {
    pub(super) name: &'static str,
    /// Nothing but the reason when it did not do the work: it is not installed, for one.
    pub(super) result: Result<Theirs, String>,
    /// What our speed beside this one's is for.
    pub(super) goal: Option<Goal>,
}

pub(super) struct Theirs {
    /// How much the peer does in a second.
    pub(super) speed: f64,
    /// How many times as fast as the peer we are.
    pub(super) ratio: f64,
}

impl<'a> Race<'a> {
    /// Our way of doing a work, and how much it is.
    pub(super) fn new(work: &'static str, unit: Unit, amount: usize, ours: Racer<'a>) -> Self {
        Self {
            work,
            unit,
            amount,
            ours,
            goal: None,
            peers: Vec::new(),
        }
    }

    /// What our speed is for.
    pub(super) fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    /// Another's way.
    pub(super) fn peer(self, name: &'static str, amount: usize, racer: Racer<'a>) -> Self {
        self.add(name, amount, racer, None)
    }

    /// Another's way, and what our speed beside it is for.
    pub(super) fn rival(
        self,
        goal: Goal,
        name: &'static str,
        amount: usize,
        racer: Racer<'a>,
    ) -> Self {
        self.add(name, amount, racer, Some(goal))
    }

    fn add(
        mut self,
        name: &'static str,
        amount: usize,
        racer: Racer<'a>,
        goal: Option<Goal>,
    ) -> Self {
        self.peers.push(Peer {
            name,
            amount,
            racer,
            goal,
        });
        self
    }

    /// Lets all of them do the work in turn, if it is to be measured.
    pub(super) fn run(self, bench: &Bench) -> io::Result<Option<Outcome>> {
        if !bench.wants(self.work) {
            return Ok(None);
        }
        let duration = bench.plan.duration / 4;
        let mut ours = Vec::new();
        let mut theirs: Vec<_> = self.peers.iter().map(|_| Ok(Vec::new())).collect();
        for _ in 0..bench.plan.rounds {
            let seconds = (self.ours)(duration)?;
            ours.push(self.unit.per_second(self.amount, seconds));
            for (peer, speeds) in self.peers.iter().zip(&mut theirs) {
                one_round(peer, self.unit, duration, speeds);
            }
        }
        let rivals = self.peers.iter().zip(theirs).map(|(peer, speeds)| Rival {
            name: peer.name,
            result: speeds.map(|speeds| Theirs::new(speeds, &ours)),
            goal: peer.goal,
        });
        let rivals = rivals.collect();
        let speed = median(ours);
        say(&format!("{}: {speed:.1} {}", self.work, self.unit.name()));
        Ok(Some(Outcome {
            work: self.work,
            unit: self.unit,
            speed,
            goal: self.goal,
            rivals,
        }))
    }
}

impl Theirs {
    fn new(speeds: Vec<f64>, ours: &[f64]) -> Self {
        let ratios = ours.iter().zip(&speeds).map(|(ours, theirs)| ours / theirs);
        Self {
            ratio: median(ratios.collect()),
            speed: median(speeds),
        }
    }
}

/// Adds the speed of a round. A peer that failed once is not asked again.
fn one_round(
    peer: &Peer<'_>,
    unit: Unit,
    duration: Duration,
    speeds: &mut Result<Vec<f64>, String>,
) {
    let Ok(rounds) = speeds else { return };
    match (peer.racer)(duration) {
        Ok(seconds) => rounds.push(unit.per_second(peer.amount, seconds)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            *speeds = Err("not installed".to_owned());
        }
        Err(error) => *speeds = Err(error.to_string()),
    }
}
