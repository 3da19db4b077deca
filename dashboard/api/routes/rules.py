"""Variants, and their rules in words."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import AfterValidator

from dashboard.api.asked import NOT_FOUND
from dashboard.api.front import unescaped
from dashboard.api.models.rules import Rules, VariantLine, Variants
from referee.rules import PRESETS, parse_variant, variants_json

router = APIRouter(prefix="/variants", tags=["Rules"])


@router.get("", operation_id="listVariants", summary="List variants")
def variants() -> Variants:
    """Every preset and option, whole: there are few."""
    named = [VariantLine.of(parse_variant(preset)) for preset in PRESETS]
    return Variants.model_validate({**variants_json(), "named": named})


@router.get("/{variant}", operation_id="getRules", summary="Get the rules of a variant", responses=NOT_FOUND)
def rules(
    variant: Annotated[
        str,
        Path(
            min_length=1, max_length=256, description="A variant, with options if it has any.", examples=["russian-14"]
        ),
        AfterValidator(unescaped),
    ],
) -> Rules:
    """The rules as the engine plays them, in English."""
    return Rules.of(parse_variant(variant))
