//! The facts of the variants that the protocol does not send: the pack, and what each contract counts.

use std::collections::HashMap;

use crate::cards::{Card, CardSet, Suit};
use crate::scoring::Scoring;

/// The options of a variant, name to value as text.
pub type Options = HashMap<String, String>;

/// What each contract of a variant counts, by the contract's id.
pub(crate) type Scorings = HashMap<String, Scoring>;

const JACK: i32 = 11;
const QUEEN: i32 = 12;
const KING: i32 = 13;

fn has(options: &Options, name: &str, value: &str) -> bool {
    options.get(name).is_some_and(|set| set == value)
}

fn of_ranks(ranks: impl Fn(i32) -> bool) -> CardSet {
    CardSet::WHOLE_PACK.iter().filter(|card| ranks(card.rank())).collect()
}

/// Whether the kit has a variant, which may be named with its options; if not, a line that says so.
pub(crate) fn check_variant(variant: &str) -> Result<(), String> {
    match variant.split('[').next().unwrap_or_default() {
        "russian-14" | "base-14" | "ordered-56" | "auction-11" | "trump-11" => Ok(()),
        "classic" | "chooser-12" | "turkish-20" => Ok(()),
        base_id => Err(format!("this kit does not know the variant {base_id:?}: add it to src/contracts.rs")),
    }
}

/// The set of all cards of a variant that the kit has.
pub(crate) fn pack_of(base_id: &str, options: &Options) -> CardSet {
    let short = of_ranks(|rank| rank >= 7);
    let three = has(options, "seats", "3");
    match base_id {
        "turkish-20" => CardSet::WHOLE_PACK,
        "chooser-12" if three => CardSet::WHOLE_PACK - Suit::Diamonds.cards(),
        "chooser-12" => CardSet::WHOLE_PACK,
        "classic" => classic_pack(short, has(options, "pack", "32"), three),
        _ => short,
    }
}

/// Leaves out as many of the lowest cards as three seats cannot share.
fn classic_pack(short: CardSet, is_short: bool, three: bool) -> CardSet {
    const TWO_OF_CLUBS: Card = Card::numbered(39);
    const SEVEN_OF_SPADES: Card = Card::numbered(5);
    const SEVEN_OF_CLUBS: Card = Card::numbered(44);
    match (is_short, three) {
        (true, true) => short - SEVEN_OF_SPADES.set() - SEVEN_OF_CLUBS.set(),
        (true, false) => short,
        (false, true) => CardSet::WHOLE_PACK - TWO_OF_CLUBS.set(),
        (false, false) => CardSet::WHOLE_PACK,
    }
}

/// What each contract of a variant that the kit has counts.
pub(crate) fn scorings_of(base_id: &str, options: &Options) -> Scorings {
    match base_id {
        "classic" => classic(options),
        "chooser-12" => chooser(options),
        "turkish-20" => turkish(),
        _ => russian(options),
    }
}

fn named<const N: usize>(contracts: [(&str, Scoring); N]) -> Scorings {
    contracts.into_iter().map(|(id, scoring)| (id.to_owned(), scoring)).collect()
}

fn russian(options: &Options) -> Scorings {
    let mut found = named([("trumps", Scoring::each_trick(6))]);
    for (prefix, sign) in [("no_", -1), ("", 1)] {
        let boys = match has(options, "boys", "kings_and_jacks") {
            true => Scoring::each_card(of_ranks(|rank| rank == KING || rank == JACK), 2 * sign),
            false => Scoring::each_card(of_ranks(|rank| rank == KING), 4 * sign),
        };
        let parts = [
            ("tricks", Scoring::each_trick(2 * sign)),
            ("boys", boys),
            ("girls", Scoring::each_card(of_ranks(|rank| rank == QUEEN), 4 * sign)),
            ("hearts", Scoring::each_card(Suit::Hearts.cards(), 2 * sign)),
            ("king", Scoring::each_card(Card::KING_OF_HEARTS.set(), 16 * sign)),
            ("last_two", Scoring::numbered_tricks([(7, 8 * sign), (8, 8 * sign)])),
        ];
        found.insert(format!("{prefix}jumble"), Scoring::jumble(parts.iter().map(|(_, part)| part)));
        found.extend(parts.into_iter().map(|(id, part)| (format!("{prefix}{id}"), part)));
    }
    found
}

fn classic(options: &Options) -> Scorings {
    let (seats, trick, boy, king, last) = match has(options, "seats", "3") {
        true => (3, 15, 30, 140, 140),
        false => (4, 20, 40, 150, 150),
    };
    let size = pack_of("classic", options).len() / seats;
    let no_last = match has(options, "last", "two") {
        true => Scoring::numbered_tricks([(size - 1, -last / 2), (size, -last / 2)]),
        false => Scoring::numbered_tricks([(size, -last)]),
    };
    let parts = [
        ("no_tricks", Scoring::each_trick(-trick)),
        ("no_hearts", Scoring::each_card(Suit::Hearts.cards(), -20)),
        ("no_girls", Scoring::each_card(of_ranks(|rank| rank == QUEEN), -60)),
        ("no_boys", Scoring::each_card(of_ranks(|rank| rank == KING || rank == JACK), -boy)),
        ("no_king", Scoring::each_card(Card::KING_OF_HEARTS.set(), -king)),
        ("no_last", no_last),
    ];
    let no_jumble = Scoring::jumble(parts.iter().map(|(_, part)| part));
    let trump = if has(options, "redemption", "praise") { 30 } else { 25 };
    let mut found = named(parts);
    found.extend(named([
        ("jumble", no_jumble.negated()),
        ("no_jumble", no_jumble),
        ("trumps", Scoring::each_trick(trump)),
    ]));
    found
}

fn chooser(options: &Options) -> Scorings {
    let last = options.get("last_points").and_then(|points| points.parse().ok()).unwrap_or(8);
    let queens = of_ranks(|rank| rank == QUEEN);
    let king = Card::KING_OF_HEARTS.set();
    named([
        ("no_tricks", Scoring::each_trick(-2)),
        ("no_hearts", Scoring::each_card(Suit::Hearts.cards(), -2)),
        ("no_girls", Scoring::each_card(queens, -4)),
        ("no_jacks", Scoring::each_card(of_ranks(|rank| rank == JACK), -2)),
        ("no_king", Scoring::each_card(king, -16)),
        ("no_last", Scoring::numbered_tricks([(13, -last)])),
        ("no_7th_13th", Scoring::numbered_tricks([(7, -8), (13, -8)])),
        ("tricks", Scoring::each_trick(2)),
        ("hearts", Scoring::each_card(Suit::Hearts.cards(), 2)),
        ("girls", Scoring::each_card(queens, 4)),
        ("king", Scoring::each_card(king, 16)),
        ("last", Scoring::numbered_tricks([(13, last)])),
    ])
}

fn turkish() -> Scorings {
    named([
        ("no_tricks", Scoring::each_trick(-50)),
        ("no_hearts", Scoring::each_card(Suit::Hearts.cards(), -30)),
        ("no_boys", Scoring::each_card(of_ranks(|rank| rank == KING || rank == JACK), -60)),
        ("no_girls", Scoring::each_card(of_ranks(|rank| rank == QUEEN), -100)),
        ("no_king", Scoring::each_card(Card::KING_OF_HEARTS.set(), -320)),
        ("no_last_two", Scoring::numbered_tricks([(12, -180), (13, -180)])),
        ("trumps", Scoring::each_trick(50)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pairs = &'static [(&'static str, &'static str)];

    fn options(pairs: Pairs) -> Options {
        pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }

    #[test]
    fn contracts_add_up_to_what_the_rules_say() {
        let cases: [(&str, Pairs, &str, i32); 12] = [
            ("russian-14", &[], "no_tricks", -16),
            ("russian-14", &[], "no_jumble", -96),
            ("russian-14", &[], "jumble", 96),
            ("russian-14", &[("boys", "kings_and_jacks")], "no_boys", -16),
            ("ordered-56", &[], "trumps", 48),
            ("classic", &[], "no_jumble", -1380),
            ("classic", &[("seats", "3")], "no_tricks", -255),
            ("classic", &[("pack", "32")], "no_hearts", -160),
            ("classic", &[("last", "two")], "no_last", -150),
            ("classic", &[("redemption", "praise")], "trumps", 390),
            ("chooser-12", &[("last_points", "12")], "no_last", -12),
            ("turkish-20", &[], "no_last_two", -360),
        ];
        for (variant, pairs, contract, total) in cases {
            let options = options(pairs);
            let pack = pack_of(variant, &options);
            let tricks = pack.len() / if has(&options, "seats", "3") { 3 } else { 4 };
            let scoring = &scorings_of(variant, &options)[contract];
            let cards: i32 = pack.iter().map(|card| scoring.points(card)).sum();
            let sum = scoring.each_trick * tricks as i32 + scoring.numbered() + cards;
            assert_eq!(sum, total, "{variant} {pairs:?} {contract}");
            assert_eq!(scoring.avoids(), total < 0, "{variant} {pairs:?} {contract}");
        }
    }

    #[test]
    fn a_trick_scores_for_itself_its_number_and_its_cards() {
        let jumble = &scorings_of("russian-14", &Options::new())["no_jumble"];
        let cards: CardSet = ["KH", "QH", "AS"].map(|text| text.parse().unwrap()).into_iter().collect();
        assert_eq!(jumble.trick_points(1, cards), -2 - (4 + 2 + 16) - (4 + 2));
        assert_eq!(jumble.trick_points(8, CardSet::EMPTY), -2 - 8);
    }

    #[test]
    fn packs_leave_out_what_the_seats_cannot_share() {
        const THREE: Pairs = &[("seats", "3")];
        let cases: [(&str, Pairs, usize, Option<&str>); 5] = [
            ("turkish-20", &[], 52, None),
            ("russian-14", &[], 32, Some("2S")),
            ("chooser-12", THREE, 39, Some("2D")),
            ("classic", THREE, 51, Some("2C")),
            ("classic", &[("seats", "3"), ("pack", "32")], 30, Some("2S")),
        ];
        for (variant, pairs, size, missing) in cases {
            let pack = pack_of(variant, &options(pairs));
            let first = (CardSet::WHOLE_PACK - pack).iter().next().map(|card| card.to_string());
            assert_eq!((pack.len(), first.as_deref()), (size, missing), "{variant} {pairs:?}");
        }
    }
}
