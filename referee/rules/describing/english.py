"""The rules in English."""
# ruff: noqa: E501 - a phrase is read best unbroken

from typing import Final

from referee.rules.contracts import FollowRule, LeadRule, PriceRule, Scored, TrumpRule, VoidRule
from referee.rules.describing.phrases import Headings, Phrases
from referee.rules.variant import LeaderRule, Step, WinnerRule


def _pack(seats: int, cards: int, hand: int, lowest: str, left_out: str) -> str:
    without = f", without {left_out}" if left_out else ""
    return f"{seats} seats; {cards} cards, ace high down to the {lowest}{without}; {hand} cards each, dealt one by one."


def _clockwise(clockwise: bool) -> str:
    return f"Play runs {'clockwise' if clockwise else 'counter-clockwise'}. Everybody plays for themselves."


def _deals(first: int, last: int) -> str:
    return f"Deal {first}" if first == last else f"Deals {first}–{last}"


ENGLISH: Final = Phrases(
    headings=Headings(
        cards="Seats and cards",
        contracts="Contracts",
        deals="Deals",
        before_play="Before the play",
        play="Play",
        end="End of the match",
        options="Options",
        number="No.",
        id="id",
        name="Name",
        scores="Points",
        total="Total",
        rules="Special rules",
        value="Value",
        meaning="Meaning",
    ),
    pack=_pack,
    clockwise=_clockwise,
    dealer="The first dealer is drawn by lot, then the next seat deals. The seat after the dealer is eldest.",
    chooser_by_lot="There is no dealer. The first chooser is drawn by lot, then the next seat chooses.",
    chooser_by_card=lambda card: (
        f"There is no dealer. The holder of {card} chooses in the first deal, then the next seat chooses."
    ),
    talon=lambda cards, hand: f"Each hand gets {hand} cards, and {cards} are turned face up: the talon.",
    first_cards=lambda cards: f"The deal pauses after {cards} cards each; the rest is dealt when all is decided.",
    deals_fixed=lambda first, last, ids: f"{_deals(first, last)}: {ids}{', in this order' if first < last else ''}.",
    deals_open=lambda first, last, ids: f"{_deals(first, last)}: {ids}; what comes before the play is said below.",
    extra_deals=lambda most: (
        f"While the lead is shared, the next chooser chooses from the whole list for one more deal, {most} times at most."
    ),
    steps={
        Step.CHOOSE: "The chooser sees the hand and chooses a contract that is still open, and a trump where it has one.",
        Step.ORDER: (
            "Eldest speaks first: orders one of their own contracts not yet played, or passes; and so on round. The first "
            "order is played. The last speaker who has a contract left may not pass; who has none left is skipped."
        ),
        Step.BID: (
            "Eldest opens the auction: pass, which is final, or a number of tricks higher than the last bid. It ends when "
            "all but one have passed. If nobody bids, the dealer is the declarer at 1."
        ),
        Step.OFFER: "Eldest offers the game for sale, or keeps it.",
        Step.SALE: (
            "In a sale the seat after eldest speaks first and eldest does not bid: pass, which is final, or a number of "
            "tricks higher than the last bid. The highest bidder buys; with no bid eldest keeps the game."
        ),
        Step.GIVE: "The declarer takes the talon and gives one card, any card, to each opponent, unseen by the others.",
        Step.NAME_TRUMP: "The declarer names the trump suit; without an auction or a sale that is eldest.",
        Step.NAME_TRUMP_OR_LAST: (
            "Eldest names any suit as trump, or declines: then the suit of eldest's own last card is trump, and that card "
            "is shown to all."
        ),
        Step.PRAISE: (
            "Eldest chooses: trump, a suit among the cards dealt so far; by the last, the suit of the last card that eldest "
            "will get, which is shown to all; misère, no trump and the ranks upside down; or two tricks each, which are "
            "written to everybody, and the deal is not played."
        ),
        Step.PRAISE_BOUGHT: "The buyer chooses anew: any suit, by the last (still eldest's last card), or misère.",
    },
    follow="Follow the led suit if you can; otherwise any card, unless a special rule says more.",
    taker="The highest card of the led suit takes the trick, and its player leads next.",
    trump_taker="In a trump deal the highest trump takes the trick, if there is one.",
    no_early_end="All tricks are played.",
    early_end="ends with the trick in which the last scoring card is taken",
    leaders={
        LeaderRule.ELDEST: "Eldest leads to the first trick.",
        LeaderRule.CHOOSER: "The chooser leads to the first trick.",
        LeaderRule.SEVEN_OF_CLUBS: "The holder of 7C leads to the first trick, any card.",
    },
    leads={
        LeadRule.FREE: "",
        LeadRule.NO_HEARTS: "hearts are led only from a hand of nothing but hearts",
        LeadRule.NO_HEARTS_UNTIL_BROKEN: (
            "hearts are led only from a hand of nothing but hearts, until a heart has been discarded"
        ),
        LeadRule.NO_TRUMPS_UNTIL_BROKEN: (
            "trumps are led only from a hand of nothing but trumps, until one has been played on another suit"
        ),
    },
    voids={
        VoidRule.ANY: "",
        VoidRule.FORCED_KING: "void in the led suit, the holder of KH must play it",
        VoidRule.PENALTY_CARD: "void in the led suit, a scoring card must be discarded",
        VoidRule.KING_OR_HEART: "void in the led suit, the holder of KH must discard a heart",
        VoidRule.TRUMP: "void in the led suit, a trump must be played",
    },
    follows={
        FollowRule.ANY: "",
        FollowRule.GIVE_UP: (
            "following suit, a scoring card lower than the highest card of the suit in the trick must be given up"
        ),
    },
    must_beat="following suit, the card that is winning the trick must be beaten if it can be",
    trumps={
        TrumpRule.NONE: "",
        TrumpRule.NAMED: "a trump suit is named",
        TrumpRule.OPTIONAL: "a trump suit may be named",
    },
    prices={
        PriceRule.NONE: "",
        PriceRule.ABOVE_BID: "the declarer scores only the tricks above the bid",
        PriceRule.BUYER_PAYS: "a buyer pays the worth of the tricks bid to eldest, below zero if need be",
    },
    scored={
        Scored.TRICK: "each trick",
        Scored.HEART: "each heart",
        Scored.QUEEN: "each queen",
        Scored.KING: "each king",
        Scored.JACK: "each jack",
        Scored.KING_OF_HEARTS: "KH",
        Scored.NUMBERED_TRICK: "tricks",
    },
    numbered=lambda numbers: f"trick {numbers}",
    flat_points=lambda points: f"{points} to everybody; not played",
    match_limit=lambda limit: f"at most {limit} times a match" if limit > 1 else "once a match",
    seat_limit=lambda limit: f"at most {limit} times a seat" if limit > 1 else "once a seat",
    group_limits=lambda limits: f"Each seat chooses {limits} in a match.",
    groups={"penalty": "{} penalties", "bonus": "{} bonuses", "trumps": "{} trumps"},
    marks_king="taking all tricks is “making King”: no points, but it is recorded",
    winners={
        WinnerRule.HIGHEST_SUM: "The largest sum of points wins.",
        WinnerRule.SMALLEST_PENALTIES: "The smallest absolute sum of the negative contracts wins.",
    },
    ties="Equal results share a place (1, 1, 3, 4).",
    settlement=(
        "Settlement: the winner collects from every other seat the difference of their sums; shared winners split it in "
        "whole points, what is left over going one point each in seat order."
    ),
    option_names={
        "bonus_trump": "trump in bonus contracts",
        "boys": "who the boys are",
        "contracts": "the contracts of the match",
        "heart_lead": "where hearts may not be led",
        "king_discard": "discarding KH when void",
        "last": "how many last tricks score",
        "last_points": "points of the last trick",
        "leader": "who leads first",
        "limits": "limits of choice",
        "must_beat": "duty to beat",
        "negatives": "number of negative deals",
        "pack": "cards in the pack",
        "redemption": "how the redemption stage goes",
        "rifki_void": "void in Rıfkı",
        "seats": "number of seats",
        "tie": "when the lead is shared",
        "trump_lead": "leading trumps",
        "winner": "who wins",
    },
    option_values={
        "bonus_trump": {"none": "no trumps", "chooser": "the chooser may name a trump in the bonus contracts"},
        "boys": {"kings": "kings", "kings_and_jacks": "kings and jacks"},
        "contracts": {"all": "all twelve", "short": "1+2+3+5+8+9+10+11"},
        "heart_lead": {"kupa_rifki": "in Kupa and Rıfkı", "all_penalties": "in all penalties"},
        "king_discard": {"forced": "its holder must play it", "free": "its holder may keep it"},
        "last": {"one": "the last", "two": "the last two, half each"},
        "last_points": {"8": "8", "12": "12"},
        "leader": {"chooser": "the chooser", "seven_of_clubs": "the holder of 7C"},
        "limits": {"3+2": "each seat three penalties and two trumps", "free": "only the limits of the match"},
        "must_beat": {"no": "none", "trumps": "in trump deals", "always": "in every deal"},
        "negatives": {"6": "six", "7": "seven, with the jumble"},
        "pack": {"52": "the full pack", "32": "seven and higher"},
        "redemption": {
            "trumps": "eldest names the trump",
            "praise": "praise with sale, then a positive jumble",
            "talon": "a talon that may be sold",
        },
        "rifki_void": {"king": "the holder of KH discards it", "any_heart": "the holder of KH discards any heart"},
        "seats": {"4": "four", "3": "three"},
        "tie": {"shared": "the win is shared", "extra_deal": "up to four extra deals"},
        "trump_lead": {"free": "free", "after_broken": "not until a trump has been played on another suit"},
        "winner": {
            "highest_sum": "the largest sum",
            "smallest_penalties": "the smallest sum of the negative contracts",
        },
    },
    number_list="6 to 8 different numbers of contracts, rising, joined by +",
    default="default",
)
