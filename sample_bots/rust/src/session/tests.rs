use std::thread;

use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::*;
use crate::actions::Action;
use crate::proto::referee_message::Message as Told;

/// A bot that is one function.
struct Function<F>(F);

impl<F: for<'a> FnMut(Turn<'a>) -> &'a Action> Bot for Function<F> {
    fn choose<'a>(&mut self, turn: Turn<'a>) -> &'a Action {
        (self.0)(turn)
    }
}

fn last(turn: Turn<'_>) -> &Action {
    &turn.actions[turn.actions.len() - 1]
}

fn told(table: i32, message: Told) -> proto::RefereeMessage {
    proto::RefereeMessage { table, message: Some(message) }
}

fn play(card: &str) -> proto::Action {
    proto::Action { kind: proto::ActionKind::Play.into(), card: card.to_owned(), ..Default::default() }
}

/// A match of russian-14 up to our first card: seat 1 leads the queen of spades, and we hold two spades.
fn opening(table: i32) -> Vec<proto::RefereeMessage> {
    let start =
        proto::TableStart { variant: "russian-14".into(), seat_count: 4, seat: 2, ..Default::default() };
    let deal = proto::DealStart { number: 1, has_dealer: true, ..Default::default() };
    let cards = ["7S", "AS", "KH", "7D", "8D", "9D", "TD", "JD"].map(String::from).into();
    let contract = proto::ContractSet { contract: "no_tricks".into(), ..Default::default() };
    let lead = proto::ActionTaken { seat: 1, action: Some(play("QS")), by: proto::ActionBy::Bot.into() };
    let request = proto::Request {
        request_id: 70 + i64::from(table),
        legal_actions: vec![play("7S"), play("AS")],
        time_left_ms: 5000,
        time_taken_last_ms: 3,
    };
    vec![
        told(table, Told::TableStart(start)),
        told(table, Told::DealStart(deal)),
        told(table, Told::CardsDealt(proto::CardsDealt { cards })),
        told(table, Told::ContractSet(contract)),
        told(table, Told::ActionTaken(lead)),
        told(table, Told::Request(request)),
    ]
}

/// What a bot of this function says to these frames, frame by frame; and how the session ended.
fn dialogue(
    choose: impl for<'a> FnMut(Turn<'a>) -> &'a Action,
    frames: impl IntoIterator<Item = Vec<proto::RefereeMessage>>,
) -> (Vec<Vec<Message>>, Result<(), String>) {
    let mut bot = Function(choose);
    let mut session = Session::new(&mut bot, About::new("test", "1"), "secret".into());
    let (outbox, mut said) = mpsc::unbounded_channel();
    session.begin(&outbox);
    let ended = frames.into_iter().try_for_each(|frame| session.on_frame(frame, &outbox));
    (drain(&mut said), ended)
}

fn drain(said: &mut UnboundedReceiver<proto::PlayRequest>) -> Vec<Vec<Message>> {
    let frames = std::iter::from_fn(|| said.try_recv().ok());
    frames.map(|frame| frame.messages.into_iter().filter_map(|each| each.message).collect()).collect()
}

#[test]
fn it_says_hello_first_and_ready_once_welcome() {
    let welcome = || vec![told(0, Told::Welcome(proto::Welcome::default()))];
    let (said, ended) = dialogue(last, [welcome(), welcome()]);
    assert_eq!(ended, Ok(()));
    assert!(matches!(&said[0][..], [Message::Hello(hello)]
        if hello.token == "secret" && hello.protocol_version == 1 && hello.table_limit == 64));
    assert!(matches!(&said[1..], [ready] if matches!(ready[..], [Message::Ready(_)])));
}

#[test]
fn requests_of_a_frame_are_answered_together() {
    let (said, ended) = dialogue(last, [opening(3).into_iter().chain(opening(4)).collect()]);
    assert_eq!(ended, Ok(()));
    let choices = [73, 74].map(|request_id| Message::Choice(proto::Choice { request_id, index: 1 }));
    assert_eq!(said[1..], [choices.to_vec()]);
}

#[test]
fn answers_that_are_ready_do_not_wait_for_slow_ones() {
    let slow = |turn: Turn<'_>| -> usize {
        thread::sleep(2 * FLUSH_AFTER);
        turn.actions.len() - 1
    };
    let (said, _) = dialogue(
        move |turn| &turn.actions[slow(turn)],
        [opening(3).into_iter().chain(opening(4)).collect::<Vec<_>>()],
    );
    assert_eq!(said.len(), 3);
}

#[test]
fn a_table_that_starts_again_is_replaced() {
    let mut hands = Vec::new();
    let (said, ended) = dialogue(
        |turn| {
            hands.push((
                turn.table.deal.hand.len(),
                turn.table.deal.trick.as_ref().map(|trick| trick.plays.len()),
            ));
            last(turn)
        },
        [opening(3), opening(3)],
    );
    assert_eq!((said.len(), ended), (3, Ok(())));
    assert_eq!(hands, [(8, Some(1)), (8, Some(1))]);
}

#[test]
fn an_illegal_choice_is_the_bots_own_fault() {
    let (_, ended) = dialogue(|_| &Action::Pass, [opening(3)]);
    assert!(ended.unwrap_err().contains("which is not legal"));
}

#[test]
fn a_message_for_a_table_that_has_not_started_is_nonsense() {
    let (_, ended) = dialogue(last, [opening(3).split_off(1)]);
    assert!(ended.unwrap_err().contains("table 3, which has not started"));
}

#[test]
fn an_unknown_variant_is_named() {
    let start = proto::TableStart { variant: "bridge-52[seats=3]".into(), ..Default::default() };
    let (_, ended) = dialogue(last, [vec![told(3, Told::TableStart(start))]]);
    assert!(ended.unwrap_err().starts_with(r#"this kit does not know the variant "bridge-52""#));
}
