//! Cards, and sets of cards as bit masks.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};
use std::str::FromStr;

const RANKS: &[u8; 13] = b"23456789TJQKA";

/// One of the four suits, in the order of the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Suit {
    Spades,
    Hearts,
    Diamonds,
    Clubs,
}

impl Suit {
    /// All four, in the order of the pack.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// Every card of the suit.
    pub const fn cards(self) -> CardSet {
        CardSet(0x1FFF << (13 * self as u32))
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["S", "H", "D", "C"][*self as usize])
    }
}

/// One card. It is its own number, from 0 to 51: suits in the order S H D C, ranks from 2 up to the ace.
/// That is also the order in which a pack is listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card that gives the game its name.
    pub const KING_OF_HEARTS: Card = Card(24);

    /// The card with this number, 0 to 51.
    pub(crate) const fn numbered(number: u8) -> Card {
        assert!(number < 52);
        Card(number)
    }

    /// The card's own number, 0 to 51.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// The card's suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.0 as usize / 13]
    }

    /// 2 to 10, jack 11, queen 12, king 13, ace 14.
    pub const fn rank(self) -> i32 {
        self.0 as i32 % 13 + 2
    }

    /// The set of this card alone.
    pub const fn set(self) -> CardSet {
        CardSet(1 << self.0)
    }
}

/// A text that is no card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchCard(String);

impl fmt::Display for NoSuchCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a card: write a rank of 23456789TJQKA and a suit of SHDC, such as KH", self.0)
    }
}

impl std::error::Error for NoSuchCard {}

impl FromStr for Card {
    type Err = NoSuchCard;

    /// Reads a card written rank then suit, such as `KH`.
    fn from_str(text: &str) -> Result<Card, NoSuchCard> {
        if let [rank, suit] = text.as_bytes() {
            let rank = RANKS.iter().position(|letter| letter == rank);
            let suit = b"SHDC".iter().position(|letter| letter == suit);
            if let (Some(rank), Some(suit)) = (rank, suit) {
                return Ok(Card((suit * 13 + rank) as u8));
            }
        }
        Err(NoSuchCard(text.to_owned()))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", RANKS[self.number() % 13] as char, self.suit())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of cards: bit n stands for card n. Sets are joined with `|`, cut with `&` and taken away with `-`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// The whole pack of 52.
    pub const WHOLE_PACK: CardSet = CardSet((1 << 52) - 1);

    /// Whether the card is in the set.
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// The number of cards in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards of the set that come before a card in the order of the pack.
    pub const fn before(self, card: Card) -> CardSet {
        CardSet(self.0 & ((1 << card.0) - 1))
    }

    /// The cards of the set, in the order of the pack.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let card = (rest != 0).then(|| Card(rest.trailing_zeros() as u8))?;
            rest &= rest - 1;
            Some(card)
        })
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| set | card.set())
    }
}

impl BitOr for CardSet {
    type Output = CardSet;
    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: CardSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;
    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = CardSet;
    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

impl SubAssign for CardSet {
    fn sub_assign(&mut self, other: CardSet) {
        self.0 &= !other.0;
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_read_as_it_is_written() {
        assert_eq!(CardSet::WHOLE_PACK.len(), 52);
        for card in CardSet::WHOLE_PACK.iter() {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
    }

    #[test]
    fn the_king_of_hearts() {
        let card: Card = "KH".parse().unwrap();
        assert_eq!((card, card.suit(), card.rank()), (Card::KING_OF_HEARTS, Suit::Hearts, 13));
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for text in ["", "K", "HK", "1S", "KX", "10S", "kh", "♥K"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }

    #[test]
    fn sets_list_their_cards_in_the_order_of_the_pack() {
        let set: CardSet = [39, 0, 51, 24].map(Card::numbered).into_iter().collect();
        assert_eq!(format!("{set:?}"), "{2S, KH, 2C, AC}");
        assert_eq!(set.before(Card::numbered(39)).len(), 2);
        let suits = Suit::ALL.map(Suit::cards).into_iter().reduce(|all, suit| all | suit);
        assert_eq!(suits, Some(CardSet::WHOLE_PACK));
    }
}
