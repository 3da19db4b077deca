"""Problems: every kind of error that the API answers with, as RFC 9457 has it.

Owns the kinds, their addresses (which lead to a page about them) and the JSON of one. What a kind means is told here
in English, and translated by the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from dashboard import links

MEDIA_TYPE = "application/problem+json"


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


class ProblemKind(StrEnum):
    """The kinds of problem; the value is the last part of the kind's address, and stays."""

    INVALID_REQUEST = "invalid-request"
    UNKNOWN_PARAMETER = "unknown-parameter"
    INVALID_CURSOR = "invalid-cursor"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    NOT_PUBLIC_YET = "not-public-yet"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    CONFLICT = "conflict"
    TOO_LARGE = "too-large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    QUOTA_EXCEEDED = "quota-exceeded"
    OUR_FAULT = "our-fault"
    OTHER = "other"

    @property
    def address(self) -> str:
        """The `type` of the problem: where it is explained."""
        return links.problem(self.value)


@dataclass(frozen=True, slots=True)
class Explained:
    """A kind in words: its status, its title, what it means and what to do."""

    status: int
    title: str
    meaning: str


EXPLAINED: Mapping[ProblemKind, Explained] = MappingProxyType(
    {
        ProblemKind.INVALID_REQUEST: Explained(
            422,
            _("A part of the request is not valid"),
            _("Each entry of errors names a parameter, or a place in the body by a pointer, and what is wrong."),
        ),
        ProblemKind.UNKNOWN_PARAMETER: Explained(
            422,
            _("There is no such parameter"),
            _("The address has a parameter that is not known there, or one twice. It is refused, not ignored."),
        ),
        ProblemKind.INVALID_CURSOR: Explained(
            422,
            _("The cursor is none of this list"),
            _("Cursors come from the member next of a list and fit that list with those filters. Begin without one."),
        ),
        ProblemKind.UNAUTHENTICATED: Explained(
            401,
            _("A token is needed"),
            _("The token is missing, wrong or revoked, or its account is disabled. Send Authorization: Bearer."),
        ),
        ProblemKind.FORBIDDEN: Explained(
            403,
            _("This account may not do that"),
            _("It is the owner’s or an organiser’s to do."),
        ),
        ProblemKind.NOT_PUBLIC_YET: Explained(
            403,
            _("Not public yet"),
            _("Cards, secrets and standard error are shown when the last sitting of their set of boards is over."),
        ),
        ProblemKind.NOT_FOUND: Explained(
            404,
            _("Not found"),
            _("There is nothing at this address. The detail says what there is."),
        ),
        ProblemKind.METHOD_NOT_ALLOWED: Explained(
            405,
            _("The method does not fit this address"),
            _("The header Allow names those that do."),
        ),
        ProblemKind.CONFLICT: Explained(
            409,
            _("It cannot be done as things stand"),
            _("The request is sound, but its object is in another state. The detail says what would have to be."),
        ),
        ProblemKind.TOO_LARGE: Explained(
            413,
            _("The request is too large"),
            _("The detail says how large it may be."),
        ),
        ProblemKind.UNSUPPORTED_MEDIA_TYPE: Explained(
            415,
            _("The body is of a kind that cannot be read here"),
            _("The operation’s description says which media types it takes."),
        ),
        ProblemKind.QUOTA_EXCEEDED: Explained(
            429,
            _("Too many requests"),
            _("The header Retry-After says after how many seconds to try again. RateLimit-Policy has the whole rule."),
        ),
        ProblemKind.OUR_FAULT: Explained(
            500,
            _("Our fault"),
            _("The request failed for a reason of ours. The server’s log says how; trying again may help."),
        ),
        ProblemKind.OTHER: Explained(
            400,
            _("Cannot be done"),
            _("The detail says why."),
        ),
    }
)


class ProblemPart(BaseModel):
    """One part of a request that is wrong."""

    detail: str = Field(description="What is wrong, and what would be right.")
    parameter: str | None = Field(default=None, description="The parameter of the address.", examples=["limit"])
    header: str | None = Field(default=None, description="The header.")
    pointer: str | None = Field(default=None, description="A JSON pointer into the body.", examples=["#/name"])


class Problem(BaseModel):
    """What went wrong, as RFC 9457 has it."""

    model_config = ConfigDict(populate_by_name=True)

    type: str = Field(
        description="The kind of problem: the address of its page.", json_schema_extra={"format": "uri-reference"}
    )
    title: str = Field(description="The kind in words; the same each time.")
    status: int = Field(description="The status of the answer.", ge=400, le=599)
    detail: str = Field(description="What was wrong this time, and what would be right.")
    instance: str | None = Field(
        default=None, description="The address asked for.", json_schema_extra={"format": "uri-reference"}
    )
    errors: list[ProblemPart] | None = Field(default=None, description="The parts that are wrong.")
    violated_policies: list[str] | None = Field(
        default=None, alias="violated-policies", description="The rate limits that are used up, by name."
    )


@dataclass(eq=False)
class ProblemError(Exception):
    """Raised by a handler: the answer is this problem."""

    kind: ProblemKind
    detail: str
    errors: Sequence[ProblemPart] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    violated_policies: Sequence[str] = ()
    status: int | None = None

    def __str__(self) -> str:
        return self.detail


def kind_of_status(status: int) -> ProblemKind:
    """The kind that stands for a status where nothing more is known."""
    of_status = {
        401: ProblemKind.UNAUTHENTICATED,
        403: ProblemKind.FORBIDDEN,
        404: ProblemKind.NOT_FOUND,
        405: ProblemKind.METHOD_NOT_ALLOWED,
        409: ProblemKind.CONFLICT,
        413: ProblemKind.TOO_LARGE,
        415: ProblemKind.UNSUPPORTED_MEDIA_TYPE,
        422: ProblemKind.INVALID_REQUEST,
        429: ProblemKind.QUOTA_EXCEEDED,
        500: ProblemKind.OUR_FAULT,
    }
    return of_status.get(status, ProblemKind.OTHER)


def problem_json(error: ProblemError, instance: str) -> dict[str, Any]:
    """The members of a problem; those that say nothing are left out."""
    explained = EXPLAINED[error.kind]
    problem = Problem(
        type=error.kind.address,
        title=explained.title if error.kind is not ProblemKind.OTHER else _phrase(error.status),
        status=error.status or explained.status,
        detail=error.detail,
        instance=instance,
        errors=list(error.errors) or None,
        **{"violated-policies": list(error.violated_policies) or None},
    )
    return problem.model_dump(mode="json", by_alias=True, exclude_none=True)


def _phrase(status: int | None) -> str:
    return HTTPStatus(status or 400).phrase


def answer(error: ProblemError, instance: str) -> Response:
    """The answer that tells of a problem."""
    content = problem_json(error, instance)
    return JSONResponse(content, content["status"], headers=dict(error.headers), media_type=MEDIA_TYPE)


def answer_to(request: Request, error: ProblemError) -> Response:
    """The answer to a request that has a problem."""
    return answer(error, instance_of(request.scope))


def instance_of(scope: Mapping[str, Any]) -> str:
    """The path that was asked for, as it was sent. The query is left out: it may hold what is not to be repeated."""
    return str(scope.get("raw_path") or scope["path"].encode(), "ascii", "replace").partition("?")[0]
