"""Files that are sent by a form: read as they come, and refused as soon as they are too large.

Owns the limits of such a body. Must not know what a file is for.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from dashboard import forms
from dashboard.forms import FormError

MULTIPART: Final = "multipart/form-data"
_FIELDS_AT_MOST: Final = 10
_BESIDE_FILE_BYTES: Final = 64 * 1024
"""What the other fields and the form's own marks may take."""
_PATIENCE: Final = 4
"""A body that is too large is read on, and thrown away, up to so many times the limit: a browser that is cut off shows
an error of its own instead of our answer."""


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


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
    parser = MultiPartParser(request.headers, stream, max_files=1, max_fields=_FIELDS_AT_MOST)
    try:
        form = await parser.parse()
    except MultiPartException:
        raise FormError(400, _("The form cannot be read: reload its page and send it again.")) from None
    try:
        token, file = form.get(forms.TOKEN_FIELD), form.get(name)
        forms.check_token(request, token if isinstance(token, str) else "")
        if not isinstance(file, UploadFile):
            return Upload("", b"")
        return Upload(file.filename or "", await file.read())
    finally:
        await form.close()


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
