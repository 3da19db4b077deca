use king_bot::{Action, Bot, Card, Clock, Options, Played, Suit, Table, Trick, Turn};

use crate::Greedy;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// A russian-14 deal in which these cards lie on the table, the first led by seat 1; we are next.
fn table(contract: &str, trump: Option<Suit>, trick: &str) -> Table {
    let trick = cards(trick);
    let mut table = Table::new("russian-14", Options::new(), 4, (1 + trick.len()) % 4);
    table.deal.contract = Some(contract.to_owned());
    table.deal.trump = trump;
    if !trick.is_empty() {
        let plays = trick.into_iter().enumerate().map(|(place, card)| Played { seat: (1 + place) % 4, card });
        table.deal.trick = Some(Trick { number: 1, plays: plays.collect(), taker: None });
    }
    table
}

fn chosen(table: &Table, legal: &str) -> String {
    let actions: Vec<Action> = cards(legal).into_iter().map(Action::Play).collect();
    let turn = Turn { table, actions: &actions, clock: &Clock::default() };
    Greedy.choose(turn).card().unwrap().to_string()
}

#[test]
fn card_play() {
    const NONE: Option<Suit> = None;
    const HEARTS: Option<Suit> = Some(Suit::Hearts);
    let cases = [
        ("leads low where tricks cost", "no_tricks", NONE, "", "AS 9H 8D KC", "8D"),
        ("leads nothing that scores", "no_girls", NONE, "", "QS QH KD", "KD"),
        ("stays just below", "no_tricks", NONE, "QS", "7S JS AS", "JS"),
        ("throws what is dangerous", "no_king", NONE, "9S", "AD KH AC", "KH"),
        ("takes an empty trick with its highest", "no_hearts", NONE, "9S 8S 7S", "TS AS", "AS"),
        ("leads its strongest where tricks pay", "tricks", NONE, "", "AS 9H KC", "AS"),
        ("takes as last as cheaply as it can", "tricks", NONE, "9S 8S 7S", "TS AS", "TS"),
        ("throws its least where it cannot take", "tricks", NONE, "AS", "7S KS", "7S"),
        ("ruffs with its smallest trump", "trumps", HEARTS, "AS", "7H AH", "7H"),
        ("keeps its trumps where a side ace is as high", "trumps", HEARTS, "", "AH AS", "AS"),
        ("is rid of high cards before the last tricks", "no_last_two", NONE, "", "7S AS", "AS"),
        ("saves high cards for the last tricks", "last_two", NONE, "", "7S AS", "7S"),
    ];
    for (behaviour, contract, trump, trick, legal, wanted) in cases {
        assert_eq!(chosen(&table(contract, trump, trick), legal), wanted, "{behaviour}");
    }
}

#[test]
fn at_misere_the_lowest_card_is_the_strongest() {
    let mut table = table("trumps", None, "9S 8S");
    table.deal.misere = true;
    assert_eq!(chosen(&table, "7S AS"), "7S");
}
