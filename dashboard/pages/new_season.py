"""The form that makes a season: what was written, what is wrong with it, and what it would come to. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dashboard.pages.remote_bots import qualifying_word
from dashboard.words import Words
from league.errors import LeagueError
from league.model import BotVersion, NewSeason, SeasonKind
from league.orders import CreateSeason
from league.pairing import BOARDS_AT_MOST as PLANNED_AT_MOST
from league.pairing import OfferedSize, check_enough, offered_sizes
from league.qualifying import qualifying_of
from league.sizes import PlannedSize, planned_size
from league.store.seasons import GROWS_BY_AT_MOST
from league.unrated import UnratedBoard
from referee.rules import RulesError, Variant, parse_variant

NAME_LENGTH_AT_MOST: Final = 128
BOARDS_AT_MOST: Final = 100_000
ROLLING_BOARDS: Final = 16
WAIT_SECONDS_AT_MOST: Final = 24 * 3600
_PART: Final = r"(?:start|inc|bank)=\d+(?:\.\d+)?(?:ms|s|m)"
_TIME_CONTROL: Final = re.compile(rf"{_PART}(?:\s*,\s*{_PART}){{0,2}}")


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, kw_only=True)
class SeasonForm:
    """The form as it was written; `bots` are ids of bot versions."""

    name: str = ""
    variant: str = "russian-14"
    kind: str = SeasonKind.MANAGED.value
    rolling: bool = False
    boards: str = "1"
    player_sets: str = ""
    time_control: str = NewSeason.time_control
    absent_after: str = "60"
    bots: tuple[str, ...] = ()


def form_of(asked: CreateSeason) -> SeasonForm:
    """The form that asks for this."""
    new = asked.new
    return SeasonForm(
        name=new.name,
        variant=new.variant,
        kind=new.kind.value,
        rolling=new.rolling,
        boards=str(new.boards),
        player_sets="" if new.player_sets is None else str(new.player_sets),
        time_control=new.time_control,
        absent_after=str(new.absent_after_ms // 1000),
        bots=tuple(map(str, asked.versions)),
    )


@dataclass(frozen=True, kw_only=True)
class CheckedForm:
    """A form, its faults by field in the reader's words, and without any what it asks for."""

    form: SeasonForm
    problems: Mapping[str, str]
    asked: CreateSeason | None
    size: PlannedSize | None
    offered: tuple[OfferedSize, ...]


@dataclass(frozen=True, kw_only=True)
class BotChoice:
    """A bot version that can be entered. `qualifying`, of a remote one: how far it is with its qualifying board."""

    id: int
    name: str
    version: str
    owner: str
    house: bool
    remote: bool
    qualifying: str
    qualifying_word: str


def bot_choices(bots: Sequence[BotVersion], boards: Mapping[int, UnratedBoard], words: Words) -> tuple[BotChoice, ...]:
    """The bots of the form, by name; `boards` are the latest qualifying boards of remote ones."""
    choices = (
        BotChoice(
            id=bot.id,
            name=bot.name,
            version=bot.version,
            owner=bot.owner,
            house=bot.house,
            remote=bot.remote,
            qualifying=qualifying_of(boards[bot.id]).value if bot.id in boards else "",
            qualifying_word=qualifying_word(boards.get(bot.id), words) if bot.remote else "",
        )
        for bot in bots
    )
    return tuple(sorted(choices, key=lambda choice: (choice.name.casefold(), choice.id)))


def check_form(form: SeasonForm, known: Sequence[BotVersion], words: Words, *, start: bool) -> CheckedForm:
    """What a form asks for, or what is wrong with it. `known`: the bots that can be entered; `start`: start it too."""
    reading = _Reading(form, {str(bot.id): bot for bot in known}, words)
    new = reading.new_season()
    chosen = reading.chosen(new)
    variant = reading.variant
    if start and variant is not None:
        reading.require_enough(chosen, variant.seats)
    size, offered = (None, ()) if new is None or variant is None else _sizes(new, chosen, variant)
    if new is not None:
        reading.require_moderate(size.player_sets if size else new.player_sets or 1, new.boards)
    asked = None if reading.problems or new is None else CreateSeason(new=new, versions=_ids(chosen), start=start)
    return CheckedForm(form=form, problems=reading.problems, asked=asked, size=size, offered=offered)


def _ids(chosen: Sequence[BotVersion]) -> tuple[int, ...]:
    return tuple(bot.id for bot in chosen)


def _sizes(
    new: NewSeason, chosen: Sequence[BotVersion], variant: Variant
) -> tuple[PlannedSize | None, tuple[OfferedSize, ...]]:
    """What a closed season comes to, and the sizes at which all meet equally; nothing with too few bots."""
    owners = ["" if bot.house else bot.owner for bot in chosen]
    if new.rolling:
        return None, ()
    try:
        size = planned_size(
            owners,
            seats=variant.seats,
            rotations=new.kind.rotations(variant.seats),
            boards=new.boards,
            player_sets=new.player_sets,
        )
    except LeagueError:
        return None, ()
    return size, () if any(owners) else offered_sizes(len(owners), variant.seats)


class _Reading:
    """Reads a form, gathering what is wrong with it."""

    def __init__(self, form: SeasonForm, known: Mapping[str, BotVersion], words: Words) -> None:
        self._form = form
        self._known = known
        self._words = words
        self.problems: dict[str, str] = {}
        self.variant: Variant | None = None

    def _refuse(self, field: str, message: str, **values: object) -> None:
        self.problems.setdefault(field, self._words.say(message, **values))

    def new_season(self) -> NewSeason | None:
        """The settings, None with a fault in them."""
        form = self._form
        name = " ".join(form.name.split())
        if not name:
            self._refuse("name", _("Give the season a name."))
        elif len(name) > NAME_LENGTH_AT_MOST or not name.isprintable():
            self._refuse(
                "name", _("The name must have at most %(most)s printable characters."), most=NAME_LENGTH_AT_MOST
            )
        self.variant = self._variant()
        boards = self._number("boards", form.boards, GROWS_BY_AT_MOST if form.rolling else BOARDS_AT_MOST)
        player_sets = self._number("player_sets", form.player_sets, BOARDS_AT_MOST) if form.player_sets else None
        if form.rolling and form.player_sets:
            self._refuse("player_sets", _("A rolling season chooses its boards as it goes: leave this empty."))
        wait_seconds = self._number("absent_after", form.absent_after, WAIT_SECONDS_AT_MOST)
        if not _TIME_CONTROL.fullmatch(form.time_control.strip()):
            self._refuse(
                "time_control", _("Write the clock as %(example)s, with ms, s or m."), example=NewSeason.time_control
            )
        if self.problems or self.variant is None or boards is None or wait_seconds is None:
            return None
        return NewSeason(
            name=name,
            variant=self.variant.id,
            boards=boards,
            time_control=form.time_control.strip(),
            player_sets=player_sets,
            rolling=form.rolling,
            kind=SeasonKind(form.kind),
            absent_after_ms=1000 * wait_seconds,
        )

    def _variant(self) -> Variant | None:
        if self._form.kind not in {kind.value for kind in SeasonKind}:
            self._refuse("kind", _("Choose one of the two."))
        try:
            return parse_variant(self._form.variant.strip())
        except RulesError:
            message = _("There is no such variant: take one of the list, or write options such as %(example)s.")
            self._refuse("variant", message, example="classic[seats=3]")
            return None

    def _number(self, field: str, text: str, most: int) -> int | None:
        text = text.strip()
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
        if 1 <= number <= most:
            return number
        self._refuse(field, _("Write a whole number from 1 to %(most)s."), most=most)
        return None

    def require_moderate(self, player_sets: int, boards: int) -> None:
        """Refuse more boards than a season is planned for."""
        if player_sets * boards > PLANNED_AT_MOST:
            field, other = ("boards", player_sets) if player_sets <= PLANNED_AT_MOST else ("player_sets", 1)
            self._refuse(field, _("Write a whole number from 1 to %(most)s."), most=PLANNED_AT_MOST // other)

    def chosen(self, new: NewSeason | None) -> tuple[BotVersion, ...]:
        """The bots that were ticked."""
        chosen = tuple(self._known[each] for each in dict.fromkeys(self._form.bots) if each in self._known)
        if len(chosen) < len(set(self._form.bots)):
            self._refuse("bots", _("A bot that you chose can no longer be entered: look through the list again."))
        if new is not None and new.kind is SeasonKind.MANAGED and any(bot.remote for bot in chosen):
            self._refuse("bots", _("Remote bots can only enter open seasons."))
        return chosen

    def require_enough(self, chosen: Sequence[BotVersion], seats: int) -> None:
        """To be started, a season needs bots for a table."""
        try:
            check_enough(["" if bot.house else bot.owner for bot in chosen], seats)
        except LeagueError:
            message = _("To start it, choose at least %(seats)s bots, of house or of different owners.")
            self._refuse("bots", message, seats=seats)
