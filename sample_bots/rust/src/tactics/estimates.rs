//! What a hand is worth: quick estimates of the points that a contract would bring, from our own cards alone.

use crate::cards::{Card, CardSet, Suit};
use crate::scoring::Scoring;
use crate::table::Table;
use crate::tactics::first_max_by;

/// The chance of the smallest trump of an average holding to make a trick.
const TRUMP_FLOOR: f64 = 0.45;
/// Added to it for each trump above the average holding.
const TRUMP_LENGTH: f64 = 0.12;
/// What a side suit's winners are worth against trumps.
const RUFFED: f64 = 0.8;

/// What is trump, if anything, and whether the ranks are upside down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// No trump.
    Plain,
    /// With a trump suit.
    Trump(Suit),
    /// No trump, and the lowest card of a suit takes.
    Misere,
}

impl From<Option<Suit>> for Play {
    fn from(trump: Option<Suit>) -> Play {
        trump.map_or(Play::Plain, Play::Trump)
    }
}

/// The number of tricks of a deal.
pub fn hand_size(table: &Table) -> usize {
    table.pack.len() / table.seats
}

/// The chance that a card takes when every seat follows it.
pub fn chance_to_win(table: &Table, card: Card, hand: CardSet, misere: bool) -> f64 {
    let others = (card.suit().cards() & table.pack) - hand;
    if others.is_empty() {
        return 1.0;
    }
    let lower = others.before(card).len();
    let beaten = if misere { others.len() - lower } else { lower };
    let share = beaten as f64 / others.len() as f64;
    (1..table.seats).fold(1.0, |chance, _| chance * share)
}

/// The tricks that a hand makes; cards of it that are not dealt yet count as a fair share each.
pub fn expected_tricks(table: &Table, hand: CardSet, play: Play) -> f64 {
    let trumps = if let Play::Trump(suit) = play { suit.cards() } else { CardSet::EMPTY };
    let surplus = (hand & trumps).len() as f64 - hand.len() as f64 / 4.0;
    let mut tricks = 0.0;
    for card in hand.iter() {
        let chance = chance_to_win(table, card, hand, play == Play::Misere);
        tricks += if trumps.has(card) {
            chance.max(TRUMP_FLOOR + TRUMP_LENGTH * surplus).min(1.0)
        } else if trumps.is_empty() {
            chance
        } else {
            chance * RUFFED
        };
    }
    let undealt = hand_size(table).saturating_sub(hand.len());
    tricks + undealt as f64 / table.seats as f64
}

/// The suit that makes most tricks as trump, and those tricks.
pub fn best_trump(table: &Table, hand: CardSet) -> (Suit, f64) {
    let games = Suit::ALL.map(|suit| (suit, expected_tricks(table, hand, Play::Trump(suit))));
    first_max_by(games, |(_, tricks)| *tricks).expect("there are four suits")
}

/// The points that a contract of the variant brings with this hand.
pub fn expected_points(table: &Table, hand: CardSet, contract: &str, trump: Option<Suit>) -> f64 {
    let scoring = table.scoring_of(contract);
    let tricks = expected_tricks(table, hand, trump.into());
    let share = tricks / hand_size(table) as f64;
    let mut points = f64::from(scoring.each_trick) * tricks + f64::from(scoring.numbered()) * share;
    for (card, worth) in &scoring.cards {
        if table.pack.has(*card) {
            points += f64::from(*worth) * chance_to_take(table, *card, hand, share);
        }
    }
    points
}

/// The chance that the trick with the card is ours: our own low ones leave us, those under our high ones come.
fn chance_to_take(table: &Table, card: Card, hand: CardSet, share: f64) -> f64 {
    let suit = card.suit().cards() & hand;
    if hand.has(card) {
        let short = if suit.len() <= 2 { 0.1 } else { 0.0 };
        return (0.15 + 0.6 * chance_to_win(table, card, hand, false) + short).min(1.0);
    }
    let above = suit.len() - suit.before(card).len();
    let covered = if suit.is_empty() { 0.0 } else { above as f64 / suit.len() as f64 };
    0.5 * share + 0.5 * covered * 0.6
}

/// How much better than an average hand this one is in a contract, in points.
pub fn edge(table: &Table, hand: CardSet, contract: &str, trump: Option<Suit>) -> f64 {
    let average = f64::from(pack_total(table, table.scoring_of(contract))) / table.seats as f64;
    expected_points(table, hand, contract, trump) - average
}

/// The points of a contract that all seats share.
pub(super) fn pack_total(table: &Table, scoring: &Scoring) -> i32 {
    let counted = scoring.cards.iter().filter(|(card, _)| table.pack.has(**card));
    let cards: i32 = counted.map(|(_, points)| points).sum();
    scoring.each_trick * hand_size(table) as i32 + cards + scoring.numbered()
}
