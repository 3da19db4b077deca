"""Words that packed columns are full of, which compression is given beforehand instead of learning them each time.

Part of the format of what is stored: never edited, for what was packed with a text can be read with it alone. Another
text is another name here, and another layout of the column that uses it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Final

_SEVEN: Final = '"no_tricks","no_boys","no_girls","no_hearts","no_king","no_last_two","no_jumble",'
_FOURTEEN: Final = f'{_SEVEN}"tricks","boys","girls","hearts","king","last_two","jumble"'
_TRUMPS: Final = '"trumps",' * 7 + '"trumps"'
_SIX: Final = '"no_tricks","no_hearts","no_girls","no_boys","no_king","no_last",'
_CONTRACTS: Final = (
    f'"no_jacks","no_7th_13th","last","two_tricks_each","jumble",{_SIX}{_TRUMPS},{_SEVEN}{_TRUMPS},{_FOURTEEN}'
)
_DEALERS: Final = "".join(f"[{','.join(str((first + at) % 4) for at in range(14))}]," for first in (1, 0, 3, 2))

POINTS_1: Final = f"[[{_CONTRACTS}],[-4,-4,-2,-6,-8,-12,-14,-16,0,0,0,-16,0,-36,-50,-10,8,6,2,0,0,16,0,0,0]]".encode()
"""For points by deal."""

RECORDS_1: Final = (
    '"kind":"unfinished","timeout","illegal","exit","detail":"","deal":1,"action":'
    '{"seat":0,"do":"choose","contract":"trump":"S","H","D","C"}{"seat":1,"do":"pass"}{"do":"bid","tricks":'
    '{"seat":2,"do":"name_trump","trump":{"seat":3,"do":"give","to":0,"card":"{"seat":0,"do":"keep"}{"do":"offer"}'
    '"options":{"bonus_trump":"none","contracts":[1,2,3,4,5,6,7,8,9,10,11,12],"last_points":8,"leader":"chooser",'
    '"seats":4,"tie":"shared","winner":"highest_sum"},"options":{"heart_lead":"kupa_rifki","limits":"3+2",'
    '"must_beat":"no","rifki_void":"king","trump_lead":"free"},"options":{"king_discard":"free","last":"one",'
    '"negatives":6,"pack":52,"redemption":"trumps","seats":4},"options":{"boys":"kings","king_discard":"forced"},'
    f'"classic","turkish-20","chooser-12","ordered-56","auction-11","trump-11","base-14",{_CONTRACTS}'
    f"[[-4,-4,-2,-6],[-8,-4,0,-4],[-12,0,0,-4],[0,-12,0,-4],[0,-16,0,0],[0,-36,-50,-10],[8,6,2,0],[0,0,16,0],"
    f"[12,38,0,54]]{_DEALERS}[{'false,' * 14}[{'32,' * 14}[{'0,' * 14}"
    f'[[{{"format":"king-record/1","variant":"russian-14","rules_version":1,"options":{{}},"match_id":0,'
    '"seats":4,"players":[{"seat":0,"bot":"random","version":"1"},{"seat":1,"bot":"greedy","version":"1"},'
    '{"seat":2,"bot":"counter","version":"1"},{"seat":3,"bot":"montecarlo","version":"1"}],"context":{"season":"season '
    '2026","board":1,"rotation":0,"time_control":"start=30s,inc=100ms,bank=10s","started_at":"2026-12-24T12:00:00Z",'
    '"stand_in":"random/1"},"deal_secret":null,"deal_salt":null,"deal_seed":null,"deal_commitment":0,"deals":0,'
    '"totals":[-16,0,16,32],"places":[1,2,3,4],"settlement":null,"forfeits":[],"termination":{"kind":"normal",'
    f'"detail":""}}}},[[{_FOURTEEN}],[{"null," * 13}null],[{"null," * 13}null],'
).encode()
"""For records."""


def squeezed(text: bytes, words: bytes) -> bytes:
    """A text like `words`, compressed."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_DEFAULT_STRATEGY, words)
    return squeeze.compress(text) + squeeze.flush()


def unsqueezed(squeezed: bytes, words: bytes) -> tuple[bytes, bytes]:
    """The text that was squeezed with `words`, and what follows on it."""
    release = zlib.decompressobj(-zlib.MAX_WBITS, words)
    return release.decompress(squeezed), release.unused_data


def squeezed_lists(lists: Iterable[bytes]) -> bytes:
    """Lists of small numbers, compressed: each has statistics of its own, and none repeats itself."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    parts = [squeeze.compress(one) + squeeze.flush(zlib.Z_PARTIAL_FLUSH) for one in lists]
    return b"".join(parts) + squeeze.flush()


def unsqueezed_lists(squeezed: bytes) -> bytes:
    """The lists, one after the other."""
    return zlib.decompress(squeezed, -zlib.MAX_WBITS)
