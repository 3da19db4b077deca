"""Forms that change something: read safely, and shown again with what the reader wrote.

Owns the checks that a form comes from a page of ours (its token, and what the browser says of its origin), its limits,
and how faults of input are told. Must not know any form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final
from urllib.parse import parse_qs

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse

from dashboard import responses, visitors
from dashboard.words import Words
from league.accounts import draw_secret, form_token, is_form_token

LIMIT_BYTES: Final = 64 * 1024
FIELDS_AT_MOST: Final = 1000
TOKEN_FIELD: Final = "form_token"
URLENCODED: Final = "application/x-www-form-urlencoded"


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


class FormError(Exception):
    """A form that is not taken: the HTTP status, and a message of the catalogue that says what would be right."""

    def __init__(self, status: int, message: str, **values: object) -> None:
        super().__init__(message % values)
        self.status = status
        self._message = message
        self._values = values

    def told(self, words: Words) -> str:
        """The message in the reader's language."""
        return words.say(self._message, **self._values)


@dataclass(frozen=True, slots=True)
class Form:
    """What a reader sent: values by the name of the field."""

    values: Mapping[str, tuple[str, ...]] = field(repr=False)

    def text(self, name: str) -> str:
        """The last value of a field, empty without one; line ends as a line feed."""
        return self.values.get(name, ("",))[-1].replace("\r\n", "\n")

    def ticked(self, name: str) -> bool:
        """Whether a box was ticked."""
        return name in self.values

    def many(self, name: str) -> tuple[str, ...]:
        """All values of a field."""
        return self.values.get(name, ())


async def read(request: Request) -> Form:
    """The form that a request carries, checked to be one of ours.

    Raises:
        FormError: it is not, it is too large, or not urlencoded.
    """
    check_sender(request, URLENCODED)
    form = Form(_parsed(await _body(request)))
    check_token(request, form.text(TOKEN_FIELD))
    return form


ReadForm = Annotated[Form, Depends(read)]
"""The parameter of a route that takes a form."""


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LIMIT_BYTES:
            raise FormError(
                413, _("The form is too large: at most %(count)s KiB are taken."), count=LIMIT_BYTES // 1024
            )
    return bytes(body)


def _parsed(body: bytes) -> dict[str, tuple[str, ...]]:
    try:
        found = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS_AT_MOST)
    except ValueError:
        raise FormError(400, _("The form cannot be read: reload its page and send it again.")) from None
    return {name: tuple(values) for name, values in found.items()}


def check_sender(request: Request, kind: str) -> None:
    """Refuse what no page of ours sends, before its body is read: from a page of another site, or of another `kind`.

    Raises:
        FormError: the browser says that it comes from elsewhere, or the form is not of this media type.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        is_ours = site == "same-origin"
    else:
        is_ours = origin is None or origin.partition("://")[2] == request.headers.get("host", "")
    if not is_ours:
        raise FormError(403, _("This form was sent by a page of another site, so nothing was done."))
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
        raise FormError(415, _("This address takes the form of its page, as %(kind)s."), kind=kind)


def check_token(request: Request, token: str) -> None:
    """Refuse a form that our pages did not make for this reader.

    Raises:
        FormError: its field `form_token` is not the one of the reader's session or visit.
    """
    tied_to = visitors.tied_to(request)
    if not tied_to or not is_form_token(token, tied_to):
        message = _(
            "This form is too old, or your browser keeps no cookies. Go back, reload the page and send it again."
        )
        raise FormError(403, message)


def page(
    request: Request, template: str, *, area: str = "", status: int = 200, here: str | None = None, **context: Any
) -> HTMLResponse:
    """A page with a form, for this reader alone. `here`: the address of the page where that of the form is another."""
    known = visitors.tied_to(request)
    tied_to = known or draw_secret()
    answer = responses.page(
        request, template, area=area, status=status, here=here, form_token=form_token(tied_to), **context
    )
    if not known:
        visitors.keep_visit(request, answer, tied_to)
    answer.headers["Cache-Control"] = visitors.PRIVATE
    return answer
