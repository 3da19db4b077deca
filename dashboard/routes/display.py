"""The display page: language, theme and colours of the suits, kept in cookies."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import links, responses
from dashboard.translate import languages

router = APIRouter()


def _choices() -> dict[str, tuple[str, ...]]:
    return {"language": languages(), "theme": responses.THEMES, "suits": responses.SUIT_COLOURS}


@router.get("/display")
def display(request: Request, back: str = "/") -> Response:
    """The choices, and what they look like."""
    return responses.page(request, "display.html", area="", back=links.own_address(back))


@router.get("/display.json", response_model=dict[str, Any])
def display_twin(request: Request) -> Response:
    """The choices there are and those made."""
    who = responses.reader(request)
    return responses.json({"choices": _choices(), "theme": who.theme, "suits": who.suits, "language": who.language})


@router.get("/display/set")
def choose(request: Request, back: str = "/", language: str = "", theme: str = "", suits: str = "") -> Response:
    """Keep the choices and go back, in the language chosen. It changes nothing but the reader's own cookies."""
    answer = RedirectResponse(links.in_language(links.own_address(back), None), status_code=303)
    chosen = {"language": language, "theme": theme, "suits": suits}
    for name, known in _choices().items():
        responses.keep(request, answer, name, chosen[name] if chosen[name] in known else "")
    return answer
