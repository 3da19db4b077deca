"""What the pages of one's own bots show: states, reasons and advice in the reader's words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from dashboard.pages.remote_bots import RemoteLine, SeasonLine, is_at_work, remote_line, season_lines
from dashboard.words import Words
from league.model import Season
from league.qualifying import OwnRemote
from league.submissions import (
    Limit,
    LimitError,
    Refusal,
    Submission,
    SubmissionLimits,
    SubmissionState,
    SubmissionStep,
)


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_STATES: Final[Mapping[SubmissionState, str]] = {
    SubmissionState.RECEIVED: _("received"),
    SubmissionState.BUILDING: _("building"),
    SubmissionState.CHECKING: _("checking"),
    SubmissionState.QUALIFYING: _("qualifying"),
    SubmissionState.ACTIVE: _("active"),
    SubmissionState.REFUSED: _("refused"),
    SubmissionState.WITHDRAWN: _("withdrawn"),
    SubmissionState.DELETED: _("deleted"),
}
_LEADS: Final[Mapping[SubmissionState, str]] = {
    SubmissionState.RECEIVED: _("It waits for a worker, which will unpack and build it."),
    SubmissionState.BUILDING: _("It is being unpacked, and built in a sandbox without a network."),
    SubmissionState.CHECKING: _("It is being checked, step by step, as “king check” does on your machine."),
    SubmissionState.QUALIFYING: _("It plays one board against bots of the house."),
    SubmissionState.ACTIVE: _("It is active: enter it in a season, or have it play a challenge."),
    SubmissionState.REFUSED: _("It was refused, and plays nowhere. Mend it, and send it again."),
    SubmissionState.WITHDRAWN: _("It is withdrawn: it enters nothing more, until you activate it again."),
    SubmissionState.DELETED: _("It is deleted: archive and logs are gone, results of seasons stay."),
}
_TITLES: Final[Mapping[Refusal, str]] = {
    Refusal.ARCHIVE: _("The archive cannot be taken"),
    Refusal.MANIFEST: _("bot.toml is not right"),
    Refusal.NAME: _("The name cannot be had"),
    Refusal.BUILD: _("It cannot be built"),
    Refusal.CHECK: _("It does not pass the check"),
    Refusal.QUALIFYING: _("It failed on its qualifying board"),
    Refusal.ATTEMPTS: _("The check came to no answer"),
}
_ADVICE: Final[Mapping[Refusal, str]] = {
    Refusal.ARCHIVE: _(
        "Pack the bot’s folder so that bot.toml is at the top of the archive, with plain files and folders only: "
        "“zip -r bot.zip .” in that folder does it, and so does “king submit”."
    ),
    Refusal.MANIFEST: _(
        "Change what the message names in bot.toml and send the archive again. “king check .” reads the same file on "
        "your machine, and says the same."
    ),
    Refusal.NAME: _(
        "A name belongs to whoever was first active with it. Write another one in bot.toml and send the archive again."
    ),
    Refusal.BUILD: _(
        "The end of the build log below says what went wrong. There is no network in the sandbox: what the build needs "
        "must be in the archive, or among the runtimes that a submitted bot finds."
    ),
    Refusal.CHECK: _(
        "“king check .” in the bot’s folder takes the same steps on your machine. Below is what was sent to it and "
        "what came back at the step that failed, and what it wrote to its standard error."
    ),
    Refusal.QUALIFYING: _(
        "It passed the check and then failed in a whole match. Its replay and its standard error show where; “king "
        "match” plays such boards on your machine."
    ),
    Refusal.ATTEMPTS: _(
        "Whatever worked on it ended, again and again. Most likely the bot takes too much memory or starts too many "
        "processes; if you are sure that it does not, send it again, or tell an organiser."
    ),
}
_LIMITS: Final[Mapping[Limit, str]] = {
    Limit.ARCHIVE: _("The archive is too large: at most %(archive)s are taken. Leave out what a build makes anew."),
    Limit.EMPTY: _("Choose a zip file: the one that was sent is empty."),
    Limit.VERSIONS_A_DAY: _("You have sent %(versions)s versions in 24 hours, as many as are taken. Try again later."),
    Limit.TOTAL_BYTES: _("Your archives would be more than the %(total)s that are kept: delete versions first."),
    Limit.WAITING: _("%(waiting)s of your versions are being worked on: wait for one of them, or delete it."),
    Limit.UPLOADS: _("Two of your archives are on their way already: wait until one is here."),
    Limit.QUALIFYING: _("Not more than 50 qualifying boards are played a day: try again later."),
    Limit.REMOTE_BOTS: _("You have as many remote bots as may be, or registered 20 in 24 hours: revoke one, or wait."),
    Limit.CHALLENGES: _("One challenge is played at a time, and not more than 50 a day: wait for the last one."),
}
_WAY: Final = (
    SubmissionState.RECEIVED,
    SubmissionState.BUILDING,
    SubmissionState.CHECKING,
    SubmissionState.QUALIFYING,
    SubmissionState.ACTIVE,
)
"""The states that lie on the way, in their order."""


def state_word(state: SubmissionState, words: Words) -> str:
    """A state in the reader's language."""
    return words.say(_STATES[state])


def limit_told(error: LimitError, limits: SubmissionLimits, words: Words) -> str:
    """What is too much, and what would be right."""
    return words.say(
        _LIMITS[error.limit],
        archive=words.size(limits.archive_bytes),
        total=words.size(limits.total_bytes),
        versions=limits.versions_a_day,
        waiting=limits.waiting,
    )


@dataclass(frozen=True, slots=True)
class Version:
    """A submission in a list. `title` is what to call it: its version, or the file while that is not known."""

    id: int
    title: str
    state: str
    state_word: str
    reason: str
    language: str
    size: str
    received_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot with its versions, newest first; `name` is empty for those whose name is not known yet."""

    name: str
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class MyBots:
    """All of an owner's bots; `remotes` run elsewhere. `waiting`: something is being worked on."""

    bots: tuple[OwnBot, ...]
    remotes: tuple[RemoteLine, ...]
    kept: str
    kept_at_most: str
    waiting: bool


def my_bots(
    submissions: Sequence[Submission], remotes: Sequence[OwnRemote], limits: SubmissionLimits, words: Words
) -> MyBots:
    """The page of an owner; `submissions` newest first."""
    by_name: dict[str, list[Version]] = {}
    for submission in submissions:
        by_name.setdefault(submission.bot, []).append(_version(submission, words))
    return MyBots(
        bots=tuple(OwnBot(name, tuple(versions)) for name, versions in by_name.items()),
        remotes=tuple(remote_line(one, words) for one in remotes),
        kept=words.size(sum(submission.size for submission in submissions)),
        kept_at_most=words.size(limits.total_bytes),
        waiting=any(submission.state.is_waiting for submission in submissions) or any(map(is_at_work, remotes)),
    )


def _version(submission: Submission, words: Words) -> Version:
    return Version(
        id=submission.id,
        title=submission.version or submission.file_name,
        state=submission.state.value,
        state_word=state_word(submission.state, words),
        reason=submission.reason,
        language=submission.language,
        size=words.size(submission.size),
        received_at=submission.received_at,
        changed_at=submission.changed_at,
    )


@dataclass(frozen=True, slots=True)
class StepLine:
    """A state on the way: when it came (None: it may come yet), `now`: it is the present one."""

    state: str
    word: str
    at: datetime | None
    detail: str
    now: bool


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A step of the check. `passed` is None if it was not reached."""

    number: int
    name: str
    passed: bool | None
    message: str
    sent: str
    received: str
    seconds: float


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """The page of a submission. `logs`: its build log and standard error, empty without one."""

    id: int
    bot: str
    version: str
    version_id: int | None
    file_name: str
    language: str
    variants: tuple[str, ...]
    sha256: str
    size: str
    state: str
    state_word: str
    waiting: bool
    lead: str
    given_back: str
    cause: str
    title: str
    reason: str
    advice: str
    steps: tuple[StepLine, ...]
    check: tuple[CheckLine, ...]
    build_log: str
    stderr: str
    qualifying: int | None
    seasons: tuple[SeasonLine, ...]
    may: tuple[str, ...]


def submission_page(
    submission: Submission,
    steps: Sequence[SubmissionStep],
    report: Mapping[str, Any] | None,
    seasons: Sequence[tuple[Season, bool]],
    words: Words,
    *,
    build_log: str,
    stderr: str,
) -> SubmissionPage:
    """The page of a submission; `report` is that of its check."""
    return SubmissionPage(
        id=submission.id,
        bot=submission.bot,
        version=submission.version,
        version_id=submission.version_id,
        file_name=submission.file_name,
        language=submission.language,
        variants=submission.variants,
        sha256=submission.sha256,
        size=words.size(submission.size),
        state=submission.state.value,
        state_word=state_word(submission.state, words),
        waiting=submission.state.is_waiting,
        lead=words.say(_LEADS[submission.state]),
        given_back=submission.given_back if submission.state is SubmissionState.RECEIVED else "",
        cause="" if submission.cause is None else submission.cause.value,
        title="" if submission.cause is None else words.say(_TITLES[submission.cause]),
        reason=submission.reason,
        advice="" if submission.cause is None else words.say(_ADVICE[submission.cause]),
        steps=_steps(submission, steps, words),
        check=() if report is None else tuple(map(_check_line, report["steps"])),
        build_log=build_log,
        stderr=stderr or ("" if report is None else report.get("stderr", "")),
        qualifying=submission.qualifying,
        seasons=season_lines(seasons),
        may=_may(submission.state),
    )


def _may(state: SubmissionState) -> tuple[str, ...]:
    """What its owner can do with it now."""
    if state is SubmissionState.ACTIVE:
        return ("withdraw", "delete")
    if state is SubmissionState.WITHDRAWN:
        return ("activate", "delete")
    return () if state is SubmissionState.DELETED else ("delete",)


def _steps(submission: Submission, steps: Sequence[SubmissionStep], words: Words) -> tuple[StepLine, ...]:
    """What was, and, while it is worked on, what is to come."""
    lines = [
        StepLine(step.state.value, state_word(step.state, words), step.at, step.detail, now=step is steps[-1])
        for step in steps
    ]
    if submission.state.is_waiting:
        ahead = _WAY[_WAY.index(submission.state) + 1 :]
        lines += [StepLine(state.value, state_word(state, words), None, "", now=False) for state in ahead]
    return tuple(lines)


def _check_line(step: Mapping[str, Any]) -> CheckLine:
    return CheckLine(
        number=step["number"],
        name=step["name"],
        passed=step["passed"],
        message=step["message"],
        sent=step["sent"],
        received=step["received"],
        seconds=step["seconds"],
    )
