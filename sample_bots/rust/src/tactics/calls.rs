//! Decisions that are not card play: choose, order, bid, name a trump, offer or keep, give.

use crate::actions::Action;
use crate::cards::{Card, CardSet, Suit};
use crate::table::Table;
use crate::tactics::estimates::{
    Play, best_trump, chance_to_win, edge, expected_tricks, hand_size, pack_total,
};
use crate::tactics::first_max_by;

/// An order is worth it from this share of the contract's total.
const ORDER_EDGE: f64 = 0.06;
/// Tricks by which our own game must beat the price that others may pay.
const SELF_RELIANCE: f64 = 0.5;

/// Takes any decision but the play of a card.
///
/// # Panics
/// If there is no action.
pub fn decide<'a>(table: &Table, actions: &'a [Action]) -> &'a Action {
    let kind = actions.iter().find(|action| **action != Action::Pass).expect("there is an action");
    match kind {
        Action::Choose { .. } => choose(table, actions),
        Action::Order(_) => order(table, actions),
        Action::Bid(_) => bid(table, actions),
        Action::Offer | Action::Keep => offer_or_keep(table, actions),
        Action::Give { .. } => give(table, actions),
        _ => name(table, actions),
    }
}

fn find<'a>(actions: &'a [Action], wanted: &Action) -> Option<&'a Action> {
    actions.iter().find(|action| *action == wanted)
}

fn best(actions: &[Action], worth: impl Fn(&Action) -> f64) -> &Action {
    first_max_by(actions, |action| worth(action)).expect("there is an action")
}

/// Chooses what our hand is best for, compared with an average one.
fn choose<'a>(table: &Table, actions: &'a [Action]) -> &'a Action {
    best(actions, |action| match action {
        Action::Choose { contract, trump } => edge(table, table.deal.hand, contract, *trump),
        _ => f64::NEG_INFINITY,
    })
}

/// Orders the contract that suits us best, or passes if none does and passing is allowed.
fn order<'a>(table: &Table, actions: &'a [Action]) -> &'a Action {
    let gain = |action: &Action| match action {
        Action::Order(contract) => {
            let total = pack_total(table, table.scoring_of(contract));
            edge(table, table.deal.hand, contract, None) / f64::from(total.abs())
        }
        _ => f64::NEG_INFINITY,
    };
    let chosen = best(actions, gain);
    find(actions, &Action::Pass).filter(|_| gain(chosen) < ORDER_EDGE).unwrap_or(chosen)
}

/// Bids as little as will do, while the game is worth its price to us.
fn bid<'a>(table: &Table, actions: &'a [Action]) -> &'a Action {
    let mut bids = actions.iter().filter_map(|action| match action {
        Action::Bid(tricks) => Some((action, *tricks)),
        _ => None,
    });
    let (lowest, tricks) = bids.next().expect("there is a bid"); // they are listed rising
    let pass = find(actions, &Action::Pass);
    pass.filter(|_| f64::from(tricks) > highest_price(table)).unwrap_or(lowest)
}

/// The most tricks worth bidding: what our own game makes beyond what somebody else's would leave us.
fn highest_price(table: &Table) -> f64 {
    let (_, own) = best_trump(table, with_talon(table));
    let price = own - fair_share(table);
    if table.base_id == "classic" {
        price - SELF_RELIANCE
    } else {
        price // the bid is lost to all, so the rest must beat a defender's share
    }
}

/// The tricks of an average hand.
fn fair_share(table: &Table) -> f64 {
    hand_size(table) as f64 / table.seats as f64
}

/// The hand after taking the talon and giving away as many of the worst cards.
fn with_talon(table: &Table) -> CardSet {
    let deal = &table.deal;
    if deal.talon.is_empty() || deal.talon_taker.is_some() {
        return deal.hand;
    }
    let mut hand = deal.hand | deal.talon.iter().copied().collect();
    for _ in 1..table.seats {
        hand -= worst(table, hand).set();
    }
    hand
}

/// Keeps a good game; a poor one is better sold, for somebody pays for it.
fn offer_or_keep<'a>(table: &Table, actions: &'a [Action]) -> &'a Action {
    let keeps = named_tricks(table) - fair_share(table) > SELF_RELIANCE;
    let wanted = if keeps { Action::Keep } else { Action::Offer };
    find(actions, &wanted).expect("both are legal whenever one is asked for")
}

/// The tricks expected in the game that we have just named, or would name.
fn named_tricks(table: &Table) -> f64 {
    let hand = with_talon(table);
    let ours = table.deal.said.iter().rev().filter(|said| said.seat == table.seat);
    let named = ours.map(|said| game(table, hand, &said.action)).find_map(|tricks| tricks);
    named.unwrap_or_else(|| best_trump(table, hand).1)
}

/// Names the game that makes most tricks. Two tricks each is what remains when none makes a fair share.
fn name<'a>(table: &Table, actions: &'a [Action]) -> &'a Action {
    best(actions, |action| game(table, table.deal.hand, action).unwrap_or(f64::NEG_INFINITY))
}

/// The tricks expected in the game that an action names, if it names one.
fn game(table: &Table, hand: CardSet, action: &Action) -> Option<f64> {
    match action {
        Action::NameTrump(suit) => Some(expected_tricks(table, hand, Play::Trump(*suit))),
        Action::ByLast => Some(by_last(table, hand)),
        Action::Misere => Some(expected_tricks(table, hand, Play::Misere)),
        Action::TwoTricksEach => Some(fair_share(table)), // what everybody gets: no more than an average game
        _ => None,
    }
}

/// The card that decides is not dealt yet: each suit is about as likely, and one more card of it is ours.
fn by_last(table: &Table, hand: CardSet) -> f64 {
    let suits = Suit::ALL.into_iter().filter(|suit| !(suit.cards() & table.pack).is_empty());
    let each: Vec<f64> = suits.map(|suit| expected_tricks(table, hand, Play::Trump(suit))).collect();
    each.iter().fold(0.0, |sum, tricks| sum + tricks) / each.len() as f64 + 0.25
}

/// Gives the worst card of the hand, trumps last.
fn give<'a>(table: &Table, actions: &'a [Action]) -> &'a Action {
    let worst = worst(table, actions.iter().filter_map(Action::card).collect());
    actions.iter().find(|action| action.card() == Some(worst)).expect("every card of the hand can be given")
}

/// The card that we miss least: a small one of a short side suit.
fn worst(table: &Table, hand: CardSet) -> Card {
    let (trump, _) = best_trump(table, hand);
    let worth = |card: Card| {
        let length = (hand & card.suit().cards()).len() as f64;
        chance_to_win(table, card, hand, false) + 0.02 * length + 0.002 * f64::from(card.rank())
    };
    let missed = |card: Card| (card.suit() == trump, worth(card));
    hand.iter()
        .reduce(|least, card| if missed(card) < missed(least) { card } else { least })
        .expect("there is a card to give")
}
