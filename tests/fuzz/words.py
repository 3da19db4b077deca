"""Short texts that people write: variants and their options, time controls, durations, names, addresses, cursors.

Owns what must hold: a text is read, or refused with a sentence that can be shown; and what was read is written as a
text that reads back to the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from dashboard.api.paging import read_cursor, write_cursor
from dashboard.api.problems import ProblemError
from dashboard.api.validators import form_held
from king_cli.durations import milliseconds
from king_cli.errors import UsageError
from league.errors import LeagueError
from league.names import first_alike, label_fault, look_of, name_fault, name_key
from referee.addresses import door_of, host_and_port, target_of
from referee.clock import TimeControl, TimeControlError
from referee.rules import PRESETS, RulesError, parse_variant
from tests.fuzz.engine import WrongAnswerError
from tests.fuzz.mutation import NUMBERS, TEXTS, change_text
from workers.addresses import addresses, socket_of
from workers.bots import BotError, find_bot

LONGEST = 3000
_SCOPE = "/api/v1/matches?"
_WORDS = (
    *(
        "[",
        "]",
        "=",
        ",",
        "+",
        "-",
        ".",
        ":",
        "/",
        "#",
        "@",
        "ms",
        "s",
        "m",
        "h",
        "start",
        "inc",
        "bank",
        "unix:",
        "tls://",
    ),
    *(
        "seats",
        "limits",
        "contracts",
        "free",
        "short",
        "3",
        "1+2",
        "cmd:",
        "mtls://",
        "::1",
        "[::1]:7700",
        *map(str, NUMBERS),
    ),
)
_GOOD: Mapping[str, tuple[str, ...]] = {
    "variant": PRESETS,
    "time control": ("start=30s,inc=100ms,bank=10s", "bank=1.5m", "", "inc=0ms, start=1s"),
    "duration": ("60s", "1.5m", "24h", "500ms"),
    "label": ("owl", "1.0", "Лисий хвост", "owl@1", "-x", "greedy#2"),
    "address": (
        "127.0.0.1:7700",
        "unix:/tmp/x",
        "127.0.0.1:7700,unix:/x",
        "tls://arena:7700",
        "[::1]:7700",
        "localhost:0",
    ),
    "cursor": (write_cursor(_SCOPE, (1, "x")), write_cursor(_SCOPE, ()), "x", "=="),
    "tag": ('"x"', '*, W/"x"', 'W/"' + "x" * 50 + '"'),
    "bot": ("greedy", "cmd:python bot.py", "./nowhere", "cmd:", "cmd:'", "tests"),
}


_OF_STRANGERS = frozenset({"variant", "time control", "label", "cursor"})
"""What comes over the network; the other texts are told to who has just typed them."""


def _variant(text: str) -> str:
    variant = parse_variant(text)
    if parse_variant(variant.id) != variant:
        raise WrongAnswerError(f"{text!r} is {variant.id}, which is another variant")
    return variant.id


def _time_control(text: str) -> str:
    control = TimeControl.parse(text)
    if TimeControl.parse(str(control)) != control:
        raise WrongAnswerError(f"{text!r} is written as {control}, which is another time control")
    if not str(control).isascii():
        raise WrongAnswerError(f"{control!s} is no ASCII")
    return "read"


def _label(text: str) -> str:
    fault = label_fault(text)
    if not fault and ("/" in text or not text.isprintable() or text in {".", ".."} or len(os.fsencode(text)) > 255):
        raise WrongAnswerError(f"a bot may be called {text!r}")
    if look_of(look_of(text)) != look_of(text) or first_alike(text, [text]) != text:
        raise WrongAnswerError(f"{text!r} does not look like itself")
    name_key(text)
    return f"{fault} {name_fault(text)}"


def _address(text: str) -> str:
    socket_of(text)
    for one in addresses(text):
        door_of(one)
        target_of(one)
        if not one.startswith("unix:"):
            host, port = host_and_port(one)
            if not host or not 0 <= port < 1 << 16:
                raise WrongAnswerError(f"{one!r} is the address of {host!r}, port {port}")
    return "read"


_READERS: Mapping[str, Callable[[str], str]] = {
    "variant": _variant,
    "time control": _time_control,
    "duration": lambda text: str(milliseconds(text, "--x") >= 0),
    "label": _label,
    "address": _address,
    "cursor": lambda text: f"{len(read_cursor(_SCOPE, text))} parts",
    "tag": lambda text: str(form_held(text, '"x"')),
    "bot": lambda text: str(find_bot(text).language),
}
_REFUSALS = (RulesError, TimeControlError, UsageError, ProblemError, LeagueError, BotError)


class Words:
    """The surface: an input is the kind of text, a line feed, the text."""

    def seeds(self) -> Sequence[bytes]:
        """Good texts of each kind, and every odd one as each kind."""
        good = [(kind, text) for kind, texts in _GOOD.items() for text in texts]
        odd = [(kind, text) for kind in _GOOD for text in TEXTS]
        return [f"{kind}\n{text}".encode("utf-8", "surrogatepass") for kind, text in (*good, *odd)]

    def change(self, source: bytes, chance: Random) -> bytes:
        """Another text, now and then as another kind."""
        kind, _, text = source.decode("utf-8", "surrogatepass").partition("\n")
        if chance.random() < 0.05:
            kind = chance.choice(list(_GOOD))
        for _ in range(chance.choice((1, 1, 2, 4))):
            text = change_text(text, chance, _WORDS)[:6000]
        return f"{kind}\n{text}".encode("utf-8", "surrogatepass")

    def attempt(self, given: bytes) -> str:
        """Read it."""
        kind, _, text = given.decode("utf-8", "surrogatepass").partition("\n")
        try:
            return f"{kind}: {_READERS[kind](text)}"
        except OSError as error:  # told in one line, as every error of the system is
            if kind != "bot":
                raise
            return f"{kind}: {error.strerror}"
        except _REFUSALS as error:
            told = str(error)
            if len(told) > LONGEST and kind in _OF_STRANGERS:
                raise WrongAnswerError(f"a sentence of {len(told)} letters for a {kind}") from error
            return f"{kind}: {told}"
        except ValueError as error:
            if kind != "address" or type(error) is not ValueError:
                raise
            return f"{kind}: no address"


@contextmanager
def open_words(_folder: Path) -> Iterator[Words]:
    """The surface needs nothing."""
    yield Words()
