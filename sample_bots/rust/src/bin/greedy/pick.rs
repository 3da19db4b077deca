//! Picks the card to play.

use std::cmp::Reverse;

use king_bot::tactics::first_max_by;
use king_bot::{Card, Deal, Scoring, Suit, Table, Trick};

/// Lifts trumps over every other suit.
const ABOVE_ALL: i32 = 20;

/// A card to be picked: the deal, and what counts in it.
pub struct Pick<'t> {
    deal: &'t Deal,
    scoring: &'t Scoring,
    seats: usize,
}

impl<'t> Pick<'t> {
    pub fn new(table: &'t Table) -> Pick<'t> {
        Pick { deal: &table.deal, scoring: table.scoring(), seats: table.seats }
    }

    /// Picks the card to play among the legal ones.
    pub fn pick(&self, cards: &[Card]) -> Card {
        let avoids = self.scoring.avoids();
        match &self.deal.trick {
            _ if self.is_idle() && avoids => highest(cards, |card| self.strength(card)),
            _ if self.is_idle() => lowest(cards, |card| self.strength(card)),
            None if avoids => self.lead_to_avoid(cards),
            None => self.lead_to_take(cards),
            Some(trick) => self.follow(trick, cards, avoids),
        }
    }

    /// Leads low, and nothing that scores.
    fn lead_to_avoid(&self, cards: &[Card]) -> Card {
        lowest(cards, |card| (self.harms(card), card.rank()))
    }

    /// Leads the strongest card, a side suit's before a trump as high.
    fn lead_to_take(&self, cards: &[Card]) -> Card {
        highest(cards, |card| (self.strength(card) % ABOVE_ALL, !self.is_trump(card)))
    }

    fn follow(&self, trick: &Trick, cards: &[Card], avoids: bool) -> Card {
        let led = trick.led();
        let best = trick.plays.iter().map(|played| self.power(played.card, led)).max();
        let (winning, losing): (Vec<_>, Vec<_>) =
            cards.iter().partition(|card| Some(self.power(**card, led)) > best);
        if avoids {
            self.follow_to_avoid(trick, &winning, &losing)
        } else {
            self.follow_to_take(trick, &winning, &losing)
        }
    }

    /// Stays below with what is most dangerous; if that fails, takes with as little harm as can be.
    fn follow_to_avoid(&self, trick: &Trick, winning: &[Card], losing: &[Card]) -> Card {
        let is_last = self.is_last(trick);
        if is_last && self.open_points(trick) == 0 {
            let free = winning.iter().copied().filter(|card| self.scoring.points(*card) == 0);
            if let Some(card) = first_max_by(free, |card| card.rank()) {
                return card;
            }
        }
        if !losing.is_empty() {
            lowest(losing, |card| (self.scoring.points(card), Reverse(card.rank())))
        } else if is_last {
            highest(winning, |card| (self.scoring.points(card), card.rank()))
        } else {
            lowest(winning, |card| (self.harms(card), card.rank()))
        }
    }

    /// Takes what is worth taking, the last seat as cheaply as it can; otherwise it throws the least.
    fn follow_to_take(&self, trick: &Trick, winning: &[Card], losing: &[Card]) -> Card {
        let led = trick.led();
        let is_last = self.is_last(trick);
        let is_nothing = is_last && !losing.is_empty() && self.open_points(trick) == 0;
        if !winning.is_empty() && !is_nothing {
            if is_last || winning.iter().all(|card| self.is_trump(*card)) {
                return lowest(winning, |card| (-self.scoring.points(card), self.power(card, led)));
            }
            return highest(winning, |card| self.power(card, led));
        }
        let least = if losing.is_empty() { winning } else { losing };
        lowest(least, |card| (self.scoring.points(card), self.is_trump(card), self.strength(card)))
    }

    /// The card's strength in a trick: below zero if it cannot win, trumps above all.
    fn power(&self, card: Card, led: Suit) -> i32 {
        let rank = if self.deal.misere { 16 - card.rank() } else { card.rank() };
        if self.is_trump(card) {
            rank + ABOVE_ALL
        } else if card.suit() == led {
            rank
        } else {
            -1
        }
    }

    /// The power of the card if it is led.
    fn strength(&self, card: Card) -> i32 {
        self.power(card, card.suit())
    }

    fn is_trump(&self, card: Card) -> bool {
        Some(card.suit()) == self.deal.trump
    }

    /// Whether the card costs its taker something.
    fn harms(&self, card: Card) -> bool {
        self.scoring.points(card) < 0
    }

    /// Whether the trick is complete with our card.
    fn is_last(&self, trick: &Trick) -> bool {
        trick.plays.len() == self.seats - 1
    }

    /// What the open trick is worth so far.
    fn open_points(&self, trick: &Trick) -> i32 {
        self.scoring.trick_points(self.deal.trick_number(), trick.cards())
    }

    /// Whether only later tricks score: the time to be rid of what will hurt then, or to save what will win.
    fn is_idle(&self) -> bool {
        let late_only = self.scoring.each_trick == 0 && self.scoring.cards.is_empty();
        late_only && self.scoring.tricks.keys().next().is_some_and(|first| self.deal.trick_number() < *first)
    }
}

/// The first of the cards that have most by some measure.
fn highest<K: PartialOrd>(cards: &[Card], measure: impl Fn(Card) -> K) -> Card {
    first_max_by(cards.iter().copied(), |card| measure(*card)).expect("there is a legal card")
}

/// The first of the cards that have least by some measure.
fn lowest<K: Ord>(cards: &[Card], measure: impl Fn(Card) -> K) -> Card {
    cards.iter().copied().min_by_key(|card| measure(*card)).expect("there is a legal card")
}
