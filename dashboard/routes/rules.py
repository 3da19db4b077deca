"""The rules of the variants."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import responses
from dashboard.pages.rules import RulesPage, rules_page, variant_lines
from dashboard.twins import VariantLines

router = APIRouter(prefix="/rules")


@router.get("")
@router.get(".json", response_model=VariantLines)
def variants(request: Request) -> Response:
    """Every variant that has a name."""
    lines = variant_lines(responses.words(request))
    return responses.page_or_twin(request, "variants.html", lines, area="rules", twin=lambda: VariantLines(lines))


@router.get("/{variant:path}")
@router.get("/{variant:path}.json", response_model=RulesPage)
def rules(request: Request, variant: str) -> Response:
    """The rules of one variant."""
    model = rules_page(variant, responses.words(request))
    return responses.page_or_twin(request, "rules.html", model, area="rules", twin=lambda: model)
