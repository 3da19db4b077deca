"""How the parts log: lines for people, or one JSON object a line, all by one formatter, whoever says it.

Owns the form. What structlog, the standard library, RQ and uvicorn are told goes the same way to standard error. No
secret may be logged: what is, may be read by more people than the store.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from enum import StrEnum
from typing import Any, Final

import structlog
from structlog.dev import ConsoleRenderer, plain_traceback
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

FIRST: Final = ("at", "level", "part", "logger", "event", "season", "sitting", "attempt", "match_id")
"""Fields in the order in which a line has them; others come after."""
_STEERS: Final = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What JSON lets stand as it is, though terminals obey it, or some take it for the end of a line."""
_OF_SEVERAL_LINES: Final = ("exception", "stack")
_QUIET: Final = ("alembic", "asyncio")
"""Libraries that tell what they do at every turn: of them only warnings."""


class LogStyle(StrEnum):
    """The form of a line."""

    TEXT = "text"
    JSON = "json"


def log_to_stderr(part: str, style: LogStyle = LogStyle.TEXT, level: int = logging.INFO) -> None:
    """Have all that this process logs, from `level` on, go to standard error; lines of JSON say which part it is."""
    handler = _ToStandardError()
    handler.setFormatter(_formatter(part, style))
    root = logging.getLogger()
    for former in _ours():
        root.removeHandler(former)
    root.addHandler(handler)
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    structlog.configure(
        processors=[*_common(), structlog.processors.StackInfoRenderer(), ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def is_set_up() -> bool:
    """Whether somebody has said where this process logs."""
    return bool(_ours())


class _ToStandardError(logging.Handler):
    """Writes lines to what is standard error at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one; what cannot be written, as on a full disk, is lost."""
        try:
            line = self.format(record)
        except Exception:
            self.handleError(record)  # tells of it instead, as the standard library's handlers do
            return
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


def _ours() -> list[logging.Handler]:
    return [handler for handler in logging.getLogger().handlers if isinstance(handler, _ToStandardError)]


def _common() -> list[Processor]:
    """What every line gets, whether structlog or the standard library was told."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    ]


def _formatter(part: str, style: LogStyle) -> ProcessorFormatter:
    ending: list[Processor]
    if style is LogStyle.JSON:
        ending = [structlog.processors.format_exc_info, _OfPart(part), structlog.processors.JSONRenderer(_json)]
    else:
        colours = sys.stderr.isatty()
        ending = [
            _on_one_line,
            ConsoleRenderer(colors=colours, exception_formatter=plain_traceback, timestamp_key="at"),
        ]
    return ProcessorFormatter(
        foreign_pre_chain=_common(), processors=[ProcessorFormatter.remove_processors_meta, *ending]
    )


def _on_one_line(logger: object, method: str, told: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor that shows what steers a terminal, ends of lines too, as text has it in Python: what bots and their
    authors say is told, and is to make no line of its own. A traceback has its lines.
    """
    del logger, method
    for name, value in told.items():
        if isinstance(value, str) and name not in _OF_SEVERAL_LINES and not value.isprintable():
            told[name] = _shown(value)
    return told


def _shown(text: str) -> str:
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


class _OfPart:
    """A processor that says which part it was, and puts the fields in order."""

    def __init__(self, part: str) -> None:
        self._part = part

    def __call__(self, logger: object, method: str, told: MutableMapping[str, Any]) -> Mapping[str, Any]:
        del logger, method
        told["part"] = self._part
        first = {name: told[name] for name in FIRST if name in told}
        return {**first, **told}


def _json(told: Mapping[str, Any], **options: Any) -> str:
    del options
    return _STEERS.sub(
        lambda found: f"\\u{ord(found[0]):04x}",
        json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=str),
    )
