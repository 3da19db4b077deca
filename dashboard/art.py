"""The drawings: suits, court figures and the 52 faces, as one SVG sprite; and the mark of the arena.

Owns every path. Colours are the tokens' custom properties or `currentColor`, so that a card takes the colour of its
suit where it is used. Must not know rules.
"""

from __future__ import annotations

from functools import cache

SUITS = "SHDC"
RANKS = "23456789TJQKA"

_WIDTH, _HEIGHT = 60, 84
_LEFT, _MIDDLE, _RIGHT = 26.5, 38.0, 49.5
_TOP, _BOTTOM = 14.0, 70.0
_PIP = 11.5

_SUIT_PATHS = {
    "S": (
        "M50 4C57 21 93 39 93 63 93 77 83 86 71 86 63 86 57 82 54 75 55 85 59 92 67 96H33C41 92 45 85 46 75 "
        "43 82 37 86 29 86 17 86 7 77 7 63 7 39 43 21 50 4Z"
    ),
    "H": ("M50 94C43 78 5 60 5 33 5 17 17 8 29 8 39 8 47 14 50 25 53 14 61 8 71 8 83 8 95 17 95 33 95 60 57 78 50 94Z"),
    "D": "M50 3C60 22 72 38 87 50 72 62 60 78 50 97 40 78 28 62 13 50 28 38 40 22 50 3Z",
    "C": (
        "M50 5A22 22 0 0 1 66 42 22 22 0 1 1 54 70C55 82 60 91 68 96H32C40 91 45 82 46 70A22 22 0 1 1 34 42 "
        "22 22 0 0 1 50 5Z"
    ),
}

# Fractions of the pip field: column -1, 0, 1 and row from 0 (top) to 1.
_PIP_PLACES: dict[str, tuple[tuple[int, float], ...]] = {
    "2": ((0, 0), (0, 1)),
    "3": ((0, 0), (0, 0.5), (0, 1)),
    "4": ((-1, 0), (1, 0), (-1, 1), (1, 1)),
    "5": ((-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    "6": ((-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    "7": ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    "8": ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (0, 0.75), (-1, 1), (1, 1)),
    "9": ((-1, 0), (1, 0), (-1, 1 / 3), (1, 1 / 3), (0, 0.5), (-1, 2 / 3), (1, 2 / 3), (-1, 1), (1, 1)),
    "T": (
        *((-1, 0), (1, 0), (0, 1 / 6), (-1, 1 / 3), (1, 1 / 3)),
        *((-1, 2 / 3), (1, 2 / 3), (0, 5 / 6), (-1, 1), (1, 1)),
    ),
}

_GOLD = 'fill="var(--gold)" stroke="var(--gold-deep)" stroke-width="2.4" stroke-linejoin="round"'
_RIB = 'fill="none" stroke="var(--gold-deep)" stroke-width="2.4" stroke-linecap="round"'

# Each figure fills a field of 100 by 76.
_FIGURES = {
    # a closed crown: two arches under a cross
    "K": (
        f'<path {_GOLD} d="M47 1H53V7H60V13H53V22H47V13H40V7H47Z"/>'
        f'<path {_GOLD} d="M17 56C-2 27 32 12 50 31 68 12 102 27 83 56Z"/>'
        f'<path {_RIB} d="M33 55C27 43 31 34 42 33M67 55C73 43 69 34 58 33M50 32V55"/>'
        f'<circle {_GOLD} cx="50" cy="27" r="6.5"/>'
        f'<path {_GOLD} d="M14 56H86L83 72H17Z"/>'
        '<circle fill="currentColor" cx="30" cy="64" r="3.6"/><circle fill="currentColor" cx="50" cy="64" r="3.6"/>'
        '<circle fill="currentColor" cx="70" cy="64" r="3.6"/>'
    ),
    # an open coronet: three petals with pearls
    "Q": (
        f'<path {_GOLD} d="M18 57C16 44 12 33 5 23 19 25 28 32 32 43 35 29 41 18 50 10 59 18 65 29 68 43 '
        '72 32 81 25 95 23 88 33 84 44 82 57Z"/>'
        f'<circle {_GOLD} cx="5" cy="20" r="4.5"/><circle {_GOLD} cx="50" cy="6.500" r="5.500"/>'
        f'<circle {_GOLD} cx="95" cy="20" r="4.500"/>'
        '<path fill="currentColor" d="M50 30C55 37 55 43 50 50 45 43 45 37 50 30Z"/>'
        f'<path {_GOLD} d="M17 57C38 63 62 63 83 57L81 70C62 76 38 76 19 70Z"/>'
    ),
    # a flat cap with a long feather
    "J": (
        f'<path {_GOLD} d="M55 35C56 13 75 2 98 2 97 25 83 41 62 43Z"/>'
        f'<path {_RIB} d="M58 40C68 24 80 13 93 7"/>'
        f'<path {_GOLD} d="M12 57C8 33 34 24 56 33 74 34 88 44 88 57Z"/>'
        f'<path {_RIB} d="M27 47C31 40 39 37 46 38"/>'
        f'<path {_GOLD} d="M6 61C34 52 66 52 94 61L92 73C66 65 34 65 8 73Z"/>'
        '<circle fill="currentColor" cx="57" cy="44" r="4.200"/>'
    ),
}


def _use(name: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """A square `<use>` centred at (x, y), upside down where `turned`."""
    turn = f' transform="rotate(180 {x:g} {y:g})"' if turned else ""
    half = size / 2
    return f'<use href="#{name}" x="{x - half:g}" y="{y - half:g}" width="{size:g}" height="{size:g}"{turn}/>'


def _pips(rank: str, suit: str) -> str:
    columns = {-1: _LEFT, 0: _MIDDLE, 1: _RIGHT}
    return "".join(
        _use(f"suit-{suit}", columns[column], round(_TOP + row * (_BOTTOM - _TOP), 2), _PIP, turned=row > 0.5)
        for column, row in _PIP_PLACES[rank]
    )


def _court(rank: str, suit: str) -> str:
    half = f'<use href="#figure-{rank}" x="25" y="12" width="26" height="19.8"/>' + _use(
        f"suit-{suit}", _MIDDLE, 36.4, 7.4
    )
    return (
        '<rect x="20.500" y="7.500" width="35" height="69" rx="3" fill="currentColor" fill-opacity=".05" '
        'stroke="currentColor" stroke-opacity=".5" stroke-width=".7"/>'
        '<path d="M20.500 47.500 55.500 36.500" stroke="currentColor" stroke-opacity=".5" stroke-width=".7"/>'
        f'{half}<g transform="rotate(180 {_MIDDLE:g} 42)">{half}</g>'
    )


def _face(rank: str, suit: str) -> str:
    if rank == "A":
        drawn = _use(f"suit-{suit}", 34, 47, 33)
    elif rank in _FIGURES:
        drawn = _court(rank, suit)
    else:
        drawn = _pips(rank, suit)
    return f'<symbol id="{rank}{suit}" viewBox="0 0 {_WIDTH} {_HEIGHT}">{drawn}</symbol>'


@cache
def sprite() -> str:
    """The SVG document whose symbols the pages use: `suit-S`, `crown`, and faces `2S` to `AC`."""
    suits = "".join(
        f'<symbol id="suit-{suit}" viewBox="0 0 100 100"><path d="{path}"/></symbol>'
        for suit, path in _SUIT_PATHS.items()
    )
    figures = "".join(
        f'<symbol id="figure-{rank}" viewBox="0 0 100 76">{drawn}</symbol>' for rank, drawn in _FIGURES.items()
    )
    crown = f'<symbol id="crown" viewBox="0 0 100 76">{_FIGURES["K"]}</symbol>'
    faces = "".join(_face(rank, suit) for suit in SUITS for rank in RANKS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{suits}{figures}{crown}{faces}</svg>\n'


@cache
def favicon() -> str:
    """The arena's mark, a heart with a crown in it, as a whole SVG document."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<path fill="#b8122d" d="{_SUIT_PATHS["H"]}"/>'
        '<path fill="#f2c65a" d="M30 62 25 34 39 45 50 26 61 45 75 34 70 62Z"/></svg>\n'
    )
