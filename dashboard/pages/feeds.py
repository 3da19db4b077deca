"""What feeds tell: of a bot its public matches and suspensions, of seasons what happened to them.

Owns the wording and order of entries. A match is told when its set of boards is over, not when it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from dashboard import links
from dashboard.atom import Feed, FeedEntry
from dashboard.numbers import signed
from dashboard.words import Words
from league.model import BoardSet, BotVersion, MatchRow, Season, Suspension

ENTRIES_AT_MOST = 50


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


def bot_feed(
    bot: BotVersion,
    matches: Sequence[MatchRow],
    suspensions: Sequence[Suspension],
    seasons: Mapping[int, Season],
    public_at: Mapping[tuple[int, int], datetime],
    words: Words,
) -> Feed:
    """The feed of a bot. `public_at`: by season and set, when its matches became public."""
    entries = [
        *(_match_entry(row, seasons[row.season], public_at[row.season, row.set_number], words) for row in matches),
        *(_suspension_entry(one, seasons[one.season], words) for one in suspensions),
    ]
    return Feed(
        about=f"bot {bot.name}",
        title=words.say(_("Matches of %(bot)s"), bot=bot.name),
        link=links.bot(bot.name),
        own_link=links.bot_feed(bot.name),
        updated=_newest(entries, bot.registered_at),
        entries=_newest_first(entries),
    )


def season_feed(season: Season, sets: Iterable[BoardSet], suspensions: Iterable[Suspension], words: Words) -> Feed:
    """The feed of one season."""
    entries = [
        *_season_entries(season, words),
        *(_set_entry(season, one, one.over_at, words) for one in sets if one.over_at is not None),
        *(_suspension_entry(one, season, words) for one in suspensions),
    ]
    return Feed(
        about=f"season {season.commitment}",
        title=season.name,
        link=links.season(season.id),
        own_link=links.season_feed(season.id),
        updated=_newest(entries, season.created_at),
        entries=_newest_first(entries),
    )


def seasons_feed(seasons: Sequence[Season], words: Words, now: datetime) -> Feed:
    """The feed of all seasons."""
    entries = [entry for season in seasons for entry in _season_entries(season, words)]
    return Feed(
        about="all seasons",
        title=words.say(_("Seasons of King Arena")),
        link=links.ladders(),
        own_link=links.seasons_feed(),
        updated=_newest(entries, now),
        entries=_newest_first(entries),
    )


def _season_entries(season: Season, words: Words) -> list[FeedEntry]:
    moments = (
        ("created", _("%(season)s: entries are open"), season.created_at),
        ("started", _("%(season)s has begun"), season.started_at),
        ("ended", _("%(season)s has ended"), season.ended_at),
    )
    return [
        FeedEntry(
            about=f"season {season.commitment} {what}",
            title=words.say(sentence, season=season.name),
            text=words.say(_("%(season)s, %(variant)s."), season=season.name, variant=season.variant),
            link=links.ladder(season.id),
            updated=at,
        )
        for what, sentence, at in moments
        if at is not None
    ]


def _set_entry(season: Season, one: BoardSet, over_at: datetime, words: Words) -> FeedEntry:
    return FeedEntry(
        about=f"season {season.commitment} set {one.number}",
        title=words.count(
            "%(season)s: %(num)s board of set %(set)s is public",
            "%(season)s: %(num)s boards of set %(set)s are public",
            one.board_count,
            season=season.name,
            set=one.number,
        ),
        text=words.say(_("All their rotations are played: records, secrets and standard error can be read.")),
        link=links.board(season.id, one.first_board),
        updated=over_at,
    )


def _match_entry(row: MatchRow, season: Season, public_at: datetime, words: Words) -> FeedEntry:
    order = sorted(range(len(row.labels)), key=lambda seat: row.places[seat])
    results = ", ".join(f"{row.places[seat]}. {row.labels[seat]} {signed(row.totals[seat])}" for seat in order)
    values = {"season": season.name, "board": row.board, "rotation": row.rotation}
    return FeedEntry(
        about=f"match {season.commitment} {row.match_id}",
        title=words.say(_("%(season)s, board %(board)s, rotation %(rotation)s"), **values),
        text=f"{results}.",
        link=links.match(row.match_id),
        updated=public_at,
    )


def _suspension_entry(one: Suspension, season: Season, words: Words) -> FeedEntry:
    return FeedEntry(
        about=f"suspension {season.commitment} {one.label}",
        title=words.say(_("%(bot)s is suspended in %(season)s"), bot=one.label, season=season.name),
        text=one.detail,
        link=links.bot(one.label, season=season.id),
        updated=one.at,
    )


def _newest(entries: Sequence[FeedEntry], otherwise: datetime) -> datetime:
    return max((entry.updated for entry in entries), default=otherwise)


def _newest_first(entries: Sequence[FeedEntry]) -> tuple[FeedEntry, ...]:
    return tuple(sorted(entries, key=lambda entry: entry.updated, reverse=True)[:ENTRIES_AT_MOST])
