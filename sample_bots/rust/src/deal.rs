//! The deal in progress, as one seat sees it.

use crate::actions::{Action, ActionBy};
use crate::cards::{Card, CardSet, Suit};

/// A card on the table, and who played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Played {
    pub seat: usize,
    pub card: Card,
}

/// An action other than playing or giving a card: who took it and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Said {
    pub seat: usize,
    pub action: Action,
    pub by: ActionBy,
}

/// A card given by the declarer of a talon deal; None where it is not ours to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Gift {
    pub seat: usize,
    pub to: usize,
    pub card: Option<Card>,
}

/// Lifts trumps over every other suit.
const ABOVE_ALL: i32 = 20;

/// One trick, open or complete. It has at least one card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trick {
    /// Its number in the deal, from 1.
    pub number: usize,
    /// The cards in the order in which they were played.
    pub plays: Vec<Played>,
    /// The seat that took it; None while it is open.
    pub taker: Option<usize>,
}

impl Trick {
    /// The seat that led.
    pub fn leader(&self) -> usize {
        self.plays[0].seat
    }

    /// The suit that was led.
    pub fn led(&self) -> Suit {
        self.plays[0].card.suit()
    }

    /// The set of its cards.
    pub fn cards(&self) -> CardSet {
        self.plays.iter().map(|played| played.card).collect()
    }

    /// The play that takes the trick as it lies: its highest trump, or else its highest of the suit led.
    pub fn winner(&self, trump: Option<Suit>, misere: bool) -> Played {
        let best = self.plays.iter().max_by_key(|played| self.power(played.card, trump, misere));
        *best.expect("a trick has a card")
    }

    /// Whether a card would take the trick as it lies.
    pub fn is_beaten_by(&self, card: Card, trump: Option<Suit>, misere: bool) -> bool {
        let best = self.winner(trump, misere).card;
        self.power(card, trump, misere) > self.power(best, trump, misere)
    }

    /// A card's strength here: below zero if it cannot win. At misère the ranks are upside down.
    fn power(&self, card: Card, trump: Option<Suit>, misere: bool) -> i32 {
        let rank = if misere { 16 - card.rank() } else { card.rank() };
        if Some(card.suit()) == trump {
            rank + ABOVE_ALL
        } else if card.suit() == self.led() {
            rank
        } else {
            -1
        }
    }
}

/// The deal in progress, as one seat sees it. A list "by seat" has one entry for each.
#[derive(Clone, Debug, Default)]
pub struct Deal {
    /// The deal's number, from 1.
    pub number: usize,
    /// The seat that deals, where there is one; the seat after it is eldest.
    pub dealer: Option<usize>,
    /// The seat that chooses the contract, where there is one.
    pub chooser: Option<usize>,
    /// Our cards.
    pub hand: CardSet,
    /// The contract's id, once it is set; so the next four.
    pub contract: Option<String>,
    /// Who chose, ordered, bought, named or kept it.
    pub declarer: Option<usize>,
    /// The trump suit.
    pub trump: Option<Suit>,
    /// Whether the ranks are upside down and there is no trump.
    pub misere: bool,
    /// Tricks bid or paid.
    pub price: Option<u32>,
    /// Choices, orders, bids, passes and the like, in order.
    pub said: Vec<Said>,
    /// The open cards of the talon.
    pub talon: Vec<Card>,
    /// The seat that took them.
    pub talon_taker: Option<usize>,
    /// Cards given by the declarer, in order.
    pub gifts: Vec<Gift>,
    /// A card shown to all; it stays in that seat's hand until played.
    pub exposed: Option<Played>,
    /// The open trick; None before a lead.
    pub trick: Option<Trick>,
    /// Complete tricks, in order.
    pub tricks: Vec<Trick>,
    /// By seat, the number of tricks taken.
    pub tricks_taken: Vec<u32>,
    /// By seat, the cards taken.
    pub cards_taken: Vec<CardSet>,
    /// By seat, the cards played.
    pub played_by: Vec<CardSet>,
    /// By seat, cards that it cannot hold, because it showed that it has none of their suit.
    pub cannot: Vec<CardSet>,
    /// By seat, cards in other hands that we know of: gifts of ours, the exposed card.
    pub known: Vec<CardSet>,
    /// Every card played, the open trick's too.
    pub fallen: CardSet,
    seat: usize,
    pack: CardSet,
}

/// The end of a trick was told, but no trick is open.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoTrick;

impl Deal {
    pub(crate) fn new(seat: usize, seats: usize, pack: CardSet) -> Deal {
        Deal {
            tricks_taken: vec![0; seats],
            cards_taken: vec![CardSet::EMPTY; seats],
            played_by: vec![CardSet::EMPTY; seats],
            cannot: vec![CardSet::EMPTY; seats],
            known: vec![CardSet::EMPTY; seats],
            seat,
            pack,
            ..Deal::default()
        }
    }

    /// The seat after the dealer, where there is one.
    pub fn eldest(&self) -> Option<usize> {
        self.dealer.map(|dealer| (dealer + 1) % self.tricks_taken.len())
    }

    /// The cards that are in other hands, or not dealt yet, for all we know.
    pub fn unseen(&self) -> CardSet {
        self.pack - self.hand - self.fallen
    }

    /// The number of the trick that is open or about to be led, from 1.
    pub fn trick_number(&self) -> usize {
        self.tricks.len() + 1
    }

    pub(crate) fn on_action(&mut self, seat: usize, action: Action, by: ActionBy) {
        match action {
            Action::Play(card) => self.on_play(seat, card),
            _ => self.said.push(Said { seat, action, by }),
        }
    }

    fn on_play(&mut self, seat: usize, card: Card) {
        let number = self.trick_number();
        let trick = self.trick.get_or_insert_with(|| Trick { number, plays: Vec::new(), taker: None });
        trick.plays.push(Played { seat, card });
        let led = trick.led();
        if card.suit() != led {
            self.cannot[seat] |= led.cards();
        }
        self.fallen |= card.set();
        self.played_by[seat] |= card.set();
        self.known[seat] -= card.set();
        if seat == self.seat {
            self.hand -= card.set();
        }
    }

    pub(crate) fn on_gift(&mut self, gift: Gift) {
        self.take_talon(gift.seat);
        self.gifts.push(gift);
        match gift.card {
            Some(card) if gift.seat == self.seat => {
                self.hand -= card.set();
                self.known[gift.to] |= card.set();
            }
            Some(card) => self.hand |= card.set(),
            None => {}
        }
    }

    /// A request for a gift is how the declarer learns that the talon is in the hand.
    pub(crate) fn on_request(&mut self, actions: &[Action]) {
        if let Some(Action::Give { .. }) = actions.first() {
            self.take_talon(self.seat);
        }
    }

    /// Told by the first gift, or by our being asked for one.
    fn take_talon(&mut self, seat: usize) {
        if self.talon_taker.is_some() {
            return;
        }
        self.talon_taker = Some(seat);
        if seat == self.seat {
            self.hand |= self.talon.iter().copied().collect();
        }
    }

    pub(crate) fn on_exposed(&mut self, seat: usize, card: Card) {
        self.exposed = Some(Played { seat, card });
        if seat != self.seat {
            self.known[seat] |= card.set();
        }
    }

    pub(crate) fn on_trick_end(&mut self, taker: usize) -> Result<(), NoTrick> {
        let mut trick = self.trick.take().ok_or(NoTrick)?;
        trick.taker = Some(taker);
        self.tricks_taken[taker] += 1;
        self.cards_taken[taker] |= trick.cards();
        self.tricks.push(trick);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    fn set(text: &str) -> CardSet {
        text.split_whitespace().map(card).collect()
    }

    #[test]
    fn a_seat_that_does_not_follow_shows_a_void() {
        let mut deal = Deal::new(2, 4, CardSet::WHOLE_PACK);
        deal.hand = set("AS 7D");
        for (seat, text) in [(1, "QS"), (2, "AS"), (3, "8H"), (0, "8S")] {
            deal.on_action(seat, Action::Play(card(text)), ActionBy::Bot);
        }
        assert_eq!(deal.trick.as_ref().map(|trick| (trick.led(), trick.leader())), Some((Suit::Spades, 1)));
        assert_eq!(deal.on_trick_end(2), Ok(()));
        assert_eq!(deal.hand, set("7D"));
        assert_eq!(deal.cannot[3], Suit::Spades.cards());
        assert_eq!((deal.tricks_taken[2], deal.cards_taken[2]), (1, set("QS AS 8H 8S")));
        assert_eq!(deal.unseen().len(), 52 - 1 - 4);
        assert_eq!(deal.on_trick_end(2), Err(NoTrick));
    }

    #[test]
    fn the_declarer_has_the_talon_when_asked_for_a_gift() {
        let mut deal = Deal::new(2, 4, CardSet::WHOLE_PACK);
        deal.talon = vec![card("2S"), card("3S")];
        deal.on_request(&[
            Action::Give { card: card("2S"), to: 3 },
            Action::Give { card: card("3S"), to: 3 },
        ]);
        assert_eq!((deal.talon_taker, deal.hand), (Some(2), set("2S 3S")));
        deal.on_gift(Gift { seat: 2, to: 3, card: Some(card("2S")) });
        assert_eq!((deal.hand, deal.known[3]), (set("3S"), set("2S")));
    }
}
