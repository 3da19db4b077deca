"""Whole matches of random legal actions in this process, for tests, examples and benchmarks.

Owns how the actions are drawn. Must not know bots, clocks or the network.
"""

from hashlib import sha256

from referee import dealing
from referee.rules import By, Match, Player, Record, Secrets, Taken, Variant, match_record

RANDOM_PLAYER = Player(bot="random", version="1")


def random_match(variant: Variant, seed: int, *, board: int = 1) -> Record:
    """Play one match of random legal actions and return its record; the same seed gives the same record.

    Raises:
        ValueError: if the seed or the board is out of range.
    """
    secret = dealing.local_secret(seed, board)
    deal_seed = dealing.deal_seed(secret, dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(deal_seed, variant), dealing.first_seat(deal_seed, variant))
    return match_record(
        match,
        match_id=f"random-{seed}-{board}",
        players=[RANDOM_PLAYER] * variant.seats,
        context={"board": board, "rotation": 0},
        secrets=Secrets(
            deal_secret=secret,
            deal_salt=dealing.LOCAL_SALT,
            deal_seed=deal_seed,
            deal_commitment=dealing.commitment(secret),
        ),
        taken=play_at_random(match, sha256(b"king-random" + secret).digest()),
    )


def play_at_random(match: Match, seed: bytes) -> list[list[Taken]]:
    """Start a match and play it to its end; return how each action came about, by deal. Deal n draws from stream n."""
    taken: list[list[Taken]] = []
    stream = dealing.Stream(seed, 0)
    match.start()
    while match.deal is not None:
        deal = match.deal
        if deal.number > len(taken):
            stream = dealing.Stream(seed, deal.number)
            taken.append([])
        legal = match.legal_actions()
        taken[-1].append(Taken(by=By.FORCED if len(legal) == 1 else By.BOT))
        match.apply(legal[stream.below(len(legal))])
    return taken
