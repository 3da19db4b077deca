"""Files that are sent by a form: read as they come, and refused as soon as they are too large.

Owns the limits of such a body. Must not know what a file is for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from dashboard import forms
from dashboard.forms import FormError
from league.accounts import Account
from league.submissions import Limit, LimitError

MULTIPART: Final = "multipart/form-data"
AT_ONCE: Final = 2
_A_MOMENT: Final = timedelta(seconds=10)
_FIELDS_AT_MOST: Final = 10
_BESIDE_FILE_BYTES: Final = 64 * 1024
"""What the other fields and the form's own marks may take."""
_PATIENCE: Final = 4
"""A body that is too large is read on, and thrown away, up to so many times the limit: a browser that is cut off shows
an error of its own instead of our answer."""


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


class Senders:
    """Who is sending files now. Each is held in memory until it is whole, however slowly it comes, so an account sends
    few at a time. To be used within one event loop.
    """

    def __init__(self) -> None:
        self._sending: Counter[int] = Counter()

    @contextmanager
    def one_more(self, account: Account) -> Iterator[None]:
        """While a file of an account is read.

        Raises:
            LimitError: as many are on their way as may be.
        """
        if self._sending[account.id] >= AT_ONCE:
            told = f"{AT_ONCE} of your archives are on their way already: wait until one is here"
            raise LimitError(Limit.UPLOADS, told, retry_after=_A_MOMENT)
        self._sending[account.id] += 1
        try:
            yield
        finally:
            self._sending[account.id] -= 1
            self._sending = +self._sending  # those at nought are forgotten


class TooLargeError(FormError):
    """The file is larger than allowed."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was sent; without one, its name and content are empty."""

    file_name: str
    content: bytes = field(repr=False)


async def read(request: Request, name: str, limit_bytes: int) -> Upload:
    """The file in the field `name` of a form of ours.

    Raises:
        TooLargeError: it is larger than the limit.
        FormError: the form is not ours, or cannot be read.
    """
    forms.check_sender(request, MULTIPART)
    stream = _within(request.stream(), limit_bytes)
    parser = _Parser(request.headers, stream, max_files=1, max_fields=_FIELDS_AT_MOST)
    try:
        form = await parser.whole_form()
    except (MultiPartException, UnicodeError):  # the charset that a form names may be one that reads nothing
        raise FormError(400, _("The form cannot be read: reload its page and send it again.")) from None
    try:
        token, file = form.get(forms.TOKEN_FIELD), form.get(name)
        forms.check_token(request, token if isinstance(token, str) else "")
        if not isinstance(file, UploadFile):
            return Upload("", b"")
        return Upload(file.filename or "", await file.read())
    finally:
        await form.close()


class _Parser(MultiPartParser):
    """Takes a form only to its end: of one that is cut off, what has come would be taken for the whole."""

    _is_whole = False

    def on_end(self) -> None:
        """The last boundary has come."""
        self._is_whole = True

    async def whole_form(self) -> FormData:
        """The form; MultiPartException if it has no end, or is none."""
        form = await self.parse()
        if not self._is_whole:
            for file in self._files_to_close_on_error:
                file.close()
            raise MultiPartException("The form has no end.")
        return form


async def _within(stream: AsyncIterator[bytes], limit_bytes: int) -> AsyncGenerator[bytes, None]:
    """Pass a body on as long as it is not too large; then read it to its end, within reason, and raise."""
    read_bytes, limit = 0, limit_bytes + _BESIDE_FILE_BYTES
    async for part in stream:
        read_bytes += len(part)
        if read_bytes <= limit:
            yield part
        elif read_bytes > _PATIENCE * limit:
            break
    if read_bytes > limit:
        raise TooLargeError(
            413, _("The archive is too large: at most %(count)s MiB are taken."), count=limit_bytes >> 20
        )


async def pass_over(request: Request, limit_bytes: int) -> None:
    """Read a body that will not be taken, within reason, and keep nothing of it."""
    passed = 0
    async for part in request.stream():
        passed += len(part)
        if passed > limit_bytes + _BESIDE_FILE_BYTES:
            break
