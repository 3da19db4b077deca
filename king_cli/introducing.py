"""How a part begins: it logs as KING_LOG says, and tells in one line what it is, where, and with what.

Owns the line. Passwords in URLs are left out of it, and the control key is only said to be there.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import structlog

from king_cli.places import is_file
from king_cli.settings import Settings
from referee.rules.compiled import engine_text
from workers.logs import log_to_stderr


def introduce(part: str, settings: Settings, **more: Any) -> None:
    """Set up the logs of this process, and say that `part` begins, with what else there is to say."""
    log_to_stderr(part, settings.log)
    structlog.get_logger("king").info(
        f"{part} begins",
        version=version("king-arena"),
        engine=engine_text(),
        metrics=settings.metrics or None,
        **more,
    )


def place(url: str) -> str:
    """A URL without user, password and options, which may be secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if url else ""


def league_place(settings: Settings) -> str:
    """Where the league of the settings is, for people: the data folder, or the database if that is elsewhere."""
    return str(settings.data_dir) if is_file(settings.database_url) else place(settings.database_url)
