"""Boards among a table's bots on this machine: what is asked for, checked, played and added up.

Owns the result's JSON. How the boards are played is for `match_evening`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from king_cli.ending import run_clearing_up
from king_cli.errors import UsageError
from king_cli.human.seat import HUMAN, human_program
from king_cli.leagues import check_plays
from king_cli.match_evening import Evening
from king_cli.match_folder import MatchFolder, clear_records
from king_cli.match_score import FIRST, score, verdict_json
from king_cli.recorded import Recorded
from king_cli.reporting import MatchProgress, stderr_console
from league.ladder import ladder_json, rate_matches
from league.results import MatchResult
from referee.clock import TimeControl
from referee.rules import Variant, parse_variant
from workers.bots import BotProgram, distinct_names, find_bot
from workers.building import build_bots


@dataclass(frozen=True, kw_only=True)
class LocalMatch:
    """What to play: bots as `find_bot` takes them, one for each seat of the variant, and where the records go.

    `until_verdict` ends it when the first bot is settled to be better than the others, or not; `boards` are the most
    then. With a person (`human`) only rotation 0 is played, since a person would remember the cards; `person_reads` is
    where the dialogue is printed, by default standard output. `report` takes lines for people.
    """

    bots: Sequence[str]
    variant: str
    boards: int
    seed: int
    time_control: str
    out: Path
    report: Callable[[str], None]
    until_verdict: bool = False
    recorded: Recorded = Recorded.ALL
    person_reads: IO[str] | None = None

    def play(self) -> dict[str, Any]:
        """Play all boards. Returns the ladder's JSON with "records", the paths of the records in order, and "faults".

        It ends before its time if the first bot forfeits all that is played, or a person leaves.

        With `until_verdict` also "verdict"; with a person "matches", totals and places, instead of a ladder.

        Raises:
            UsageError, BotError, RulesError: a bot, the variant or another setting is wrong.
            SittingError: it could not be played; no bot is to blame.
            TerminatedError: SIGTERM has come; records that are written stay.
        """
        rules = parse_variant(self.variant)
        programs = self._programs(rules)
        build_bots(programs, self.report)
        removed = clear_records(self.out)
        if removed:
            self.report(f"removed {removed} records of an earlier match from {self.out}")
        names = distinct_names(programs)
        rotations = 1 if self.has_person else rules.seats
        with MatchProgress(self.boards * rotations, stderr_console(), hidden=self.has_person) as progress:
            folder = MatchFolder(
                self.out,
                names,
                rules,
                recorded=self.recorded,
                show=lambda count, leads: progress.show(count, _note(names[FIRST], leads)),
                say=progress.say,
                person=self.bots.index(HUMAN) if self.has_person else None,
            )
            run_clearing_up(Evening(self, programs, names, rules, folder).play())
        self._report_end(folder, names, rules, rotations)
        return self._result(programs, names, rules, folder)

    def _report_end(self, folder: MatchFolder, names: Sequence[str], rules: Variant, rotations: int) -> None:
        played, planned = len(folder.results()), self.boards * rotations
        if folder.has_left():
            self.report(f"{HUMAN} left the table")
        elif folder.is_hopeless() and played < planned:
            self.report(f"stopped after {played} of {planned} matches: {names[FIRST]} forfeited every one")

    @property
    def has_person(self) -> bool:
        """Whether somebody sits at the table in the terminal."""
        return HUMAN in self.bots

    def _programs(self, rules: Variant) -> list[BotProgram]:
        try:
            TimeControl.parse(self.time_control)
        except ValueError as error:
            raise UsageError(str(error)) from None
        if self.bots.count(HUMAN) > 1:
            raise UsageError("one person can sit at this terminal: name human once")
        if self.has_person and self.until_verdict:
            raise UsageError("--until verdict is for bots: a person does not play the rotations of a board")
        programs = [human_program() if text == HUMAN else find_bot(text) for text in self.bots]
        if len(programs) != rules.seats:
            raise UsageError(
                f"{rules.base_id} has {rules.seats} seats, so give {rules.seats} bots, not {len(programs)}"
            )
        for program in programs:
            check_plays(program, rules.base_id)
        return programs

    def _result(
        self, programs: Sequence[BotProgram], names: Sequence[str], rules: Variant, folder: MatchFolder
    ) -> dict[str, Any]:
        kept = {"records": folder.paths(), "faults": folder.faults()}
        if self.has_person:
            return {"variant": rules.id, "matches": _matches_json(names, folder.results()), **kept}
        ladder = rate_matches(
            [(name, program.version) for name, program in zip(names, programs, strict=True)],
            folder.results(),
            variant=rules,
            faults=folder.fault_counts(),
        )
        verdict = {"verdict": verdict_json(names[FIRST], folder.leads())}
        return {**ladder_json(ladder), **kept, **(verdict if self.until_verdict else {})}


def _note(bot: str, leads: Sequence[float]) -> str:
    so_far = score(bot, leads)
    return "" if so_far is None else str(so_far)


def _matches_json(names: Sequence[str], results: Sequence[MatchResult]) -> list[dict[str, Any]]:
    return [
        {
            "board": result.board,
            "seats": [
                {"player": names[player], "score": score, "place": place, "forfeited": gone}
                for player, score, place, gone in zip(
                    result.players, result.scores, result.places, result.forfeited, strict=True
                )
            ],
        }
        for result in results
    ]
