"""Records and points as the store keeps them: small, and back to the last byte."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from league.store.kept_records import Cards, Kept, Layout, bare_record, kept_record, opened_record
from league.store.packed_points import pack_points, unpack_points
from league.store.sealing import commitment_of, deal_seed_of, match_id_of, seal
from referee import dealing
from referee.random_match import play_at_random
from referee.rules import By, Forfeit, Match, Player, Secrets, Taken, match_record, parse_variant, record_text

SECRET, SALT = "5e" * 32, "a1" * 32
BUSY = 50
"""The most requests in one frame of a bot at many tables."""


def cards_of(variant: str, rotation: int = 2) -> Cards:
    return Cards(secret=SECRET, salt=SALT, rotation=rotation, variant=parse_variant(variant))


def played(cards: Cards, chance: Random, **context: Any) -> dict[str, Any]:
    """The record of a match of random actions, as the referee would write it after bots were asked for them."""
    seed = bytes.fromhex(deal_seed_of(cards.secret, cards.salt))
    match = Match(cards.variant, dealing.packs(seed, cards.variant), dealing.first_seat(seed, cards.variant))
    taken = [[_told(one, chance) for one in deal] for deal in play_at_random(match, chance.randbytes(32))]
    record = match_record(
        match,
        match_id=match_id_of(cards.secret, cards.rotation),
        players=[Player(bot=f"бот-{seat}", version="1.2") for seat in range(cards.variant.seats)],
        context={"season": "Осень", "board": 7, "rotation": cards.rotation, "time_control": "inc=1s", **context},
        secrets=Secrets(
            deal_secret=bytes.fromhex(cards.secret),
            deal_salt=bytes.fromhex(cards.salt),
            deal_seed=seed,
            deal_commitment=bytes.fromhex(commitment_of(cards.secret)),
        ),
        taken=taken,
        forfeits=[Forfeit(seat=1, kind="timeout", deal=2, action=3, detail="5 ms over")],
    )
    return dict(json.loads(record_text(record)))


def _told(taken: Taken, chance: Random) -> Taken:
    if taken.by is not By.BOT:
        return taken
    ms = chance.choice([0, 1, 2, 3, chance.randrange(192), chance.randrange(4000), 3967, 3968, 70_000])
    told = Taken(by=By.BOT, ms=ms, asked_with=chance.choice([1, 2, 255, 256]))
    return chance.choice([told, told, told, taken, Taken(by=By.STAND_IN), Taken(by=By.STAND_IN, ms=9, asked_with=4)])


@pytest.mark.parametrize(
    "variant",
    ["russian-14", "auction-11", "chooser-12[contracts=short]", "classic[redemption=talon,seats=3]", "turkish-20"],
)
def test_a_record_comes_back_to_the_last_byte(variant: str) -> None:
    """Whatever bots did and however long they took, packed, and with the secrets where they were."""
    cards = cards_of(variant)
    record = played(cards, Random(variant))
    kept = kept_record(record, cards)
    assert kept.layout is Layout.PACKED
    assert record_text(opened_record(kept, cards)) == record_text(record)


def test_a_record_takes_little() -> None:
    """Of bots that answer at once at one table or at fifty, in a pack of 32."""
    cards, chance = cards_of("russian-14"), Random(1)
    record = played(cards, chance)
    for asked_with, limit in ((1, 620), (BUSY, 850)):
        for deal in record["deals"]:
            for action in deal["actions"]:
                if action["by"] != "forced":
                    action.update(by="bot", ms=chance.randrange(9), asked_with=chance.randint(1, asked_with))
        assert len(kept_record(record, cards).sealed) < limit
        assert len(record_text(record)) > 30_000


@pytest.mark.parametrize(
    "change",
    [
        {"deals": []},
        {"deals": [{"number": 1}]},
        {"match_id": "0123456789abcdef"},
        {"deal_commitment": "00" * 32},
        {"totals": [1, 2, 3, 4.0]},
        {"more": {"of": [1, None, True, "…"]}},
    ],
)
def test_any_other_record_comes_back_too(change: dict[str, Any]) -> None:
    """What is not laid out as the referee does it, or not of these cards, is kept as it is."""
    cards = cards_of("russian-14")
    record = played(cards, Random(2)) | change
    assert record_text(opened_record(kept_record(record, cards), cards)) == record_text(record)


def test_what_does_not_follow_is_not_left_out() -> None:
    """Hands of other cards, another order of keys, a trick with another taker: kept as JSON, and unchanged."""
    cards = cards_of("russian-14")
    record = played(cards, Random(3))
    first = record["deals"][0]
    for changed in (
        {**first, "hands": first["hands"][::-1]},
        dict(reversed(first.items())),
        {**first, "tricks": [{**first["tricks"][0], "taker": 3 - first["tricks"][0]["taker"]}, *first["tricks"][1:]]},
        {**first, "actions": [{**first["actions"][0], "seat": 9}, *first["actions"][1:]]},
    ):
        other = {**record, "deals": [changed, *record["deals"][1:]]}
        kept = kept_record(other, cards)
        assert kept.layout is Layout.JSON
        assert record_text(opened_record(kept, cards)) == record_text(other)


def test_a_packed_record_says_nothing_without_its_secret() -> None:
    """Under another secret it is no text, and its bytes have nothing in common with the text before it was sealed."""
    cards = cards_of("russian-14")
    kept = kept_record(played(cards, Random(4)), cards)
    with pytest.raises(Exception, match="decompress"):
        bare_record(kept, Cards(secret="77" * 32, salt=SALT, rotation=2, variant=cards.variant))
    assert "бот".encode() not in kept.sealed


def test_records_of_older_stores_are_read() -> None:
    """JSON under the same seal."""
    cards = cards_of("russian-14")
    text = '{"match_id":"0","deal_secret":null}'
    old = Kept(layout=Layout.JSON, sealed=seal(text.encode(), SECRET, "record 2"))
    assert bare_record(old, cards) == json.loads(text)


@pytest.mark.parametrize("seats", [3, 4])
def test_points_by_deal_come_back(seats: int) -> None:
    """Large ones, and of bots that a stand-in replaced, too; none at all is possible."""
    chance = Random(seats)
    contracts = ["no_tricks", "trumps", "крести"]
    deals = [
        [chance.choice(contracts), [chance.randint(-200, 200) for _ in range(seats)], [chance.random() < 0.8] * seats]
        for _ in range(20)
    ]
    assert unpack_points(pack_points(deals)) == deals
    assert unpack_points(pack_points([])) == []
