"""What stands in every row of a long table: intervals on a scale and places, as SVG, and whole rows of a ladder.

Owns their markup, which a template would take five to ten times as long to write, some hundred times a page. Numbers
and words come in ready; every text is escaped here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape

from markupsafe import Markup

from dashboard import links, numbers
from dashboard.pages.ladder import LadderPage, Row, Share, Told
from dashboard.pages.scale import Bar, Scale


def interval(scale: Scale, bar: Bar, label: str, kind: str = "") -> Markup:
    """An estimate on a scale: a line with caps, open where it goes on beyond the scale, and a dot at the value.

    `kind` is a class, or empty.
    """
    return Markup(_interval(scale, bar, label, kind))


def _interval(scale: Scale, bar: Bar, label: str, kind: str) -> str:
    start, end = bar.start, bar.end
    start_cap = "" if bar.open_start else f'<line class="cap" x1="{start}%" x2="{start}%" y1="-5" y2="5"/>'
    end_cap = "" if bar.open_end else f'<line class="cap" x1="{end}%" x2="{end}%" y1="-5" y2="5"/>'
    return (
        f'<svg class="interval {escape(kind)}" role="img" aria-label="{escape(label)}">{_grid(scale)}'
        f'<svg y="50%"><line class="span" x1="{start}%" x2="{end}%"/>{start_cap}{end_cap}'
        f'<circle class="value" cx="{bar.at}%" r="5"/></svg></svg>'
    )


@lru_cache(maxsize=64)
def _grid(scale: Scale) -> str:
    return "".join(
        f'<line class="{"origin" if tick.value == scale.origin else "grid"}" x1="{tick.at}%" x2="{tick.at}%" '
        'y1="0" y2="100%"/>'
        for tick in scale.ticks
    )


def places(shares: Sequence[Share], said: str, label: str) -> Markup:
    """How often each place was taken, as steps of a bar; `said` in words, `label` with what it is."""
    return Markup(_places(shares, said, label))


def _places(shares: Sequence[Share], said: str, label: str) -> str:
    steps = "".join(
        [
            f'<rect class="place-{share.step}" x="{share.start}%" width="{share.width}%" height="14"/>'
            for share in shares
        ]
    )
    return f'<svg class="places" role="img" aria-label="{escape(label)}"><title>{escape(said)}</title>{steps}</svg>'


def ladder_rows(page: LadderPage, said: Mapping[str, str]) -> Markup:
    """The rows of a ladder. `said`: what they say in words, the same in each: alike, alike_row, house, provisional and
    a_deal."""
    words = {name: escape(text) for name, text in said.items()}
    return Markup("\n".join([_ladder_row(page, row, words) for row in page.rows]))


def _ladder_row(page: LadderPage, row: Row, said: Mapping[str, str]) -> str:
    elo, points = row.elo_told, row.points_told
    if row.elo is None or elo is None or row.points is None or points is None:
        raise ValueError(f"{row.name} is on no ladder: it has no whole board")
    address = escape(links.bot(row.name, season=page.season.id))
    return (
        f'<tr role="row">\n<td role="cell" class="rank">{_alike(said) if row.alike_above else ""}{row.rank}</td>\n'
        f'<th role="rowheader" scope="row" class="who">{_who(row, address, said)}</th>\n'
        f'<td role="cell" class="number elo">{_estimate(elo)}</td>\n'
        f'<td role="cell" class="elo-bar holds-interval">'
        f"{_interval(page.elo_scale, row.elo.bar, elo.label, elo.kind)}</td>\n"
        f'<td role="cell" class="number points">{_estimate(points)}'
        f'<span class="narrow-word quiet small"> {said["a_deal"]}</span></td>\n'
        f'<td role="cell" class="points-bar holds-interval">'
        f"{_interval(page.points_scale, row.points.bar, points.label, points.kind)}</td>\n"
        f'<td role="cell" class="number boards">{numbers.number(row.boards)}'
        f'<span class="narrow-word"> {escape(row.boards_word)}</span></td>\n'
        f'<td role="cell" class="shares">{_places(row.shares, row.places, row.places_label)}</td>\n'
        f'<td role="cell" class="number faults">{_faults(row, address)}</td>\n</tr>'
    )


def _alike(said: Mapping[str, str]) -> str:
    return (
        f'<span class="alike" title="{said["alike"]}"><span aria-hidden="true">≈</span>'
        f'<span class="unseen">{said["alike_row"]} </span></span>'
    )


def _who(row: Row, address: str, said: Mapping[str, str]) -> str:
    name = escape(row.name)
    house = f' <span class="tag">{said["house"]}</span>' if row.house else ""
    provisional = f' <span class="tag warn">{said["provisional"]}</span>' if row.provisional else ""
    return (
        f'<a class="name" dir="auto" href="{address}" title="{name}">{name}</a>{house}{provisional}'
        f'<span class="under" dir="auto">{escape(row.under)}</span>'
    )


def _estimate(told: Told) -> str:
    error = f' <span class="give-or-take">{told.error}</span>' if told.error else ""
    return f'<span class="estimate">{told.value}</span>{error}'


def _faults(row: Row, address: str) -> str:
    word = f'<span class="narrow-word"> {escape(row.faults_word)}</span>'
    if not row.faults:
        return f'<span class="quiet">0{word}</span>'
    return f'<a href="{address}#faults">{numbers.number(row.faults)}{word}</a>'
