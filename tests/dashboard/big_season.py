"""A season of many bots without records: sums of boards drawn by chance, and the crosstable made of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from dashboard import links
from dashboard.pages.crosstable import crosstable_page
from dashboard.templating import Reader, Renderer
from dashboard.translate import translations
from dashboard.web import bare_app
from dashboard.words import Words
from league.ladder import LadderEntry, make_ladder
from league.model import Progress, SeasonState
from league.pair_sums import PairSums, board_pairs
from league.results import MatchResult
from league.sums import SetSums, add_up, board_sums
from tests.dashboard.test_histories import SEASON, VARIANT


def many_boards(bots: int, boards: int) -> list[list[MatchResult]]:
    """Boards of four bots each, drawn by chance; a bot with a higher number is better."""
    chance, made = random.Random(6), []
    for number in range(1, boards + 1):
        players = chance.sample(range(bots), 4)
        rotations = []
        for rotation in range(4):
            seated = tuple(players[(seat - rotation) % 4] for seat in range(4))
            scores = tuple(round(chance.gauss(6 * player, 90)) for player in seated)
            places = tuple(1 + sum(other > own for other in scores) for own in scores)
            rotations.append(
                MatchResult(
                    board=number,
                    rotation=rotation,
                    players=seated,
                    scores=scores,
                    places=places,
                    forfeited=(False,) * 4,
                    deals=VARIANT.deal_count,
                )
            )
        made.append(rotations)
    return made


def sums_of(boards: Sequence[Sequence[MatchResult]]) -> tuple[SetSums, ...]:
    """The sums of boards by set of players."""
    return add_up(board_sums(board, VARIANT.forfeit_points) for board in boards)


def pairs_of(boards: Sequence[Sequence[MatchResult]]) -> dict[tuple[int, int], PairSums]:
    """The pairs of bots on boards."""
    pairs: dict[tuple[int, int], PairSums] = {}
    for one in (pair for board in boards for pair in board_pairs(board, VARIANT.forfeit_points)):
        known = pairs.get((one.a, one.b))
        pairs[one.a, one.b] = one if known is None else known.followed_by(one)
    return pairs


def big_crosstable_app(bots: int) -> FastAPI:
    """An app with the crosstable of a season of many bots, at its own address and nothing else."""
    boards = many_boards(bots, 15 * bots)
    entries = [LadderEntry(entrant=at, label=f"bot number {at}", bot=f"bot {at}", version="1") for at in range(bots)]
    ladder = make_ladder(entries, sums_of(boards), (), variant=VARIANT)
    progress = Progress(
        season=1,
        state=SeasonState.RUNNING,
        matches_planned=60 * bots,
        matches_stored=60 * bots,
        boards_planned=15 * bots,
        boards_over=15 * bots,
        sittings_planned=4,
        sittings_done=4,
        sittings_claimed=0,
        results_version=60 * bots,
        expected_end=None,
        expected_end_error_seconds=None,
    )
    model = crosstable_page(SEASON, progress, ladder, pairs_of(boards), Words(translations("en")))
    renderer = Renderer(clock=lambda: datetime(2026, 11, 29, 20, 0, tzinfo=UTC))
    app = bare_app(renderer, "King Arena")
    here = partial(links.crosstable, 1)

    @app.get(links.crosstable(1))
    def show() -> HTMLResponse:
        return HTMLResponse(renderer.render("crosstable.html", Reader(), area="ladders", page=model, links_here=here))

    return app
