"""The replay page: one position of one match, with everything around it.

Owns the putting together of seats, deal, frame, sheet and timeline into one model, and which addresses are valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.errors import AddressError
from dashboard.links import OPEN, ReplayLinks
from dashboard.pages import seating
from dashboard.pages.deal import DealSource, DealView, Frame, Seat, deal_view
from dashboard.pages.frames import Frames
from dashboard.pages.others import Others
from dashboard.pages.sheet import Sheet, is_chosen, sheet, sign_of
from dashboard.words import Words
from referee.rules import Replay, replay


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True)
class Mark:
    """A deal on the timeline."""

    number: int
    name: str
    trump: str | None
    sign: str


@dataclass(frozen=True, slots=True)
class Where:
    """What the page says around the table: title, heading, crumbs (address, text), links to record and board."""

    title: str
    heading: str
    here: str
    crumbs: tuple[tuple[str, str], ...]
    record_link: str
    board_link: str | None


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """The model of the replay page."""

    where: Where
    links: ReplayLinks
    view: str
    seats: tuple[Seat, ...]
    seats_in_reading_order: tuple[Seat, ...]
    deal: DealView
    frame: Frame
    sheet: Sheet
    timeline: tuple[Mark, ...]
    deals_caption: str
    forfeits: tuple[str, ...]
    others: Others | None


@dataclass(frozen=True, slots=True)
class MatchView:
    """A record ready to be shown: replayed once, asked for many positions."""

    record: Mapping[str, Any]
    replayed: Replay
    seats: tuple[Seat, ...]

    def source(self, deal: int, view: str, words: Words) -> DealSource:
        """What a deal is drawn from, in one view."""
        deals = self.replayed.deals
        return DealSource(
            record=self.record,
            replayed=deals[deal - 1],
            variant=self.replayed.variant,
            seats=self.seats,
            view=view,
            words=words,
            before=len(deals[deal - 2].positions) - 1 if deal > 1 else None,
            after=len(deals[deal].positions) - 1 if deal < len(deals) else None,
        )


def match_view(record: dict[str, Any], season: int | None = None) -> MatchView:
    """Replay a record for showing.

    Raises:
        RulesError: if the record does not follow the rules.
    """
    replayed = replay(record)
    variant = replayed.variant
    places = seating.places(variant.seats, clockwise=variant.clockwise)
    seats = tuple(
        Seat(number=seat, at=places[seat], name=player["bot"], version=player["version"], season=season)
        for seat, player in enumerate(record["players"])
    )
    return MatchView(record=record, replayed=replayed, seats=seats)


@dataclass(frozen=True, slots=True)
class Address:
    """A valid position and view."""

    deal: int
    play: int
    view: str


def address(match: MatchView, *, deal: str | None, play: str | None, view: str | None) -> Address:
    """Read the query of a replay address; what is left out means the first deal, as dealt, open.

    Raises:
        AddressError: saying which deals, plays and views there are.
    """
    deals = match.replayed.deals
    number = _whole(deal or "1", "deal", 1, len(deals))
    last = len(deals[number - 1].positions) - 1
    at = _whole(play or "0", "play", 0, last)
    seen = view or OPEN
    if seen != OPEN and not (seen.isascii() and seen.isdecimal() and int(seen) < len(match.seats)):
        sentence = _("view=%(view)s is no view of this match: use open, or a seat from 0 to %(last)s")
        raise AddressError(sentence, view=seen, last=len(match.seats) - 1)
    return Address(number, at, OPEN if seen == OPEN else str(int(seen)))


def _whole(text: str, name: str, low: int, high: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 8 and low <= int(text) <= high:
        return int(text)
    sentence = _("%(name)s=%(text)s is not in this match: use a whole number from %(low)s to %(high)s")
    raise AddressError(sentence, name=name, text=text, low=low, high=high)


def replay_page(
    match: MatchView, at: Address, where: Where, links: ReplayLinks, words: Words, others: Others | None = None
) -> ReplayPage:
    """The model of the page at one address."""
    source = match.source(at.deal, at.view, words)
    order = seating.reading_order(tuple(seat.at for seat in match.seats))
    return ReplayPage(
        where=where,
        links=links,
        view=at.view,
        seats=match.seats,
        seats_in_reading_order=tuple(match.seats[seat] for seat in order),
        deal=deal_view(source),
        frame=Frames(source).frame(at.play),
        sheet=sheet(match.record, match.replayed.variant, match.seats, words, at.deal),
        timeline=timeline(match, words),
        deals_caption=deals_caption(match, words),
        forfeits=forfeit_sentences(match, words),
        others=others,
    )


def timeline(match: MatchView, words: Words) -> tuple[Mark, ...]:
    """The deals of the match, each with its contract."""
    contracts = match.replayed.variant.contracts
    marks = []
    for deal in match.record["deals"]:
        contract = contracts.get(deal["contract"] or "")
        name = words.contract(contract) if contract else words.say(_("not chosen yet"))
        marks.append(Mark(deal["number"], name, deal["trump"], sign_of(contract)))
    return tuple(marks)


def deals_caption(match: MatchView, words: Words) -> str:
    """What the timeline's colours mean: "Deals: negative half 1–7, positive half 8–14"."""
    variant = match.replayed.variant
    if is_chosen(variant):
        return words.say(_("Deals in the order played; tinted orange: penalties, blue: gains"))
    signs = {"minus": [0], "plus": [0]}
    for number in range(1, variant.deal_count + 1):
        signs[sign_of(variant.contracts[variant.plan(number).contracts[0]])].append(number)
    minus, plus = signs["minus"][1:], signs["plus"][1:]
    return words.say(
        _("Deals: negative half %(first)s–%(second)s, positive half %(third)s–%(fourth)s"),
        first=minus[0],
        second=minus[-1],
        third=plus[0],
        fourth=plus[-1],
    )


def forfeit_sentences(match: MatchView, words: Words) -> tuple[str, ...]:
    """One sentence for each forfeit: who, what, from where on, what followed."""
    stand_in = match.record["context"].get("stand_in") or "random/1"
    return tuple(
        words.say(
            _("%(name)s forfeited this match (%(kind)s) in deal %(deal)s, action %(action)s: %(stand_in)s played on."),
            name=match.seats[forfeit["seat"]].name,
            kind=words.fault(forfeit["kind"]),
            deal=forfeit["deal"],
            action=forfeit["action"],
            stand_in=words.say(_("the stand-in %(policy)s"), policy=stand_in),
        )
        for forfeit in match.record["forfeits"]
    )


def frames_json(match: MatchView, at: Address, words: Words) -> tuple[Frame, ...]:
    """Every frame of the deal at an address, for the script."""
    frames = Frames(match.source(at.deal, at.view, words))
    return tuple(frames.frame(play) for play in range(len(frames)))


def player_names(record: Mapping[str, Any]) -> Sequence[str]:
    """The bots by seat."""
    return [player["bot"] for player in record["players"]]
