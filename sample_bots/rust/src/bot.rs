//! What a bot is: one method to write, and what it can read about its clock.

use std::error::Error;
use std::time::{Duration, Instant};

use crate::actions::Action;
use crate::table::Table;

/// A decision that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The table as it stands.
    pub table: &'a Table,
    /// Two or more actions, all legal.
    pub actions: &'a [Action],
    /// The clock of this process.
    pub clock: &'a Clock,
}

/// A player. All its methods are called from one thread.
pub trait Bot {
    /// Takes a decision: returns one of the actions of the turn.
    fn choose<'a>(&mut self, turn: Turn<'a>) -> &'a Action;

    /// Called once, before the bot says that it is ready: the place to load what takes long.
    fn warm_up(&mut self) -> Result<(), Box<dyn Error>> {
        Ok(())
    }

    /// A match began; after a broken stream, possibly one that was known before.
    fn table_started(&mut self, _table: &Table) {}

    /// A deal is over; `table.deal` still shows it, `table.finished` has its points.
    fn deal_ended(&mut self, _table: &Table) {}

    /// A match is over: drop what you keep of it.
    fn table_ended(&mut self, _table: &Table) {}
}

/// What a bot says of itself.
#[derive(Clone, Debug)]
pub struct About {
    /// For the referee's log.
    pub name: String,
    /// For the referee's log.
    pub version: String,
    /// How many tables it plays at once, 1 to 256.
    pub table_limit: u16,
}

impl About {
    /// A bot that plays at 64 tables at once.
    pub fn new(name: &str, version: &str) -> About {
        About { name: name.to_owned(), version: version.to_owned(), table_limit: 64 }
    }
}

/// The clock of this process. One balance serves all its tables.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Requests of this frame still to be answered, the present one included.
    pub unanswered: usize,
    /// How long the referee timed the frame before.
    pub taken_last: Duration,
    ends_at: Instant,
}

impl Default for Clock {
    /// A clock on which nothing is left.
    fn default() -> Clock {
        Clock::new(Duration::ZERO, Duration::ZERO, 0)
    }
}

impl Clock {
    pub(crate) fn new(left: Duration, taken_last: Duration, requests: usize) -> Clock {
        Clock { unanswered: requests, taken_last, ends_at: Instant::now() + left }
    }

    /// What is left for all unanswered requests together; when nothing is, it is a fault.
    pub fn left(&self) -> Duration {
        self.ends_at.saturating_duration_since(Instant::now())
    }

    /// What is left for the present request, if the unanswered ones share alike.
    pub fn share(&self) -> Duration {
        self.left() / self.unanswered.max(1) as u32
    }
}
