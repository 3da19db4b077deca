"""The display page: theme and colours of the suits, kept in cookies."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import links, responses

router = APIRouter()

_A_YEAR_SECONDS = 365 * 24 * 3600
_CHOICES = {"theme": responses.THEMES, "suits": responses.SUIT_COLOURS}


def _safe(back: str) -> str:
    """An address of this site, whatever was asked for."""
    is_ours = back.startswith("/") and not back.startswith("//") and "\\" not in back
    return back if is_ours else links.home()


@router.get("/display")
def display(request: Request, back: str = "/") -> Response:
    """The choices, and what they look like."""
    return responses.page(request, "display.html", area="", back=_safe(back))


@router.get("/display.json")
def display_twin(request: Request) -> Response:
    """The choices there are and those made."""
    who = responses.reader(request)
    return responses.json({"choices": _CHOICES, "theme": who.theme, "suits": who.suits, "language": who.language})


@router.get("/display/set")
def choose(back: str = "/", theme: str = "", suits: str = "") -> Response:
    """Keep the choices and go back. It changes nothing but the reader's own cookies."""
    answer = RedirectResponse(_safe(back), status_code=303)
    for name, value in (("theme", theme), ("suits", suits)):
        if value in _CHOICES[name]:
            answer.set_cookie(name, value, max_age=_A_YEAR_SECONDS, samesite="lax", httponly=True)
        else:
            answer.delete_cookie(name)
    return answer
