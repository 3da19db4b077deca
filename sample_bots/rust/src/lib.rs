//! The kit for King Arena bots in Rust: it speaks the protocol, keeps a view of each table from the referee's messages,
//! and asks the bot only for decisions.
//!
//! A bot implements [`Bot`], and its `main` returns what [`run`] says.

#![warn(missing_docs)]

mod actions;
mod bot;
mod cards;
mod connection;
mod contracts;
mod deal;
mod scoring;
mod session;
mod table;
pub mod tactics;
mod wire;

use std::env;
use std::process::ExitCode;

pub use actions::{Action, ActionBy};
pub use bot::{About, Bot, Clock, Turn};
pub use cards::{Card, CardSet, NoSuchCard, Suit};
pub use contracts::Options;
pub use deal::{Deal, Gift, Played, Said, Trick};
pub use scoring::Scoring;
pub use table::{FinishedDeal, Forfeit, Table, TimeControl};

/// The code of the protocol, made by the package in `generate/`.
#[allow(missing_docs, clippy::all)]
mod proto {
    include!("generated/king.v1.rs");
}

/// Plays for the referee until it has no more tables: success when the referee is done, or failure with a line on
/// standard error.
///
/// Reads `KING_REFEREE` (`127.0.0.1:7700` or `unix:/path`) and `KING_TOKEN`.
pub fn run(mut bot: impl Bot, about: About) -> ExitCode {
    match try_run(&mut bot, about) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("king_bot: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn try_run(bot: &mut dyn Bot, about: About) -> Result<(), String> {
    let address = env::var("KING_REFEREE").unwrap_or_default();
    if address.is_empty() {
        let right = "it has the referee's address, such as 127.0.0.1:7700 or unix:/path";
        return Err(format!("KING_REFEREE is not set: {right}"));
    }
    if address.starts_with("tls://") {
        return Err("this kit speaks no TLS: dial through a tunnel, or take another kit".to_owned());
    }
    let token = env::var("KING_TOKEN").unwrap_or_default();
    // The bot thinks on this thread; one more keeps the stream going meanwhile.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| format!("no thread could be started: {error}"))?;
    let mut session = session::Session::new(bot, about, token);
    runtime.block_on(connection::play(&address, &mut session))
}
