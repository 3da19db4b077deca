"""Manifests of bots: what is written in a `bot.toml` that a stranger sends.

Owns what must hold: it is read, or refused with one sentence that can be shown; and what is read can be run, stored and
shown: no control character, no empty command.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from league.names import label_fault
from tests.fuzz.engine import WrongAnswerError, check_sentence
from tests.fuzz.mutation import TEXTS, change_bytes, change_text
from tests.workers.zips import MANIFEST
from workers.manifests import BotError, read_manifest

GOOD = MANIFEST.format(name="owl", version="1", build="[]")
MOST_LETTERS = 1 << 17
_WORDS = (
    *("name", "version", "language", "build", "run", "variants", "settings", "[settings]", "[[build]]", "[run]", "nam"),
    *(
        '"x"',
        "'''",
        '"""',
        "1979-05-27T07:32:00Z",
        "1e400",
        "nan",
        "-inf",
        "0xdeadbeef",
        "1_000",
        "true",
        "[",
        "{",
        "#",
    ),
    *(
        '"\\u0000"',
        '"\\ud800"',
        '"\\U00110000"',
        '"\\x00"',
        "a.b.c",
        '["*"]',
        '["*", 1]',
        '["russian-14[]"]',
        "[]",
        "{}",
    ),
    *(
        '["python"]',
        '["./bot"]',
        '["/bin/true"]',
        '["../x"]',
        '[""]',
        '["a\\u0000b"]',
        "= ",
        "\n",
        "\r",
        "\t",
        ".",
        '"',
    ),
)


class Manifests:
    """The surface."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "bot.toml"
        (folder / "bot").write_text("#!/bin/sh\n")
        (folder / "bot").chmod(0o755)

    def seeds(self) -> Sequence[bytes]:
        """Good ones, and each trouble that tests know."""
        texts = [
            GOOD,
            GOOD.replace('["python", "bot.py"]', '["./bot", "-x"]'),
            f"{GOOD}\n[settings]\na.b.c = 1\nd = [1, {{x = 1979-05-27}}]\n",
            GOOD.replace('["python", "bot.py"]', '"python bot.py"'),
            GOOD.replace('"owl"', '"../../etc/passwd"'),
            GOOD.replace('"owl"', '"\\u0000"'),
            f"x = {'[' * 60_000}",
            f"x = {'9' * 5000}",
            "".join(f"a{number}." for number in range(3000)) + "b = 1",
            f"{'[a]' * 20_000}",
            "x" * (1 << 17),
            *(f"{GOOD}settings = {text}\n" for text in _WORDS),
        ]
        return [
            *(text.encode("utf-8", "replace") for text in texts),
            GOOD.encode("utf-16"),
            b"\xef\xbb\xbf" + GOOD.encode(),
        ]

    def change(self, source: bytes, chance: Random) -> bytes:
        """Another text, or bytes that are none."""
        if chance.random() < 0.2:
            return change_bytes(source, chance)
        text = source.decode("utf-8", "replace")
        for _ in range(chance.choice((1, 1, 2, 4))):
            if chance.random() < 0.4:
                lines = text.split("\n")
                at = chance.randrange(len(lines))
                key = lines[at].partition("=")[0]
                lines[at] = f"{key}= {chance.choice((*_WORDS, repr(chance.choice(TEXTS))))}"
                text = "\n".join(lines)
            else:
                text = change_text(text, chance, _WORDS)[:MOST_LETTERS]
        return text.encode("utf-8", "replace")

    def attempt(self, given: bytes) -> str:
        """Read it."""
        self._path.write_bytes(given)
        try:
            bot = read_manifest(self._path)
        except BotError as error:
            return check_sentence(str(error), most=2000).replace(str(self._path), "")
        if label_fault(bot.name) or label_fault(bot.version):
            raise WrongAnswerError(f"a bot may be called {bot.name!r}, version {bot.version!r}")
        for word in (*bot.run, *bot.build, bot.language, *bot.variants):
            os.fsencode(word)
            word.encode()
            if "\0" in word:
                raise WrongAnswerError("a command has a zero byte")
        if not bot.run or not bot.run[0] or not bot.variants:
            raise WrongAnswerError(f"a bot is run by {bot.run}")
        return f"read, {len(bot.run)} words, {len(bot.variants)} variants"


@contextmanager
def open_manifests(folder: Path) -> Iterator[Manifests]:
    """The surface writes into a folder of its own."""
    yield Manifests(folder)
