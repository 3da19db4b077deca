"""Scripted tables: what one seat is told in real matches, and what the Python greedy answers.

Every kit's greedy is held against them (`scripted.py`). The seat that is told plays as greedy; the others are greedy
too, but for one that plays at random, so that positions come up to which sense does not lead. Run as a module it
writes every table anew: `python -m tests.conformance.scripting`; `zcat` shows one.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from king.v1 import arena_pb2 as pb
from king_bot import Bot
from king_bot.wire import Tables

from benchmarks.in_process import load_bot
from referee import dealing
from referee.clock import TimeControl
from referee.codec import TableCodec, legal_bytes, times_bytes
from referee.rules import PRESETS, Action, By, Event, Match, MatchEnded, Variant, parse_variant, visible_to

FOLDER = Path(__file__).parent / "scripted_tables"
CONTROL = TimeControl()
DICE_STREAM = (1 << 31) - 1  # no deal has it
SEEDS: dict[str, tuple[int, ...]] = {
    "russian-14": (1,),
    "base-14": (1,),
    "base-14[boys=kings_and_jacks]": (1,),
    "base-14[king_discard=free]": (1,),
    "ordered-56": (1,),
    "auction-11": (3, 1),
    "trump-11": (1, 2),
    "classic": (1, 3),
    "classic[negatives=7]": (1, 3),
    "classic[redemption=praise]": (14, 15),
    "classic[negatives=7,redemption=praise]": (8, 21),
    "classic[redemption=talon]": (2, 5),
    "classic[seats=3]": (1, 4),
    "classic[redemption=praise,seats=3]": (3, 22),
    "classic[redemption=talon,seats=3]": (5, 15),
    "classic[pack=32]": (1, 2),
    "classic[pack=32,redemption=praise]": (7, 10),
    "chooser-12": (1, 2),
    "chooser-12[seats=3]": (1, 7),
    "chooser-12[bonus_trump=chooser]": (1, 11),
    "chooser-12[contracts=short]": (1, 6),
    "turkish-20": (2, 3),
    "turkish-20[limits=free]": (3, 7),
    "turkish-20[must_beat=trumps]": (3, 13),
}
"""By preset. Of the seeds from 1 to 30, those with which greedy takes most kinds of decision in most contracts."""


@dataclass(frozen=True, slots=True)
class ScriptedTable:
    """One match as one seat is told it: the messages in order, and the index to answer each request with."""

    variant: str
    messages: tuple[pb.RefereeMessage, ...]
    choices: tuple[int, ...]


def table_file(preset: str, seed: int) -> Path:
    """The file of a table."""
    name = preset.replace("[", "_").replace("]", "").replace(",", "_").replace("=", "-")
    return FOLDER / f"{name}_seed-{seed}.json.gz"


def read_tables() -> list[ScriptedTable]:
    """All tables, in the order of the presets."""
    return [read_table(file_text(table_file(preset, seed))) for preset in PRESETS for seed in SEEDS[preset]]


def file_text(file: Path) -> str:
    """What a file says."""
    return gzip.decompress(file.read_bytes()).decode("utf-8")


def read_table(text: str) -> ScriptedTable:
    """The table that a file's text describes."""
    fields = json.loads(text)
    messages = tuple(ParseDict(message, pb.RefereeMessage()) for message in fields["messages"])
    return ScriptedTable(fields["variant"], messages, tuple(fields["choices"]))


def table_text(table: ScriptedTable) -> str:
    """A table as its file has it: one message on a line."""
    messages = ",\n".join(_compact(_json_of(message)) for message in table.messages)
    head = f'{{"variant":{_compact(table.variant)},\n"choices":{_compact(table.choices)},\n'
    return f'{head}"messages":[\n{messages}\n]}}\n'


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _json_of(message: pb.RefereeMessage) -> dict[str, Any]:
    fields: dict[str, Any] = MessageToDict(message, preserving_proto_field_name=True)
    if "table_start" in fields:  # a map of the protocol has no order
        fields["table_start"]["options"] = dict(sorted(fields["table_start"].get("options", {}).items()))
    return fields


class Scribe:
    """One seat: what it is told, and greedy's answers."""

    def __init__(self, bot: Bot, seat: int, number: int) -> None:
        self.messages: list[pb.RefereeMessage] = []
        self.choices: list[int] = []
        self.seat = seat
        self._bot = bot
        self._codec = TableCodec(number)
        self._tables = Tables(started=bot.table_started, deal_ended=bot.deal_ended, ended=bot.table_ended)

    def start(self, variant: Variant) -> None:
        """A match begins."""
        start = self._codec.table_start(variant, CONTROL, seat=self.seat, match_id="scripted", deal_commitment="")
        self._hear(start)

    def tell(self, event: Event, by: By) -> None:
        """Something happened, as far as this seat may know."""
        seen = visible_to(event, self.seat)
        if isinstance(seen, MatchEnded):
            self._hear(self._codec.table_end(seen.totals, seen.places, []))
        elif seen is not None:
            self._hear(self._codec.event(seen, by))

    def ask(self, legal: Sequence[Action]) -> int:
        """Greedy's answer."""
        times = times_bytes(left_ms=CONTROL.bank_ms + CONTROL.increment_ms, taken_last_ms=0)
        (asked,) = self._hear(self._codec.request(len(self.choices) + 1, legal_bytes(legal), times))
        chosen = self._bot.choose(asked.table, asked.actions)
        self.choices.append(chosen if isinstance(chosen, int) else asked.actions.index(chosen))
        return self.choices[-1]

    def _hear(self, piece: bytes) -> list[Any]:
        (message,) = pb.PlayResponse.FromString(piece).messages
        self.messages.append(message)
        return self._tables.take_in([message])


def play_table(preset: str, seed: int) -> ScriptedTable:
    """Plays the match of a preset."""
    variant = parse_variant(preset)
    place = PRESETS.index(preset) + 1
    number = place + len(PRESETS) * SEEDS[preset].index(seed)
    deal_seed = dealing.deal_seed(dealing.local_secret(seed, place), dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(deal_seed, variant), dealing.first_seat(deal_seed, variant))
    greedy = load_bot("greedy")
    scribes = [Scribe(greedy, seat, number) for seat in range(variant.seats)]
    for scribe in scribes:
        scribe.start(variant)
    told, at_random = place % variant.seats, (place + 1) % variant.seats
    _play(match, scribes, at_random, dealing.Stream(deal_seed, DICE_STREAM))
    return ScriptedTable(variant.id, tuple(scribes[told].messages), tuple(scribes[told].choices))


def _play(match: Match, scribes: Sequence[Scribe], at_random: int, dice: dealing.Stream) -> None:
    _tell(scribes, match.start(), By.FORCED)
    while not match.over:
        legal = match.legal_actions()
        seat = legal[0].seat
        if len(legal) == 1:
            place = 0
        elif seat == at_random:
            place = dice.below(len(legal))
        else:
            place = scribes[seat].ask(legal)
        _tell(scribes, match.apply(legal[place]), By.BOT if len(legal) > 1 else By.FORCED)


def _tell(scribes: Sequence[Scribe], events: Sequence[Event], by: By) -> None:
    for event in events:
        for scribe in scribes:
            scribe.tell(event, by)


def texts() -> Iterator[tuple[Path, str]]:
    """Every table's file, and what it should say."""
    for preset, seeds in SEEDS.items():
        for seed in seeds:
            yield table_file(preset, seed), table_text(play_table(preset, seed))


def main() -> None:
    """Write every table anew."""
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json.gz"):
        file.unlink()
    for file, text in texts():
        file.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


if __name__ == "__main__":
    main()
