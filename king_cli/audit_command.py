"""`king season audit`: for organisers, whether one bot seems to play for another, and how much luck a season has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from league.collusion import Audit, Lack, PairEffect
    from league.model import Season

SHOWN = 5


def audit(
    season: Annotated[str, typer.Argument(metavar="SEASON", help="The season's id or name.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look for bots that play for another's points.

    A flag is a reason to look at the records, not a proof. Also says how much of a match the cards decide.
    """
    from king_cli.places import open_existing_league
    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from league.collusion import audit_json
    from league.luck import luck_json

    store = open_existing_league(read_settings(), secrets=False)
    chosen = store.seasons.find(season)
    labels = [entrant.label for entrant in store.seasons.entrants(chosen.id)]
    found, luck = store.standings.audit(chosen.id), store.standings.luck(chosen.id)
    if json:
        head = {"season": chosen.id, "name": chosen.name, "variant": chosen.variant}
        print_json({**head, **audit_json(found, labels), "luck": luck_json(luck)})
        return
    typer.echo(f"season {chosen.id} ({chosen.name}, {chosen.variant}): {_verdict(found, chosen)}")
    for one in found.pairs[: max(SHOWN, len(found.flagged))]:
        if one.effect is not None:
            typer.echo(_line(one, labels))
    if luck is not None and luck.share is not None:
        typer.echo(f"luck share: the cards decide {luck.share:.0%} of what a bot scores in one match")


def _verdict(found: Audit, season: Season) -> str:
    from league.model import SeasonState

    if not found.boards:
        is_planned = season.state is SeasonState.PLANNED
        why = "it has not started" if is_planned else "no whole board without a forfeit yet"
        return f"{why}, so nobody can be judged; {_needed(season.seats + 1)}"
    if found.lack is not None:
        return f"too few boards to tell whether anybody plays for another: {_lacking(found.lack)}"
    from king_cli.reporting import counted

    flagged = f"{len(found.flagged)} of {len(found.pairs)} ordered pairs flagged"
    boards = counted(found.boards, "board")
    return f"{flagged}, on {boards}; honest bots get any flag in {found.family_wise:.1%} of seasons"


def _needed(bots: int) -> str:
    from league.collusion import BOARDS_EACH_WAY as EACH

    return f"a pair takes {bots} bots in the season, {EACH} boards where both sit and {EACH} of one without the other"


def _lacking(lack: Lack) -> str:
    from league.collusion import BOARDS_EACH_WAY

    if lack.bots < lack.bots_needed:
        return f"{lack.bots} bots have played; {_needed(lack.bots_needed)}"
    if min(lack.together, lack.apart) < BOARDS_EACH_WAY:
        most = f"the pair that has most has {lack.together} with both and {lack.apart} of one without the other"
        return f"{most}; {_needed(lack.bots_needed)}"
    return "the same bots sat together each time, so a pair cannot be told from strengths; it takes other tables"


def _line(one: PairEffect, labels: list[str]) -> str:
    from king_cli.reporting import with_interval

    effect = one.effect
    assert effect is not None and one.p_adjusted is not None
    gain = with_interval(effect.value, effect.low, effect.high, digits=2, sign="+")
    mark = "FLAGGED  " if one.flagged else ""
    return (
        f"  {mark}{labels[one.taker]} gains {gain} a deal where {labels[one.giver]} sits "
        f"({one.boards} boards, adjusted p {one.p_adjusted:.2g})"
    )
