"""One's own bots: sending one, following it, entering it, withdrawing and deleting it."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from dashboard import asking, forms, links, responses, uploads
from dashboard.api.files import TextFile
from dashboard.forms import ReadForm
from dashboard.pages.submissions import MyBots, SubmissionPage, limit_told, my_bots, submission_page
from dashboard.translate import SOURCE_LANGUAGE
from dashboard.twins import SIGN_IN
from dashboard.uploads import TooLargeError
from league.accounts import Account
from league.audit_log import Actor
from league.errors import LeagueError
from league.model import Season, SeasonState, Suspension
from league.store import Store
from league.submissions import Limit, LimitError, LogKind, Submission, SubmissionState, WrongStateError

router = APIRouter(prefix="/mine")

ARCHIVE_FIELD = "archive"
_STATUS = {Limit.ARCHIVE: 413, Limit.EMPTY: 422}
_TOO_MANY = 429
_ENTRIES_LOOKED_AT = 50


@router.get("")
@router.get(".json", response_model=MyBots, responses=SIGN_IN)
def mine(request: Request) -> Response:
    """The bots of whoever is signed in, with their versions."""
    who, store = asking.require_account(request), asking.store(request)
    sent, remotes = store.submissions.of_owner(who.name), store.own_remotes.of_owner(who.name)
    model = my_bots(sent, remotes, store.submissions.limits, responses.words(request))
    return responses.page_or_twin(request, "mine.html", model, area="mine", twin=lambda: model)


@router.get("/submit")
def submit(request: Request) -> Response:
    """The form by which a bot is sent."""
    asking.require_account(request)
    return _form(request, {})


@router.post("/submit")
async def receive(request: Request) -> Response:
    """Takes in an archive, as far as it is not too large, and leads to the page that follows it."""
    who, store = asking.require_account(request), asking.store(request)
    words, limits = responses.words(request), store.submissions.limits
    try:
        with asking.senders(request).one_more(who):
            upload = await uploads.read(request, ARCHIVE_FIELD, limits.archive_bytes)
            submission, is_new = await to_thread.run_sync(
                lambda: store.submissions.receive(
                    owner=who.name, file_name=upload.file_name, content=upload.content, by=Actor.of(who)
                )
            )
    except TooLargeError as error:
        return _form(request, {ARCHIVE_FIELD: error.told(words)}, error.status)
    except LimitError as error:
        if error.limit is Limit.UPLOADS:
            await uploads.pass_over(request, limits.archive_bytes)
        return _form(request, {ARCHIVE_FIELD: limit_told(error, limits, words)}, _STATUS.get(error.limit, _TOO_MANY))
    follow = links.submission if is_new else links.submission_sent_before
    return RedirectResponse(follow(submission.id), 303)


@router.get("/submissions/{submission_id}/build.txt", response_class=TextFile, responses=SIGN_IN)
@router.get("/submissions/{submission_id}/stderr.txt", response_class=TextFile, responses=SIGN_IN)
def log(request: Request, submission_id: str) -> Response:
    """A log as text."""
    submission = _mine(request, submission_id)[1]
    kind = LogKind.BUILD if request.url.path.endswith("build.txt") else LogKind.STDERR
    return PlainTextResponse(asking.store(request).submissions.log(submission.id, kind))


@router.get("/submissions/{submission_id}")
@router.get("/submissions/{submission_id}.json", response_model=SubmissionPage, responses=SIGN_IN)
def submission(request: Request, submission_id: str) -> Response:
    """How far a submission is, and why not further."""
    who, found = _mine(request, submission_id)
    if responses.wants_json(request):
        return responses.json(_model(request, who, found))
    return _page(request, who, found, {})


@router.post("/submissions/{submission_id}/enter")
def enter(request: Request, form: ReadForm, submission_id: str) -> Response:
    """Enters an active version in a season."""
    who, found = _mine(request, submission_id)
    season = asking.whole(form.text("season"), "season")
    try:
        asking.store(request).entries.enter(found.id, who.name, season, by=Actor.of(who))
    except LeagueError as error:
        return _page(request, who, found, {"season": str(error)}, status=409)
    return RedirectResponse(links.submission(found.id), 303)


@router.post("/submissions/{submission_id}/{act}")
def act_on(request: Request, form: ReadForm, submission_id: str, act: str) -> Response:
    """Withdraws, activates or deletes a version."""
    del form
    who, found = _mine(request, submission_id)
    store = asking.store(request).submissions
    acts = {"withdraw": store.withdraw, "activate": store.activate, "delete": store.delete}
    if act not in acts:
        raise LeagueError(f"there is no act {act!r}: there are {', '.join(acts)}")
    try:
        acts[act](found.id, who.name, by=Actor.of(who))
    except WrongStateError as error:
        return _page(request, who, store.mine(found.id, who.name), {"": str(error)}, status=409)
    return RedirectResponse(links.mine() if act == "delete" else links.submission(found.id), 303)


def _mine(request: Request, submission_id: str) -> tuple[Account, Submission]:
    who = asking.require_account(request)
    return who, asking.store(request).submissions.mine(asking.whole(submission_id, "submission"), who.name)


def _form(request: Request, problems: dict[str, str], status: int = 200) -> Response:
    limits = asking.store(request).submissions.limits
    return forms.page(
        request,
        "submit.html",
        area="mine",
        status=status,
        here=links.submit(),
        problems=problems,
        at_most=responses.words(request).size(limits.archive_bytes),
        limits=limits,
        arena=str(request.base_url).rstrip("/"),
        has_twin=False,
    )


def _suspensions(store: Store, found: Submission) -> tuple[tuple[Season, Suspension], ...]:
    """Where this very version is suspended, in seasons that are not over."""
    if found.state is not SubmissionState.ACTIVE:
        return ()
    entries = {
        (season.id, entrant.number): season
        for season, entrant in store.listing.entries(found.bot, limit=_ENTRIES_LOOKED_AT)
        if entrant.bot.id == found.version_id and season.state is not SeasonState.ENDED
    }
    there = ((entries.get((one.season, one.entrant)), one) for one in store.seasons.suspensions_of_bot(found.bot))
    return tuple((season, one) for season, one in there if season is not None)


def _model(request: Request, who: Account, found: Submission) -> SubmissionPage:
    store = asking.store(request)
    return submission_page(
        found,
        store.submissions.steps(found.id),
        store.submissions.report(found.id),
        store.entries.seasons_for(found.id, who.name),
        responses.words(request),
        build_log=store.submissions.log(found.id, LogKind.BUILD),
        stderr=store.submissions.log(found.id, LogKind.STDERR),
    )


def _page(
    request: Request, who: Account, found: Submission, problems: dict[str, str], *, status: int = 200
) -> Response:
    return forms.page(
        request,
        "submission.html",
        area="mine",
        status=status,
        here=links.submission(found.id),
        page=_model(request, who, found),
        problems=problems,
        problem_language=SOURCE_LANGUAGE,
        sent_before=str(request.url.query) == links.SENT_BEFORE,
        suspensions=_suspensions(asking.store(request), found),
    )
