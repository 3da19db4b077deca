"""Rows of the games with 32 cards and 14 contracts (sources 000 and 003): data only.

`russian-14` is 000; `base-14` and its conventions and formats are 003. RULES.md sections 3 and 4.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from referee.rules.cards import pack_of
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
from referee.rules.options import Option
from referee.rules.variant import (
    AUCTION,
    ORDERED,
    THREE_CARDS,
    DealPlan,
    Opening,
    Options,
    Variant,
    VariantRow,
)

# 99th percentile of (table mean - points) over some hundred random matches, rounded up: 94; 186; 82 and 78.
FORFEIT_14: Final = 95
FORFEIT_56: Final = 190
FORFEIT_11: Final = 85

PACK: Final = pack_of(lowest="7")

TITLES: Final[Mapping[str, tuple[Title, Title]]] = {
    "tricks": (Title(en="No tricks", ru="Не брать взяток"), Title(en="Tricks", ru="Брать взятки")),
    "boys": (Title(en="No boys", ru="Не брать мальчиков"), Title(en="Boys", ru="Брать мальчиков")),
    "girls": (Title(en="No girls", ru="Не брать девочек"), Title(en="Girls", ru="Брать девочек")),
    "hearts": (Title(en="No hearts", ru="Не брать червей"), Title(en="Hearts", ru="Брать червей")),
    "king": (Title(en="No King", ru="Не брать Кинга"), Title(en="The King", ru="Брать Кинга")),
    "last_two": (
        Title(en="No last two tricks", ru="Не брать две последние"),
        Title(en="The last two tricks", ru="Брать две последние"),
    ),
    "jumble": (Title(en="Negative jumble", ru="Ералаш отрицательный"), Title(en="Jumble", ru="Ералаш положительный")),
}

SINGLE_ROWS: Final[Mapping[str, tuple[ScoreRow, ...]]] = {
    "tricks": (ScoreRow(scored=Scored.TRICK, points=2),),
    "boys": (ScoreRow(scored=Scored.KING, points=4),),
    "girls": (ScoreRow(scored=Scored.QUEEN, points=4),),
    "hearts": (ScoreRow(scored=Scored.HEART, points=2),),
    "king": (ScoreRow(scored=Scored.KING_OF_HEARTS, points=16),),
    "last_two": (ScoreRow(scored=Scored.NUMBERED_TRICK, points=8, tricks=(7, 8)),),
}
KINGS_AND_JACKS: Final = (ScoreRow(scored=Scored.KING, points=2), ScoreRow(scored=Scored.JACK, points=2))

NO_HEART_LEAD: Final = frozenset({"hearts", "king", "jumble"})
KING_FALLS: Final = frozenset({"king", "jumble"})
ENDS_EARLY: Final = frozenset({"boys", "girls", "hearts", "king"})

BOYS: Final = Option(name="boys", values=("kings", "kings_and_jacks"))
KING_DISCARD: Final = Option(name="king_discard", values=("forced", "free"))


def fourteen(options: Options) -> tuple[Contract, ...]:
    """Return the 14 contracts in their order, after the options `boys` and `king_discard`."""
    singles = dict(SINGLE_ROWS)
    if options["boys"] == "kings_and_jacks":
        singles["boys"] = KINGS_AND_JACKS
    rows = {**singles, "jumble": tuple(row for rows in singles.values() for row in rows)}
    void = VoidRule.FORCED_KING if options["king_discard"] == "forced" else VoidRule.ANY
    return tuple(
        _contract(name, sign, number, rows[name], void)
        for sign, first in ((-1, 1), (1, 8))
        for number, name in enumerate(TITLES, first)
    )


def _contract(name: str, sign: int, number: int, rows: tuple[ScoreRow, ...], void: VoidRule) -> Contract:
    return Contract(
        id=name if sign > 0 else f"no_{name}",
        number=number,
        title=TITLES[name][sign > 0],
        group=Group.BONUS if sign > 0 else Group.PENALTY,
        rows=tuple(ScoreRow(scored=row.scored, points=sign * row.points, tricks=row.tricks) for row in rows),
        total=sign * (96 if name == "jumble" else 16),
        lead=LeadRule.NO_HEARTS if name in NO_HEART_LEAD else LeadRule.FREE,
        void=void if name in KING_FALLS else VoidRule.ANY,
        early_end=name in ENDS_EARLY,
    )


def _trumps(price: PriceRule) -> Contract:
    """Return the trump deal of `auction-11` and `trump-11`."""
    return Contract(
        id="trumps",
        number=8,
        title=Title(en="Trumps", ru="Козырь"),
        group=Group.TRUMPS,
        rows=(ScoreRow(scored=Scored.TRICK, points=6),),
        total=48,
        void=VoidRule.TRUMP,
        trump=TrumpRule.NAMED,
        price=price,
    )


def _variant(
    variant_id: str,
    row: VariantRow,
    options: Options,
    contracts: tuple[Contract, ...],
    deals: tuple[DealPlan, ...],
    forfeit_points: int,
) -> Variant:
    return Variant(
        id=variant_id,
        base_id=row.id,
        rules_version=row.rules_version,
        title=row.title,
        options=options,
        seats=4,
        pack=PACK,
        clockwise=True,
        contracts={contract.id: contract for contract in contracts},
        deals=deals,
        forfeit_points=forfeit_points,
    )


def _in_order(contracts: tuple[Contract, ...]) -> tuple[DealPlan, ...]:
    return tuple(DealPlan(contracts=(contract.id,)) for contract in contracts)


def _build_russian(variant_id: str, row: VariantRow, options: Options) -> Variant:
    contracts = fourteen({"boys": "kings", "king_discard": "forced"})
    return _variant(variant_id, row, options, contracts, _in_order(contracts), FORFEIT_14)


def _build_base(variant_id: str, row: VariantRow, options: Options) -> Variant:
    contracts = fourteen(options)
    return _variant(variant_id, row, options, contracts, _in_order(contracts), FORFEIT_14)


def _build_ordered(variant_id: str, row: VariantRow, options: Options) -> Variant:
    contracts = tuple(_once_a_seat(contract) for contract in fourteen(options))
    plan = DealPlan(contracts=tuple(contract.id for contract in contracts), opening=ORDERED)
    return _variant(variant_id, row, options, contracts, (plan,) * 56, FORFEIT_56)


def _once_a_seat(contract: Contract) -> Contract:
    return replace(contract, seat_limit=1)


def _with_trumps(
    options: Options, price: PriceRule, opening: Opening
) -> tuple[tuple[Contract, ...], tuple[DealPlan, ...]]:
    contracts = (*fourteen(options)[:7], _trumps(price))
    return contracts, (*_in_order(contracts[:7]), *(DealPlan(contracts=("trumps",), opening=opening),) * 4)


def _build_auction(variant_id: str, row: VariantRow, options: Options) -> Variant:
    contracts, deals = _with_trumps(options, PriceRule.ABOVE_BID, AUCTION)
    return _variant(variant_id, row, options, contracts, deals, FORFEIT_11)


def _build_trump(variant_id: str, row: VariantRow, options: Options) -> Variant:
    contracts, deals = _with_trumps(options, PriceRule.NONE, THREE_CARDS)
    return _variant(variant_id, row, options, contracts, deals, FORFEIT_11)


ROWS: Final = (
    VariantRow(id="russian-14", title=Title(en="Russian King", ru="Русский кинг"), build=_build_russian),
    VariantRow(
        id="base-14",
        title=Title(en="King, the base game", ru="Кинг, базовый вариант"),
        options=(BOYS, KING_DISCARD),
        build=_build_base,
    ),
    VariantRow(
        id="ordered-56",
        title=Title(en="King to order", ru="Заказной кинг"),
        options=(BOYS, KING_DISCARD),
        build=_build_ordered,
    ),
    VariantRow(
        id="auction-11",
        title=Title(en="King with an auction", ru="Кинг с торговлей"),
        options=(BOYS, KING_DISCARD),
        build=_build_auction,
    ),
    VariantRow(
        id="trump-11",
        title=Title(en="King with a trump", ru="Кинг с козырем"),
        options=(BOYS, KING_DISCARD),
        build=_build_trump,
    ),
)
