"""What referee, workers and league say in the store, as messages of the catalogue.

Owns the table alone; `dashboard.retelling` reads it. A sentence is here as it is said, its changing parts named:
`%(told)s` is another sentence, `%(step)s` a step of the check, `%(kind)s` a kind of fault, `%(variant)s` a variant,
`%(name)s`, `%(other)s` and `%(third)s` anything, and every other name a number.
"""

from __future__ import annotations

from typing import Final


def _(message: str) -> str:
    """Marks a message for the catalogue; it is translated where it is used."""
    return message


STEPS: Final = (
    _("starts"),
    _("hello"),
    _("ready in time"),
    _("legal in every decision"),
    _("within its allowance"),
    _("several tables at once"),
    _("resume after a broken stream"),
    _("clean exit"),
    _("no writes outside"),
)
"""The steps of the check, in their order."""

FAULTS: Final = (
    _("%(requests)s request unanswered %(over)s ms after the clock ran out; overrun %(overrun)s"),
    _("%(requests)s requests unanswered %(over)s ms after the clock ran out; overrun %(overrun)s"),
    _("the clock ran out with %(requests)s unanswered and no stream open"),
    _("not ready within %(allowance)s ms of its start"),
    _("not ready within %(allowance)s ms of its start; its last stream was refused: %(told)s"),
    _("failed twice in this sitting before the table began, last by %(kind)s"),
    _("sits out: %(told)s"),
    _("the process ended by signal %(signal)s"),
    _("the process ended by signal %(signal)s: %(told)s"),
    _("the process ended with exit status %(status)s"),
    _("the process ended with exit status %(status)s: %(told)s"),
    _("request %(request)s: index %(index)s is not from 0 to %(most)s"),
    _("request %(request)s was answered before"),
    _("request %(request)s was never sent"),
    _("Hello.table_limit is %(tables)s; it is 1 to %(most)s, or 0 for 64"),
    _("Hello was said twice on one stream"),
    _("Ready was said twice on one stream"),
    _("the bytes are no PlayRequest"),
    _("a message is none of hello, ready and choice"),
    _("%(frames)s frames on a stream with %(requests)s requests; %(allowed)s are allowed"),
    _("%(streams)s streams of a process with %(requests)s requests; %(allowed)s are allowed"),
    _("a frame of %(size)s bytes; the limit is %(limit)s bytes"),
    _("a frame of %(count)s messages; the limit is %(limit)s messages"),
    _("%(size)s bytes wait for a bot that does not read; the limit is %(limit)s bytes"),
)
"""The details of faults."""

SUSPENSIONS: Final = (
    _(
        "its processes ended by themselves %(exits)s times in %(matches)s matches: "
        "at most %(most)s in %(within)s are allowed"
    ),
    _(
        "it overran its time in %(overrun)s of %(sittings)s sittings: after %(least)s, "
        "at most %(percent)s %% of them are allowed"
    ),
)
"""Why the league suspends a bot."""

HINTS: Final = (
    _("%(told)s; it said hello but never ready: does it read its standard input, and flush each line that it writes?"),
    _("%(told)s; it said hello but never ready: does it say Ready once Welcome has come?"),
    _("%(told)s; it never said hello: does it write its first line before it reads, and flush it?"),
    _("%(told)s; it never said hello: does it dial the address in KING_REFEREE?"),
    _("%(told)s; it never answered: does it read its standard input, and flush each line that it writes?"),
    _("%(told)s; it came back after the last cut"),
    _("%(told)s; it did not dial again after the last cut"),
    _("%(told)s; its process %(pid)s was stopped by a signal"),
)
"""What the check adds behind another sentence."""

CHECKS: Final = (
    _("a step before did not pass"),
    _("the step before did not pass"),
    _("it did not start"),
    _("it runs where it can write nowhere else"),
    _("time ran out in %(variant)s: see the next step"),
    _("%(asked)s decisions of %(kinds)s kinds in %(variants)s variants, all legal"),
    _("the slowest frame took %(slowest)s ms; the clock never fell below %(left)s ms"),
    _("%(tables)s tables side by side, up to %(most)s requests in one frame"),
    _("%(tables)s tables one after the other: it says in Hello that it plays one at a time"),
    _("cut once, back within %(slowest)s s, no fault"),
    _("cut twice, back within %(slowest)s s, no fault"),
    _("cut %(times)s times, back within %(slowest)s s, no fault"),
    _("protocol version 1"),
    _("protocol version 1, %(tables)s tables at once"),
    _("ready %(seconds)s s after its start; the allowance is %(allowance)s s"),
    _("exit: it ended before it had dialled the referee: %(told)s"),
    _("the stream was refused: %(name)s: %(told)s"),
    _("no fault was seen: no stream with a Hello came"),
    _("%(processes)s processes exited with status 0 within %(slowest)s s and left nothing running"),
    _(
        "%(processes)s processes exited with status 0 within %(slowest)s s and "
        "left running what was then ended: %(name)s"
    ),
    _("processes that it started are left: %(name)s"),
    _("%(variant)s: it did not exit within %(seconds)s s after its stream was closed with OK, and was stopped"),
    _("%(variant)s: it exited with status %(status)s after its stream was closed with OK; 0 would be right"),
    _("it may write in its folder, HOME and TMPDIR only: %(name)s"),
    _("no file outside was seen open for writing"),
    _("no file outside was seen open for writing, none has changed beside its folder"),
    _("%(name)s runs"),
)
"""What the check says of its steps."""

ARCHIVES: Final = (
    _("the archive has %(name)s; at most %(other)s are taken"),
    _("the file is no zip archive: pack the bot's folder with `zip -r bot.zip .`"),
    _("the archive is in the zip64 format, for more or larger files than are taken here"),
    _("the archive has more than %(most)s files and folders"),
    _("the archive has %(files)s files and folders; at most %(most)s are taken"),
    _("the archive has no bot.toml at its top, which says how the bot is built and run"),
    _("the archive is damaged, or is no zip: %(told)s"),
    _("the name %(name)s is too long: at most %(bytes)s bytes and %(folders)s folders are taken"),
    _("the name %(name)s leads somewhere else: names are relative, with single slashes and without . and .."),
    _("the name %(name)s has a character that cannot be seen"),
    _("%(name)s is a link or a special file; pack what it leads to (zip without --symlinks)"),
    _("%(name)s is encrypted"),
    _("%(name)s is packed by a method that is not taken; use deflate, as zip does by itself"),
    _("%(name)s and %(other)s have the same name, capital letters aside"),
    _("%(name)s is a file, and a folder of other files"),
    _("unpacked, the archive has %(name)s; at most %(other)s are taken"),
    _("%(name)s has %(other)s; a file may have %(third)s"),
    _("%(name)s is larger than its archive says"),
)
"""What is wrong with an archive."""

MANIFESTS: Final = (
    _("bot.toml: a number in it has thousands of digits"),
    _("bot.toml: its values are too deep within each other"),
    _("bot.toml: %(name)s is missing; write %(other)s"),
    _("bot.toml: unknown key %(name)s: did you mean %(other)s?"),
    _("bot.toml: unknown key %(name)s: a manifest has %(other)s"),
    _("bot.toml: %(name)s must be a text that is not empty, not %(third)s; write %(other)s"),
    _("bot.toml: %(name)s must be a list of texts, not %(third)s; write %(other)s"),
    _("bot.toml: run starts with %(name)s, which is no program: a file that is one must be executable (chmod +x)"),
    _("bot.toml: run starts with %(name)s, which is not there, and nothing builds it, since the manifest has no build"),
    _(
        "bot.toml: run starts with %(name)s, which is not there, though build (%(other)s), which is to make it, "
        "has ended well"
    ),
    _("the name %(name)s belongs to a bot of the house: write another in bot.toml"),
    _("the name %(name)s is taken: %(third)s belongs to %(other)s; write another in bot.toml"),
)
"""What is wrong with a manifest."""

WORK: Final = (
    _("the program of bot %(name)s %(other)s is not to be had at present; choose another bot, or try later"),
    _("it forfeited its qualifying board of %(told)s"),
    _("it forfeited %(told)s"),
    _("step %(number)s of the check, “%(step)s”: %(told)s"),
    _("%(name)s has not been heard of"),
    _("it was tried %(times)s times without an answer; the last time: %(told)s"),
    _("it was tried %(times)s times through no fault of the bots; the last time: %(told)s"),
    _("%(variant)s: %(kind)s: %(told)s (asked: %(name)s)"),
    _("%(variant)s: %(kind)s: %(told)s"),
    _("%(kind)s: %(told)s; the allowance is %(seconds)s s"),
    _("%(kind)s: %(told)s"),
)
"""What workers say around another sentence."""

PHRASES: Final = (*HINTS, *WORK, *FAULTS, *SUSPENSIONS, *CHECKS, *MANIFESTS, *ARCHIVES)
"""All sentences; of those that fit, the first one is meant."""
