//! A first bot: it plays its lowest card, and leaves every other decision as it comes.

use std::process::ExitCode;

use king_bot::{About, Action, Bot, Card, Turn};

struct Simple;

impl Bot for Simple {
    /// Takes the action with the lowest card; other actions have none, so the first of them is taken.
    fn choose<'a>(&mut self, turn: Turn<'a>) -> &'a Action {
        let rank = |action: &&Action| action.card().map(Card::rank);
        turn.actions.iter().min_by_key(rank).expect("there always are two or more")
    }
}

fn main() -> ExitCode {
    king_bot::run(Simple, About::new("rust-simple", "1"))
}
