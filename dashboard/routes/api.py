"""The pages about the API: what can be asked, and what its problems mean."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import responses
from dashboard.api.problems import ProblemKind
from dashboard.errors import AddressError
from dashboard.pages.api import ApiPage, ProblemsPage, api_page, problems_page

router = APIRouter(prefix="/api")


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@router.get("")
@router.get(".json", response_model=ApiPage)
def api(request: Request) -> Response:
    """The operations of the API, as its document has them."""
    model = api_page(request.app.state.api_document())
    return responses.page_or_twin(request, "api.html", model, area="", twin=lambda: model)


@router.get("/problems")
@router.get("/problems.json", response_model=ProblemsPage)
def problems(request: Request) -> Response:
    """What the API's kinds of problem mean."""
    model = problems_page(responses.words(request))
    return responses.page_or_twin(request, "api_problems.html", model, area="", twin=lambda: model)


@router.get("/problems/{name}")
@router.get("/problems/{name}.json", response_model=ProblemsPage)
def problem(request: Request, name: str) -> Response:
    """What one kind of problem means."""
    kind = next((one for one in ProblemKind if one.value == name), None)
    if kind is None:
        there = ", ".join(one.value for one in ProblemKind)
        raise AddressError(_("there is no kind of problem %(name)s; kinds are %(there)s"), name=name, there=there)
    model = problems_page(responses.words(request), kind)
    return responses.page_or_twin(request, "api_problems.html", model, area="", twin=lambda: model)
