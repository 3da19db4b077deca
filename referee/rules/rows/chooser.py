"""The row of `chooser-12` (source 002, RULES.md section 6): data only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.cards import Card, pack_of
from referee.rules.contracts import Contract, Group, Scored, ScoreRow, Title, TrumpRule
from referee.rules.options import NumberList, Option, OptionValue
from referee.rules.variant import CHOSEN, DealPlan, LeaderRule, Options, Variant, VariantRow, WinnerRule

# 99th percentile of (table mean - points) over some hundred random matches: 38, with three seats 41.
FORFEIT: Final = 40
MOST_EXTRA_DEALS: Final = 4

PACKS: Final[Mapping[OptionValue, tuple[Card, ...]]] = {4: pack_of(), 3: pack_of(without_suits="D")}
SUITS_OF: Final[Mapping[OptionValue, str]] = {4: "SHDC", 3: "SHC"}
ALL: Final = tuple(range(1, 13))
SHORT: Final = (1, 2, 3, 5, 8, 9, 10, 11)
LISTS: Final = NumberList(shortest=6, longest=8, highest=12, named={"all": ALL, "short": SHORT})

LEADERS: Final = {"chooser": LeaderRule.CHOOSER, "seven_of_clubs": LeaderRule.SEVEN_OF_CLUBS}
WINNERS: Final = {rule.value: rule for rule in WinnerRule}
EXTRA_DEALS: Final = {"shared": 0, "extra_deal": MOST_EXTRA_DEALS}
BONUS_TRUMP: Final = {"none": TrumpRule.NONE, "chooser": TrumpRule.OPTIONAL}


@dataclass(frozen=True, kw_only=True)
class ContractRow:
    """One line of the table; `points` 0 stands for the option `last_points`. Totals are by seats."""

    id: str
    title: Title
    scored: Scored
    points: int
    tricks: tuple[int, ...] = ()
    totals: Mapping[int, int]

    @property
    def sign(self) -> int:
        """-1 for penalties, +1 for bonuses."""
        return -1 if self.id.startswith("no_") else 1


def _both(total: int) -> Mapping[int, int]:
    return {4: total, 3: total}


TABLE: Final = (
    ContractRow(
        id="no_tricks",
        title=Title(en="No tricks", ru="Не бери взяток"),
        scored=Scored.TRICK,
        points=2,
        totals=_both(26),
    ),
    ContractRow(
        id="no_hearts",
        title=Title(en="No hearts", ru="Не бери червей"),
        scored=Scored.HEART,
        points=2,
        totals=_both(26),
    ),
    ContractRow(
        id="no_girls",
        title=Title(en="No queens", ru="Не бери дам"),
        scored=Scored.QUEEN,
        points=4,
        totals={4: 16, 3: 12},
    ),
    ContractRow(
        id="no_jacks",
        title=Title(en="No jacks", ru="Не бери валетов"),
        scored=Scored.JACK,
        points=2,
        totals={4: 8, 3: 6},
    ),
    ContractRow(
        id="no_king",
        title=Title(en="No king of hearts", ru="Не бери короля червей"),
        scored=Scored.KING_OF_HEARTS,
        points=16,
        totals=_both(16),
    ),
    ContractRow(
        id="no_last",
        title=Title(en="No last trick", ru="Не бери последнюю взятку"),
        scored=Scored.NUMBERED_TRICK,
        points=0,
        tricks=(13,),
        totals=_both(0),
    ),
    ContractRow(
        id="no_7th_13th",
        title=Title(en="No tricks 7 and 13", ru="Не бери 7-ю и 13-ю взятку"),
        scored=Scored.NUMBERED_TRICK,
        points=8,
        tricks=(7, 13),
        totals=_both(16),
    ),
    ContractRow(
        id="tricks", title=Title(en="Tricks", ru="Бери взятки"), scored=Scored.TRICK, points=2, totals=_both(26)
    ),
    ContractRow(
        id="hearts", title=Title(en="Hearts", ru="Бери червей"), scored=Scored.HEART, points=2, totals=_both(26)
    ),
    ContractRow(
        id="girls",
        title=Title(en="Queens", ru="Бери дам"),
        scored=Scored.QUEEN,
        points=4,
        totals={4: 16, 3: 12},
    ),
    ContractRow(
        id="king",
        title=Title(en="The king of hearts", ru="Бери короля червей"),
        scored=Scored.KING_OF_HEARTS,
        points=16,
        totals=_both(16),
    ),
    ContractRow(
        id="last",
        title=Title(en="The last trick", ru="Бери последнюю"),
        scored=Scored.NUMBERED_TRICK,
        points=0,
        tricks=(13,),
        totals=_both(0),
    ),
)


def _contract(number: int, line: ContractRow, options: Options, seats: int) -> Contract:
    last_points = options["last_points"]
    if not isinstance(last_points, int):
        raise TypeError(f"option last_points has the value {last_points!r}, which is not a number")
    points = line.points or last_points
    total = line.totals[seats] or last_points
    return Contract(
        id=line.id,
        number=number,
        title=line.title,
        group=Group.PENALTY if line.sign < 0 else Group.BONUS,
        rows=(ScoreRow(scored=line.scored, points=line.sign * points, tricks=line.tricks),),
        total=line.sign * total,
        trump=TrumpRule.NONE if line.sign < 0 else BONUS_TRUMP[str(options["bonus_trump"])],
        trump_suits=SUITS_OF[seats],
        match_limit=1,
    )


def _build(variant_id: str, row: VariantRow, options: Options) -> Variant:
    seats, numbers = options["seats"], options["contracts"]
    if not isinstance(seats, int) or not isinstance(numbers, tuple):
        raise TypeError(f"options seats={seats!r} and contracts={numbers!r} are not a number and a list")
    contracts = [_contract(number, TABLE[number - 1], options, seats) for number in numbers]
    plan = DealPlan(contracts=tuple(contract.id for contract in contracts), opening=CHOSEN)
    return Variant(
        id=variant_id,
        base_id=row.id,
        rules_version=row.rules_version,
        title=row.title,
        options=options,
        seats=seats,
        pack=PACKS[seats],
        clockwise=True,
        contracts={contract.id: contract for contract in contracts},
        deals=(plan,) * len(contracts),
        extra_deals=EXTRA_DEALS[str(options["tie"])],
        has_dealer=False,
        leader=LEADERS[str(options["leader"])],
        winner=WINNERS[str(options["winner"])],
        forfeit_points=FORFEIT,
    )


ROWS: Final = (
    VariantRow(
        id="chooser-12",
        title=Title(en="King of twelve contracts", ru="Кинг на 12 контрактов"),
        options=(
            Option(name="bonus_trump", values=tuple(BONUS_TRUMP)),
            Option(name="contracts", values=(ALL, SHORT), lists=LISTS),
            Option(name="last_points", values=(8, 12)),
            Option(name="leader", values=tuple(LEADERS)),
            Option(name="seats", values=(4, 3)),
            Option(name="tie", values=tuple(EXTRA_DEALS)),
            Option(name="winner", values=tuple(WINNERS)),
        ),
        build=_build,
    ),
)
