"""Drawings that stand in every row of a table, as SVG: intervals on a scale, and places.

Owns their markup, which a template would take ten times as long to write, four hundred times a page. Numbers come in
ready; every text is escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from dashboard.pages.ladder import Share
from dashboard.pages.scale import Bar, Scale


def interval(scale: Scale, bar: Bar, label: str, kind: str = "") -> Markup:
    """An estimate on a scale: a line with caps, open where it goes on beyond the scale, and a dot at the value.

    `kind` is a class, or empty.
    """
    start_cap = "" if bar.open_start else f'<line class="cap" x1="{bar.start}%" x2="{bar.start}%" y1="-5" y2="5"/>'
    end_cap = "" if bar.open_end else f'<line class="cap" x1="{bar.end}%" x2="{bar.end}%" y1="-5" y2="5"/>'
    return Markup(
        f'<svg class="interval {escape(kind)}" role="img" aria-label="{escape(label)}">{_grid(scale)}'
        f'<svg y="50%"><line class="span" x1="{bar.start}%" x2="{bar.end}%"/>{start_cap}{end_cap}'
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
    steps = "".join(
        f'<rect class="place-{share.step}" x="{share.start}%" width="{share.width}%" height="14"/>' for share in shares
    )
    return Markup(
        f'<svg class="places" role="img" aria-label="{escape(label)}"><title>{escape(said)}</title>{steps}</svg>'
    )
