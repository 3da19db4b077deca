"""What a submitted bot finds, for authors."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, responses
from dashboard.pages.submitted_bots import SubmittedBotsPage, submitted_bots_page

router = APIRouter()


@router.get("/submitted-bots")
@router.get("/submitted-bots.json", response_model=SubmittedBotsPage)
def submitted_bots(request: Request) -> Response:
    """Runtimes with their versions, libraries, CPU, memory, disk, sizes, no network."""
    store = asking.store(request)
    model = submitted_bots_page(store.surroundings.all(), store.submissions.limits)
    return responses.page_or_twin(request, "submitted_bots.html", model, area="mine", twin=lambda: model)
