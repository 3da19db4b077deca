"""The guide for authors of bots."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import responses
from referee.rules import PRESETS

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Kit:
    """A starter kit: the name that `king new-bot` takes, and what it needs on the machine."""

    language: str
    needs: str


KITS = (
    Kit("python", "Python 3.11"),
    Kit("go", "Go 1.21"),
    Kit("rust", "Rust 1.88, Cargo"),
    Kit("java", "JDK 17, Maven"),
    Kit("node", "Node.js 20, npm"),
    Kit("cpp", "C++20, CMake, gRPC, Protobuf"),
    Kit("awk", "mawk"),
    Kit("tcl", "Tcl 8.6"),
)


@dataclass(frozen=True, slots=True)
class Guide:
    """The model: the kits there are and the variants that are played."""

    kits: tuple[Kit, ...]
    variants: tuple[str, ...]


@router.get("/guide")
@router.get("/guide.json", response_model=Guide)
def guide(request: Request) -> Response:
    """How to write a bot, from an empty folder to the ladder."""
    model = Guide(KITS, tuple(PRESETS))
    return responses.page_or_twin(request, "guide.html", model, area="guide", twin=lambda: model)
