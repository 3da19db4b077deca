//! The stream to the referee: dialling, frames, and coming back after a broken stream.

use std::error::Error;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};

use crate::proto;
use crate::proto::arena_service_client::ArenaServiceClient;
use crate::session::Session;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// Why a stream ended before the referee was done.
enum Failure {
    /// The stream broke, or the referee closed it.
    Stream(Status),
    /// The bot failed, or the referee spoke nonsense: another stream would not mend it.
    Own(String),
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::Stream(status)
    }
}

/// Plays until the referee has no more tables for this process, and dials again when a stream breaks.
pub(crate) async fn play(address: &str, session: &mut Session<'_>) -> Result<(), String> {
    let mut pause = FIRST_PAUSE;
    let mut lost_at = Instant::now();
    loop {
        let status = match play_stream(address, session).await {
            Ok(()) => return Ok(()),
            Err(Failure::Own(sentence)) => return Err(sentence),
            Err(Failure::Stream(status)) => status,
        };
        if let Some(reason) = fatal(status.code()) {
            return Err(format!("{reason} ({address}): {}", status.message()));
        }
        let what = format!("{:?}: {}", status.code(), status.message());
        if session.welcomed() {
            pause = FIRST_PAUSE;
            lost_at = Instant::now();
        }
        if lost_at.elapsed() > GIVE_UP_AFTER {
            let seconds = GIVE_UP_AFTER.as_secs();
            return Err(format!("no referee at {address} for {seconds} s, giving up: {what}"));
        }
        eprintln!("king_bot: stream broken ({what}), dialling again");
        std::thread::sleep(pause);
        pause = LONGEST_PAUSE.min(2 * pause);
    }
}

/// What it means when there is no use in dialling again.
fn fatal(code: Code) -> Option<&'static str> {
    match code {
        Code::Unauthenticated => Some("the token was refused"),
        Code::FailedPrecondition => Some("the protocol version was refused"),
        Code::InvalidArgument => Some("the referee reports an illegal choice or a protocol error"),
        Code::ResourceExhausted => Some("the referee reports a flood"),
        Code::DeadlineExceeded => Some("the referee reports that time has run out"),
        Code::Aborted => Some("the sitting was dropped, or another stream has replaced this one"),
        Code::Unimplemented => Some("this address is not a King Arena referee"),
        _ => None,
    }
}

/// Plays on one stream until the referee closes it.
async fn play_stream(address: &str, session: &mut Session<'_>) -> Result<(), Failure> {
    let (outbox, frames_out) = mpsc::unbounded_channel();
    session.begin(&outbox);
    let mut client = ArenaServiceClient::new(dial(address).await?).max_decoding_message_size(usize::MAX);
    let mut frames = client.play(UnboundedReceiverStream::new(frames_out)).await?.into_inner();
    while let Some(messages) = next_frame(&mut frames).await? {
        session.on_frame(messages, &outbox).map_err(Failure::Own)?;
    }
    Ok(())
}

/// Reads a whole frame: joins those that go on in the next one. None when the referee has closed the stream.
async fn next_frame(
    frames: &mut Streaming<proto::PlayResponse>,
) -> Result<Option<Vec<proto::RefereeMessage>>, Status> {
    let mut messages = Vec::new();
    while let Some(frame) = frames.message().await? {
        messages.extend(frame.messages);
        if !frame.more {
            return Ok(Some(messages));
        }
    }
    Ok(None)
}

/// Connects to `host:port` or `unix:/path`; no proxy has a part in it.
async fn dial(address: &str) -> Result<Channel, Failure> {
    let uri = if address.starts_with("unix:") { address.to_owned() } else { format!("http://{address}") };
    let endpoint = Endpoint::from_shared(uri)
        .map_err(|error| Failure::Own(format!("{address} is no address: {}", with_causes(&error))))?;
    let channel = endpoint.connect().await;
    channel.map_err(|error| Failure::Stream(Status::unavailable(with_causes(&error))))
}

/// An error with what lies behind it, in one line.
fn with_causes(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |line, cause| format!("{line}: {cause}"))
}
