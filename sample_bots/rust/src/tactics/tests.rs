use super::*;
use crate::actions::Action;
use crate::cards::{Card, CardSet, Suit};
use crate::contracts::Options;
use crate::table::Table;

fn table(variant: &str, hand: &str) -> Table {
    let mut table = Table::new(variant, Options::new(), 4, 1);
    table.deal.hand = hand.split_whitespace().map(|text| text.parse::<Card>().unwrap()).collect();
    table
}

/// The numbers are those of the Python kit, to the last bit.
#[test]
fn estimates_are_those_of_the_python_kit() {
    let table = table("classic", "2S 5S AS 3H KH 2D 4D 9D TD JD 7C QC AC");
    let hand = table.deal.hand;
    assert_eq!(edge(&table, hand, "no_jumble", None), -172.4597491114256);
    assert_eq!(edge(&table, hand, "jumble", None), 172.4597491114256);
    assert_eq!(edge(&table, hand, "no_last", None), -12.674320565797842);
    assert_eq!(edge(&table, hand, "trumps", Some(Suit::Diamonds)), 73.53132231404956);
    assert_eq!(best_trump(&table, hand), (Suit::Diamonds, 6.191252892561983));
    assert_eq!(expected_tricks(&table, hand, Play::Misere), 4.21819111570248);
}

#[test]
fn it_bids_while_the_game_is_worth_its_price() {
    let actions = [Action::Pass, Action::Bid(1), Action::Bid(2)];
    let strong = table("auction-11", "AS KS QS JS TS 9S AH AD");
    assert_eq!(decide(&strong, &actions), &actions[1]);
    let weak = table("auction-11", "7S 8S 7H 8H 7D 8D 7C 8C");
    assert_eq!(decide(&weak, &actions), &actions[0]);
}

#[test]
fn it_names_the_suit_that_makes_most_tricks() {
    let mut actions: Vec<Action> = Suit::ALL.map(Action::NameTrump).into();
    actions.push(Action::ByLast);
    assert_eq!(decide(&table("trump-11", "AC KC QC JC TC"), &actions), &Action::NameTrump(Suit::Clubs));
}

#[test]
fn it_gives_a_small_card_of_a_short_side_suit() {
    let table = table("classic", "AS KS QS JS TS 9S AH KH 2D AC");
    let hand: CardSet = table.deal.hand;
    let actions: Vec<Action> = hand.iter().map(|card| Action::Give { card, to: 2 }).collect();
    assert_eq!(decide(&table, &actions).card(), "2D".parse().ok());
}

#[test]
fn of_equals_the_first_is_taken() {
    assert_eq!(first_max_by([(1, 'a'), (2, 'b'), (2, 'c')], |item| item.0), Some((2, 'b')));
}
