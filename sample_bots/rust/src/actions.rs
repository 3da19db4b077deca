//! What a seat can do.

use crate::cards::{Card, Suit};

/// One thing that a seat can do, or did; in the order in which legal actions are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Play a card.
    Play(Card),
    /// Choose a contract, and a trump where it has one.
    Choose {
        /// The contract's id.
        contract: String,
        /// The trump suit, if the choice includes one.
        trump: Option<Suit>,
    },
    /// Order a contract, by its id.
    Order(String),
    /// Pass.
    Pass,
    /// Bid a number of tricks.
    Bid(u32),
    /// Name the trump suit.
    NameTrump(Suit),
    /// Let the last card of eldest decide the trump.
    ByLast,
    /// Play without trump, the ranks upside down.
    Misere,
    /// Write two tricks to everybody and do not play.
    TwoTricksEach,
    /// Offer the game for sale.
    Offer,
    /// Keep the game.
    Keep,
    /// Give a card to another seat.
    Give {
        /// The card.
        card: Card,
        /// The seat that gets it.
        to: usize,
    },
}

impl Action {
    /// The card that is played or given.
    pub fn card(&self) -> Option<Card> {
        match self {
            Action::Play(card) | Action::Give { card, .. } => Some(*card),
            _ => None,
        }
    }
}

/// How an action came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionBy {
    /// The bot of the seat chose it.
    Bot,
    /// It was the only legal one.
    Forced,
    /// The referee took it, for a bot that failed.
    StandIn,
}
