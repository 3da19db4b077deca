//! One match, as one seat sees it.

use std::time::Duration;

use crate::cards::{Card, CardSet, Suit};
use crate::contracts::{Options, Scorings, check_variant, pack_of, scorings_of};
use crate::deal::{Deal, Played};
use crate::scoring::Scoring;

/// The clock of a process, which all its tables share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The time until ready.
    pub start: Duration,
    /// What each request adds.
    pub increment: Duration,
    /// What it starts with and never exceeds.
    pub bank: Duration,
}

/// What is remembered of a deal that is over; the fields are those of [`Deal`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct FinishedDeal {
    pub number: usize,
    pub contract: Option<String>,
    pub declarer: Option<usize>,
    pub trump: Option<Suit>,
    pub misere: bool,
    pub price: Option<u32>,
    /// Points by seat.
    pub points: Vec<i32>,
}

/// A seat that was taken from its bot: what it did, and the deal and action at which the stand-in took over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Forfeit {
    pub seat: usize,
    pub kind: String,
    pub deal: usize,
    pub action: usize,
}

/// One match, as one seat sees it: all that a bot may know, and nothing else.
#[derive(Clone, Debug)]
pub struct Table {
    /// The referee's number for it on our stream.
    pub number: i32,
    /// Its name in records.
    pub match_id: String,
    /// In a season, the SHA-256 of the board's secret, 64 hex digits.
    pub deal_commitment: String,
    /// The variant with its options, such as `turkish-20[limits=free]`.
    pub variant: String,
    /// The variant without its options.
    pub base_id: String,
    /// Every option, resolved.
    pub options: Options,
    /// How many seats there are.
    pub seats: usize,
    /// Ours.
    pub seat: usize,
    /// The clock of the process.
    pub time_control: TimeControl,
    /// All cards of the variant.
    pub pack: CardSet,
    /// The deal in progress.
    pub deal: Deal,
    /// The deals before it.
    pub finished: Vec<FinishedDeal>,
    /// Running totals by seat.
    pub totals: Vec<i32>,
    /// Places by seat, once the match is over; so the next two.
    pub places: Vec<usize>,
    /// The forfeits of this match.
    pub forfeits: Vec<Forfeit>,
    /// Why the match ended without a result; empty otherwise.
    pub aborted: String,
    scorings: Scorings,
}

impl Table {
    /// A table at which nothing has happened yet: what a bot sees before its first deal. The kit makes them from the
    /// referee's messages; a test makes its own.
    ///
    /// # Panics
    /// If the kit does not have the variant.
    pub fn new(variant: &str, options: Options, seats: usize, seat: usize) -> Table {
        let base_id = variant.split('[').next().unwrap_or_default();
        check_variant(variant).unwrap_or_else(|error| panic!("{error}"));
        let pack = pack_of(base_id, &options);
        Table {
            number: 0,
            match_id: String::new(),
            deal_commitment: String::new(),
            variant: variant.to_owned(),
            base_id: base_id.to_owned(),
            scorings: scorings_of(base_id, &options),
            options,
            seats,
            seat,
            time_control: TimeControl::default(),
            pack,
            deal: Deal::new(seat, seats, pack),
            finished: Vec::new(),
            totals: vec![0; seats],
            places: Vec::new(),
            forfeits: Vec::new(),
            aborted: String::new(),
        }
    }

    /// The other seats, in playing order from ours.
    pub fn opponents(&self) -> impl Iterator<Item = usize> {
        (1..self.seats).map(|step| (self.seat + step) % self.seats)
    }

    /// The play that takes the open trick as it lies; None when we lead.
    pub fn winner(&self) -> Option<Played> {
        let Deal { trick, trump, misere, .. } = &self.deal;
        trick.as_ref().map(|trick| trick.winner(*trump, *misere))
    }

    /// Whether a card, played now, would take the open trick as it lies; a card that is led does.
    pub fn beats(&self, card: Card) -> bool {
        let Deal { trick, trump, misere, .. } = &self.deal;
        trick.as_ref().is_none_or(|trick| trick.is_beaten_by(card, *trump, *misere))
    }

    /// What the contract in progress counts.
    ///
    /// # Panics
    /// Before a contract is set. It is whenever a card is asked for.
    pub fn scoring(&self) -> &Scoring {
        self.scoring_of(self.deal.contract.as_deref().expect("a contract is set"))
    }

    /// What a contract of this variant counts.
    ///
    /// # Panics
    /// If the variant has no such contract.
    pub fn scoring_of(&self, contract: &str) -> &Scoring {
        let scoring = self.scorings.get(contract);
        scoring.unwrap_or_else(|| panic!("{} has no contract {contract:?}", self.variant))
    }

    /// By seat, what the complete tricks of this deal are worth; payments for a price are left out.
    pub fn points_so_far(&self) -> Vec<i32> {
        let mut points = vec![0; self.seats];
        for trick in &self.deal.tricks {
            if let Some(taker) = trick.taker {
                points[taker] += self.scoring().trick_points(trick.number, trick.cards());
            }
        }
        points
    }

    pub(crate) fn on_deal_start(&mut self, number: usize, dealer: Option<usize>, chooser: Option<usize>) {
        self.deal = Deal::new(self.seat, self.seats, self.pack);
        self.deal.number = number;
        self.deal.dealer = dealer;
        self.deal.chooser = chooser;
    }

    pub(crate) fn on_deal_end(&mut self, points: Vec<i32>, totals: Vec<i32>) {
        let deal = &self.deal;
        self.totals = totals;
        self.finished.push(FinishedDeal {
            number: deal.number,
            contract: deal.contract.clone(),
            declarer: deal.declarer,
            trump: deal.trump,
            misere: deal.misere,
            price: deal.price,
            points,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Trick;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    /// A table at which seat 1 led the eight of spades; the jack and the nine of clubs follow.
    fn table(trump: Option<Suit>, misere: bool) -> Table {
        let mut table = Table::new("russian-14", Options::new(), 4, 0);
        let plays = [(1, "8S"), (2, "JS"), (3, "9C")].map(|(seat, text)| Played { seat, card: card(text) });
        table.deal.trick = Some(Trick { number: 1, plays: plays.into(), taker: None });
        table.deal.trump = trump;
        table.deal.misere = misere;
        table
    }

    #[test]
    fn what_takes_a_trick() {
        let cases = [
            ("the highest of the suit led wins", None, false, "JS", "QS", "TS"),
            ("what is thrown wins nothing", None, false, "JS", "AS", "AD"),
            ("a trump wins", Some(Suit::Clubs), false, "9C", "TC", "AS"),
            ("a first trump beats the suit led", Some(Suit::Hearts), false, "JS", "7H", "AD"),
            ("at misère the lowest wins", None, true, "8S", "7S", "9S"),
            ("at misère, too, what is thrown wins nothing", None, true, "8S", "7S", "7D"),
        ];
        for (behaviour, trump, misere, winner, beats, loses) in cases {
            let table = table(trump, misere);
            assert_eq!(table.winner().map(|played| played.card), Some(card(winner)), "{behaviour}");
            assert!(table.beats(card(beats)) && !table.beats(card(loses)), "{behaviour}");
        }
    }

    #[test]
    fn before_a_lead_nothing_wins_and_any_card_would() {
        let table = Table::new("russian-14", Options::new(), 4, 0);
        assert_eq!(table.winner(), None);
        assert!(table.beats(card("7S")));
    }
}
