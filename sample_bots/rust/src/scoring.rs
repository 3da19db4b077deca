//! What one contract counts.

use std::collections::BTreeMap;

use crate::cards::{Card, CardSet};

/// What one contract counts, in points for whoever takes it: below zero what a player avoids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoring {
    /// Points of every trick.
    pub each_trick: i32,
    /// Points of tricks by their number, from 1.
    pub tricks: BTreeMap<usize, i32>,
    /// Points of the cards that count.
    pub cards: BTreeMap<Card, i32>,
}

impl Scoring {
    /// What the card scores for its taker.
    pub fn points(&self, card: Card) -> i32 {
        self.cards.get(&card).copied().unwrap_or(0)
    }

    /// Whether the contract is a penalty.
    pub fn avoids(&self) -> bool {
        let cards: i32 = self.cards.values().sum();
        self.each_trick + cards + self.numbered() < 0
    }

    /// What trick `number` scores when it holds these cards.
    pub fn trick_points(&self, number: usize, cards: CardSet) -> i32 {
        let held: i32 =
            self.cards.iter().filter(|(card, _)| cards.has(**card)).map(|(_, points)| points).sum();
        self.each_trick + self.tricks.get(&number).unwrap_or(&0) + held
    }

    /// The points of all tricks that count by their number.
    pub fn numbered(&self) -> i32 {
        self.tricks.values().sum()
    }

    pub(crate) fn each_trick(points: i32) -> Scoring {
        Scoring { each_trick: points, ..Scoring::default() }
    }

    pub(crate) fn each_card(cards: CardSet, points: i32) -> Scoring {
        Scoring { cards: cards.iter().map(|card| (card, points)).collect(), ..Scoring::default() }
    }

    pub(crate) fn numbered_tricks<const N: usize>(tricks: [(usize, i32); N]) -> Scoring {
        Scoring { tricks: tricks.into(), ..Scoring::default() }
    }

    /// Counts everything that its parts count.
    pub(crate) fn jumble<'a>(parts: impl IntoIterator<Item = &'a Scoring>) -> Scoring {
        let mut whole = Scoring::default();
        for part in parts {
            whole.each_trick += part.each_trick;
            for (card, points) in &part.cards {
                *whole.cards.entry(*card).or_default() += points;
            }
            for (number, points) in &part.tricks {
                *whole.tricks.entry(*number).or_default() += points;
            }
        }
        whole
    }

    /// Counts the same with the opposite sign.
    pub(crate) fn negated(&self) -> Scoring {
        Scoring {
            each_trick: -self.each_trick,
            tricks: self.tricks.iter().map(|(number, points)| (*number, -points)).collect(),
            cards: self.cards.iter().map(|(card, points)| (*card, -points)).collect(),
        }
    }
}
