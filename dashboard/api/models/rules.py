"""Variants and their rules."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from referee.rules import Variant, contract_name, describe


class VariantLine(BaseModel):
    """A preset: a variant that has a name."""

    id: str = Field(examples=["russian-14"])
    title: str
    seats: int
    deals: int
    pack: int = Field(description="Cards in the pack.")

    @classmethod
    def of(cls, variant: Variant) -> VariantLine:
        """The model of a preset."""
        return cls(
            id=variant.id,
            title=variant.title.en,
            seats=variant.seats,
            deals=variant.deal_count,
            pack=len(variant.pack),
        )


class VariantOption(BaseModel):
    """A choice that a variant offers."""

    name: str
    values: list[str | int]
    default: str | int
    pattern: str | None = Field(default=None, description="How other values than those listed are written.")


class VariantWithOptions(BaseModel):
    """A variant with all its options."""

    id: str
    options: list[VariantOption]


class Variants(BaseModel):
    """Presets and variants with their options, as `king variants --json` prints them; `named`: the presets in words."""

    presets: list[str]
    variants: list[VariantWithOptions]
    named: list[VariantLine]


class RulesTable(BaseModel):
    """A table of the rules."""

    model_config = ConfigDict(from_attributes=True)

    headings: list[str]
    rows: list[list[str]]


class RulesSection(BaseModel):
    """A section of the rules."""

    model_config = ConfigDict(from_attributes=True)

    heading: str
    sentences: list[str]
    table: RulesTable | None


class RulesContract(BaseModel):
    """A contract of a variant."""

    id: str
    name: str
    total: int = Field(description="The points of all seats together.")


class Rules(BaseModel):
    """The rules of a variant, as the engine plays them."""

    variant: VariantLine
    rules_version: int
    forfeit_points: int = Field(description="What a forfeited match costs.")
    contracts: list[RulesContract]
    sections: list[RulesSection]

    @classmethod
    def of(cls, variant: Variant) -> Rules:
        """The model of a variant's rules."""
        return cls(
            variant=VariantLine.of(variant),
            rules_version=variant.rules_version,
            forfeit_points=variant.forfeit_points,
            contracts=[
                RulesContract(id=one.id, name=contract_name(one, "en"), total=one.total)
                for one in variant.contracts.values()
            ],
            sections=[RulesSection.model_validate(one) for one in describe(variant, "en").sections],
        )
