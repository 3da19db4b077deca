//! Judgement for any bot that wants it: the worth of a hand, and every call but the play of a card.
//!
//! It decides exactly as `king_bot.tactics` of the Python kit does, to the last bit of its estimates.

mod calls;
mod estimates;

pub use calls::decide;
pub use estimates::{Play, best_trump, chance_to_win, edge, expected_points, expected_tricks, hand_size};

/// The first of the items that none has more of a measure than. (`Iterator::max_by_key` takes the last.)
pub fn first_max_by<T, K: PartialOrd>(
    items: impl IntoIterator<Item = T>,
    measure: impl Fn(&T) -> K,
) -> Option<T> {
    let measured = items.into_iter().map(|item| (measure(&item), item));
    measured.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, item)| item)
}

#[cfg(test)]
mod tests;
