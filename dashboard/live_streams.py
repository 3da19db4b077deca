"""What is streamed to readers: pieces of a live table, and of a season's progress, drawn once for all of one language.

Owns how often a season is looked at and which pieces a stream has. A source runs while somebody listens to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Final

import structlog

from dashboard.fanout import FanOut, Tell
from dashboard.live_tables import LiveTables, Seen
from dashboard.pages.live import LivePage, LiveState, live_page
from dashboard.streams import Pieces
from dashboard.templating import Reader, Renderer
from dashboard.translate import translations
from dashboard.words import Words
from league.errors import LeagueError
from league.model import Progress, Season, SeasonState
from league.store import Store

LOOK_AT_SEASON_S: Final = 1.0
"""How often a season is looked at that somebody watches."""

Key = tuple[str, str]
"""Of what, in which language."""

_LOG = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """How far a season is: the model of the part of a page that changes while it is played."""

    season: Season
    progress: Progress


class Streams:
    """The streams of one dashboard. To be used within one event loop."""

    def __init__(self, store: Store, live: LiveTables, renderer: Renderer) -> None:
        self._store = store
        self._live = live
        self._renderer = renderer
        self._tables: FanOut[Key, Pieces] = FanOut(self._follow_table)
        self._seasons: FanOut[Key, Pieces] = FanOut(self._follow_season)

    def table(self, match_id: str, language: str) -> AsyncGenerator[Pieces, None]:
        """What happens at a table; nothing if it cannot be watched. Raises CrowdedError where too many listen."""
        return self._tables.read((match_id, language))

    def season(self, season_id: int, language: str) -> AsyncGenerator[Pieces, None]:
        """How far a season is, until it has ended. Raises CrowdedError where too many listen."""
        return self._seasons.read((str(season_id), language))

    async def _follow_table(self, key: Key, tell: Tell[Pieces]) -> None:
        match_id, language = key

        async def draw(seen: Seen) -> None:
            tell(await asyncio.to_thread(self._draw_table, seen, language))

        await self._live.follow(match_id, draw)

    def _draw_table(self, seen: Seen, language: str) -> Pieces:
        words = Words(translations(language), language)
        season = self._store.seasons.get(seen.sitting.season)
        page = live_page(season, seen.sitting, seen.table, seen.picture, words)
        if page.state is None:
            raise ValueError(f"match {seen.table.match_id}: nothing is known of the table yet")
        return Pieces(
            number=f"{seen.sitting.attempt}-{page.state.count}",
            pieces=self._pieces(page, page.state, Reader(language=language)),
            marks=_marks(page.state),
            last=page.state.over,
        )

    def _pieces(self, page: LivePage, state: LiveState, reader: Reader) -> dict[str, str]:
        felt = self._renderer.macros("table.html", reader)
        live = self._renderer.macros("live_pieces.html", reader)
        deal, frame = state.deal, state.frame
        pieces = {
            "status": live.status(page, state),
            "contract": felt.contract(deal, frame),
            "trump": felt.trump(frame),
            "decisions": felt.decisions(deal, frame),
            "dealer": felt.dealer(deal, page.seats),
            "chosen": felt.chosen(frame, page.seats),
            "tricks": live.tricks(page.seats, state),
            "sheet": self._renderer.render("sheet.html", reader, page=state, deal=deal, frame=frame, seats=page.seats),
        }
        for seat in page.seats:
            number = seat.number
            pieces[f"plate-{number}"] = felt.plate(seat, frame.plates[number])
            pieces[f"hand-{number}"] = felt.hand(seat, deal.hands[number], frame.hands[number])
            pieces[f"slot-{number}"] = felt.slot(frame.slots[number])
        return {name: str(piece) for name, piece in pieces.items()}

    async def _follow_season(self, key: Key, tell: Tell[Pieces]) -> None:
        season_id, language = int(key[0]), key[1]
        told: dict[str, str] | None = None
        while True:
            try:
                moment = await asyncio.to_thread(self._draw_season, season_id, language)
            except LeagueError as error:
                _LOG.warning("a season cannot be looked at", season=season_id, error=str(error))
                return
            if moment.pieces != told:
                told = dict(moment.pieces)
                tell(moment)
            if moment.last:
                return
            await asyncio.sleep(LOOK_AT_SEASON_S)

    def _draw_season(self, season_id: int, language: str) -> Pieces:
        season = self._store.seasons.get(season_id)
        progress = self._store.seasons.progress(season_id)
        facts = SeasonFacts(season, progress)
        return Pieces(
            number=f"{progress.matches_stored}-{progress.boards_over}",
            pieces={"facts": self._renderer.render("season_progress.html", Reader(language=language), page=facts)},
            marks={},
            last=season.state is SeasonState.ENDED,
        )


def _marks(state: LiveState) -> dict[str, Any]:
    """What a script sets on elements that stay: whose turn it is, what lies where, whether the clock runs."""
    frame = state.frame
    return {
        "count": state.count,
        "phase": frame.phase,
        "turn": frame.turn,
        "slots": [None if slot is None else {"order": slot.order, "wins": slot.wins} for slot in frame.slots],
        "runs": state.clock_runs,
        "over": state.over,
        "said": frame.said,
    }
