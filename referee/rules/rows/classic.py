"""The row of `classic` (source 001, RULES.md section 5): data only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.cards import Card, pack_of
from referee.rules.contracts import (
    Contract,
    Group,
    LeadRule,
    PriceRule,
    Scored,
    ScoreRow,
    Title,
    TrumpRule,
    VoidRule,
)
from referee.rules.errors import RulesError
from referee.rules.options import Option
from referee.rules.variant import (
    FIXED,
    NAMED,
    PRAISED,
    DealPlan,
    Opening,
    Options,
    Variant,
    VariantRow,
    talon_opening,
)

PACKS: Final[Mapping[tuple[int, int], tuple[Card, ...]]] = {
    (4, 52): pack_of(),
    (4, 32): pack_of(lowest="7"),
    (3, 52): pack_of(without=("2C",)),
    (3, 32): pack_of(lowest="7", without=("7S", "7C")),
}
"""By seats and the option `pack`."""


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What each object costs; the two prices of the last tricks are for one and for two of them."""

    trick: int
    heart: int
    queen: int
    boy: int
    king: int
    last: Mapping[str, int]


PRICES: Final[Mapping[int, Prices]] = {
    4: Prices(trick=20, heart=20, queen=60, boy=40, king=150, last={"one": 150, "two": 75}),
    3: Prices(trick=15, heart=20, queen=60, boy=30, king=140, last={"one": 140, "two": 70}),
}
"""By seats."""

SINGLES: Final = ("tricks", "hearts", "girls", "boys", "king", "last")
TOTALS: Final[Mapping[tuple[int, int], tuple[int, ...]]] = {
    (4, 52): (260, 260, 240, 320, 150, 150),
    (4, 32): (160, 160, 240, 320, 150, 150),
    (3, 52): (255, 260, 240, 240, 140, 140),
    (3, 32): (150, 160, 240, 240, 140, 140),
}
"""What the six single contracts come to, by seats and the option `pack`."""

TITLES: Final[Mapping[str, Title]] = {
    "tricks": Title(en="No tricks", ru="Не брать взяток"),
    "hearts": Title(en="No hearts", ru="Не брать червей"),
    "girls": Title(en="No girls", ru="Не брать девочек"),
    "boys": Title(en="No boys", ru="Не брать мальчиков"),
    "king": Title(en="No King", ru="Не брать Кинга"),
    "last": Title(en="No last trick", ru="Не брать последнюю взятку"),
}
LAST_TWO: Final = Title(en="No last two tricks", ru="Не брать две последние взятки")

NO_HEART_LEAD: Final = frozenset({"hearts", "king"})
KING_FALLS: Final = frozenset({"king"})
KING_DISCARD: Final = {"free": VoidRule.ANY, "forced": VoidRule.FORCED_KING}
LAST_TRICKS: Final = {"one": 1, "two": 2}


@dataclass(frozen=True, kw_only=True)
class Redemption:
    """One way of winning back: how its deals open, and what a trick is worth.

    `rounds` are the deals of each seat after 6 and after 7 negatives, unless `deals` fixes their number.
    """

    title: Title
    opening: Mapping[int, Opening]
    trick: int
    price: PriceRule = PriceRule.NONE
    rounds: Mapping[int, int]
    deals: int | None = None
    pays_flat: bool = False
    has_jumble: bool = False
    packs: tuple[int, ...] = (52, 32)


ROUNDS: Final = {6: 1, 7: 2}
REDEMPTIONS: Final[Mapping[str, Redemption]] = {
    "trumps": Redemption(title=Title(en="Trumps", ru="Козырь"), opening={4: NAMED, 3: NAMED}, trick=25, rounds=ROUNDS),
    "praise": Redemption(
        title=Title(en="Praise", ru="Хваленка"),
        opening={4: PRAISED, 3: PRAISED},
        trick=30,
        price=PriceRule.BUYER_PAYS,
        rounds={},
        deals=5,
        pays_flat=True,
        has_jumble=True,
    ),
    "talon": Redemption(
        title=Title(en="Talon", ru="Прикуп"),
        opening={4: talon_opening(4), 3: talon_opening(3)},
        trick=25,
        price=PriceRule.BUYER_PAYS,
        rounds=ROUNDS,
        packs=(52,),
    ),
}

# 99th percentile of (table mean - points) over some hundred random matches: 440 and 815 for trumps. Random bids are
# far too high, which inflates that of praise (1080, 1305) and talon (860): taken lower, as bidders know their hands.
FORFEIT: Final[Mapping[tuple[str, int], int]] = {
    ("trumps", 6): 450,
    ("trumps", 7): 800,
    ("praise", 6): 700,
    ("praise", 7): 1000,
    ("talon", 6): 550,
    ("talon", 7): 900,
}
"""W by redemption and number of negatives."""


def _rows(options: Options, seats: int, tricks: int) -> dict[str, tuple[ScoreRow, ...]]:
    """Return the score rows of the six single contracts, as positive points."""
    prices = PRICES[seats]
    last = str(options["last"])
    numbers = tuple(range(tricks - LAST_TRICKS[last] + 1, tricks + 1))
    return {
        "tricks": (ScoreRow(scored=Scored.TRICK, points=prices.trick),),
        "hearts": (ScoreRow(scored=Scored.HEART, points=prices.heart),),
        "girls": (ScoreRow(scored=Scored.QUEEN, points=prices.queen),),
        "boys": (
            ScoreRow(scored=Scored.KING, points=prices.boy),
            ScoreRow(scored=Scored.JACK, points=prices.boy),
        ),
        "king": (ScoreRow(scored=Scored.KING_OF_HEARTS, points=prices.king),),
        "last": (ScoreRow(scored=Scored.NUMBERED_TRICK, points=prices.last[last], tricks=numbers),),
    }


def _signed(rows: tuple[ScoreRow, ...], sign: int) -> tuple[ScoreRow, ...]:
    return tuple(ScoreRow(scored=row.scored, points=sign * row.points, tricks=row.tricks) for row in rows)


def _negatives(options: Options, rows: Mapping[str, tuple[ScoreRow, ...]], totals: tuple[int, ...]) -> list[Contract]:
    titles = {**TITLES, "last": LAST_TWO} if options["last"] == "two" else TITLES
    forced = KING_DISCARD[str(options["king_discard"])]
    return [
        Contract(
            id=f"no_{name}",
            number=number,
            title=titles[name],
            group=Group.PENALTY,
            rows=_signed(rows[name], -1),
            total=-totals[number - 1],
            lead=LeadRule.NO_HEARTS if name in NO_HEART_LEAD else LeadRule.FREE,
            void=forced if name in KING_FALLS else VoidRule.ANY,
        )
        for number, name in enumerate(SINGLES, 1)
    ]


def _jumble(
    options: Options, rows: Mapping[str, tuple[ScoreRow, ...]], totals: tuple[int, ...], number: int, sign: int
) -> Contract:
    title = (
        Title(en="Jumble", ru="Положительный ералаш")
        if sign > 0
        else Title(en="Negative jumble", ru="Ералаш", own="Разбойник")
    )
    return Contract(
        id="jumble" if sign > 0 else "no_jumble",
        number=number,
        title=title,
        group=Group.BONUS if sign > 0 else Group.PENALTY,
        rows=_signed(tuple(row for single in rows.values() for row in single), sign),
        total=sign * sum(totals),
        lead=LeadRule.NO_HEARTS,
        void=KING_DISCARD[str(options["king_discard"])],
    )


def _redemption_contracts(redemption: Redemption, seats: int, tricks: int, number: int) -> list[Contract]:
    trumps = Contract(
        id="trumps",
        number=number,
        title=redemption.title,
        group=Group.TRUMPS,
        rows=(ScoreRow(scored=Scored.TRICK, points=redemption.trick),),
        total=redemption.trick * tricks,
        trump=TrumpRule.NAMED,
        price=redemption.price,
    )
    if not redemption.pays_flat:
        return [trumps]
    flat = Contract(
        id="two_tricks_each",
        number=number,
        title=Title(en="Two tricks each", ru="Каждому по две взятки"),
        group=Group.TRUMPS,
        total=2 * redemption.trick * seats,
        is_played=False,
        flat_points=2 * redemption.trick,
    )
    return [trumps, flat]


def _plans(
    redemption: Redemption, seats: int, negatives: list[Contract], positives: list[Contract]
) -> tuple[DealPlan, ...]:
    fixed = [DealPlan(contracts=(contract.id,), opening=FIXED) for contract in negatives]
    count = redemption.rounds[len(negatives)] * seats if redemption.deals is None else redemption.deals
    won_back = DealPlan(
        contracts=tuple(contract.id for contract in positives if contract.id != "jumble"),
        opening=redemption.opening[seats],
    )
    jumble = [DealPlan(contracts=("jumble",))] if redemption.has_jumble else []
    return (*fixed, *([won_back] * count), *jumble)


def _build(variant_id: str, row: VariantRow, options: Options) -> Variant:
    seats, pack = _number(options, "seats"), _number(options, "pack")
    name = str(options["redemption"])
    redemption = REDEMPTIONS[name]
    if pack not in redemption.packs:
        right = " or ".join(map(str, redemption.packs))
        raise RulesError(f"{row.id}: redemption={name} cannot be played with pack={pack}; it needs pack={right}")
    cards = PACKS[seats, pack]
    tricks = len(cards) // seats
    rows, totals = _rows(options, seats, tricks), TOTALS[seats, pack]
    negatives = _negatives(options, rows, totals)
    if options["negatives"] == 7:
        negatives.append(_jumble(options, rows, totals, 7, -1))
    positives = _redemption_contracts(redemption, seats, tricks, len(negatives) + 1)
    if redemption.has_jumble:
        positives.append(_jumble(options, rows, totals, len(negatives) + 2, +1))
    return Variant(
        id=variant_id,
        base_id=row.id,
        rules_version=row.rules_version,
        title=row.title,
        options=options,
        seats=seats,
        pack=cards,
        clockwise=True,
        contracts={contract.id: contract for contract in (*negatives, *positives)},
        deals=_plans(redemption, seats, negatives, positives),
        settles=True,
        forfeit_points=FORFEIT[name, _number(options, "negatives")],
    )


def _number(options: Options, name: str) -> int:
    value = options[name]
    if not isinstance(value, int):
        raise TypeError(f"option {name} has the value {value!r}, which is not a number")
    return value


ROWS: Final = (
    VariantRow(
        id="classic",
        title=Title(en="Classic King", ru="Классический кинг"),
        options=(
            Option(name="king_discard", values=("free", "forced")),
            Option(name="last", values=("one", "two")),
            Option(name="negatives", values=(6, 7)),
            Option(name="pack", values=(52, 32)),
            Option(name="redemption", values=tuple(REDEMPTIONS)),
            Option(name="seats", values=(4, 3)),
        ),
        build=_build,
    ),
)
