"""Unrated boards of one's own: challenges, results, replays, and what one's bot wrote."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, forms, links, replaying, responses
from dashboard.api.models.matches import Record
from dashboard.forms import Form, ReadForm
from dashboard.links import ReplayLinks
from dashboard.pages.replay import MatchView, ReplayPage, Where, match_view
from dashboard.pages.submissions import limit_told
from dashboard.pages.unrated import ChallengesPage, UnratedPage, challenges_page, unrated_page
from dashboard.twins import SIGN_IN
from league.accounts import Account
from league.audit_log import Actor
from league.errors import LeagueError
from league.submissions import LimitError
from league.unrated import UnratedBoard
from referee.rules import PRESETS, RulesError, parse_variant

router = APIRouter(prefix="/mine")

DEFAULT_VARIANT = "russian-14"
SEATS = ("opponent1", "opponent2", "opponent3")
_SPARRING = ("greedy", "lowest", "random")


@router.get("/challenges")
@router.get("/challenges.json", response_model=ChallengesPage, responses=SIGN_IN)
def challenges(request: Request, bot: str = "") -> Response:
    """One's challenges, and the form of a new one, with `bot` (a version id) chosen."""
    who = asking.require_account(request)
    model = _challenges(request, who)
    if responses.wants_json(request):
        return responses.json(model)
    return _form(request, model, {"bot": bot, "variant": DEFAULT_VARIANT, **_usual(model)}, {})


@router.post("/challenges")
def challenge(request: Request, form: ReadForm) -> Response:
    """Asks for a challenge, and leads to its page."""
    who, store = asking.require_account(request), asking.store(request)
    try:
        board = store.unrated.ask(
            owner=who.name,
            version_id=asking.whole(form.text("bot"), "bot"),
            opponents=_opponents(form),
            variant=form.text("variant"),
            by=Actor.of(who),
        )
    except LimitError as error:
        told = limit_told(error, store.submissions.limits, responses.words(request))
        return _form(request, _challenges(request, who), _chosen(form), {"": told}, 429)
    except LeagueError as error:
        return _form(request, _challenges(request, who), _chosen(form), {"": str(error)}, 422)
    return RedirectResponse(links.own_board(board.id), 303)


@router.get("/boards/{board_id}")
@router.get("/boards/{board_id}.json", response_model=UnratedPage, responses=SIGN_IN)
def board(request: Request, board_id: str) -> Response:
    """A qualifying board or a challenge: its rotations, and the standard error of one's own bots."""
    who, store = asking.require_account(request), asking.store(request)
    found = store.unrated.mine(asking.whole(board_id, "board"), who.name)
    model = unrated_page(found, store.unrated.logs(found.id, who.name), responses.words(request))
    return responses.page_or_twin(request, "unrated.html", model, area="mine", twin=lambda: model)


@router.get("/matches/{match_id}/record.json", response_model=Record, responses=SIGN_IN)
def record(request: Request, match_id: str) -> Response:
    """The record of an unrated match, as a file."""
    who = asking.require_account(request)
    answer = responses.json(asking.store(request).unrated.record(match_id, who.name))
    answer.headers["Content-Disposition"] = f'attachment; filename="{match_id}.json"'
    return answer


@router.get("/matches/{match_id}/deals/{deal}.json", response_model=dict[str, Any], responses=SIGN_IN)
def frames(request: Request, match_id: str, deal: str) -> Response:
    """All positions of a deal, for the script."""
    return replaying.frames(request, _match(request, match_id)[1], deal)


@router.get("/matches/{match_id}")
@router.get("/matches/{match_id}.json", response_model=ReplayPage, responses=SIGN_IN)
def match(request: Request, match_id: str) -> Response:
    """The replay of an unrated match, at the position that the query asks for."""
    found, shown = _match(request, match_id)
    rotation = next(one.rotation for one in found.matches if one.match_id == match_id)
    where = _where(request, found, match_id, rotation)
    return replaying.show(request, shown, where, ReplayLinks(links.own_match(match_id)), area="mine")


def _match(request: Request, match_id: str) -> tuple[UnratedBoard, MatchView]:
    who, store = asking.require_account(request), asking.store(request)
    found = store.unrated.board_of(match_id, who.name)
    return found, match_view(store.unrated.record(match_id, who.name))


def _where(request: Request, found: UnratedBoard, match_id: str, rotation: int) -> Where:
    say = responses.words(request).say
    here = say("rotation %(rotation)s", rotation=rotation)
    heading = say("An unrated match, rotation %(rotation)s", rotation=rotation)
    return Where(
        title=heading,
        heading=heading,
        here=here,
        crumbs=((links.mine(), say("My bots")), (links.own_board(found.id), say("Unrated board"))),
        record_link=links.own_record(match_id),
        board_link=links.own_board(found.id),
    )


def _challenges(request: Request, who: Account) -> ChallengesPage:
    store = asking.store(request)
    return challenges_page(
        store.unrated.challenges_of(who.name),
        store.submissions.of_owner(who.name),
        store.own_remotes.of_owner(who.name),
        store.unrated.opponents(),
        tuple(PRESETS),
        responses.words(request),
    )


def _opponents(form: Form) -> list[int]:
    """As many opponents as the variant has other seats: the fourth seat's is left out where there is none."""
    chosen = [asking.whole(form.text(seat), seat) for seat in SEATS]
    try:
        return chosen[: parse_variant(form.text("variant")).seats - 1]
    except RulesError as error:
        raise LeagueError(str(error)) from None


def _chosen(form: Form) -> dict[str, str]:
    return {name: form.text(name) for name in ("bot", "variant", *SEATS)}


def _usual(model: ChallengesPage) -> dict[str, str]:
    """The house bots that sit opposite unless others are chosen."""
    by_name = {text.rpartition(" ")[0]: value for value, text in model.opponents}
    return {seat: by_name.get(name, "") for seat, name in zip(SEATS, _SPARRING, strict=True)}


def _form(
    request: Request, model: ChallengesPage, chosen: dict[str, str], problems: dict[str, str], status: int = 200
) -> Response:
    return forms.page(
        request,
        "challenges.html",
        area="mine",
        status=status,
        here=links.challenges(),
        page=model,
        chosen=chosen,
        problems=problems,
    )
