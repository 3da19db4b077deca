//! From the protocol's messages to the bot's view.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use crate::actions::{Action, ActionBy};
use crate::bot::Bot;
use crate::cards::{Card, CardSet, NoSuchCard, Suit};
use crate::contracts::check_variant;
use crate::deal::{Gift, NoTrick};
use crate::proto;
use crate::proto::referee_message::Message;
use crate::table::{Forfeit, Table, TimeControl};

/// One decision that is asked for.
#[derive(Debug)]
pub(crate) struct Request {
    pub id: i64,
    pub table: i32,
    pub actions: Vec<Action>,
    pub left: Duration,
    pub taken_last: Duration,
}

/// What the referee sent makes no sense to us.
#[derive(Debug)]
pub(crate) enum Nonsense {
    /// It plays a variant that the kit does not have.
    Variant(String),
    /// It breaks the protocol.
    Message(String),
}

impl fmt::Display for Nonsense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nonsense::Variant(sentence) => f.write_str(sentence),
            Nonsense::Message(what) => write!(f, "the referee sent what makes no sense: {what}"),
        }
    }
}

impl From<NoSuchCard> for Nonsense {
    fn from(error: NoSuchCard) -> Nonsense {
        Nonsense::Message(error.to_string())
    }
}

impl From<NoTrick> for Nonsense {
    fn from(_: NoTrick) -> Nonsense {
        Nonsense::Message("the end of a trick, but no trick is open".to_owned())
    }
}

/// The tables of this process by the referee's number. They survive a broken stream.
#[derive(Default)]
pub(crate) struct Tables {
    by_number: HashMap<i32, Table>,
}

impl Tables {
    pub(crate) fn get(&self, number: i32) -> &Table {
        &self.by_number[&number]
    }

    /// Brings the views up to date with a whole frame; returns its requests in order.
    pub(crate) fn take_in(
        &mut self,
        messages: Vec<proto::RefereeMessage>,
        bot: &mut dyn Bot,
    ) -> Result<Vec<Request>, Nonsense> {
        let mut asked = Vec::new();
        for proto::RefereeMessage { table: number, message } in messages {
            match message {
                None | Some(Message::Welcome(_)) => {} // None is a kind that this version does not know
                Some(Message::TableStart(start)) => {
                    check_variant(&start.variant).map_err(Nonsense::Variant)?;
                    let table = read_start(number, start);
                    bot.table_started(&table);
                    self.by_number.insert(number, table);
                }
                Some(Message::Request(request)) => {
                    asked.push(read_request(number, self.started(number)?, request)?);
                }
                Some(Message::TableEnd(end)) => {
                    let mut table = self.by_number.remove(&number).ok_or_else(|| not_started(number))?;
                    end_table(&mut table, end);
                    bot.table_ended(&table);
                }
                Some(event) => take_in_event(self.started(number)?, event, bot)?,
            }
        }
        Ok(asked)
    }

    fn started(&mut self, number: i32) -> Result<&mut Table, Nonsense> {
        self.by_number.get_mut(&number).ok_or_else(|| not_started(number))
    }
}

fn not_started(number: i32) -> Nonsense {
    Nonsense::Message(format!("a message for table {number}, which has not started"))
}

fn take_in_event(table: &mut Table, event: Message, bot: &mut dyn Bot) -> Result<(), Nonsense> {
    let deal = &mut table.deal;
    match event {
        Message::DealStart(start) => {
            let dealer = start.has_dealer.then_some(start.dealer as usize);
            let chooser = start.has_chooser.then_some(start.chooser as usize);
            table.on_deal_start(start.number as usize, dealer, chooser);
        }
        Message::CardsDealt(dealt) => deal.hand |= read_cards(&dealt.cards)?.into_iter().collect::<CardSet>(),
        Message::TalonShown(shown) => deal.talon = read_cards(&shown.cards)?,
        Message::ActionTaken(taken) => {
            let by = read_by(taken.by());
            let action =
                taken.action.ok_or_else(|| Nonsense::Message("an action that is none".to_owned()))?;
            deal.on_action(taken.seat as usize, read_action(action)?, by);
        }
        Message::CardGiven(given) => {
            let card = if given.card.is_empty() { None } else { Some(given.card.parse()?) };
            deal.on_gift(Gift { seat: given.seat as usize, to: given.to_seat as usize, card });
        }
        Message::Exposed(exposed) => deal.on_exposed(exposed.seat as usize, exposed.card.parse()?),
        Message::ContractSet(set) => {
            deal.trump = read_suit(set.trump());
            deal.declarer = set.has_declarer.then_some(set.declarer as usize);
            deal.price = (set.price != 0).then_some(set.price as u32);
            deal.misere = set.misere;
            deal.contract = Some(set.contract);
        }
        Message::TrickEnd(end) => deal.on_trick_end(end.taker as usize)?,
        Message::DealEnd(end) => {
            table.on_deal_end(end.points, end.totals);
            bot.deal_ended(table);
        }
        Message::Welcome(_) | Message::TableStart(_) | Message::Request(_) | Message::TableEnd(_) => {
            unreachable!("taken in before")
        }
    }
    Ok(())
}

fn read_start(number: i32, start: proto::TableStart) -> Table {
    let control = start.time_control.unwrap_or_default();
    let mut table = Table::new(&start.variant, start.options, start.seat_count as usize, start.seat as usize);
    table.number = number;
    table.match_id = start.match_id;
    table.deal_commitment = start.deal_commitment;
    table.time_control = TimeControl {
        start: milliseconds(control.start_ms),
        increment: milliseconds(control.increment_ms),
        bank: milliseconds(control.bank_ms),
    };
    table
}

fn end_table(table: &mut Table, end: proto::TableEnd) {
    table.totals = end.totals;
    table.places = end.places.into_iter().map(|place| place as usize).collect();
    table.aborted = end.aborted;
    let forfeits = end.forfeits.into_iter().map(|forfeit| Forfeit {
        seat: forfeit.seat as usize,
        kind: forfeit.kind,
        deal: forfeit.deal as usize,
        action: forfeit.action as usize,
    });
    table.forfeits = forfeits.collect();
}

fn read_request(number: i32, table: &mut Table, request: proto::Request) -> Result<Request, Nonsense> {
    let actions = request.legal_actions.into_iter().map(read_action).collect::<Result<Vec<_>, _>>()?;
    table.deal.on_request(&actions);
    Ok(Request {
        id: request.request_id,
        table: number,
        actions,
        left: milliseconds(request.time_left_ms),
        taken_last: milliseconds(request.time_taken_last_ms),
    })
}

fn read_action(action: proto::Action) -> Result<Action, Nonsense> {
    use proto::ActionKind;
    let trump = read_suit(action.trump());
    Ok(match action.kind() {
        ActionKind::Play => Action::Play(action.card.parse()?),
        ActionKind::Choose => Action::Choose { contract: action.contract, trump },
        ActionKind::Order => Action::Order(action.contract),
        ActionKind::Pass => Action::Pass,
        ActionKind::Bid => Action::Bid(action.trick_count as u32),
        ActionKind::NameTrump => {
            Action::NameTrump(trump.ok_or_else(|| Nonsense::Message("a trump without a suit".to_owned()))?)
        }
        ActionKind::ByLast => Action::ByLast,
        ActionKind::Misere => Action::Misere,
        ActionKind::TwoTricksEach => Action::TwoTricksEach,
        ActionKind::Offer => Action::Offer,
        ActionKind::Keep => Action::Keep,
        ActionKind::Give => Action::Give { card: action.card.parse()?, to: action.to_seat as usize },
        ActionKind::Unspecified => {
            return Err(Nonsense::Message(format!("an action of the kind {}", action.kind)));
        }
    })
}

fn read_by(by: proto::ActionBy) -> ActionBy {
    match by {
        proto::ActionBy::Forced => ActionBy::Forced,
        proto::ActionBy::StandIn => ActionBy::StandIn,
        proto::ActionBy::Bot | proto::ActionBy::Unspecified => ActionBy::Bot,
    }
}

fn read_suit(suit: proto::Suit) -> Option<Suit> {
    match suit {
        proto::Suit::Unspecified => None,
        proto::Suit::Spades => Some(Suit::Spades),
        proto::Suit::Hearts => Some(Suit::Hearts),
        proto::Suit::Diamonds => Some(Suit::Diamonds),
        proto::Suit::Clubs => Some(Suit::Clubs),
    }
}

fn read_cards(texts: &[String]) -> Result<Vec<Card>, NoSuchCard> {
    texts.iter().map(|text| text.parse()).collect()
}

fn milliseconds(count: i64) -> Duration {
    Duration::from_millis(count.max(0) as u64)
}
