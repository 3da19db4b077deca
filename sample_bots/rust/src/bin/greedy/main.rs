//! Plays each contract by simple rules: what it wants of this trick, from its hand and the cards on the table.
//!
//! Where points are to be avoided it ducks, throws what is dangerous, and leads low; where they are wanted it does the
//! opposite. It remembers nothing of earlier tricks. Choosing, bidding and naming rest on the estimates of
//! `king_bot::tactics`.

mod pick;

use std::process::ExitCode;

use king_bot::{About, Action, Bot, Turn, tactics};

use crate::pick::Pick;

struct Greedy;

impl Bot for Greedy {
    fn choose<'a>(&mut self, turn: Turn<'a>) -> &'a Action {
        let Turn { table, actions, .. } = turn;
        if !matches!(actions[0], Action::Play(_)) {
            return tactics::decide(table, actions);
        }
        let cards: Vec<_> = actions.iter().filter_map(Action::card).collect();
        let card = Pick::new(table).pick(&cards);
        actions.iter().find(|action| action.card() == Some(card)).expect("a legal card was picked")
    }
}

fn main() -> ExitCode {
    king_bot::run(Greedy, About::new("rust-greedy", "1"))
}

#[cfg(test)]
mod tests;
