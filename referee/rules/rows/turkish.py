"""The row of `turkish-20` (source 004, RULES.md section 7): data only."""

from typing import Final

from referee.rules.cards import pack_of, parse_card
from referee.rules.contracts import (
    Contract,
    FollowRule,
    Group,
    LeadRule,
    Scored,
    ScoreRow,
    Title,
    TrumpRule,
    VoidRule,
)
from referee.rules.options import Option
from referee.rules.variant import CHOSEN, DealPlan, LeaderRule, Options, Variant, VariantRow

# 99th percentile of (table mean - points) over some hundred random matches: 1110.
FORFEIT: Final = 1100

LAST_TWO: Final = ScoreRow(scored=Scored.NUMBERED_TRICK, points=-180, tricks=(12, 13))

HEART_LEAD_BAN: Final = {"kupa_rifki": frozenset({"no_hearts", "no_king"}), "all_penalties": frozenset({"all"})}
MUST_BEAT: Final = {
    "no": frozenset[Group](),
    "trumps": frozenset({Group.TRUMPS}),
    "always": frozenset({Group.TRUMPS, Group.PENALTY}),
}
TRUMP_LEAD: Final = {"free": LeadRule.FREE, "after_broken": LeadRule.NO_TRUMPS_UNTIL_BROKEN}
RIFKI_VOID: Final = {"king": VoidRule.PENALTY_CARD, "any_heart": VoidRule.KING_OR_HEART}
SEAT_LIMITS: Final = {"3+2": {Group.PENALTY: 3, Group.TRUMPS: 2}, "free": dict[Group, int]()}


def _penalties(options: Options) -> tuple[Contract, ...]:
    def penalty(
        number: int,
        contract_id: str,
        title: Title,
        rows: tuple[ScoreRow, ...],
        total: int,
        void: VoidRule = VoidRule.ANY,
        follow: FollowRule = FollowRule.ANY,
    ) -> Contract:
        banned = HEART_LEAD_BAN[str(options["heart_lead"])]
        return Contract(
            id=contract_id,
            number=number,
            title=title,
            group=Group.PENALTY,
            rows=rows,
            total=total,
            lead=LeadRule.NO_HEARTS_UNTIL_BROKEN if banned & {contract_id, "all"} else LeadRule.FREE,
            void=void,
            follow=follow,
            must_beat=Group.PENALTY in MUST_BEAT[str(options["must_beat"])],
            early_end=void is not VoidRule.ANY,
            match_limit=2,
        )

    card, give_up = VoidRule.PENALTY_CARD, FollowRule.GIVE_UP
    return (
        penalty(1, "no_tricks", NO_TRICKS, (ScoreRow(scored=Scored.TRICK, points=-50),), -650),
        penalty(2, "no_hearts", NO_HEARTS, (ScoreRow(scored=Scored.HEART, points=-30),), -390, card),
        penalty(3, "no_boys", NO_BOYS, BOYS, -480, card, give_up),
        penalty(4, "no_girls", NO_GIRLS, (ScoreRow(scored=Scored.QUEEN, points=-100),), -400, card, give_up),
        penalty(
            5,
            "no_king",
            NO_KING,
            (ScoreRow(scored=Scored.KING_OF_HEARTS, points=-320),),
            -320,
            RIFKI_VOID[str(options["rifki_void"])],
            give_up,
        ),
        penalty(6, "no_last_two", NO_LAST_TWO, (LAST_TWO,), -360),
    )


BOYS: Final = (ScoreRow(scored=Scored.KING, points=-60), ScoreRow(scored=Scored.JACK, points=-60))
NO_TRICKS: Final = Title(en="No tricks", ru="Без взяток", own="El Almaz")
NO_HEARTS: Final = Title(en="No hearts", ru="Без червей", own="Kupa Almaz")
NO_BOYS: Final = Title(en="No boys", ru="Без мальчиков", own="Erkek Almaz")
NO_GIRLS: Final = Title(en="No girls", ru="Без девочек", own="Kız Almaz")
NO_KING: Final = Title(en="No king of hearts", ru="Без короля червей", own="Rıfkı")
NO_LAST_TWO: Final = Title(en="No last two tricks", ru="Без двух последних", own="Son İki")


def _trumps(options: Options) -> Contract:
    return Contract(
        id="trumps",
        number=7,
        title=Title(en="Trumps", ru="Козырь", own="Koz"),
        group=Group.TRUMPS,
        rows=(ScoreRow(scored=Scored.TRICK, points=50),),
        total=650,
        lead=TRUMP_LEAD[str(options["trump_lead"])],
        void=VoidRule.TRUMP,
        must_beat=Group.TRUMPS in MUST_BEAT[str(options["must_beat"])],
        trump=TrumpRule.NAMED,
        marks_king=True,
        match_limit=8,
    )


def _build(variant_id: str, row: VariantRow, options: Options) -> Variant:
    contracts = (*_penalties(options), _trumps(options))
    plan = DealPlan(contracts=tuple(contract.id for contract in contracts), opening=CHOSEN)
    return Variant(
        id=variant_id,
        base_id=row.id,
        rules_version=row.rules_version,
        title=row.title,
        options=options,
        seats=4,
        pack=pack_of(),
        clockwise=False,
        contracts={contract.id: contract for contract in contracts},
        deals=(plan,) * 20,
        has_dealer=False,
        first_holder=parse_card("2D"),
        leader=LeaderRule.CHOOSER,
        seat_limits=SEAT_LIMITS[str(options["limits"])],
        forfeit_points=FORFEIT,
    )


ROWS: Final = (
    VariantRow(
        id="turkish-20",
        title=Title(en="Turkish King", ru="Турецкий кинг", own="King"),
        options=(
            Option(name="heart_lead", values=tuple(HEART_LEAD_BAN)),
            Option(name="limits", values=tuple(SEAT_LIMITS)),
            Option(name="must_beat", values=tuple(MUST_BEAT)),
            Option(name="rifki_void", values=tuple(RIFKI_VOID)),
            Option(name="trump_lead", values=tuple(TRUMP_LEAD)),
        ),
        build=_build,
    ),
)
