"""What `king season status` says: how far a season is, who is suspended, what its cards are dealt from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.rolling import Contender, can_fill_a_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.model import BoardSet, Entrant, Progress, Season, Sitting, Suspension
    from league.store import Store


def status_lines(store: Store, season_id: int, *, nobody_plays: bool) -> list[str]:
    """The status for people; `nobody_plays`: whether it waits for somebody to play it."""
    season = store.seasons.get(season_id)
    entrants = store.seasons.entrants(season_id)
    suspensions = store.seasons.suspensions(season_id)
    notes = [
        _of_rolling(season, entrants, suspensions),
        "nobody is playing it: start `king up`" if nobody_plays else "",
    ]
    tail = "".join(f"; {note}" for note in notes if note)
    kind = (", open" if season.kind.value == "open" else "") + (", rolling" if season.rolling else "")
    stored = _stored(season, store.seasons.progress(season_id))
    bots = ", ".join(entrant.label for entrant in entrants)
    which = f"season {season.id} ({season.name}, {season.variant}{kind})"
    return [
        f"{which} is {season.state.value}: {stored}; bots: {bots}{tail}",
        *(f"{one.label} is suspended: {one.detail}" for one in suspensions),
        *(f"{one.label} is withdrawn: it is not paired any more" for one in entrants if one.withdrawn_at is not None),
        *_waiting_lines(season, _waited_for(store, season_id)),
        *(
            f"sitting {sitting.id} {_now(sitting)}; it was last given back because: {sitting.given_back}"
            for sitting in store.sittings.of_season(season_id)
            if sitting.given_back
        ),
    ]


def status_json(store: Store, season_id: int) -> dict[str, Any]:
    """The JSON of the status. Entrants come by number: the salt from board b on rests on the first of them."""
    season = store.seasons.get(season_id)
    entrants = store.seasons.entrants(season_id)
    progress = store.seasons.progress(season_id)
    return {
        "season": season.id,
        "name": season.name,
        "state": season.state.value,
        "kind": season.kind.value,
        "rolling": season.rolling,
        "ending": season.ending,
        "variant": season.variant,
        "bots": [entrant.label for entrant in entrants],
        "boards": season.boards,
        "balance": season.balance,
        "time_control": season.time_control,
        "absent_after_ms": season.absent_after_ms,
        "waited_for": _waited_for(store, season_id),
        "commitment": season.commitment,
        "secret": season.secret,
        "salts": _salts(store.seasons.sets(season_id)),
        "entrants": [
            {"bot": entrant.label, "version": entrant.bot.version, "version_hash": entrant.bot.version_hash}
            for entrant in entrants
        ],
        "withdrawn": [entrant.label for entrant in entrants if entrant.withdrawn_at is not None],
        "suspended": [_suspension_json(one) for one in store.seasons.suspensions(season_id)],
        "matches_planned": progress.matches_planned,
        "matches_stored": progress.matches_stored,
        "sittings_planned": progress.sittings_planned,
        "sittings_done": progress.sittings_done,
        "expected_end": progress.expected_end and progress.expected_end.isoformat(),
        "given_back": [
            {"sitting": sitting.id, "attempt": sitting.attempt, "reason": sitting.given_back}
            for sitting in store.sittings.of_season(season_id)
            if sitting.given_back
        ],
    }


def _now(sitting: Sitting) -> str:
    """What becomes of a sitting that was given back; its reason is of an attempt before."""
    return f"is at attempt {sitting.attempt}" if sitting.state.value == "claimed" else "waits for another attempt"


def _waited_for(store: Store, season_id: int) -> list[str]:
    """The remote bots that are not connected while a sitting of theirs could be played."""
    if not any(sitting.waiting_since for sitting in store.sittings.of_season(season_id)):
        return []
    away = {each.bot.id for each in store.bots.remotes() if not each.connected}
    return [entrant.label for entrant in store.seasons.entrants(season_id) if entrant.bot.id in away]


def _waiting_lines(season: Season, labels: Sequence[str]) -> list[str]:
    if not labels:
        return []
    after_s = season.absent_after_ms / 1000
    return [
        f"not connected: {', '.join(labels)}; a sitting waits {after_s:g} s for a remote bot, which then forfeits it"
    ]


def _stored(season: Season, progress: Progress) -> str:
    so_far = " planned so far" if season.rolling and not season.ending else ""
    return f"{progress.matches_stored} of {progress.matches_planned} matches{so_far} stored"


def _of_rolling(season: Season, entrants: Sequence[Entrant], suspensions: Sequence[Suspension]) -> str:
    """What a rolling season waits for, if it does."""
    if not season.rolling or season.state.value == "ended":
        return ""
    if season.ending:
        return "it ends after what has begun"
    out = {one.entrant for one in suspensions}
    paired = [
        Contender(entrant=one.number, owner="" if one.bot.house else one.bot.owner)
        for one in entrants
        if one.number not in out and one.withdrawn_at is None
    ]
    if can_fill_a_table(paired, season.seats):
        return ""
    return f"no more boards are planned until {season.seats} bots may meet: `king season enter` takes more in"


def _salts(sets: Sequence[BoardSet]) -> list[dict[str, Any]]:
    """Where the salt of the cards changes: from which board on, and from how many entrants' hashes it is made."""
    salts: list[dict[str, Any]] = []
    for one in sets:
        if not salts or salts[-1]["deal_salt"] != one.deal_salt:
            salts.append({"from_board": one.first_board, "entrants": one.entrant_count, "deal_salt": one.deal_salt})
    return salts


def _suspension_json(one: Suspension) -> dict[str, Any]:
    return {
        "bot": one.label,
        "owner": one.owner,
        "cause": one.cause.value,
        "detail": one.detail,
        "sitting": one.sitting,
        "results_version": one.results_version,
        "at": one.at.isoformat(),
    }
