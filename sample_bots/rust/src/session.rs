//! The bot's dialogue with the referee, across the streams that carry it.

use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use crate::bot::{About, Bot, Clock, Turn};
use crate::proto;
use crate::proto::bot_message::Message;
use crate::proto::referee_message;
use crate::wire::{Request, Tables};

const PROTOCOL_VERSION: i32 = 1;
const FLUSH_AFTER: Duration = Duration::from_millis(20);
const LABEL_LENGTH: usize = 64;

/// Where frames for the referee go. It never blocks; what is left in it when a stream breaks is lost with it.
pub(crate) type Outbox = UnboundedSender<proto::PlayRequest>;

pub(crate) struct Session<'b> {
    bot: &'b mut dyn Bot,
    about: About,
    token: String,
    tables: Tables,
    warm: bool,
    welcomed: bool,
}

impl<'b> Session<'b> {
    pub(crate) fn new(bot: &'b mut dyn Bot, about: About, token: String) -> Session<'b> {
        Session { bot, about, token, tables: Tables::default(), warm: false, welcomed: false }
    }

    /// Whether the stream at hand got so far.
    pub(crate) fn welcomed(&self) -> bool {
        self.welcomed
    }

    /// Says who we are, as the first thing on a stream.
    pub(crate) fn begin(&mut self, outbox: &Outbox) {
        self.welcomed = false;
        let hello = proto::Hello {
            protocol_version: PROTOCOL_VERSION,
            token: self.token.clone(),
            name: cut(&self.about.name),
            version: cut(&self.about.version),
            table_limit: self.about.table_limit.into(),
        };
        say(outbox, vec![Message::Hello(hello)]);
    }

    /// Takes in a whole frame and answers its requests. An error is the bot's, or a referee that speaks nonsense.
    pub(crate) fn on_frame(
        &mut self,
        messages: Vec<proto::RefereeMessage>,
        outbox: &Outbox,
    ) -> Result<(), String> {
        if !self.welcomed && messages.iter().any(is_welcome) {
            self.get_ready(outbox)?;
        }
        let asked = self.tables.take_in(messages, self.bot).map_err(|nonsense| nonsense.to_string())?;
        self.answer(&asked, outbox)
    }

    fn get_ready(&mut self, outbox: &Outbox) -> Result<(), String> {
        self.welcomed = true;
        if !self.warm {
            self.bot.warm_up().map_err(|error| format!("warming up: {error}"))?;
            self.warm = true;
        }
        say(outbox, vec![Message::Ready(proto::Ready {})]);
        Ok(())
    }

    /// Answers all requests of a frame; what is ready goes out early if the rest takes long.
    fn answer(&mut self, asked: &[Request], outbox: &Outbox) -> Result<(), String> {
        let Some(last) = asked.last() else { return Ok(()) };
        let mut clock = Clock::new(last.left, last.taken_last, asked.len());
        let mut answers = Vec::new();
        let mut flushed_at = Instant::now();
        for request in asked {
            let index = self.choose(request, &clock)?;
            answers.push(Message::Choice(proto::Choice { request_id: request.id, index }));
            clock.unanswered -= 1;
            if flushed_at.elapsed() > FLUSH_AFTER || clock.unanswered == 0 {
                say(outbox, std::mem::take(&mut answers));
                flushed_at = Instant::now();
            }
        }
        Ok(())
    }

    fn choose(&mut self, request: &Request, clock: &Clock) -> Result<i32, String> {
        let actions = &request.actions;
        let turn = Turn { table: self.tables.get(request.table), actions, clock };
        let chosen = self.bot.choose(turn);
        let index = actions.iter().position(|action| action == chosen);
        index.map(|index| index as i32).ok_or_else(|| {
            format!("choose returned {chosen:?}, which is not legal: the actions are {actions:?}")
        })
    }
}

fn is_welcome(message: &proto::RefereeMessage) -> bool {
    matches!(message.message, Some(referee_message::Message::Welcome(_)))
}

/// Hands a frame to the stream. If that is broken the frame is lost, which reading from the stream will tell.
fn say(outbox: &Outbox, messages: Vec<Message>) {
    let messages = messages.into_iter().map(|message| proto::BotMessage { message: Some(message) }).collect();
    let _ = outbox.send(proto::PlayRequest { messages, more: false });
}

fn cut(label: &str) -> String {
    label.chars().take(LABEL_LENGTH).collect()
}

#[cfg(test)]
mod tests;
