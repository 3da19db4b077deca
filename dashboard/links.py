"""Every address of the dashboard, built in one place.

Pages and scripts never glue addresses together; they ask here. Addresses start with / and carry no host.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlencode

OPEN = "open"
AFTER_LINK = "set=1"
SENT_BEFORE = "before=1"
LANGUAGE_QUERY = "lang"


def _with_query(path: str, **query: object) -> str:
    kept = tuple([(name, str(value)) for name, value in query.items() if value not in (None, "")])
    return f"{path}?{_encoded(kept)}" if kept else path


@lru_cache(maxsize=1000)
def _encoded(query: tuple[tuple[str, str], ...]) -> str:
    return urlencode(query)


@lru_cache(maxsize=1000)
def _quoted(name: str) -> str:
    return quote(name, safe="")


def home() -> str:
    """The first page: all ladders."""
    return "/"


def ladders(**query: object) -> str:
    """All ladders, or the target of the ladder's filter form."""
    return _with_query("/ladders", **query)


def season(season_id: int, **query: object) -> str:
    """One season: progress, entrants, boards."""
    return _with_query(f"/seasons/{season_id}", **query)


def crosstable(season_id: int, **query: object) -> str:
    """All bots of a season against each other: differences, who finishes above whom, places."""
    return _with_query(f"/seasons/{season_id}/crosstable", **query)


def contracts(season_id: int, **query: object) -> str:
    """Where each bot of a season wins and loses, by contract."""
    return _with_query(f"/seasons/{season_id}/contracts", **query)


def duel(season_id: int, a: str = "", b: str = "") -> str:
    """Two bots of a season against each other, by their names; without names the first two of the ladder."""
    return _with_query(f"/seasons/{season_id}/duel", a=a, b=b)


def deals(season_id: int, **query: object) -> str:
    """How the deals of a season can be checked, with what is published for it."""
    return _with_query(f"/seasons/{season_id}/deals", **query)


def ladder(season_id: int, **query: object) -> str:
    """The ladder of a season."""
    return _with_query(f"/seasons/{season_id}/ladder", **query)


def board(season_id: int, board_number: int, **query: object) -> str:
    """One board, its rotations side by side."""
    return _with_query(f"/seasons/{season_id}/boards/{board_number}", **query)


def remarkable(season_id: int) -> str:
    """The hands that bots of a season played furthest apart."""
    return f"/seasons/{season_id}/remarkable"


def bots(**query: object) -> str:
    """All bots, by name."""
    return _with_query("/bots", **query)


def bot(name: str, **query: object) -> str:
    """One bot, in one season or its latest."""
    return _with_query(f"/bots/{_quoted(name)}", **query)


def standard_error(name: str, season_id: int) -> str:
    """What a bot's processes wrote to standard error in a season."""
    return _with_query(f"/bots/{quote(name, safe='')}/stderr", season=season_id)


def matches(**query: object) -> str:
    """Matches, filtered."""
    return _with_query("/matches", **query)


def match(match_id: str, **query: object) -> str:
    """The replay of a match; `deal`, `play` and `view` are its position."""
    return _with_query(f"/matches/{quote(match_id, safe='')}", **query)


def record(match_id: str) -> str:
    """The record of a match, as a file."""
    return f"/matches/{quote(match_id, safe='')}/record.json"


def record_alone() -> str:
    """The record where one file is shown without a store."""
    return "/record.json"


def rules(variant: str | None = None) -> str:
    """The rules of every variant, or of one."""
    return "/rules" if variant is None else f"/rules/{quote(variant, safe='')}"


def display(**query: object) -> str:
    """Where a reader chooses theme and colours."""
    return _with_query("/display", **query)


def in_language(address: str, language: str | None) -> str:
    """The same page in a language, None: in the reader's own choice; whatever else the query asks for is kept."""
    path, _mark, query = address.partition("?")
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != LANGUAGE_QUERY]
    asked = kept if language is None else [*kept, (LANGUAGE_QUERY, language)]
    return f"{path}?{urlencode(asked)}" if asked else path


def json_twin(path: str) -> str:
    """The JSON address of a page: its path plus `.json` (of the first page, `/index.json`), the query kept."""
    bare, mark, query = path.partition("?")
    return f"{'/index' if bare == '/' else bare}.json{mark}{query}"


@dataclass(frozen=True, slots=True)
class ReplayLinks:
    """Addresses of positions of one match, served under `base` (a match page, or / for a single file)."""

    base: str

    def position(self, deal: int, play: int, view: str = OPEN) -> str:
        """The page at a position."""
        return _with_query(self.base, deal=deal, play=play, view=view)

    def frames(self, deal: int, view: str = OPEN) -> str:
        """All positions of a deal as JSON, which the script steps through."""
        prefix = self.base.rstrip("/")
        return _with_query(f"{prefix}/deals/{deal}.json", view=view)


def api() -> str:
    """Where the addresses of the REST API begin."""
    return "/api/v1"


def api_guide() -> str:
    """The page that lists the operations of the API."""
    return "/api"


def api_document() -> str:
    """The OpenAPI document."""
    return f"{api()}/openapi.json"


def problem(name: str = "") -> str:
    """The page about the kinds of problem, or one of them: the `type` of what the API answers with."""
    return f"/api/problems/{quote(name, safe='')}" if name else "/api/problems"


def own_address(text: str) -> str:
    """An address of this site, whatever was asked for: the first page for one that leads elsewhere, or may."""
    is_ours = text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()
    return text if is_ours else home()


def sign_in(back: str = "") -> str:
    """Where one signs in, and goes on to `back`."""
    return _with_query("/sign-in", back=back)


def sign_up(back: str = "") -> str:
    """Where one makes an account, and goes on to `back`."""
    return _with_query("/sign-up", back=back)


def sign_out() -> str:
    """What the form of signing out is sent to."""
    return "/sign-out"


def set_password(link: str = "") -> str:
    """Where a password is set by a one-time link, whose text is `link`."""
    return _with_query("/set-password", link=link)


def account(part: str = "") -> str:
    """One's own account; what the form of a `part` of it is sent to: `password`, `sessions` or `tokens`."""
    return f"/account/{part}" if part else "/account"


def account_after_link() -> str:
    """One's own account, where a one-time link has just set the password."""
    return f"{account()}?{AFTER_LINK}"


def revoke_token(token_id: int) -> str:
    """What the form that revokes a token is sent to."""
    return f"/account/tokens/{token_id}/revoke"


def live() -> str:
    """The tables that can be watched now."""
    return "/live"


def live_table(match_id: str) -> str:
    """One table while it is played."""
    return f"/live/{quote(match_id, safe='')}"


def live_stream(match_id: str) -> str:
    """What happens at a table, as server-sent events."""
    return f"/live/{quote(match_id, safe='')}/events"


def season_stream(season_id: int) -> str:
    """How far a season is, as server-sent events."""
    return f"/seasons/{season_id}/events"


def search(text: str = "") -> str:
    """What is found for some words, or the empty form."""
    return _with_query("/search", q=text)


def bot_versions(name: str) -> str:
    """Every version of a bot that there is."""
    return f"/bots/{quote(name, safe='')}/versions"


def bot_deals(name: str, **query: object) -> str:
    """The deals in which a bot did worst or best with its cards."""
    return _with_query(f"/bots/{quote(name, safe='')}/deals", **query)


def bot_feed(name: str) -> str:
    """The public matches and the suspensions of a bot, as an Atom feed."""
    return f"/feeds/bots/{quote(name, safe='')}.atom"


def seasons_feed() -> str:
    """What happens to all seasons, as an Atom feed."""
    return "/feeds/seasons.atom"


def season_feed(season_id: int) -> str:
    """What happens to one season, as an Atom feed."""
    return f"/feeds/seasons/{season_id}.atom"


def results_csv(season_id: int) -> str:
    """The results of a season as a file for `king rate`."""
    return f"/seasons/{season_id}/results.csv"


def records_archive(season_id: int) -> str:
    """The public records of a season as one archive."""
    return f"/seasons/{season_id}/records.tar.gz"


def guide(chapter: str | None = None) -> str:
    """The guide for authors of bots, or one chapter of it."""
    return "/guide" if chapter is None else f"/guide/{quote(chapter, safe='')}"


def organise() -> str:
    """Where organisers run leagues."""
    return "/organise"


def new_season(order_id: int | None = None) -> str:
    """The form that makes a season, filled in as in an order that was refused."""
    return _with_query("/organise/seasons/new", order=order_id)


def run_season(season_id: int) -> str:
    """Where a season is run: what can be asked for it now."""
    return f"/organise/seasons/{season_id}"


def orders(**query: object) -> str:
    """What organisers asked for, and what became of it."""
    return _with_query("/organise/orders", **query)


def order(order_id: int) -> str:
    """One order."""
    return f"/organise/orders/{order_id}"


def run_accounts(**query: object) -> str:
    """All accounts, for organisers."""
    return _with_query("/organise/accounts", **query)


def run_account(account_id: int) -> str:
    """What the forms about one account are sent to."""
    return f"/organise/accounts/{account_id}"


def audit_log(**query: object) -> str:
    """Who did what."""
    return _with_query("/organise/log", **query)


def mine() -> str:
    """One's own bots."""
    return "/mine"


def submit() -> str:
    """Where a bot is sent, by a form."""
    return "/mine/submit"


def submission(submission_id: int, act: str = "") -> str:
    """One submission; what the form of an act is sent to: `enter`, `withdraw`, `activate` or `delete`."""
    return f"/mine/submissions/{submission_id}" + (f"/{act}" if act else "")


def submission_sent_before(submission_id: int) -> str:
    """One submission, where its very archive has just been sent once more."""
    return f"{submission(submission_id)}?{SENT_BEFORE}"


def submission_log(submission_id: int, kind: str) -> str:
    """A log of a submission as text: `build` or `stderr`."""
    return f"/mine/submissions/{submission_id}/{kind}.txt"


def challenges(**query: object) -> str:
    """One's challenges, and where one is asked for."""
    return _with_query("/mine/challenges", **query)


def own_board(board_id: int) -> str:
    """An unrated board of one's own: qualifying or challenge."""
    return f"/mine/boards/{board_id}"


def own_match(match_id: str, **query: object) -> str:
    """The replay of an unrated match of one's own."""
    return _with_query(f"/mine/matches/{quote(match_id, safe='')}", **query)


def own_record(match_id: str) -> str:
    """The record of an unrated match of one's own, as a file."""
    return f"/mine/matches/{quote(match_id, safe='')}/record.json"


def submitted_bots() -> str:
    """What a submitted bot finds: runtimes, limits."""
    return "/submitted-bots"


def new_remote_bot() -> str:
    """Where a bot that runs at its owner's is registered, by a form."""
    return "/mine/remote/new"


def remote_bot(version_id: int, act: str = "") -> str:
    """A remote bot of one's own; what the form of an act is sent to: `renew`, `revoke`, `qualify` or `enter`."""
    return f"/mine/remote/{version_id}" + (f"/{act}" if act else "")
