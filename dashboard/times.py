"""Moments as readers see them: UTC, in a `<time>` element, near ones by the clock alone.

Owns the wording of dates and durations. Clocks are passed in; nothing here reads one.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from markupsafe import Markup, escape

from dashboard.numbers import NARROW
from dashboard.translate import Translations


def _(message: str) -> str:
    return message


_MONTHS = (
    _("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"),
    _("Jul"), _("Aug"), _("Sep"), _("Oct"), _("Nov"), _("Dec"),
)  # fmt: skip


def iso(moment: datetime) -> str:
    """The machine's form, to the second: 2026-11-29T20:00:00Z."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def spoken(moment: datetime, now: datetime, translations: Translations) -> str:
    """ "today, 23:50", "29 Nov, 19:02" within a year of `now`, else "29 Nov 2025, 19:02"."""
    clock = f"{moment:%H:%M}"
    if moment.date() == now.date():
        return translations.gettext("today, %(clock)s") % {"clock": clock}
    month = translations.gettext(_MONTHS[moment.month - 1])
    day = {"day": moment.day, "month": month, "year": moment.year, "clock": clock}
    if abs(moment - now) < timedelta(days=300):
        return translations.gettext("%(day)s %(month)s, %(clock)s") % day
    return translations.gettext("%(day)s %(month)s %(year)s, %(clock)s") % day


def time_element(moment: datetime, now: datetime, translations: Translations) -> Markup:
    """The moment as a `<time>` element whose title has the whole date."""
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        iso(moment), f"{moment:%Y-%m-%d %H:%M:%S} UTC", escape(spoken(moment, now, translations))
    )


def roughly(seconds: float, translations: Translations) -> str:
    """A length of time of one unit: "15 min", "40 s", "3 h"."""
    if seconds < 90:
        return translations.gettext("%(count)s s") % {"count": f"{max(1, round(seconds))}"}
    if seconds < 90 * 60:
        return translations.gettext("%(count)s min") % {"count": f"{round(seconds / 60)}"}
    return translations.gettext("%(count)s h") % {"count": f"{round(seconds / 3600)}"}


def give_or_take(seconds: float, translations: Translations) -> str:
    """The uncertainty of a moment: "± 15 min"."""
    return f"±{NARROW}{roughly(seconds, translations)}"
