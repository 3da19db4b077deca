//! The idea of which the README tells, tried without a referee.

use king_bot::{Action, Bot, Card, Clock, Options, Played, Table, Trick, Turn};

struct Ducking;

impl Bot for Ducking {
    fn choose<'a>(&mut self, turn: Turn<'a>) -> &'a Action {
        let rank = |action: &&Action| action.card().map(Card::rank);
        let losing = |action: &&Action| action.card().is_some_and(|card| !turn.table.beats(card));
        let avoids = turn.table.deal.contract.is_some() && turn.table.scoring().avoids();
        if avoids && let Some(duck) = turn.actions.iter().filter(losing).max_by_key(rank) {
            return duck;
        }
        turn.actions.iter().min_by_key(rank).expect("there always are two or more")
    }
}

/// What it plays of three spades in a deal of a contract, after a lead.
fn chosen(contract: &str, led: Option<&str>) -> String {
    let mut table = Table::new("russian-14", Options::new(), 4, 2);
    table.deal.contract = Some(contract.to_owned());
    table.deal.trick = led.map(|text| {
        let lead = Played { seat: 1, card: text.parse().unwrap() };
        Trick { number: 1, plays: vec![lead], taker: None }
    });
    let actions = ["7S", "9S", "AS"].map(|text| Action::Play(text.parse().unwrap()));
    let turn = Turn { table: &table, actions: &actions, clock: &Clock::default() };
    Ducking.choose(turn).card().unwrap().to_string()
}

#[test]
fn where_points_are_to_be_avoided_it_plays_the_highest_card_that_does_not_take() {
    assert_eq!(chosen("no_tricks", Some("TS")), "9S");
    assert_eq!(chosen("no_tricks", Some("8S")), "7S");
    assert_eq!(chosen("no_tricks", None), "7S");
    assert_eq!(chosen("tricks", Some("TS")), "7S");
}
